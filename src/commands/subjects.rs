//! Which autoscalers are asked about, where a cluster is asked.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};

use super::{Screen, cases};
use crate::cli::ConnectionArgs;
use crate::cluster::{ClusterError, Connection, Subject};
use crate::render::sanitize;

/// What was typed of it.
pub struct Typed<'a> {
    /// `NAME` or `TYPE/NAME`.
    pub subject: Option<&'a str>,
    /// `--all`.
    pub all: bool,
}

/// The connection and the autoscalers: the one that was named; all; or the one that there is, or that is chosen.
pub async fn of_cluster(
    typed: Typed<'_>,
    args: ConnectionArgs,
    screen: Screen,
    err: &mut dyn Write,
) -> anyhow::Result<(Connection, Vec<Subject>)> {
    let subject = typed.subject.map(Subject::parse).transpose()?;
    let connection = cases::connect(args).await?;
    if let Some(subject) = subject {
        return Ok((connection, vec![subject]));
    }
    let names = connection.names().await.with_context(|| unlisted(typed.all))?;
    let subjects = match connection.only(&names) {
        Err(ClusterError::SeveralHpas { .. }) if typed.all => names.into_iter().map(Subject::Hpa).collect(),
        Err(ClusterError::SeveralHpas { .. }) if screen.can_ask => {
            vec![Subject::Hpa(choose(&names, connection.namespace(), &mut io::stdin().lock(), err)?)]
        }
        only => vec![only?],
    };
    Ok((connection, subjects))
}

fn unlisted(all: bool) -> &'static str {
    if all { "cannot list the HPAs for --all" } else { "no NAME was given, and the HPAs cannot be listed" }
}

/// Offers the names, and reads one line: a number or a name.
fn choose(
    names: &[String],
    namespace: &str,
    input: &mut dyn BufRead,
    err: &mut dyn Write,
) -> anyhow::Result<String> {
    writeln!(err, "{} HPAs in namespace {}:", names.len(), sanitize(namespace))?;
    let width = names.len().to_string().len();
    for (place, name) in names.iter().enumerate() {
        writeln!(err, "  {:>width$}  {}", place + 1, sanitize(name))?;
    }
    write!(err, "Which one (1-{})? ", names.len())?;
    err.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    let typed = line.trim();
    let by_number = typed.parse::<usize>().ok().and_then(|number| names.get(number.checked_sub(1)?));
    match names.iter().find(|name| *name == typed).or(by_number) {
        Some(name) => Ok(name.clone()),
        None if typed.is_empty() => bail!("none was chosen"),
        None => bail!("`{typed}` is none of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::choose;

    fn chosen(typed: &str) -> (Result<String, String>, String) {
        let names: Vec<String> = (1..=10).map(|number| format!("web-{number}")).collect();
        let mut offered = Vec::new();
        let chosen = choose(&names, "shop", &mut typed.as_bytes(), &mut offered);
        let offered = String::from_utf8(offered).unwrap_or_default();
        (chosen.map_err(|error| error.to_string()), offered)
    }

    #[test]
    fn the_names_are_numbered_and_a_number_or_a_name_chooses() {
        let (name, offered) = chosen("10\nrest\n");
        assert_eq!(name.as_deref(), Ok("web-10"));
        assert!(offered.starts_with("10 HPAs in namespace shop:\n   1  web-1\n"), "{offered}");
        assert!(offered.ends_with("\n  10  web-10\nWhich one (1-10)? "), "{offered}");
        assert_eq!(chosen(" web-3 \n").0.as_deref(), Ok("web-3"));
    }

    #[test]
    fn what_is_none_of_them_chooses_nothing() {
        for (typed, words) in [
            ("", "none was chosen"),
            ("\n", "none was chosen"),
            ("0\n", "`0` is none of them"),
            ("11", "`11`"),
        ] {
            let error = chosen(typed).0.err().unwrap_or_default();
            assert!(error.starts_with(words), "{typed:?}: {error}");
        }
    }
}
