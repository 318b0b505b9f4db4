//! Which HPAs are meant.

use std::path::Path;

use clap::Args;

use super::UsageError;
use kubectl_hpa_core::model::is_hpa_type;

/// Which HPAs are meant, in kubectl's ways to name them.
#[derive(Clone, Debug, Default, Args)]
#[group(id = "subject", multiple = true)]
pub struct SubjectArgs {
    /// The HPAs: NAME or hpa/NAME, or the TYPE/NAME of their targets, for example deploy/NAME; by default the only HPA of the
    /// namespace. If there are several, explain lists them, or explains all with -o json and the like
    #[arg(value_name = "NAME | TYPE/NAME")]
    pub names: Vec<String>,
    /// Select all HPAs of the namespace
    #[arg(long)]
    pub all: bool,
    /// Select the HPAs of all namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Selector (label query), for example app=web,tier!=cache
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
}

impl SubjectArgs {
    /// Those of a command that takes all that match if none is named.
    #[must_use]
    pub fn of_all(names: &[String], all_namespaces: bool, selector: Option<&str>) -> Self {
        let selector = selector.map(ToOwned::to_owned);
        let typed = Self { names: names.to_vec(), all: false, all_namespaces, selector };
        Self { all: typed.named().is_empty(), ..typed }
    }

    /// Whether all that match are meant, and none is named.
    #[must_use]
    pub fn is_query(&self) -> bool {
        self.all || self.all_namespaces || self.selector.is_some()
    }

    /// Whether nothing is said of which are meant.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        !self.is_query() && self.named().is_empty()
    }

    /// Whether several may be meant, so that JSON is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.is_query() || self.named().len() > 1
    }

    /// What was named, without a type of its own in front: `hpa web api` is `hpa/web hpa/api`, and `hpa` alone names
    /// nothing.
    #[must_use]
    pub fn named(&self) -> Vec<String> {
        match self.names.split_first() {
            Some((kind, names)) if is_hpa_type(kind) => {
                names.iter().map(|name| format!("{kind}/{name}")).collect()
            }
            _ => self.names.clone(),
        }
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// The flags that exclude each other.
    pub fn check(&self) -> Result<(), UsageError> {
        if let Some(file) = self.names.iter().find(|name| is_manifest(name)) {
            return Err(UsageError::FileAsName(file.clone()));
        }
        let is_named = !self.named().is_empty();
        let queries = [
            (self.all, "--all"),
            (self.all_namespaces, "--all-namespaces"),
            (self.selector.is_some(), "--selector"),
        ];
        match queries.into_iter().find(|(is_given, _)| *is_given && is_named) {
            Some((_, flag)) => Err(UsageError::QueryWithNames(flag)),
            None if self.names.first().is_some_and(|kind| is_hpa_type(kind)) => self.check_names(),
            None => Ok(()),
        }
    }

    fn check_names(&self) -> Result<(), UsageError> {
        let typed_twice = self.names.iter().skip(1).find(|name| name.contains('/'));
        typed_twice.map_or(Ok(()), |name| Err(UsageError::TypedTwice(name.clone(), self.names[0].clone())))
    }
}

/// Whether a name is that of a file that is there: objects may be called so, too, but hardly as a file beside us is.
fn is_manifest(name: &str) -> bool {
    let path = Path::new(name);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["yaml", "yml", "json", "jsonl", "txt"].contains(&ending) && path.is_file()
}
