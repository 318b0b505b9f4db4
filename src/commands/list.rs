//! `kubectl hpa list`.

use std::io::Write;
use std::rc::Rc;

use futures::StreamExt;

use super::explain::complain;
use super::subjects::{self, Asked, Unnamed};
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases};
use crate::cli::{ExplainArgs, ListArgs, SettingsArgs};
use crate::cluster::ClusterError;
use crate::render::{Fleet, Listed, Rows};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::HpaState;
use kubectl_hpa_core::snapshot::{Case, Cases};

/// Lists HPAs. One that cannot be read is complained of, and is a row of its own.
pub async fn run(
    args: ListArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let form = Form::of(&args.output, args.ascii, args.color, Rows::Folded, screen)?;
    let mut run = Run { settings: None, rows: Vec::new(), ending: Ending::Done };
    if let Some(name) = &args.example {
        for example in cases::examples(name)? {
            for case in Cases::new(example.name, example.text.as_bytes()) {
                run.add(case?)?;
            }
        }
    } else if args.file.is_empty() {
        match matching(&args, screen, err).await? {
            Found::Some(all) => run.take_all(all, err).await?,
            Found::None(namespace) if args.output.is_text() => {
                subjects::none(namespace.as_deref(), err)?;
                return Ok(Ending::Done);
            }
            Found::None(_) => {}
        }
    }
    for (index, case) in cases::of_files(args.file.clone()).enumerate() {
        if let Err(error) = case.and_then(|(place, case)| run.add(case).map_err(|it| it.context(place))) {
            run.failed(String::new(), format!("case {}", index + 1), &error, err)?;
        }
    }
    let fleet = Fleet::of(run.rows, &args.only, args.all_namespaces).sorted(args.sort);
    note(&fleet, err)?;
    let mut ending = run.ending;
    if args.fail_on.iter().any(|state| fleet.count(*state) > 0) {
        ending.count(Ending::Found);
    }
    write(fleet, form, out)?;
    Ok(ending)
}

/// Lists what `explain` was asked about without a name, with its settings of the controller.
pub async fn of_several(
    all: Vec<Asked>,
    args: &ExplainArgs,
    form: Form,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let mut run = Run { settings: Some(&args.settings), rows: Vec::new(), ending: Ending::Done };
    run.take_all(all, err).await?;
    let fleet = Fleet::of(run.rows, &[], false);
    note(&fleet, err)?;
    write(fleet, form, out)?;
    Ok(run.ending)
}

/// With the least rights there is nothing but the status.
fn note(fleet: &Fleet, err: &mut dyn Write) -> std::io::Result<()> {
    if let number @ 1.. = fleet.by_status {
        let words =
            "the state is that of the last status, because what the controller reads could not be read";
        writeln!(err, "note: of {number} HPAs {words}; kubectl hpa rbac prints the rights")?;
    }
    Ok(())
}

fn write(fleet: Fleet, form: Form, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut writer = Writer::new(form, out);
    writer.write(&Rc::new(fleet))?;
    Ok(writer.finish()?)
}

/// What there is to list.
enum Found {
    Some(Vec<Asked>),
    /// Nothing in a namespace, or in any.
    None(Option<String>),
}

/// As with kubectl, a list of nothing is no error; a namespace that does not exist is a slip.
async fn matching(args: &ListArgs, screen: Screen, err: &mut dyn Write) -> anyhow::Result<Found> {
    let found =
        subjects::of_cluster(&args.subjects(), Unnamed::All, args.connection.clone(), screen, err).await;
    found.map(Found::Some).or_else(|error| match error.downcast_ref() {
        Some(ClusterError::NoHpas { namespace }) => Ok(Found::None(Some(namespace.clone()))),
        Some(ClusterError::NoneSelected { namespace, .. }) => Ok(Found::None(namespace.clone())),
        Some(ClusterError::NoHpasAnywhere) => Ok(Found::None(None)),
        _ => Err(error),
    })
}

/// The rows so far.
struct Run<'a> {
    /// Those of the controller, where they were typed.
    settings: Option<&'a SettingsArgs>,
    rows: Vec<Listed>,
    ending: Ending,
}

impl Run<'_> {
    async fn take_all(&mut self, all: Vec<Asked>, err: &mut dyn Write) -> anyhow::Result<()> {
        let mut cases = subjects::gathered(all);
        while let Some((asked, case)) = cases.next().await {
            self.take(&asked, case.map_err(Into::into), err)?;
        }
        Ok(())
    }

    fn add(&mut self, mut case: Case) -> anyhow::Result<()> {
        if let Some(settings) = self.settings {
            cases::set(&mut case.controller, settings);
            cases::know(&mut case, &settings.past);
        }
        let row = Listed::of(&Explanation::of(case)?);
        if row.state == HpaState::Unknown || row.is_by_status {
            self.ending.count(Ending::Unknown);
        }
        self.rows.push(row);
        Ok(())
    }

    /// One of the cluster.
    fn take(&mut self, asked: &Asked, case: anyhow::Result<Case>, err: &mut dyn Write) -> anyhow::Result<()> {
        let added = case.and_then(|case| self.add(case));
        match asked.named(added) {
            Ok(()) => Ok(()),
            Err(error) => {
                let (namespace, name) = asked.place();
                self.failed(namespace, name, &error, err)
            }
        }
    }

    fn failed(
        &mut self,
        namespace: String,
        name: String,
        error: &anyhow::Error,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.ending.count(Ending::Failed);
        complain(error, err)?;
        self.rows.push(Listed::failed(namespace, name, format!("{error:#}")));
        Ok(())
    }
}
