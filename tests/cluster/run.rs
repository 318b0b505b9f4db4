//! The commands themselves, run on a played cluster.

use std::io::Write;
use std::path::Path;

use clap::Parser;
use kubectl_hpa::cli::Cli;
use kubectl_hpa::commands::{Ending, Screen, run};
use serde_json::Value;

use crate::cluster::{Cluster, kubeconfig_file};
use crate::server::{Request, Server};

/// What a command line did.
pub struct Told {
    pub ending: Ending,
    pub out: String,
    pub err: String,
    pub requests: Vec<Request>,
}

impl Told {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err))
    }

    /// How often a path was asked.
    pub fn asked(&self, path: &str) -> usize {
        self.requests.iter().filter(|request| request.path() == path).count()
    }
}

impl Cluster {
    /// Runs `kubectl hpa …` on it, where nobody can be asked.
    pub fn run(self, args: &[&str]) -> Told {
        run_on(&self.serve(), args)
    }
}

pub fn run_on(server: &Server, args: &[&str]) -> Told {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ending = run_into(server, args, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Told { ending, out: text(out), err: text(err), requests: server.requests() }
}

/// The same, with streams of one's own.
pub fn run_into(server: &Server, args: &[&str], out: &mut dyn Write, err: &mut dyn Write) -> Ending {
    let file = kubeconfig_file(&server.url());
    let ending = run_by(&file, args, out, err);
    std::fs::remove_file(file).expect("to remove the kubeconfig");
    ending
}

/// The same by a kubeconfig of one's own.
pub fn run_by(kubeconfig: &Path, args: &[&str], out: &mut dyn Write, err: &mut dyn Write) -> Ending {
    run_before(NOBODY, kubeconfig, args, out, err)
}

/// Streams that go nowhere.
pub const NOBODY: Screen = Screen {
    width: Some(100),
    height: None,
    wants_color: false,
    is_unicode: true,
    can_ask: false,
    can_tell: false,
    is_err_closed: false,
};

/// The same on a screen.
pub fn run_before(
    screen: Screen,
    kubeconfig: &Path,
    args: &[&str],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Ending {
    let kubeconfig = ["--kubeconfig", kubeconfig.to_str().expect("UTF-8")];
    let words = ["kubectl hpa"].iter().chain(args).chain(&kubeconfig);
    let cli = Cli::try_parse_from(words).expect("a command line");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(cli, screen, out, err))
}

/// Writes a file of this process for a command line.
pub fn file(name: &str, text: &str) -> String {
    let name = format!("{}-{name}", std::process::id());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}
