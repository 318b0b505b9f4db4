//! What must be made of each recorded fault, and why.

use super::Verdict::{self, Controller, Reader as Readers};

const OF_OURS: &str = "the controller has credentials and rights of its own";
const OF_SHARE: &str = "the API server's fairness goes by user";
const OF_ALL: &str = "the aggregator answers everybody so";
const OF_BACKEND: &str = "whoever serves the metrics answers everybody so";
const OF_OTHERS: &str =
    "behind the aggregator it is not the API server that speaks, and these words may be anybody's";
const OF_KIND: &str = "the kind cannot be read by anybody";
const OF_OBJECT: &str = "it is not there, whoever asks";
const OF_ITSELF: &str = "the API server says so itself";
const OF_ETCD: &str = "the API server has nothing to answer from";
const OF_RESTART: &str = "the API server answers everybody so at that moment";

/// What must be made of each fault by a read that the controller makes too.
pub const FAULTS: &[(&str, Verdict, &str)] = &[
    ("unknown token", Readers, OF_OURS),
    ("expired token", Readers, OF_OURS),
    ("no anonymous", Readers, OF_OURS),
    ("no token", Readers, OF_OURS),
    ("no right", Readers, OF_OURS),
    ("may not act for another", Readers, OF_OURS),
    ("authorizer is away", Readers, "another authorizer allows the controller, without asking this one"),
    ("no such form", Readers, "the controller takes other forms"),
    ("another method", Controller, OF_ITSELF),
    ("no share", Readers, OF_SHARE),
    ("too many requests", Readers, OF_SHARE),
    ("no such API", Controller, "the API is nobody's, whoever asks"),
    ("no such Service", Controller, OF_ALL),
    ("no endpoints", Controller, OF_ALL),
    ("backend hangs", Controller, OF_ALL),
    ("backend redirects", Controller, OF_ALL),
    ("backend aborts", Controller, OF_ALL),
    ("backend hangs up", Controller, OF_ALL),
    ("backend speaks plain HTTP", Controller, OF_ALL),
    ("backend speaks another protocol", Controller, OF_ALL),
    ("backend has a certificate of another authority", Controller, OF_ALL),
    ("backend has an expired certificate", Controller, OF_ALL),
    ("backend has a certificate of another name", Controller, OF_ALL),
    ("backend is away", Controller, OF_ALL),
    ("backend found away", Controller, OF_ALL),
    ("backend breaks off", Readers, "the connection broke"),
    ("backend says 404", Controller, "the API server says the same where there is no such API"),
    ("backend says 500", Readers, OF_OTHERS),
    ("backend says 503", Readers, OF_OTHERS),
    ("backend gives a page", Readers, OF_OTHERS),
    ("backend gives nothing", Readers, OF_OTHERS),
    ("backend is not ready", Readers, OF_SHARE),
    ("servers hang", Controller, OF_ALL),
    ("servers stopped", Controller, OF_ALL),
    ("servers found stopped", Controller, OF_ALL),
    ("servers do not know the API server", Controller, OF_ALL),
    ("no such metric", Controller, OF_BACKEND),
    ("malformed selector", Controller, "the selector is the target's, whoever asks"),
    ("adapter says 500", Controller, OF_BACKEND),
    ("adapter says 403", Readers, OF_OURS),
    ("no such object", Controller, OF_OBJECT),
    ("no scale", Controller, OF_OBJECT),
    ("version not served", Controller, OF_OBJECT),
    ("version of the HPA not served", Controller, OF_OBJECT),
    ("replicas that are no number", Controller, OF_KIND),
    ("replicas that are not there", Controller, OF_KIND),
    ("conversion fails", Controller, OF_KIND),
    ("conversion says nothing", Controller, OF_KIND),
    ("conversion says 500", Controller, OF_KIND),
    ("conversion gives a page", Controller, OF_KIND),
    ("conversion hangs", Controller, OF_KIND),
    ("conversion hangs up", Controller, OF_KIND),
    ("conversion speaks plain HTTP", Controller, OF_KIND),
    ("conversion has a certificate of another authority", Controller, OF_KIND),
    ("conversion has an expired certificate", Controller, OF_KIND),
    ("conversion is away", Controller, OF_KIND),
    ("expired continue", Controller, "the past is forgotten, whoever asks"),
    ("malformed continue", Controller, OF_ITSELF),
    ("expired version", Controller, "the past is forgotten, whoever asks"),
    ("shuts down", Readers, "the connection broke"),
    ("shuts down and says so", Readers, "a 429 is meant for who asks"),
    ("starts", Controller, OF_RESTART),
    ("write: changed meanwhile", Controller, OF_ITSELF),
    ("write: too large", Controller, OF_ITSELF),
    ("write: no such value", Controller, OF_ITSELF),
    ("etcd hangs", Controller, OF_ETCD),
    ("etcd is away", Controller, OF_ETCD),
];

/// The verdict on a fault by its name, with its reason; `None` for what only writes meet.
pub fn verdict(fault: &str) -> Option<(Verdict, &'static str)> {
    FAULTS.iter().find(|known| known.0 == fault).map(|(_, verdict, why)| (*verdict, *why))
}
