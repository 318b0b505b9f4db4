//! `kubectl hpa explain`.

use std::io::Write;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, ensure};
use futures::StreamExt;

use super::apply::{self, Proposal, Terms};
use super::clusters::{Clusters, Found};
use super::complain::complain;
use super::files::{self, Readers};
use super::redact::redacted;
use super::subjects::{self, Asked, Matching, Unnamed};
use super::wanted::Wanted;
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases, history, list, watch};
use crate::cli::{ExplainArgs, Output, PodRows};
use crate::cluster::{ClusterError, Place};
use crate::examples;
use crate::render;
use kubectl_hpa_core::comparison::{Unanswered, Upgrade, Versions};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Evidenced;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::status::carry;

/// Explains what was asked for, case by case. A case that is wrong is complained of, and the next one is read.
pub async fn run(
    mut args: ExplainArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    if args.why.as_deref() == Some("") {
        render::listing(out, render::codes::titles())?;
        return Ok(Ending::Done);
    }
    if let Some(code) = &args.why {
        render::why(out, render::codes::find(code)?, &Form::of_explain(&args, screen)?.options)?;
        return Ok(Ending::Done);
    }
    if args.example.as_deref() == Some("") && args.upgrade_to.is_none() {
        render::listing(out, examples::ALL.iter().map(|example| (example.name, example.description())))?;
        return Ok(Ending::Done);
    }
    if args.watch {
        return Box::pin(watch::run(&args, screen, out, err)).await;
    }
    let form = Form::of_explain(&args, screen)?;
    let terms = Terms::of(&args.apply, &args.connection, screen, form.options)?;
    let mut all = Vec::new();
    let is_live = args.file.is_empty() && args.example.is_none();
    let is_of_clusters = is_live && args.connection.is_several();
    if is_live && !is_of_clusters {
        let unnamed = unnamed(&args);
        match subjects::of_cluster(&args.subjects, unnamed, args.connection.clone(), screen, err).await? {
            Matching::Some(found) => all = found,
            Matching::None(namespace) if args.output.is_text() => {
                subjects::none(namespace.as_deref(), err)?;
                return Ok(Ending::Done);
            }
            // As with kubectl, a program is given a list of none.
            Matching::None(_) => {}
        }
        if args.subjects.is_unnamed() && all.len() != 1 {
            if is_for_people(&args) {
                return Box::pin(list::of_several(all, &args, form, out, err)).await;
            }
            args.subjects.all = true;
        }
    }
    let task = Task::of(&args, form, out);
    let mut run = Run { task, last: None, ending: Ending::Done };
    let mut found = Vec::new();
    let files = std::mem::take(&mut args.file);
    if let Some(name) = &args.example {
        for case in cases::of_examples(name)? {
            let case = case?;
            run.save(&case, &args)?;
            run.explain(case, &args)?;
        }
    } else if is_of_clusters {
        let is_anything = run.upgrade_clusters(&args, err).await?;
        if !is_anything && args.output.is_text() {
            subjects::none(None, err)?;
            return Ok(Ending::Done);
        }
    } else if files.is_empty() {
        let mut cases = subjects::gathered(all);
        while let Some((asked, case)) = cases.next().await {
            match Box::pin(run.explain_live(&asked, case, &args, terms.is_some())).await {
                Ok(live) => found.extend(live.map(|live| (asked, live))),
                Err(error) => {
                    let unanswered = asked.unanswered(&error);
                    run.failed(asked.labeled_error(error), unanswered, err)?;
                }
            }
        }
    }
    let wanted = Wanted::of(&args.subjects, args.connection.namespace.as_deref())?;
    if let Some(at) = args.at {
        let then = history::explained_at(&files, at, wanted, &args.settings, err)?;
        ensure!(!then.is_empty(), "the record has no HPA at that time");
        for explained in then {
            run.show(explained, &args)?;
        }
        return run.finish(&args, err);
    }
    for (index, case) in cases::wanted(cases::of_files_or_objects(&files), wanted).enumerate() {
        if let Err(error) = case.and_then(|(place, case)| run.explain(case, &args).context(place)) {
            let unanswered = cases::unanswered(index, &error);
            run.failed(error, unanswered, err)?;
        }
    }
    let mut ending = run.finish(&args, err)?;
    let Some(terms) = terms else { return Ok(ending) };
    out.flush()?;
    let propose = |live: &Live, case| Proposal::of_scale(live.place.clone(), case, &args.settings);
    let writing = apply::each(&terms, found, ending, err, async |asked: &Asked, live: &Live, tried, talk| {
        // Answers that several HPAs share were read before.
        let again = async || propose(live, asked.connection.clone().sharing().gather(&asked.subject).await?);
        let shown = propose(live, live.case.clone())?;
        Box::pin(apply::apply(&terms, &asked.connection, shown, again, tried, talk)).await
    });
    ending.count(Box::pin(writing).await?);
    Ok(ending)
}

