//! A knob turned from one end to the other, and what is decided on the way.

use thiserror::Error;

use super::change::{Change, Knob, change};
use crate::api::HpaSpec;
use crate::model::{Quantity, Replicas};
use crate::recall::answer;
use crate::rules::Rules;
use crate::snapshot::{Case, Snapshot, Standing, validate_change};
use crate::trace::Outcome;

/// More decisions than this are taken for a slip.
const MOST: usize = 100_000;

/// One knob and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is turned, as it was typed: `target`, `usage.cpu`.
    pub name: String,
    knob: Knob,
    /// Of knobs that take `NAME=VALUE`: the name.
    of: Option<String>,
    /// The values, from the first to the last, as they can be typed.
    pub values: Vec<String>,
}

/// An axis that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--sweep {text}: {problem}")]
pub struct AxisError {
    text: String,
    problem: String,
}

/// What is decided at one value of each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value of each axis.
    pub values: Vec<String>,
    /// The replicas that the target has there; `None` where they are not known.
    pub current: Option<Replicas>,
    /// Lowest and highest replicas, equal where the decision is exact; or why there is no decision.
    pub replicas: Result<(Replicas, Replicas), Undecided>,
}

/// Why there is no decision at a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Undecided {
    /// What the controller reads could not be read.
    #[error("not known here")]
    Unknown,
    /// The value cannot be, or the controller decides nothing.
    #[error("{0}")]
    Problem(String),
}

impl Axis {
    /// Reads `KNOB=FROM..TO:STEP` or `KNOB.NAME=FROM..TO:STEP`.
    ///
    /// # Errors
    /// If the knob is none that can be swept, or the values are not numbers that rise.
    pub fn parse(text: &str) -> Result<Self, AxisError> {
        let wrong = |problem: String| AxisError { text: text.to_owned(), problem };
        let form =
            || wrong("expected KNOB=FROM..TO:STEP, as target=40..90:5 or load=-50%..+200%:25%".to_owned());
        let (name, range) = text.split_once('=').ok_or_else(form)?;
        let (from, rest) = range.split_once("..").ok_or_else(form)?;
        let (to, step) = rest.split_once(':').ok_or_else(form)?;
        let (knob, of) = match name.split_once('.') {
            Some((knob, of)) => (knob, Some(of.to_owned())),
            None => (name, None),
        };
        let knob = knob_of(knob).ok_or_else(|| wrong(format!("`{knob}` cannot be swept; {KNOBS}")))?;
        let values = values(knob, from.trim(), to.trim(), step.trim()).map_err(wrong)?;
        Ok(Self { name: name.to_owned(), knob, of, values })
    }

    fn change(&self, value: &str) -> Change {
        match &self.of {
            Some(of) => Change::new(self.knob, format!("{of}={value}")),
            None => Change::new(self.knob, value),
        }
    }
}

const KNOBS: &str = "KNOB is target, min, max, replicas, request.NAME, usage.NAME, metric.NAME or load";

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

/// From the first value in steps up to the last that is not beyond the end.
fn values(knob: Knob, from: &str, to: &str, step: &str) -> Result<Vec<String>, String> {
    let is_percent = from.ends_with('%') || to.ends_with('%') || step.ends_with('%');
    let milli = |text: &str| {
        let number = text.strip_suffix('%').unwrap_or(text);
        let quantity = Quantity::parse(number).map_err(|_| format!("`{text}` is no number"))?;
        Ok::<i64, String>(quantity.milli_value())
    };
    let (first, last, step) = (milli(from)?, milli(to)?, milli(step)?);
    if step <= 0 {
        return Err("the step must be greater than 0".to_owned());
    }
    if last < first {
        return Err(format!("{from} is more than {to}; say {to}..{from}"));
    }
    let is_whole = [first, step].iter().all(|milli| milli % 1000 == 0);
    let count =
        usize::try_from((i128::from(last) - i128::from(first)) / i128::from(step)).unwrap_or(MOST) + 1;
    if count > MOST {
        return Err(format!("these are {count} values; at most {MOST} are tried"));
    }
    let value = |milli: i64| match (is_whole, is_percent) {
        (true, true) if knob == Knob::Load => format!("{:+}%", milli / 1000),
        (true, true) => format!("{}%", milli / 1000),
        (false, true) if knob == Knob::Load => format!("{milli:+}m%"),
        (false, true) => format!("{milli}m%"),
        (true, false) => (milli / 1000).to_string(),
        (false, false) => format!("{milli}m"),
    };
    let steps =
        (0..count).map(|place| first.saturating_add(step.saturating_mul(i64::try_from(place).unwrap_or(0))));
    Ok(steps.map(value).collect())
}

