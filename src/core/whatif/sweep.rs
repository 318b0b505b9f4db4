//! A knob turned from one end to the other, and what is decided on the way.

use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use thiserror::Error;

use super::change::{self, Change, ChangeError, Knob, change};
use super::projection::{Projection, is_whole};
use crate::api::HpaSpec;
use crate::memory_bounds::answer;
use crate::model::{Quantity, Replicas};
use crate::rules::{Rules, RulesError};
use crate::snapshot::{Case, CaseError, SelectedPods, Snapshot, Violation, validate_change};
use crate::trace::Outcome;

/// More decisions than this, of one axis or of both together, are taken for a slip.
pub const MOST_POINTS: usize = 100_000;

/// One knob and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is turned, as it was typed: `target`, `usage.cpu`.
    pub name: String,
    knob: Knob,
    /// The values, from the first to the last, as they can be typed.
    pub values: Vec<String>,
    /// For each value, what is changed.
    changes: Vec<Result<Change, ChangeError>>,
}

/// An axis that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--sweep {typed}: {problem}")]
pub struct AxisError {
    /// As it was typed.
    pub typed: String,
    /// What is wrong with it.
    pub problem: AxisProblem,
}

/// What is wrong with an axis.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AxisProblem {
    /// Not `KNOB=FROM..TO:STEP`.
    #[error("expected KNOB=FROM..TO:STEP, for example target=40..90:5 or load=-50%..+200%:25%")]
    NotAnAxis,
    /// A knob that takes no number, or none at all.
    #[error(
        "\"{0}\" cannot be swept; KNOB is target, min, max, replicas, request.NAME, usage.NAME, metric.NAME or load"
    )]
    NotSwept(String),
    /// Not a number.
    #[error("invalid number \"{0}\"")]
    NotANumber(String),
    /// A number beyond an int64 of thousandths.
    #[error("\"{0}\" is too large: it must be less than {beyond}", beyond = Quantity::BEYOND_TYPED)]
    TooLarge(String),
    /// A load that says neither how much it is nor how much more or less.
    #[error(
        "\"{0}\" could mean more or less: sign both ends, for example -50%..+100%:25%, or start at 100%, which is today's load"
    )]
    LoadWithoutSign(String),
    /// A step of zero or less.
    #[error("the step must be greater than 0")]
    NoStep,
    /// The first value is above the last.
    #[error("{0} is more than {1}; did you mean {1}..{0}?")]
    Backwards(String, String),
    /// More values than are tried.
    #[error("this gives {0} values; at most {MOST_POINTS} are allowed")]
    TooMany(usize),
}

/// What is decided at one value of each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value of each axis.
    pub values: Vec<String>,
    /// The replicas that the target has there; `None` where they are not known.
    pub current: Option<Replicas>,
    /// Lowest and highest replicas, equal if the decision is exact; or why there is no decision.
    pub replicas: Result<(Replicas, Replicas), Undecided>,
    /// Where they settle if the load stays, or why that cannot be said; `None` where there is no decision.
    pub settles: Option<Result<Replicas, Unsettled>>,
}

/// Why it cannot be said where the replicas settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unsettled {
    /// Pods are missing, unready, too many or too few, or somebody else's: nobody knows who will share the load.
    Pods,
    /// What the controller remembers decides, and that is not known.
    Memory,
    /// They go on changing.
    Never,
}

/// Why there is no decision at a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Undecided {
    /// What the controller reads could not be read.
    #[error("not known here")]
    Unknown,
    /// The change cannot be made.
    #[error("{}", one_line(.0))]
    Change(ChangeError),
    /// The API server would refuse the HPA.
    #[error("{}", one_line(.0))]
    Violation(Violation),
    /// The changed case is not valid.
    #[error("{}", one_line(.0))]
    Case(CaseError),
    /// There are no rules for the controller's version or gates.
    #[error(transparent)]
    Rules(RulesError),
    /// The target has no scale to read.
    #[error("the target's scale cannot be read")]
    NoScale,
}

/// Why there is no decision takes one row of a table.
fn one_line(error: &impl ToString) -> String {
    error.to_string().replace('\n', "; ")
}

impl Axis {
    /// Reads `KNOB=FROM..TO:STEP` or `KNOB.NAME=FROM..TO:STEP`.
    ///
    /// # Errors
    /// If the knob is none that can be swept, or the values are not numbers that rise.
    pub fn parse(text: &str) -> Result<Self, AxisError> {
        Self::read(text).map_err(|problem| AxisError { typed: text.to_owned(), problem })
    }

