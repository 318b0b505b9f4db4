//! No two lines of one screen contradict each other: on the recorded cases of the real controller, as they are and
//! changed, the headline, "time", "What happens next" and "Net effect" tell one future. Where the metrics do not depend on pods, that
//! future is what the controller's loop comes to.

use crate::recorded::{frozen, recorded};
use kubectl_hpa::render::{self, Options, Simulation};
use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::{Case, Scale, Snapshot};
use kubectl_hpa_core::trace::{Calculation, Gate, Outcome, Verdict};
use kubectl_hpa_core::whatif::{Change, Knob, change};

/// No line of the screen is broken.
const WIDTH: usize = 4_000;

fn explained(case: Case) -> Option<Explanation> {
    // What the API server would not store is no case.
    Snapshot::freeze(case.clone()).ok()?;
    let (snapshot, rules) = frozen(case);
    Some(Explanation::by(snapshot, rules))
}

fn screen(explanation: &Explanation) -> String {
    let mut out = Vec::new();
    let options = Options { width: WIDTH, ..Options::default() };
    render::text(&mut out, explanation, &options).expect("a vector can be written to");
    String::from_utf8(out).expect("text is UTF-8")
}

/// A count and when it is reached, in the words of a screen.
type Step = (String, String);

/// "5 wanted, at 10:47:00 if the load stays", "27 wanted; 16 at 10:42:15, 27 at 10:42:30 if the load stays"; none if the replicas
/// stay: "1 wanted for 1 pod, but 2 stays after the window ends at 10:45:10 if the load stays".
fn headline(right: &str) -> Vec<Step> {
    let Some((wanted, told)) = before_bounds(right).split_once(" wanted") else { return Vec::new() };
    let told = told.find([',', ';']).filter(|_| told.starts_with(" for ")).map_or(told, |end| &told[end..]);
    let Some(told) = told
        .strip_suffix(" if the load stays")
        .filter(|it| !it.contains("at the latest") && !it.starts_with(", but "))
    else {
        return Vec::new();
    };
    match told.strip_prefix(", at ") {
        Some(at) => vec![(wanted.to_owned(), at.to_owned())],
        None => told.trim_start_matches("; ").split(", ").map(step).collect(),
    }
}

/// A reason without the bounds at its end.
fn before_bounds(right: &str) -> &str {
    right.rsplit_once("; bounds ").map_or(right, |(reason, _)| reason)
}

fn step(text: &str) -> Step {
    let (count, at) = text.split_once(" at ").unwrap_or_else(|| panic!("no step: {text:?}"));
    (count.to_owned(), at.split(" (in ").next().unwrap_or_default().to_owned())
}

/// What stands after the words with which a line begins, with the lines below that go on with it.
fn after(screen: &str, begin: &str) -> Option<String> {
    let mut lines = screen.lines().skip_while(|line| !line.starts_with(begin));
    let first = lines.next()?.strip_prefix(begin)?;
    let indent = " ".repeat(begin.len());
    let more = lines.take_while(|line| line.starts_with(&indent)).map(str::trim);
    Some(std::iter::once(first.trim()).chain(more).collect::<Vec<_>>().join(" "))
}

/// The count on which a headline ends, if it says one: "stays at 5", "8 now", "8".
fn count(left: &str) -> Option<i32> {
    let end = left.split_once("→ ")?.1;
    let end = end.rsplit_once("stays at ").map_or(end, |(_, count)| count);
    end.strip_suffix(" now").unwrap_or(end).trim().parse().ok()
}

/// "5 wanted; falls to 5 by 10:47:15 at the latest, if the load stays".
fn rests(right: &str) -> Option<i32> {
    let told = before_bounds(right).strip_suffix(" at the latest, if the load stays")?;
    let (way, _) = told.rsplit_once(" by ")?;
    way.rsplit_once(" to ")?.1.parse().ok()
}

/// Both halves of a side's headline.
fn side(screen: &str, name: &str) -> (String, String) {
    let line = after(screen, name).unwrap_or_default();
    let (left, right) = line.split_once("  ").unwrap_or((&line, ""));
    (left.trim().to_owned(), right.trim().to_owned())
}