/// Decides at every value of each axis, the last axis turning fastest, with the other changes made too.
#[must_use]
pub fn sweep(case: &Case, changes: &[Change], axes: &[Axis]) -> Vec<Point> {
    let mut bench = Bench::of(case, changes, axes);
    let mut points = vec![Vec::new()];
    for axis in axes {
        let longer = |values: &Vec<String>| {
            let values = values.clone();
            axis.values.iter().map(move |value| [values.clone(), vec![value.clone()]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    let point = |values: Vec<String>| {
        let turned = axes.iter().zip(&values).map(|(axis, value)| axis.change(value));
        let (current, replicas) = bench.decide(turned);
        Point { values, current, replicas }
    };
    points.into_iter().map(point).collect()
}

/// What stays the same from point to point.
struct Bench {
    /// The case without its pods where they can stand, with what can be changed once.
    case: Case,
    /// What must be changed anew at each point.
    changes: Vec<Change>,
    standing: Option<Standing>,
    problem: Option<String>,
    /// What is stored.
    spec: HpaSpec,
}

/// The replicas that a target has, and what is decided on or why nothing is.
type Decided = (Option<Replicas>, Result<(Replicas, Replicas), Undecided>);

impl Bench {
    fn of(case: &Case, changes: &[Change], axes: &[Axis]) -> Self {
        let (mut case, spec) = (case.clone(), case.hpa.0.spec.clone());
        if !axes.iter().all(|axis| axis.leaves_pods_to(changes)) {
            return Self { case, changes: changes.to_vec(), standing: None, problem: None, spec };
        }
        let problem = change(&mut case, changes).err().map(|error| error.to_string());
        let standing = Some(Standing::of(&mut case));
        Self { case, changes: Vec::new(), standing, problem, spec }
    }

    /// The replicas that the target has, and what is decided on.
    fn decide(&mut self, turned: impl Iterator<Item = Change>) -> Decided {
        let mut snapshot = match self.freeze(turned) {
            Ok(snapshot) => snapshot,
            Err(problem) => return (None, Err(Undecided::Problem(problem.replace('\n', "; ")))),
        };
        let current = snapshot.scale.as_ref().ok().map(|scale| scale.replicas);
        let range = range(&mut snapshot);
        if let Some(standing) = &mut self.standing {
            standing.take_back(snapshot);
        }
        (current, range)
    }

    fn freeze(&mut self, turned: impl Iterator<Item = Change>) -> Result<Snapshot, String> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let changes: Vec<Change> = self.changes.iter().cloned().chain(turned).collect();
        let mut case = self.case.clone();
        change(&mut case, &changes).map_err(|error| error.to_string())?;
        if let Some(violation) = validate_change(&self.spec, &case.hpa.0.spec).first() {
            return Err(violation.to_string());
        }
        let frozen = match &mut self.standing {
            Some(standing) => Snapshot::freeze_over(standing, case),
            None => Snapshot::freeze(case),
        };
        frozen.map_err(|error| error.to_string())
    }
}

impl Axis {
    /// Whether it neither changes nor reads the pods, and may be turned after all other changes have been made.
    fn leaves_pods_to(&self, changes: &[Change]) -> bool {
        match self.knob {
            Knob::Target | Knob::Min | Knob::Max | Knob::Replicas | Knob::Load => true,
            Knob::Metric => changes.iter().all(|change| change.knob != Knob::Load),
            _ => false,
        }
    }
}

fn range(snapshot: &mut Snapshot) -> Result<(Replicas, Replicas), Undecided> {
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
        .map_err(|error| Undecided::Problem(error.to_string()))?;
    let answer = answer(snapshot, &rules);
    answer.range().ok_or_else(|| match answer.decision.outcome {
        Outcome::NoScale => Undecided::Problem("the target's scale cannot be read".to_owned()),
        _ => Undecided::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn an_axis_runs_from_one_end_to_the_other() {
        let cases: [(&str, &[&str]); 5] = [
            ("target=40..60:10", &["40", "50", "60"]),
            ("load=-50%..+50%:50%", &["-50%", "+0%", "+50%"]),
            ("usage.cpu=100m..300m:150m", &["100m", "250m"]),
            ("metric.queue=1..2:500m", &["1000m", "1500m", "2000m"]),
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
            ("target=90..40:5", "90 is more than 40; say 40..90"),
            ("target=40..90:0", "the step must be greater than 0"),
            ("color=1..2:1", "`color` cannot be swept"),
            ("target=a..b:1", "`a` is no number"),
            ("load=0%..1000000%:1%", "these are 1000001 values"),
        ];
        for (text, problem) in cases {
            let error = Axis::parse(text).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
