//! `kubectl hpa list`.

use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::stream::{LocalBoxStream, StreamExt};

use super::clusters::{Clusters, Found, Unread};
use super::complain::complain;
use super::looks::failing;
use super::subjects::{self, Asked, Matching, Unnamed};
use super::wanted::Wanted;
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases, watch};
use crate::cli::{ExplainArgs, ListArgs, SettingsArgs, SubjectArgs};
use crate::cluster::ClusterError;
use crate::render::{Fleet, Listed, Rows, sanitize};
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::HpaState;
use kubectl_hpa_core::snapshot::Case;

/// Lists HPAs. One that cannot be read is complained of, and is a row of its own.
pub async fn run(
    args: ListArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    if args.watch {
        return Box::pin(watch::list(&args, screen, out, err)).await;
    }
    let form = Form::of(&args.output, args.style, Rows::Folded, screen.for_table())?;
    let mut run = Run::new();
    let mut unread = Vec::new();
    let is_live = args.example.is_none() && args.file.is_empty();
    let is_of_clusters = is_live && args.connection.is_several();
    if is_of_clusters {
        run.take_clusters(&Clusters::of(&args.connection), &args.subjects(), err).await?;
        for it in std::mem::take(&mut run.unread) {
            unread.push(it.unanswered());
            complain(&it.into_error(), err)?;
        }
        if run.rows.is_empty() && unread.is_empty() && args.output.is_text() {
            subjects::none(None, err)?;
            return Ok(Ending::Done);
        }
    } else if let Some(name) = &args.example {
        for case in cases::of_examples(name)? {
            run.add(Row::of(case?, None)?);
        }
    } else if args.file.is_empty() {
        let connection = args.connection.clone();
        match subjects::of_cluster(&args.subjects(), Unnamed::All, connection, screen, err).await? {
            Matching::Some(all) => run.take_all(all, None, err).await?,
            Matching::None(namespace) if args.output.is_text() => {
                subjects::none(namespace.as_deref(), err)?;
                return Ok(Ending::Done);
            }
            Matching::None(_) => {}
        }
    }
    let wanted = Wanted::of(&args.subjects(), args.connection.namespace.as_deref())?;
    for (index, case) in cases::wanted(cases::of_files_or_objects(&args.file), wanted).enumerate() {
        let row = case.and_then(|(place, case)| Row::of(case, None).with_context(|| place));
        if let Err(error) = row.map(|row| run.add(row)) {
            run.ending.count(Ending::Failed);
            unread.push(cases::unanswered(index, &error));
            complain(&error, err)?;
        }
    }
    unread.append(&mut run.absent);
    // No HPA could be read: that there is none in a list says less than the errors do.
    if run.rows.is_empty() && !unread.is_empty() && !is_of_clusters && args.output.is_text() {
        return Ok(run.ending);
    }
    let mut fleet = Fleet::of(run.rows, &args.only, args.all_namespaces).sorted(args.sort).and_unread(unread);
    if is_of_clusters {
        fleet = fleet.of_clusters();
    }
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
    let mut run = Run::new();
    run.take_all(all, Some(&args.settings), err).await?;
    let fleet = Fleet::of(run.rows, &[], false);
    note(&fleet, err)?;
    write(fleet, form, out)?;
    Ok(run.ending)
}

/// With the least rights there is nothing but the status.
pub fn note(fleet: &Fleet, err: &mut dyn Write) -> std::io::Result<()> {
    for (why, number) in &fleet.by_status {
        let whose =
            if *number == 1 { "1 HPA is that of its" } else { &format!("{number} HPAs is that of their") };
        writeln!(err, "note: the state of {whose} last status ({}){}", why.why, why.hint())?;
    }
    for (gap, number) in &fleet.gaps {
        let of = if *number == 1 { "1 HPA" } else { &format!("{number} HPAs") };
        writeln!(err, "note: not read of {of}: {}", sanitize(gap))?;
    }
    Ok(())
}

fn write(fleet: Fleet, form: Form, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut writer = Writer::new(form, out);
    writer.write(&Rc::new(fleet))?;
    Ok(writer.finish()?)
}

fn words(error: &anyhow::Error) -> String {
    format!("{error:#}")
}