    fn read(text: &str) -> Result<Self, AxisProblem> {
        let form = || AxisProblem::NotAnAxis;
        let (name, range) = change::pair(text).ok_or_else(form)?;
        let (from, rest) = range.split_once("..").ok_or_else(form)?;
        let (to, step) = rest.split_once(':').ok_or_else(form)?;
        let (knob, of) = match name.split_once('.') {
            Some((knob, of)) => (knob, Some(of)),
            None => (name, None),
        };
        let knob = knob_of(knob).ok_or_else(|| AxisProblem::NotSwept(knob.to_owned()))?;
        let values = values(knob, from.trim(), to.trim(), step.trim())?;
        let change = |value: &String| match of {
            Some(of) => Change::new(knob, format!("{of}={value}")),
            None => Change::new(knob, value),
        };
        let changes = values.iter().map(change).collect();
        Ok(Self { name: name.to_owned(), knob, values, changes })
    }
}

fn knob_of(name: &str) -> Option<Knob> {
    Some(match name {
        "target" => Knob::Target,
        "min" => Knob::Min,
        "max" => Knob::Max,
        "replicas" => Knob::Replicas,
        "request" => Knob::Request,
        "usage" => Knob::Usage,
        "metric" => Knob::Metric,
        "load" => Knob::Load,
        _ => return None,
    })
}

/// From the first value in steps up to the last that is not beyond the end, in the unit in which they were typed.
fn values(knob: Knob, from: &str, to: &str, step: &str) -> Result<Vec<String>, AxisProblem> {
    let typed = [from, to, step];
    let is_percent = typed.iter().any(|text| text.ends_with('%'));
    let unit = match typed.map(unit) {
        [one, other, third] if one == other && other == third => one,
        _ if is_percent => "%",
        _ => "",
    };
    let milli = |text: &str| {
        let number = text.strip_suffix(unit).unwrap_or(text);
        let quantity = Quantity::parse(number).map_err(|_| AxisProblem::NotANumber(text.to_owned()))?;
        quantity.checked_milli_value().ok_or_else(|| AxisProblem::TooLarge(text.to_owned()))
    };
    let (first, last, step) = (milli(from)?, milli(to)?, milli(step)?);
    if step <= 0 {
        return Err(AxisProblem::NoStep);
    }
    if last < first {
        return Err(AxisProblem::Backwards(from.to_owned(), to.to_owned()));
    }
    let count =
        usize::try_from((i128::from(last) - i128::from(first)) / i128::from(step)).unwrap_or(MOST_POINTS) + 1;
    if count > MOST_POINTS {
        return Err(AxisProblem::TooMany(count));
    }
    let is_signed = is_change_of_load(knob, unit, [from, to], first)?;
    let steps =
        (0..count).map(|place| first.saturating_add(step.saturating_mul(i64::try_from(place).unwrap_or(0))));
    Ok(steps.map(|milli| decimal(milli, is_signed) + unit).collect())
}

/// The letters or the percent sign behind a number.
fn unit(text: &str) -> &str {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '%');
    text.get(number.len()..).unwrap_or_default()
}

/// Whether the percentages of a load say how much more or less it is, as `--load +50%` does, and not how much.
fn is_change_of_load(knob: Knob, unit: &str, ends: [&str; 2], first: i64) -> Result<bool, AxisProblem> {
    const TODAY: i64 = 100_000;
    if knob != Knob::Load || unit != "%" {
        return Ok(false);
    }
    match ends.map(|end| end.starts_with(['+', '-'])) {
        [true, true] => Ok(true),
        [false, false] if first >= TODAY => Ok(false),
        _ => {
            let unsigned = ends.into_iter().find(|end| !end.starts_with(['+', '-']));
            Err(AxisProblem::LoadWithoutSign(unsigned.unwrap_or_default().to_owned()))
        }
    }
}

/// Thousandths as a decimal number.
fn decimal(milli: i64, is_signed: bool) -> String {
    let sign = match milli {
        ..0 => "-",
        _ if is_signed => "+",
        _ => "",
    };
    let (whole, rest) = (milli.unsigned_abs() / 1000, milli.unsigned_abs() % 1000);
    let digits = if rest == 0 { format!("{whole}") } else { format!("{whole}.{rest:03}") };
    let digits = if rest == 0 { digits.as_str() } else { digits.trim_end_matches('0') };
    format!("{sign}{digits}")
}

