//! Which HPAs are asked about, where a cluster is asked.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;

use anyhow::{Context, anyhow, bail};
use futures::FutureExt;
use futures::stream::{self, LocalBoxStream, StreamExt};
use tokio::runtime::Handle;

use super::Screen;
use super::connect::connect;
use super::progress;
use crate::cli::{ConnectionArgs, SubjectArgs};
use crate::cluster::{ClusterError, Connection, HpaQuery, Subject};
use crate::render::{self, sanitize};
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::model::{Selector, shell_word};
use kubectl_hpa_core::snapshot::Case;

/// One HPA that is asked about, where it is.
pub struct Asked {
    /// The cluster and the namespace.
    pub connection: Connection,
    /// The HPA.
    pub subject: Subject,
    /// How it is called where it is one of several.
    label: Option<String>,
}

impl Asked {
    fn alone(connection: Connection, subject: Subject) -> Self {
        Self { connection, subject, label: None }
    }

    /// One of several, by its name or place.
    pub fn labeled(connection: Connection, subject: Subject, label: String) -> Self {
        Self { connection, subject, label: Some(label) }
    }

    /// An error of one of several names which.
    pub fn named<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        match &self.label {
            Some(label) => result.with_context(|| label.clone()),
            None => result,
        }
    }
}

impl Asked {
    /// Namespace and name, the name as it was asked for.
    pub fn place(&self) -> (String, String) {
        let name = match &self.subject {
            Subject::Hpa(name) => name.clone(),
            target @ Subject::Target { .. } => target.to_string(),
        };
        (self.connection.namespace().to_owned(), name)
    }
}

impl Asked {
    /// The same of an error alone.
    pub fn labeled_error(&self, error: anyhow::Error) -> anyhow::Error {
        match &self.label {
            Some(label) => error.context(label.clone()),
            None => error,
        }
    }

    /// One without an answer, as an item of `errors`.
    pub fn unanswered(&self, error: &anyhow::Error) -> Unanswered {
        let (namespace, name) = self.place();
        let context = self.connection.origin().context().map(str::to_owned);
        Unanswered { context, namespace, name, message: format!("{error:#}"), ..Unanswered::default() }
    }
}

impl Display for Asked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.label {
            Some(label) => write!(f, "{label}"),
            None => write!(f, "{}", self.subject),
        }
    }
}

/// The cases of HPAs in their order, some of them read ahead if they share what they need.
pub fn gathered<'a>(asked: Vec<Asked>) -> LocalBoxStream<'a, (Asked, Result<Case, ClusterError>)> {
    read_ahead(asked, gather)
}

/// The case of an HPA.
async fn gather(asked: Asked) -> (Asked, Result<Case, ClusterError>) {
    let case = Box::pin(asked.connection.gather(&asked.subject)).await;
    (asked, case)
}

/// So many HPAs are worked out in one go: to hand over a single one would take as long.
const IN_ONE_GO: usize = 64;
/// On so many threads.
const THREADS: usize = 2;

/// What is made of the cases of HPAs, in their order: put together and worked out on threads of their own. Of ten thousand
/// HPAs that is as much work as to read them.
pub fn worked_out<'a, T: Send + 'static>(
    asked: Vec<Asked>,
    work: impl Fn(Result<Case, ClusterError>) -> T + Clone + Send + 'static,
) -> LocalBoxStream<'a, (Asked, T)> {
    let some = move |some: Vec<Asked>| {
        let (work, runtime) = (work.clone(), Handle::current());
        let done = tokio::task::spawn_blocking(move || {
            let done = gathered(some).map(|(asked, case)| (asked, work(case)));
            runtime.block_on(done.collect::<Vec<_>>())
        });
        done.map(|done| stream::iter(done.unwrap_or_else(|error| resume_unwind(error.into_panic()))))
    };
    stream::iter(asked).chunks(IN_ONE_GO).map(some).buffered(THREADS).flatten().boxed_local()
}

/// What is read of HPAs, in their order.
pub fn read_ahead<'a, T: 'a, F>(
    asked: Vec<Asked>,
    read: impl Fn(Asked) -> F + 'a,
) -> LocalBoxStream<'a, (Asked, T)>
where
    F: Future<Output = (Asked, T)> + 'a,
{
    let at_once = asked.first().map_or(1, |first| first.connection.at_once());
    stream::iter(asked).map(read).buffered(at_once).boxed_local()
}

/// What is meant without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// The only HPA; of several the one that is chosen.
    One,
    /// The same, of a command that also takes all.
    OneOrAll,
    /// All that there are, perhaps none.
    All,
}

/// What was found where all were asked for.
pub enum Matching {
    /// One at least.
    Some(Vec<Asked>),
    /// Nothing in a namespace, or in any.
    None(Option<String>),
}