/// How often each of the lines was held against another one.
#[derive(Debug, Default)]
struct Held {
    timed: usize,
    then_on: usize,
    ends: usize,
    bounds: usize,
    replayed: usize,
    exact: usize,
}

/// The screen of one decision: its headline against what time brings.
fn hold_explained(held: &mut Held, it: &Explanation) {
    let screen = screen(it);
    // Where all that the controller can remember leads to one decision, its memory is not why the status says another one.
    if it.answer().interval.is_none() {
        assert!(!screen.contains("what the controller remembered then is not known here"), "{screen}");
        held.exact += usize::from(it.answer().memory_bounds.is_some() && screen.contains("; recomputed "));
    }
    let told = screen.lines().take(4).find(|line| line.contains(" wanted")).unwrap_or_default();
    let right = told.rsplit_once("   ").map_or(told, |(_, right)| right).trim();
    let alone = after(&screen, "What would change it  ");
    let alone = alone.and_then(|told| told.strip_prefix("time: ").map(str::to_owned));
    let Some(time) = alone.or_else(|| after(&screen, "  time  ")) else { return };
    assert!(!screen.contains("time alone changes nothing"), "{screen}");
    let at = time.trim().split(" (in ").next().unwrap_or_default();
    let count = time.rsplit_once("→ ").unwrap_or_else(|| panic!("no count: {screen}")).1;
    if let Some(first) = headline(right).first() {
        assert_eq!(*first, (count.to_owned(), at.to_owned()), "{screen}");
        held.timed += 1;
    }
}

fn hold_simulated(held: &mut Held, now: &Explanation, then: &Explanation, changes: &[String]) {
    let simulation = Simulation { changes, sides: Sides::of(now, then), is_typed: false };
    let mut out = Vec::new();
    let options = Options { width: WIDTH, ..Options::default() };
    render::simulation(&mut out, &simulation, &options).expect("a vector can be written to");
    let screen = String::from_utf8(out).expect("text is UTF-8");
    let sides = screen.split("\nDecision").nth(1).expect("a decision");
    let (left, right) = side(sides, "  then");
    let steps = headline(&right);
    let then_on = after(&screen, "What happens next  ");
    if let Some(told) = &then_on {
        let told = told.split("; assuming a sync").next().unwrap_or_default();
        held.then_on += 1;
        let (begin, rest) = told.split_once(" now, ").expect("now");
        assert_eq!(begin.parse().ok(), count(&left), "{screen}");
        assert!(!right.contains("time alone changes nothing"), "{screen}");
        let endless = rest.strip_suffix(", and so on").or_else(|| rest.strip_suffix(", then not known"));
        let told: Vec<Step> = endless.unwrap_or(rest).split(", ").filter(|it| *it != "…").map(step).collect();
        if let Some(first) = steps.first() {
            assert_eq!(Some(first), told.first(), "{screen}");
        }
        if let Some(last) = steps.last().filter(|_| endless.is_none() && steps.len() > 1) {
            assert_eq!(Some(last), told.last(), "{screen}");
        }
    }
    let Some(more) = after(&screen, "Net effect  ") else { return };
    let more = more.split(' ').next().unwrap_or_default();
    let more = if more == "same" { 0 } else { more.parse::<i32>().expect("a number") };
    for side in [now, then] {
        let is_known = side.answer().interval.is_none() || side.projection().rest.is_some();
        assert!(is_known, "an end of what is not known\n{screen}");
    }
    // Where a side's headline names the count at which it rests, or no other than the first, that is its end.
    let end = |side: &Explanation, (left, right): (&str, &str)| {
        let steps = headline(right);
        let last = steps.last().and_then(|(count, _)| count.parse().ok());
        let rests = || rests(right).or_else(|| count(left).filter(|_| side.projection().rest.is_none()));
        last.or_else(|| rests().filter(|_| side.projection().steps.is_empty()))
    };
    let (before, told) = side(sides, "  now");
    let ends = [end(now, (&before, &told)), end(then, (&left, &right))];
    if let [Some(now), Some(then)] = ends {
        assert_eq!(more, then - now, "{screen}");
        held.ends += 1;
    }
}