/// A case file and a write are of one HPA.
fn unnamed(args: &ExplainArgs) -> Unnamed {
    if args.save.is_some() || args.apply.apply { Unnamed::One } else { Unnamed::All }
}

/// Whether of several HPAs a list is shown: programs are given all decisions, and so is who asks for more than a list has.
fn is_for_people(args: &ExplainArgs) -> bool {
    args.output.is_text()
        && args.output != Output::Name
        && !args.blame
        && !args.compares()
        && args.pods == PodRows::Folded
}

/// Whether what is piped on is a case and nothing else.
fn is_case_alone(args: &ExplainArgs) -> bool {
    args.save.as_deref().is_some_and(files::is_output)
}

/// What is made of each case.
enum Task<'a> {
    /// It is explained.
    Explain(Writer<'a, Explanation>),
    /// Several versions are set side by side.
    Compare(Writer<'a, Versions>),
    /// It is kept where another version decides otherwise, now or later.
    Upgrade(Writer<'a, Upgrade>, Box<Upgrade>),
}

impl<'a> Task<'a> {
    fn of(args: &ExplainArgs, form: Form, out: &'a mut dyn Write) -> Self {
        let is_list = args.subjects.is_list() || args.file.len() > 1;
        match &args.upgrade_to {
            Some(version) => Self::Upgrade(
                Writer::new(form, out),
                Box::new(Upgrade::to(Evidenced::given(version.as_str().into(), "--upgrade-to"))),
            ),
            None if args.settings.as_version.len() > 1 => {
                Self::Compare(Writer::new(form, out).listing(is_list))
            }
            None => Self::Explain(Writer::new(form, out).listing(is_list)),
        }
    }

    fn save(&mut self, case: &Case, path: &Path, masked: bool) -> anyhow::Result<()> {
        // A value of a case of 10,000 pods takes as much memory again.
        let yaml =
            if masked { render::yaml_lines(&redacted(case.clone()))? } else { render::yaml_lines(case)? };
        let out = match self {
            Self::Explain(writer) => writer.stream(),
            Self::Compare(writer) => writer.stream(),
            Self::Upgrade(writer, _) => writer.stream(),
        };
        files::write_whole(path, yaml.as_bytes(), Readers::Owner, out)
            .with_context(|| format!("cannot save {}", path.display()))
    }
}

/// What was read of an HPA whose target is to be scaled.
struct Live {
    case: Case,
    place: Place,
}

/// A run of cases.
struct Run<'a> {
    task: Task<'a>,
    /// The last one that was explained.
    last: Option<Rc<Explanation>>,
    ending: Ending,
}

impl Run<'_> {
    /// Complains of what failed, unless nobody reads on.
    fn failed(
        &mut self,
        error: anyhow::Error,
        unanswered: Unanswered,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if super::output::is_closed(&error) {
            return Err(error);
        }
        self.ending.count(Ending::Failed);
        match &mut self.task {
            Task::Explain(writer) => writer.failed(unanswered),
            Task::Compare(writer) => writer.failed(unanswered),
            Task::Upgrade(_, upgrade) => upgrade.add_failed(unanswered),
        }
        Ok(complain(&error, err)?)
    }

    /// The HPAs of several clusters, of which each may fail. Whether there is any, or a cluster that failed.
    async fn upgrade_clusters(&mut self, args: &ExplainArgs, err: &mut dyn Write) -> anyhow::Result<bool> {
        if let Task::Upgrade(_, upgrade) = &mut self.task {
            upgrade.is_of_clusters = true;
        }
        let clusters = Clusters::of(&args.connection);
        let mut found = clusters.read_ahead(&args.subjects, subjects::gathered);
        let mut is_anything = false;
        while let Some(found) = found.next().await {
            is_anything |= !matches!(found, Found::Nothing(_));
            match found {
                Found::Hpa(read) => {
                    let (asked, case) = *read;
                    let explained = case.map_err(Into::into).and_then(|case| self.explain(case, args));
                    if let Err(error) = explained {
                        let unanswered = asked.unanswered(&error);
                        self.failed(asked.labeled_error(error), unanswered, err)?;
                    }
                }
                Found::Failed(unread) => {
                    let unanswered = unread.unanswered();
                    self.failed(unread.into_error(), unanswered, err)?;
                }
                Found::Nothing(_) => {}
            }
        }
        Ok(is_anything)
    }

    fn finish(mut self, args: &ExplainArgs, err: &mut dyn Write) -> anyhow::Result<Ending> {
        // The process ends soon, and takes ten thousand pods with it faster than they are freed one by one.
        std::mem::forget(self.last.take());
        match self.task {
            Task::Explain(writer) => writer.finish()?,
            Task::Compare(writer) => writer.finish()?,
            Task::Upgrade(mut writer, mut upgrade) => {
                if upgrade.is_of_clusters {
                    upgrade.sort();
                }
                self.ending.count(upgrade.comparison());
                // These have rows and names, and say no more of an HPA.
                let is_partial = matches!(args.output, Output::Csv | Output::Name);
                if is_partial && !(upgrade.undecided.is_empty() && upgrade.later.is_empty()) {
                    writeln!(err, "note: {}", render::sanitize(&render::upgrade_total(&upgrade)))?;
                }
                for note in render::undecided_notes(upgrade.unread.iter()) {
                    writeln!(err, "note: {}", render::sanitize(&note))?;
                }
                writer.write(&Rc::new(*upgrade))?;
                writer.finish()?;
            }
        }
        Ok(self.ending)
    }

    /// Returns what is needed to write, where that is wanted.
    async fn explain_live(
        &mut self,
        asked: &Asked,
        case: Result<Case, ClusterError>,
        args: &ExplainArgs,
        writes: bool,
    ) -> anyhow::Result<Option<Live>> {
        let case = case?;
        self.save(&case, args)?;
        let shown = writes.then(|| case.clone());
        self.explain(case, args)?;
        let Some(case) = shown else { return Ok(None) };
        let place = asked.connection.place_of_scale(&case.hpa.0.spec).await?;
        Ok(Some(Live { case, place }))
    }

    /// Saves a case as it was read, where that was asked for.
    fn save(&mut self, case: &Case, args: &ExplainArgs) -> anyhow::Result<()> {
        args.save.as_ref().map_or(Ok(()), |path| self.task.save(case, path, args.redact))
    }

    fn show(&mut self, explained: Rc<Explanation>, args: &ExplainArgs) -> anyhow::Result<()> {
        if args.blame {
            explained.blame();
        }
        if explained.is_unknown() {
            self.ending.count(Ending::Unknown);
        }
        if let Task::Explain(writer) = &mut self.task
            && !is_case_alone(args)
        {
            writer.write(&explained)?;
        }
        self.last = Some(explained);
        Ok(())
    }

    fn explain(&mut self, mut case: Case, args: &ExplainArgs) -> anyhow::Result<()> {
        cases::set(&mut case.controller, &args.settings);
        cases::know(&mut case, &args.settings.past)?;
        if let Some(previous) = self.last.take().filter(|_| args.carry) {
            case = carry(previous.snapshot(), previous.decision(), previous.report(), case)?;
        }
        let metadata = args.upgrade_to.is_some().then(|| case.hpa.0.metadata.clone());
        let snapshot = Snapshot::freeze(case)?;
        let is_case_alone = is_case_alone(args);
        match &mut self.task {
            Task::Explain(_) => self.show(Rc::new(Explanation::of_snapshot(snapshot)?), args)?,
            Task::Compare(writer) => {
                let versions = args.settings.as_version.iter();
                let versions: Vec<_> = versions
                    .map(|version| Evidenced::given(version.as_str().into(), "--as-version"))
                    .collect();
                let versions = Versions::of(&snapshot, &versions)?;
                self.ending.count(versions.comparison());
                if !is_case_alone {
                    writer.write(&Rc::new(versions))?;
                }
            }
            Task::Upgrade(_, upgrade) => upgrade.add(&snapshot, &metadata.unwrap_or_default())?,
        }
        Ok(())
    }
}