/// The HPAs: those that were named; all that match; or those that are meant without a name. As with kubectl, none of all
/// that match is no error; a namespace that does not exist is a slip.
pub async fn of_cluster(
    typed: &SubjectArgs,
    unnamed: Unnamed,
    args: ConnectionArgs,
    screen: Screen,
    err: &mut dyn Write,
) -> anyhow::Result<Matching> {
    let takes_none = typed.is_query() || unnamed == Unnamed::All;
    let found = meant(typed, unnamed, args, screen, err).await;
    found.map(Matching::Some).or_else(|error| match nothing(&error).filter(|_| takes_none) {
        Some(Nothing(namespace)) => Ok(Matching::None(namespace)),
        None => Err(error),
    })
}

async fn meant(
    typed: &SubjectArgs,
    unnamed: Unnamed,
    args: ConnectionArgs,
    screen: Screen,
    err: &mut dyn Write,
) -> anyhow::Result<Vec<Asked>> {
    let (subjects, selector) = read(typed)?;
    let namespace = args.namespace.clone().filter(|it| !it.is_empty());
    let connection = connect(args).await?;
    if typed.is_query() {
        let query = HpaQuery { everywhere: typed.all_namespaces, selector };
        let lists = all(connection.clone().sharing(), &query);
        return Box::pin(progress::told(screen, err, &connection, lists)).await?;
    }
    match subjects.as_slice() {
        [] if unnamed == Unnamed::All => {
            let lists = of_namespace(connection.clone());
            Box::pin(progress::told(screen, err, &connection, lists)).await?
        }
        [] => Ok(vec![only(connection, unnamed == Unnamed::OneOrAll, screen, err).await?]),
        [subject] => {
            let (connection, subject) = placed(connection, subject.clone(), namespace.as_deref()).await;
            Ok(vec![Asked::alone(connection, subject)])
        }
        _ => Ok(several(connection.sharing(), &typed.named(), subjects, namespace.as_deref()).await),
    }
}

/// `shop/web`, as a header names an HPA, unless another namespace was typed.
async fn placed(connection: Connection, subject: Subject, typed: Option<&str>) -> (Connection, Subject) {
    let place = subject.place().filter(|(namespace, _)| typed.is_none_or(|typed| typed == *namespace));
    let Some((namespace, name)) = place else { return (connection, subject) };
    // What is served is asked once, for this and for the reads that follow.
    let sharing = if connection.at_once() > 1 { connection } else { connection.sharing() };
    match sharing.of_place(namespace, name).await {
        Some(there) => (there, Subject::Hpa(name.to_owned())),
        None => (sharing, subject),
    }
}

/// The HPAs of one cluster: those that were named, or all that match. Of several clusters an error names its own.
pub async fn of_connection(
    typed: &SubjectArgs,
    connection: Connection,
    namespace: Option<&str>,
    context: Option<&str>,
) -> anyhow::Result<Vec<Asked>> {
    let (subjects, selector) = read(typed)?;
    let connection = connection.sharing();
    let mut asked = if subjects.is_empty() {
        all(connection, &HpaQuery { everywhere: typed.all_namespaces, selector }).await?
    } else {
        let namespace = namespace.filter(|it| !it.is_empty());
        several(connection, &typed.named(), subjects, namespace).await
    };
    if let Some(context) = context {
        for it in &mut asked {
            it.label = Some(format!("{it} --context {}", shell_word(context)));
        }
    }
    Ok(asked)
}

/// That there is no HPA, or none that matches: in this namespace, or in any.
pub struct Nothing(pub Option<String>);

/// Whether an error is no failure, but that there is none.
pub fn nothing(error: &anyhow::Error) -> Option<Nothing> {
    use ClusterError::{NoHpas, NoHpasAnywhere};
    match error.downcast_ref()? {
        NoHpas { namespace } => Some(Nothing(Some(namespace.clone()))),
        NoHpasAnywhere => Some(Nothing(None)),
        _ => None,
    }
}

/// What was typed: names, and a selector.
pub fn read(typed: &SubjectArgs) -> anyhow::Result<(Vec<Subject>, Option<Selector>)> {
    let selector = typed.selector.as_deref().map(selector).transpose()?;
    let subjects = typed.named().iter().map(|name| Subject::parse(name)).collect::<Result<_, _>>()?;
    Ok((subjects, selector))
}

fn selector(text: &str) -> anyhow::Result<Selector> {
    Selector::parse(text).map_err(|error| anyhow!("--selector {text:?}: {error}"))
}

/// `web api`, or as kubectl takes it too: `deploy web api`.
async fn several(
    connection: Connection,
    names: &[String],
    mut subjects: Vec<Subject>,
    namespace: Option<&str>,
) -> Vec<Asked> {
    if let Some((kind, rest)) = names.split_first()
        && names.iter().all(|name| !name.contains('/'))
        && connection.is_type(kind).await
    {
        let target = |name: &String| Subject::Target { type_name: kind.clone(), name: name.clone() };
        subjects = rest.iter().map(target).collect();
    }
    let mut asked = Vec::new();
    for subject in subjects {
        let label = subject.to_string();
        let (connection, subject) = placed(connection.clone(), subject, namespace).await;
        asked.push(Asked::labeled(connection, subject, label));
    }
    asked
}

