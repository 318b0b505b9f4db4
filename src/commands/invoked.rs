//! The name that the command was started by. krew may publish it under another one, and a person may rename it.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Its own name.
const FILE: &str = "kubectl-hpa";
const COMMAND: &str = "kubectl hpa";

/// A command by its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoked {
    /// The executable: `kubectl-hpa_decision`.
    file: String,
    /// As kubectl calls it: `kubectl hpa-decision`.
    pub command: String,
}

impl Default for Invoked {
    fn default() -> Self {
        Self { file: FILE.to_owned(), command: COMMAND.to_owned() }
    }
}

impl Invoked {
    /// How this process was started.
    #[must_use]
    pub fn of_process() -> Self {
        Self::by(&std::env::args_os().next().unwrap_or_default())
    }

    /// From the path that it was started by. Its own name, where that is not the name of a plugin of kubectl.
    #[must_use]
    pub fn by(path: &OsStr) -> Self {
        let file = Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or_default();
        let file = file.strip_suffix(".exe").unwrap_or(file);
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        let plugin =
            file.strip_prefix("kubectl-").filter(|name| !name.is_empty() && name.chars().all(is_plain));
        plugin.map_or_else(Self::default, |name| Self {
            file: file.to_owned(),
            // kubectl's rule: a dash in a plugin's file name separates words, and an underscore stands for a dash.
            command: format!("kubectl {}", name.replace('-', " ").replace('_', "-")),
        })
    }

    /// A text about the command, under these names.
    #[must_use]
    pub fn renamed<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.file == FILE {
            return Cow::Borrowed(text);
        }
        let identifier = |file: &str| file.replace('-', "_");
        let (plugin, own) = (self.file.replacen("kubectl-", "", 1), FILE.replacen("kubectl-", "", 1));
        let text = text.replace(COMMAND, &self.command).replace(FILE, &self.file);
        let text = text.replace(&format!("kubectl_complete-{own}"), &format!("kubectl_complete-{plugin}"));
        Cow::Owned(text.replace(&identifier(FILE), &identifier(&self.file)))
    }
}

#[cfg(test)]
mod tests {
    use super::Invoked;

    #[test]
    fn the_name_is_read_as_kubectl_reads_it() {
        for (path, command) in [
            ("/usr/local/bin/kubectl-hpa", "kubectl hpa"),
            ("kubectl-hpa_decision", "kubectl hpa-decision"),
            ("bin/kubectl-hpa_decision.exe", "kubectl hpa-decision"),
            ("kubectl-my-hpa", "kubectl my hpa"),
            ("hpa", "kubectl hpa"),
            ("kubectl-", "kubectl hpa"),
            ("kubectl-\u{1b}[31m", "kubectl hpa"),
            ("", "kubectl hpa"),
        ] {
            assert_eq!(Invoked::by(path.as_ref()).command, command, "{path}");
        }
    }

    #[test]
    fn a_text_is_renamed_once() {
        let text = "kubectl hpa; kubectl-hpa; __kubectl_hpa_offers; kubectl_complete-hpa";
        let renamed = "kubectl hpa-decision; kubectl-hpa_decision; __kubectl_hpa_decision_offers; \
                       kubectl_complete-hpa_decision";
        assert_eq!(Invoked::by("kubectl-hpa_decision".as_ref()).renamed(text), renamed);
        assert_eq!(Invoked::by("kubectl-hpa".as_ref()).renamed(text), text);
    }
}
