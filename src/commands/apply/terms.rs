//! Under which terms is written.

use std::path::PathBuf;

use anyhow::bail;

use super::interrupt::Interrupt;
use super::stored::{Stored, spec};
use super::undos::Undos;
use crate::cli::{ApplyArgs, ConnectionArgs, DryRunAt};
use crate::cluster::{Connection, Place};
use crate::commands::Screen;
use crate::render::Options;
use kubectl_hpa_core::edit::{Requirement, merge_patch};
use kubectl_hpa_core::model::shell_word;

/// Under which terms is written.
pub struct Terms {
    pub(super) asks: bool,
    /// Whether bounds are written also where it is not known what is decided.
    pub(super) allow_unknown: bool,
    pub(super) dry_run: DryRunAt,
    pub(super) requirements: Vec<Requirement>,
    pub(super) manager: String,
    pub(super) options: Options,
    /// How another command finds the same cluster.
    reach: Reach,
    pub(super) undos: Undos,
    /// Who may want an end while it is written.
    pub interrupt: Interrupt,
}

impl Terms {
    /// Those that were typed; `None` without `--apply`.
    ///
    /// # Errors
    /// If nobody can be asked, nobody can be told how to take a write back, or the file for that cannot be made.
    pub fn of(
        args: &ApplyArgs,
        connection: &ConnectionArgs,
        screen: Screen,
        options: Options,
    ) -> anyhow::Result<Option<Self>> {
        if !args.apply {
            return Ok(None);
        }
        let asks = !args.yes && args.dry_run == DryRunAt::None;
        if asks && !screen.can_ask {
            bail!(
                "--apply asks before it writes, but there is no terminal: add --yes, or --dry-run=server to try"
            );
        }
        if screen.is_err_closed && args.dry_run == DryRunAt::None {
            bail!(
                "standard error is closed, and the undo of the write would be lost; nothing was written. \
                 Leave it open, or give it away with 2>/dev/null"
            );
        }
        Ok(Some(Self {
            asks,
            allow_unknown: false,
            dry_run: args.dry_run,
            requirements: args.require.clone(),
            manager: args.field_manager.clone(),
            options,
            reach: Reach::of(connection),
            undos: Undos::of(args.undo_file.as_deref())?,
            interrupt: Interrupt::default(),
        }))
    }
}

impl Terms {
    /// The same, where bounds may be written also if it is not known what is decided.
    pub fn allowing_unknown(self, allow_unknown: bool) -> Self {
        Self { allow_unknown, ..self }
    }

    /// Makes the command that takes a write back.
    pub(super) fn undo(&self, connection: &Connection, place: &Place, stored: &Stored) -> String {
        // Also of a context that was not typed: another may be the current one by then.
        let origin = connection.origin();
        let context = origin.context().map(|it| format!(" --context {}", shell_word(it)));
        let namespace = shell_word(connection.namespace());
        let at = format!("-n {namespace}{}{}", context.unwrap_or_default(), self.reach.flags);
        let name = place.to_string();
        let name = shell_word(&name);
        let back = merge_patch(&spec(&stored.after), &spec(&stored.before)).unwrap_or_default();
        match back["spec"].get("replicas").filter(|_| place.is_scale()) {
            Some(replicas) => format!("kubectl scale {name} {at} --replicas={replicas}"),
            None => format!("kubectl patch {name} {at} --type merge -p {}", shell_word(&back.to_string())),
        }
    }

    /// A sentence about the secrets that such a command lacks, if it does.
    pub(super) fn lacks(&self) -> Option<String> {
        let withheld = &self.reach.withheld;
        (!withheld.is_empty()).then(|| {
            format!(
                "the undo lacks {}, which must not be printed: add it to the command",
                withheld.join(" and ")
            )
        })
    }
}

/// How another command finds the same cluster, as the same user.
struct Reach {
    /// Each with a space before it.
    flags: String,
    /// The secrets, which must not be printed.
    withheld: Vec<&'static str>,
}

impl Reach {
    fn of(connection: &ConnectionArgs) -> Self {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let (server, has_secret) = connection.server.as_deref().map(without_secrets).unzip();
        let typed = [
            ("--kubeconfig", path(&connection.kubeconfig)),
            ("--cluster", connection.cluster.clone()),
            ("--user", connection.user.clone()),
            ("--server", server),
            ("--certificate-authority", path(&connection.certificate_authority)),
            ("--client-certificate", path(&connection.client_certificate)),
            ("--client-key", path(&connection.client_key)),
            ("--tls-server-name", connection.tls_server_name.clone()),
            ("--as", connection.as_user.clone()),
            ("--as-uid", connection.as_uid.clone()),
        ];
        let groups = connection.as_groups.iter().map(|group| ("--as-group", Some(group.clone())));
        let typed = typed.into_iter().chain(groups);
        let typed = typed.filter_map(|(flag, value)| Some((flag, value.filter(|it| !it.is_empty())?)));
        let typed = typed.flat_map(|(flag, value)| [" ", flag, " ", &shell_word(&value)].map(str::to_owned));
        let mut flags: String = typed.collect();
        if connection.insecure_skip_tls_verify {
            flags.push_str(" --insecure-skip-tls-verify");
        }
        let token = connection.token.as_ref().map(|_| "--token");
        let secret = has_secret.filter(|has| *has).map(|_| "the secrets of --server");
        Self { flags, withheld: token.into_iter().chain(secret).collect() }
    }
}

/// A URL without the user, the password, the query and the fragment that it may hold, and whether it held one of them.
fn without_secrets(url: &str) -> (String, bool) {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    let bare = format!("{scheme}{host}{path}");
    let has_secret = bare != url;
    (bare, has_secret)
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn secrets_are_taken_out_of_a_url() {
        let bare = |url| without_secrets(url);
        assert_eq!(bare("https://a:b@host:6443/p@q"), ("https://host:6443/p@q".to_owned(), true));
        assert_eq!(bare("https://host/a@b"), ("https://host/a@b".to_owned(), false));
        assert_eq!(bare("a:b@host"), ("host".to_owned(), true));
        assert_eq!(bare("https://host/k8s?token=t"), ("https://host/k8s".to_owned(), true));
        assert_eq!(bare("https://a@host?token=a@b#c"), ("https://host".to_owned(), true));
    }
}