async fn all(connection: Connection, query: &HpaQuery) -> anyhow::Result<Vec<Asked>> {
    let found = connection.matching(query).await.map_err(unlisted)?;
    let asked = |(connection, subject): (Connection, Subject)| {
        let place = if query.everywhere { format!(" -n {}", connection.namespace()) } else { String::new() };
        Asked { label: Some(format!("{subject}{place}")), connection, subject }
    };
    Ok(found.into_iter().map(asked).collect())
}

/// A list that could not be had is what failed; one without what was asked for says so itself.
fn unlisted(error: ClusterError) -> anyhow::Error {
    use ClusterError::{Failed, Forbidden, Unauthenticated, Unreachable};
    let is_unread =
        matches!(error, Failed { .. } | Forbidden { .. } | Unauthenticated { .. } | Unreachable { .. });
    let error = anyhow::Error::from(error);
    if is_unread { error.context("cannot list the HPAs") } else { error }
}

/// One is read as if it had been named.
async fn of_namespace(connection: Connection) -> anyhow::Result<Vec<Asked>> {
    let sharing = connection.clone().sharing();
    match connection.only(&names(&sharing).await?, true) {
        Ok(only) => Ok(vec![Asked::alone(connection, only)]),
        Err(ClusterError::SeveralHpas { .. }) => all(sharing, &HpaQuery::default()).await,
        Err(_) => Err(connection.without_any().await.into()),
    }
}

/// That there is none, in kubectl's words.
pub fn none(namespace: Option<&str>, err: &mut dyn Write) -> io::Result<()> {
    match namespace {
        Some(namespace) => writeln!(err, "No resources found in {} namespace.", sanitize(namespace)),
        None => writeln!(err, "No resources found"),
    }
}

async fn names(connection: &Connection) -> anyhow::Result<Vec<String>> {
    connection.names().await.context("no NAME was given, and the HPAs cannot be listed")
}

async fn only(
    connection: Connection,
    takes_all: bool,
    screen: Screen,
    err: &mut dyn Write,
) -> anyhow::Result<Asked> {
    let names = names(&connection).await?;
    let subject = match connection.only(&names, takes_all) {
        Err(ClusterError::SeveralHpas { .. }) if screen.can_ask => {
            Subject::Hpa(choose(&names, connection.namespace(), &mut io::stdin().lock(), err)?)
        }
        Err(ClusterError::NoHpas { .. }) => return Err(connection.without_any().await.into()),
        only => only?,
    };
    Ok(Asked::alone(connection, subject))
}

/// Offers the names, and reads one line: a number or a name.
fn choose(
    names: &[String],
    namespace: &str,
    input: &mut dyn BufRead,
    err: &mut dyn Write,
) -> anyhow::Result<String> {
    writeln!(err, "{} HPAs in namespace {}:", names.len(), sanitize(namespace))?;
    render::numbered(err, names)?;
    write!(err, "Which one (1-{})? ", names.len())?;
    err.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    let typed = line.trim();
    let by_number = typed.parse::<usize>().ok().and_then(|number| names.get(number.checked_sub(1)?));
    match names.iter().find(|name| *name == typed).or(by_number) {
        Some(name) => Ok(name.clone()),
        None if typed.is_empty() => bail!("no HPA was chosen"),
        None => bail!("{typed:?} is not one of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::choose;

    fn chosen(typed: &str) -> (anyhow::Result<String>, String) {
        let names: Vec<String> = (1..=10).map(|number| format!("web-{number}")).collect();
        let mut offered = Vec::new();
        let chosen = choose(&names, "shop", &mut typed.as_bytes(), &mut offered);
        let offered = String::from_utf8(offered).unwrap_or_default();
        (chosen, offered)
    }

    #[test]
    fn the_names_are_numbered_and_a_number_or_a_name_chooses() {
        let (name, offered) = chosen("10\nrest\n");
        assert_eq!(name.ok().as_deref(), Some("web-10"));
        assert!(offered.starts_with("10 HPAs in namespace shop:\n   1  web-1\n"), "{offered}");
        assert!(offered.ends_with("\n  10  web-10\nWhich one (1-10)? "), "{offered}");
        assert_eq!(chosen(" web-3 \n").0.ok().as_deref(), Some("web-3"));
    }

    #[test]
    fn what_is_none_of_them_chooses_nothing() {
        for (typed, words) in [
            ("", "no HPA was chosen"),
            ("\n", "no HPA was chosen"),
            ("0\n", "\"0\" is not one of them"),
            ("11", "\"11\" is not one of them"),
        ] {
            let error = chosen(typed).0.map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.starts_with(words), "{typed:?}: {error}");
        }
    }
}
