//! What is to come: worlds played on.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration as Span, Instant as Clock};

use anyhow::{Context, bail};

use super::knobs::{Knobs, Prepared, WITH_CHANGES};
use super::writer::Answered;
use super::{cases, files, manifest};
use crate::cli::{CurveForm, FutureArgs, LoadCurve, Named, PodArgs};
use crate::cluster::read_bounded;
use crate::render::{self, Options, Played, Title};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::play::{Assumptions, Curve, MOST_SYNCS};
use kubectl_hpa_core::run::{Calibration, Recorded, Run};
use kubectl_hpa_core::snapshot::{Case, Controller, store};
use kubectl_hpa_core::whatif::{Axis, Change, change, swept_cases};

/// What is assumed, by what was typed and the files that it names.
pub fn assumptions(args: &FutureArgs) -> anyhow::Result<Option<Assumptions>> {
    let Some(over) = args.over else { return Ok(None) };
    let curves = args.load_curve.iter().map(|curve| Ok((curve.name.clone(), read(&curve.value)?)));
    Ok(Some(Assumptions {
        over,
        curves: curves.collect::<anyhow::Result<_>>()?,
        typed_curves: args.load_curve.iter().map(typed).collect(),
        metrics_lag: args.metrics_lag.unwrap_or_default(),
        backlog: args.backlog.iter().map(|it| (it.name.clone(), it.value.0)).collect(),
        rollout: args.rollout,
        ..of_pods(&args.pods)
    }))
}

/// The assumptions about pods.
pub fn of_pods(args: &PodArgs) -> Assumptions {
    Assumptions {
        start_delay: args.start_delay.unwrap_or_default(),
        ready_delay: args.ready_delay.unwrap_or_default(),
        base_usage: args.base_usage.iter().map(|it| (it.name.clone(), it.value.0)).collect(),
        seed: args.seed,
        ..Assumptions::default()
    }
}

fn typed(curve: &Named<LoadCurve>) -> String {
    let metric = curve.name.as_ref().map_or_else(String::new, |name| format!("{name}="));
    let between = match curve.value.form {
        CurveForm::Shape(_) => "",
        CurveForm::File(..) => " (in straight lines between its values)",
    };
    metric + &curve.value.text + between
}

fn read(curve: &LoadCurve) -> anyhow::Result<Curve> {
    match &curve.form {
        CurveForm::Shape(curve) => Ok(curve.clone()),
        CurveForm::File(file, every) => of_file(file, *every).with_context(|| file.display().to_string()),
    }
}

fn of_file(file: &Path, every: Option<Duration>) -> anyhow::Result<Curve> {
    /// A table of a million lines is no larger.
    const MOST: u64 = 64 * 1024 * 1024;
    let read = read_bounded(file, MOST).and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
    });
    match read {
        Ok(text) => Ok(Curve::of_csv(&text)?.every(every)?),
        Err(error) => bail!("cannot read this load curve: {}", files::words(&error)),
    }
}

/// Some HPAs over the same load, or one.
pub struct Future {
    /// The first one tells what it is about.
    pub runs: Vec<(String, Explanation, Run)>,
    pub changes: Vec<String>,
    pub assumptions: Assumptions,
    /// Whether each is one value of a sweep.
    pub is_sweep: bool,
    /// The record that is played again, and how well the first run matches it.
    pub record: Option<(Recorded, Calibration)>,
}

impl Future {
    /// Plays what is asked: at each value of a sweep, with another HPA beside it, or as it is and as it would be.
    pub fn asked(
        knobs: &Knobs<'_>,
        assumptions: &Assumptions,
        mut question: Prepared,
    ) -> anyhow::Result<Self> {
        let is_swept = !knobs.axes.is_empty();
        if question.is_manifest && (is_swept || knobs.versus.is_some()) {
            store(&mut question.then);
        }
        if is_swept {
            let Prepared { then, meant, changes, .. } = question;
            return Self::swept(&then, &meant, knobs.axes, changes, assumptions);
        }
        if let Some((_, hpa)) = knobs.versus {
            let mut other = question.then.clone();
            other.hpa.0.spec.clone_from(&hpa.spec);
            store(&mut other);
            change(&mut question.then, &question.meant)?;
            manifest::check_change(&question.then.hpa.0, &other.hpa.0).context(WITH_CHANGES)?;
            question.now = Some(other);
        } else {
            question.change()?;
        }
        let Prepared { now: other, then, changes, .. } = question;
        let other = other.map(Explanation::of).transpose()?;
        let then = Explanation::of(then).context(WITH_CHANGES)?;
        let sides = match (knobs.versus, other) {
            (Some((file, _)), Some(other)) => {
                vec![("this HPA".to_owned(), then), (file.display().to_string(), other)]
            }
            (None, Some(now)) if !changes.is_empty() => {
                vec![("now".to_owned(), now), ("changed".to_owned(), then)]
            }
            _ => vec![("this HPA".to_owned(), then)],
        };
        Self::of(sides, changes, assumptions, false)
    }

    /// Puts a record beside its play.
    pub fn beside(mut self, recorded: Recorded) -> Self {
        if let Some((name, explanation, run)) = self.runs.first_mut() {
            "played".clone_into(name);
            let period = explanation.snapshot().controller.sync_period.value;
            let calibration = Calibration::of(&recorded, run, period);
            self.record = Some((recorded, calibration));
        }
        self
    }