/// Whether no pod has a part in what the metrics say.
fn is_podless(it: &Explanation) -> bool {
    let metrics = &it.answer().decision.metrics;
    let per_replica = |verdict: &Verdict| match verdict {
        Verdict::Proposal(proposal) => matches!(proposal.calculation, Calculation::PerReplica(_)),
        Verdict::Failed(_) | Verdict::Unknown(_) => false,
    };
    !metrics.is_empty() && metrics.iter().all(|metric| per_replica(&metric.verdict))
}

/// The controller's loop, a sync a period, on metrics that stay what they are: where it rests after two hours.
fn rests_at(it: &Explanation) -> Option<Replicas> {
    let mut world = it.snapshot().clone();
    let mut decision = it.answer().decision.clone();
    for _ in 0..480 {
        if matches!(decision.outcome, Outcome::Scale { failed: Some(_), .. }) {
            return None;
        }
        let replicas = decision.desired().filter(|replicas| replicas.0 > 0)?;
        world.taken_at = world.taken_at + world.controller.sync_period.value;
        world.memory = decision.memory;
        if let Ok(scale) = &mut world.scale {
            *scale = Scale { replicas, observed: replicas, ..scale.clone() };
        }
        decision = decide(&world, it.rules());
    }
    decision.desired()
}

fn hold_replayed(held: &mut Held, it: &Explanation) {
    let projection = it.projection();
    if !projection.is_known || projection.goes_on || !is_podless(it) {
        return;
    }
    let end = projection.steps.last().map(|step| step.replicas).or_else(|| it.answer().decision.desired());
    if let Some(rests) = rests_at(it) {
        assert_eq!(end, Some(rests), "{}", screen(it));
        held.replayed += 1;
    }
}

fn changes() -> Vec<Vec<Change>> {
    let one = |knob, value: &str| vec![Change::new(knob, value).expect("a change")];
    vec![
        one(Knob::Load, "+60%"),
        one(Knob::Load, "-45%"),
        one(Knob::Min, "6"),
        one(Knob::Max, "4"),
        one(Knob::Max, "50"),
        one(Knob::NoMemory, ""),
        one(Knob::ScaleDown, "window=60s,Pods=1/60s"),
        one(Knob::ScaleUp, "Pods=2/60s"),
    ]
}

fn hold(held: &mut Held, now: &Explanation, case: &Case, made: &[Change]) {
    let mut other = case.clone();
    let Some(then) = change(&mut other, made).ok().and_then(|()| explained(other)) else { return };
    let typed: Vec<String> = made.iter().map(ToString::to_string).collect();
    held.bounds += usize::from(matches!(then.answer().decision.gate, Gate::AboveMax | Gate::BelowMin));
    hold_explained(held, &then);
    hold_replayed(held, &then);
    hold_simulated(held, now, &then, &typed);
}

/// Each case as it is and with one of the changes, every other one without a known memory.
fn hold_all(cases: impl Iterator<Item = Case>) -> Held {
    let (mut held, changes) = (Held::default(), changes());
    for (place, mut case) in cases.enumerate() {
        if place % 2 == 1 {
            case.memory = None;
        }
        let Some(now) = explained(case.clone()) else { continue };
        hold_explained(&mut held, &now);
        hold_replayed(&mut held, &now);
        hold(&mut held, &now, &case, &changes[place / 2 % changes.len()]);
    }
    held
}

#[test]
fn no_two_lines_of_a_screen_contradict_each_other() {
    let held = hold_all(recorded("1.37", 1));
    let Held { timed, then_on, ends, bounds, replayed, exact } = held;
    for (what, number, least) in [
        ("timed", timed, 100),
        ("then on", then_on, 100),
        ("ends", ends, 100),
        ("bounds", bounds, 100),
        ("replayed", replayed, 100),
        ("exact", exact, 10),
    ] {
        assert!(number >= least, "{what}: only {number} were held");
    }
}

/// The examples too, whose screens people read, and an older controller.
#[test]
fn nor_do_those_of_the_examples_and_of_an_older_controller() {
    hold_all(recorded("1.31", 8));
    for example in kubectl_hpa::examples::ALL {
        let case: Case = serde_yaml::from_str(example.text).expect("a case");
        let now = explained(case.clone()).expect("a decision");
        let mut held = Held::default();
        hold_explained(&mut held, &now);
        for made in changes() {
            hold(&mut held, &now, &case, &made);
        }
    }
}