/// Decides at every value of each axis, the last axis turning fastest, with the other changes made too. Each processor takes a
/// part of the values.
#[must_use]
pub fn sweep(case: &Case, changes: &[Change], axes: &[Axis]) -> Vec<Point> {
    let places = places(axes);
    let shares = thread::available_parallelism().map_or(1, NonZero::get).min(places.len().max(1));
    // Values beside each other cost alike, so each takes every so many-th.
    let share = |first: usize| {
        let mut bench = Bench::of(case, changes, axes);
        places.iter().skip(first).step_by(shares).map(|places| bench.point(axes, places)).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = thread::scope(|scope| {
        let share = &share;
        let others: Vec<_> = (1..shares).map(|first| scope.spawn(move || share(first))).collect();
        let others = others.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
        iter::once(share(0)).chain(others.collect::<Vec<_>>()).map(Vec::into_iter).collect()
    });
    (0..places.len()).filter_map(|place| found[place % shares].next()).collect()
}

/// The case at every value of each axis, the last axis turning fastest, with the other changes made too; or why there is none.
pub fn swept_cases<'a>(
    case: &'a Case,
    changes: &'a [Change],
    axes: &'a [Axis],
) -> impl Iterator<Item = (Vec<String>, Result<Case, Undecided>)> + 'a {
    places(axes).into_iter().map(move |places| {
        let turned = || axes.iter().zip(&places);
        let values = turned().map(|(axis, place)| axis.values[*place].clone()).collect();
        let turned = turned().map(|(axis, place)| axis.changes[*place].clone());
        let made = changes.iter().cloned().map(Ok).chain(turned).collect::<Result<Vec<Change>, _>>();
        let mut swept = case.clone();
        let made = made.and_then(|changes| change(&mut swept, &changes)).map_err(Undecided::Change);
        let violation = || validate_change(&case.hpa.0.spec, &swept.hpa.0.spec).into_iter().next();
        let checked = made.and_then(|()| violation().map_or(Ok(()), |it| Err(Undecided::Violation(it))));
        (values, checked.map(|()| swept))
    })
}

