//! Under which terms is written.

use anyhow::bail;

use super::interrupt::Interrupt;
use super::stored::{Stored, spec};
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
    /// The flags with which another command finds the same cluster.
    pub(super) cluster: String,
    /// Who may want an end while it is written.
    pub interrupt: Interrupt,
}

impl Terms {
    /// Those that were typed; `None` without `--apply`.
    ///
    /// # Errors
    /// If nobody can be asked.
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
        Ok(Some(Self {
            asks,
            allow_unknown: false,
            dry_run: args.dry_run,
            requirements: args.require.clone(),
            manager: args.field_manager.clone(),
            options,
            cluster: flags(connection),
            interrupt: Interrupt::default(),
        }))
    }
}

impl Terms {
    /// The same, where bounds may be written also if it is not known what is decided.
    pub fn allowing_unknown(self, allow_unknown: bool) -> Self {
        Self { allow_unknown, ..self }
    }

    /// The command that takes a write back.
    pub(super) fn undo(&self, connection: &Connection, place: &Place, stored: &Stored) -> String {
        let at = format!("-n {}{}", shell_word(connection.namespace()), self.cluster);
        let name = place.to_string();
        let name = shell_word(&name);
        let back = merge_patch(&spec(&stored.after), &spec(&stored.before)).unwrap_or_default();
        match back["spec"].get("replicas").filter(|_| place.is_scale()) {
            Some(replicas) => format!("kubectl scale {name} {at} --replicas={replicas}"),
            None => format!("kubectl patch {name} {at} --type merge -p {}", shell_word(&back.to_string())),
        }
    }
}

fn flags(connection: &ConnectionArgs) -> String {
    let path =
        |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let flags = [
        ("--kubeconfig", path(&connection.kubeconfig)),
        ("--context", connection.context().map(str::to_owned)),
        ("--cluster", connection.cluster.clone()),
        ("--user", connection.user.clone()),
        ("--server", connection.server.clone()),
        ("--certificate-authority", path(&connection.certificate_authority)),
        ("--as", connection.as_user.clone()),
    ];
    let groups = connection.as_groups.iter().map(|group| ("--as-group", Some(group.clone())));
    let typed = flags.into_iter().chain(groups);
    let typed = typed.filter_map(|(flag, value)| Some((flag, value.filter(|it| !it.is_empty())?)));
    typed
        .flat_map(|(flag, value)| {
            [" ".to_owned(), flag.to_owned(), " ".to_owned(), shell_word(&value).into_owned()]
        })
        .collect()
}
