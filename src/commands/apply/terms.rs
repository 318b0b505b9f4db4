//! Under which terms is written.

use anyhow::bail;

use crate::cli::{ApplyArgs, ConnectionArgs, DryRunAt};
use crate::commands::Screen;
use crate::edit::Requirement;
use crate::model::shell_word;
use crate::render::Options;

/// Under which terms is written.
pub struct Terms {
    pub(super) asks: bool,
    pub(super) dry_run: DryRunAt,
    pub(super) requirements: Vec<Requirement>,
    pub(super) manager: String,
    pub(super) options: Options,
    /// The flags with which another command finds the same cluster.
    pub(super) cluster: String,
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
                "--apply asks before it writes, and here is nobody to ask: add --yes, or --dry-run=server to try"
            );
        }
        Ok(Some(Self {
            asks,
            dry_run: args.dry_run,
            requirements: args.require.clone(),
            manager: args.field_manager.clone(),
            options,
            cluster: flags(connection),
        }))
    }
}

fn flags(connection: &ConnectionArgs) -> String {
    let path =
        |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let flags = [
        ("--kubeconfig", path(&connection.kubeconfig)),
        ("--context", connection.context.clone()),
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