    /// Plays each.
    pub fn of(
        sides: Vec<(String, Explanation)>,
        changes: Vec<String>,
        assumptions: &Assumptions,
        is_sweep: bool,
    ) -> anyhow::Result<Self> {
        let count = sides.len();
        let mut progress = Progress::new(count);
        let mut runs = Vec::new();
        for (place, (name, explanation)) in sides.into_iter().enumerate() {
            let player = explanation.player(assumptions)?;
            let run = Run::of(player, |at| progress.tell(place, at, assumptions.over))?;
            runs.push((name, explanation, run));
        }
        progress.end();
        Ok(Self { runs, changes, assumptions: assumptions.clone(), is_sweep, record: None })
    }

    /// Plays a case at every value of an axis or two.
    pub fn swept(
        case: &Case,
        meant: &[Change],
        axes: &[Axis],
        changes: Vec<String>,
        assumptions: &Assumptions,
    ) -> anyhow::Result<Self> {
        /// More are taken for a slip.
        const MOST: usize = 1_000;
        let count: usize = axes.iter().map(|axis| axis.values.len()).product();
        if count > MOST {
            bail!("--sweep with --over tries at most {MOST} values, not {count}");
        }
        let period =
            case.controller.sync_period.as_ref().map_or(Controller::SYNC_PERIOD, |period| period.value);
        let syncs = assumptions.over.nanoseconds() / period.nanoseconds().max(1);
        let all = usize::try_from(syncs).unwrap_or(usize::MAX).saturating_mul(count);
        if all > MOST_SYNCS {
            bail!(
                "--sweep with --over decides at most {MOST_SYNCS} times, not {all} ({count} values, {syncs} syncs each); try fewer values or a shorter --over"
            );
        }
        let mut sides = Vec::new();
        for (values, case) in swept_cases(case, meant, axes) {
            let named = axes.iter().zip(&values).map(|(axis, value)| format!("{}={value}", axis.name));
            let name = if axes.len() > 1 { named.collect::<Vec<_>>().join(" ") } else { values.join(" ") };
            let explanation = case.map_err(anyhow::Error::from).and_then(|case| Ok(Explanation::of(case)?));
            sides.push((name.clone(), explanation.with_context(|| format!("--sweep at {name}"))?));
        }
        Self::of(sides, changes, assumptions, true)
    }

    fn shown(&self) -> render::Future<'_> {
        render::Future {
            runs: self
                .runs
                .iter()
                .map(|(name, explanation, run)| Played { name, explanation, run })
                .collect(),
            changes: &self.changes,
            assumptions: &self.assumptions,
            is_sweep: self.is_sweep,
            record: self.record.as_ref().map(|(recorded, calibration)| (recorded, calibration)),
        }
    }

    pub fn names(&self) -> Vec<Cow<'_, str>> {
        self.runs.first().map(|(_, explanation, _)| explanation.names()).unwrap_or_default()
    }

    pub fn title(&self) -> Title<'_> {
        let of = self.runs.first().map(|(_, explanation, _)| explanation);
        let what = match &self.record {
            Some(_) => "Backtest",
            None if self.is_sweep => "Sweep over time",
            None => "Simulation over time",
        };
        Title { what: what.to_owned(), of }
    }

    pub fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::future(out, &self.shown(), options)
    }

    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        render::future_csv(out, &self.shown())
    }

    pub fn view(&self) -> render::FutureView {
        render::future_view(&self.shown())
    }
}

/// Says on standard error how far it is, once it has taken a second.
struct Progress {
    begun: Clock,
    told: Option<Clock>,
    count: usize,
    calls: u32,
}

impl Progress {
    fn new(count: usize) -> Self {
        Self { begun: Clock::now(), told: None, count, calls: 0 }
    }

    fn tell(&mut self, place: usize, at: Duration, over: Duration) {
        self.calls = self.calls.wrapping_add(1);
        if !self.calls.is_multiple_of(256) || !io::stderr().is_terminal() {
            return;
        }
        let last = self.told.unwrap_or(self.begun);
        if last.elapsed() < Span::from_secs(1) {
            return;
        }
        self.told = Some(Clock::now());
        let part = i128::from(at.nanoseconds()) * 100 / i128::from(over.nanoseconds().max(1));
        let of =
            if self.count > 1 { format!(" of run {} of {}", place + 1, self.count) } else { String::new() };
        let _ = write!(io::stderr(), "\rsimulated {part}%{of}  ");
    }

    fn end(&self) {
        if self.told.is_some() {
            let _ = write!(io::stderr(), "\r{:40}\r", "");
        }
    }
}

/// An HPA's manifest to play beside another, as a flag names it.
pub fn one_manifest(flag: &str, file: &Path) -> anyhow::Result<kubectl_hpa_core::api::Hpa> {
    use kubectl_hpa_core::snapshot::Input;
    let is_other = |it: &anyhow::Result<_>| matches!(it, Ok((_, Input::Other { .. })));
    let mut found = cases::inputs(vec![file.to_owned()]).filter(|it| !is_other(it));
    match (found.next(), found.next()) {
        (Some(Ok((_, Input::Manifest(read, _)))), None) => {
            super::manifest::check(&read.hpa)?;
            Ok(read.hpa)
        }
        (Some(Err(error)), _) => Err(error),
        _ => bail!("{flag} {}: expected one manifest of an HPA", file.display()),
    }
}