/// Every combination of the axes' values, by their places.
fn places(axes: &[Axis]) -> Vec<Vec<usize>> {
    let mut points = vec![Vec::new()];
    for axis in axes {
        let longer = |places: &Vec<usize>| {
            let places = places.clone();
            (0..axis.values.len()).map(move |place| [places.as_slice(), &[place]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    points
}

/// What stays the same from point to point.
struct Bench {
    /// The case without its pods where they can stand, with what can be changed once.
    case: Case,
    /// What must be changed anew at each point.
    changes: Vec<Change>,
    selected_pods: Option<SelectedPods>,
    problem: Option<ChangeError>,
    /// What is stored.
    spec: HpaSpec,
}

/// What is decided, and where it ends.
struct Decided {
    replicas: (Replicas, Replicas),
    settles: Result<Replicas, Unsettled>,
}

impl Bench {
    fn of(case: &Case, changes: &[Change], axes: &[Axis]) -> Self {
        let (mut case, spec) = (case.clone(), case.hpa.0.spec.clone());
        if !axes.iter().all(|axis| axis.leaves_pods_to(changes)) {
            return Self { case, changes: changes.to_vec(), selected_pods: None, problem: None, spec };
        }
        let problem = change(&mut case, changes).err();
        let selected_pods = Some(SelectedPods::of(&mut case));
        Self { case, changes: Vec::new(), selected_pods, problem, spec }
    }

    fn point(&mut self, axes: &[Axis], places: &[usize]) -> Point {
        let turned = || axes.iter().zip(places);
        let values = turned().map(|(axis, place)| axis.values[*place].clone()).collect();
        let (current, decided) = self.decide(turned().map(|(axis, place)| axis.changes[*place].clone()));
        let (replicas, settles) = match decided {
            Ok(Decided { replicas, settles }) => (Ok(replicas), Some(settles)),
            Err(undecided) => (Err(undecided), None),
        };
        Point { values, current, replicas, settles }
    }

    /// The replicas that the target has, and what is decided or why nothing is.
    fn decide(
        &mut self,
        turned: impl Iterator<Item = Result<Change, ChangeError>>,
    ) -> (Option<Replicas>, Result<Decided, Undecided>) {
        let mut snapshot = match self.freeze(turned) {
            Ok(snapshot) => snapshot,
            Err(undecided) => return (None, Err(undecided)),
        };
        let current = snapshot.scale.as_ref().ok().map(|scale| scale.replicas);
        let decided = decided(&mut snapshot);
        if let Some(selected_pods) = &mut self.selected_pods {
            selected_pods.take_back(snapshot);
        }
        (current, decided)
    }

    fn freeze(
        &mut self,
        turned: impl Iterator<Item = Result<Change, ChangeError>>,
    ) -> Result<Snapshot, Undecided> {
        if let Some(problem) = &self.problem {
            return Err(Undecided::Change(problem.clone()));
        }
        let mut case = self.case.clone();
        let changes: Result<Vec<Change>, _> = self.changes.iter().cloned().map(Ok).chain(turned).collect();
        changes.and_then(|changes| change(&mut case, &changes)).map_err(Undecided::Change)?;
        if let Some(violation) = validate_change(&self.spec, &case.hpa.0.spec).into_iter().next() {
            return Err(Undecided::Violation(violation));
        }
        let frozen = match &mut self.selected_pods {
            Some(selected_pods) => Snapshot::freeze_over(selected_pods, case),
            None => Snapshot::freeze(case),
        };
        frozen.map_err(Undecided::Case)
    }
}

impl Axis {
    /// Whether it neither changes nor reads the pods, and may be turned after all other changes have been made.
    fn leaves_pods_to(&self, changes: &[Change]) -> bool {
        match self.knob {
            Knob::Target | Knob::Min | Knob::Max | Knob::Replicas | Knob::Load => true,
            Knob::Metric => changes.iter().all(|change| change.knob() != Knob::Load),
            _ => false,
        }
    }
}

fn decided(snapshot: &mut Snapshot) -> Result<Decided, Undecided> {
    let controller = &snapshot.controller;
    let rules =
        Rules::for_version(&controller.version.value, &controller.feature_gates).map_err(Undecided::Rules)?;
    let answer = answer(snapshot, &rules);
    let unwritten = answer.decision.unwritten().map(|replicas| (replicas, replicas));
    let replicas = unwritten.or_else(|| answer.range()).ok_or(match answer.decision.outcome {
        Outcome::NoScale => Undecided::NoScale,
        _ => Undecided::Unknown,
    })?;
    let projection = Projection::of(snapshot, &rules, &answer);
    let settles =
        projection.end(answer.decision.desired()).ok_or_else(|| match is_whole(snapshot, &answer.decision) {
            _ if projection.goes_on => Unsettled::Never,
            false => Unsettled::Pods,
            true => Unsettled::Memory,
        });
    Ok(Decided { replicas, settles })
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn an_axis_runs_from_one_end_to_the_other() {
        let cases: [(&str, &[&str]); 9] = [
            ("target=40..60:10", &["40", "50", "60"]),
            ("load=-50%..+50%:50%", &["-50%", "+0%", "+50%"]),
            ("usage.cpu=100m..300m:150m", &["100m", "250m"]),
            ("metric.queue=1..2:500m", &["1", "1.5", "2"]),
            ("request.memory=100Mi..300Mi:100Mi", &["100Mi", "200Mi", "300Mi"]),
            // As `--load` takes them.
            ("load=100%..150%:25%", &["100%", "125%", "150%"]),
            ("load=-12.5%..+12.5%:12.5%", &["-12.5%", "+0%", "+12.5%"]),
            ("load=1x..2x:0.5x", &["1x", "1.5x", "2x"]),
            ("max=5..5:1", &["5"]),
        ];
        for (text, values) in cases {
            let axis = Axis::parse(text).map(|axis| axis.values);
            assert_eq!(
                axis.as_deref(),
                Ok(&*values.iter().map(ToString::to_string).collect::<Vec<_>>()),
                "{text}"
            );
        }
    }

    #[test]
    fn an_axis_that_is_none_says_why() {
        let cases = [
            ("90..40", "expected KNOB=FROM..TO:STEP"),
            ("target=90..40:5", "90 is more than 40; did you mean 40..90?"),
            ("target=40..90:0", "the step must be greater than 0"),
            ("color=1..2:1", "\"color\" cannot be swept"),
            ("target=a..b:1", "invalid number \"a\""),
            ("load=+0%..+1000000%:1%", "this gives 1000001 values"),
            ("load=50%..150%:50%", "\"50%\" could mean more or less"),
            ("load=-50%..150%:50%", "\"150%\" could mean more or less"),
        ];
        for (text, problem) in cases {
            let error = Axis::parse(text).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