/// What one look at all of them shows.
pub struct Look {
    /// A row of each.
    pub rows: Vec<Listed>,
    /// Clusters of which nothing could be read.
    pub unread: Vec<Unread>,
    /// How often the controller syncs, if an HPA could be read.
    pub period: Option<Duration>,
    /// What was complained of single HPAs.
    complaints: String,
}

impl Look {
    /// What went wrong, as lines for people.
    pub fn trouble(&self) -> Vec<String> {
        let told = |unread: &Unread| failing(&unread.told());
        self.unread.iter().map(told).chain(self.complaints.lines().map(str::to_owned)).collect()
    }
}

/// Looks at all of them once.
pub async fn look(clusters: &Clusters, subjects: &SubjectArgs) -> anyhow::Result<Look> {
    let (mut run, mut complaints) = (Run::new(), Vec::new());
    run.take_clusters(clusters, subjects, &mut complaints).await?;
    let complaints = String::from_utf8_lossy(&complaints).into_owned();
    Ok(Look { rows: run.rows, unread: run.unread, period: run.period, complaints })
}

/// The rows so far.
struct Run {
    rows: Vec<Listed>,
    /// Clusters of which nothing could be read.
    unread: Vec<Unread>,
    /// Names of which there is no HPA.
    absent: Vec<Unanswered>,
    /// How often the controller syncs.
    period: Option<Duration>,
    ending: Ending,
}

/// The row of an HPA, and how often the controller syncs.
struct Row(Listed, Duration);

impl Row {
    /// The row of a case, with settings of the controller that were typed.
    fn of(mut case: Case, settings: Option<&SettingsArgs>) -> anyhow::Result<Self> {
        if let Some(settings) = settings {
            cases::set(&mut case.controller, settings);
            cases::know(&mut case, &settings.past)?;
        }
        let explained = Explanation::of(case)?;
        let period = explained.snapshot().controller.sync_period.value.nanoseconds().unsigned_abs();
        Ok(Self(Listed::of(&explained), Duration::from_nanos(period)))
    }
}

/// The rows of HPAs in their order, with settings of the controller that were typed.
fn rows<'a>(
    all: Vec<Asked>,
    settings: Option<&SettingsArgs>,
) -> LocalBoxStream<'a, (Asked, anyhow::Result<Row>)> {
    let settings = settings.cloned().map(Arc::new);
    subjects::worked_out(all, move |case| Row::of(case?, settings.as_deref()))
}

impl Run {
    /// Nothing yet.
    fn new() -> Self {
        Self { rows: Vec::new(), unread: Vec::new(), absent: Vec::new(), period: None, ending: Ending::Done }
    }

    /// Those of one cluster, with settings of the controller that were typed.
    async fn take_all(
        &mut self,
        all: Vec<Asked>,
        settings: Option<&SettingsArgs>,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.rows.reserve_exact(all.len());
        let mut rows = rows(all, settings);
        while let Some((asked, row)) = rows.next().await {
            self.take(&asked, row, err)?;
        }
        Ok(())
    }

    /// Those of several clusters, of which each may fail.
    async fn take_clusters(
        &mut self,
        clusters: &Clusters,
        subjects: &SubjectArgs,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let mut found = clusters.read_ahead(subjects, |all| rows(all, None));
        while let Some(found) = found.next().await {
            match found {
                Found::Hpa(read) => {
                    let (asked, row) = *read;
                    self.take(&asked, row, err)?;
                }
                Found::Failed(unread) => {
                    self.ending.count(Ending::Failed);
                    self.unread.push(unread);
                }
                Found::Nothing(_) => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, Row(row, period): Row) {
        self.period = Some(period);
        if row.state == HpaState::Unknown || row.by_status.is_some() {
            self.ending.count(Ending::Unknown);
        }
        self.rows.push(row);
    }

    /// One of the cluster.
    fn take(&mut self, asked: &Asked, row: anyhow::Result<Row>, err: &mut dyn Write) -> anyhow::Result<()> {
        match asked.named(row) {
            Ok(row) => {
                self.add(row);
                Ok(())
            }
            Err(error) => {
                self.ending.count(Ending::Failed);
                if error.downcast_ref().is_some_and(ClusterError::is_of_what_was_asked) {
                    self.absent.push(asked.unanswered(&error));
                } else {
                    let (namespace, name) = asked.place();
                    let row = Listed::failed(namespace, name, words(&error));
                    self.rows.push(row.of_origin(asked.connection.origin()));
                }
                Ok(complain(&error, err)?)
            }
        }
    }
}
