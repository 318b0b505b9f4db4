//! What holds of every future that is played.

use std::fs;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use flate2::read::GzDecoder;
use kubectl_hpa_core::causes::{About, Weight};
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Evidence, Milli, Quantity, Replicas};
use kubectl_hpa_core::play::{Assumptions, Curve, Delay, MeasuredPods, Player, Unplayable};
use kubectl_hpa_core::run::Run;
use kubectl_hpa_core::snapshot::{Case, Cases};
use kubectl_hpa_core::trace::{Gate, Outcome};
use kubectl_hpa_core::whatif::{Change, Knob, change};

use crate::play::Begun;
use crate::root::root;

/// The cases in the binary, and those of the questions.
fn cases() -> impl Iterator<Item = (String, Case)> {
    let folders = ["src/examples", "tests/questions"].map(root);
    let files = folders.into_iter().flat_map(|folder| fs::read_dir(folder).expect("the folder is there"));
    let files = files.map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "yaml"));
    files.flat_map(|path| {
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).expect("readable"));
        let cases: Vec<_> = Cases::new(name.clone(), text.as_bytes()).collect();
        cases.into_iter().filter_map(move |case| Some((name.clone(), case.ok()?)))
    })
}

fn hours(hours: i64) -> Assumptions {
    Assumptions { over: Duration::from_seconds(hours * 3600), ..Assumptions::default() }
}

fn play(explanation: &Explanation, assumptions: &Assumptions) -> Result<Run, Unplayable> {
    Run::of(explanation.player(assumptions)?, |_| ())
}

fn end(explanation: &Explanation, run: &Run) -> Option<Replicas> {
    run.spans.last().map(|span| span.replicas.1).or(explanation.current())
}

/// What follows on a decision if the load stays is told by looking ahead in two ways.
#[test]
fn where_the_load_stays_a_play_ends_where_looking_ahead_ends() {
    let mut compared = 0;
    for (name, case) in cases() {
        let Ok(explanation) = Explanation::of(case) else { continue };
        let projection = explanation.projection();
        let (Outcome::Hold { .. } | Outcome::Scale { failed: None, .. }) = explanation.decision().outcome
        else {
            continue;
        };
        if !projection.is_known || projection.goes_on {
            continue;
        }
        let Ok(run) = play(&explanation, &hours(2)) else { continue };
        let ahead = projection.steps.last().map(|step| step.replicas).or(explanation.decision().desired());
        assert_eq!(end(&explanation, &run), ahead, "{name}");
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}

/// Also where nobody knows what the controller remembers.
#[test]
fn a_play_begins_with_the_decision() {
    let mut intervals = 0;
    for (name, mut case) in cases() {
        case.memory = None;
        let Ok(explanation) = Explanation::of(case) else { continue };
        let Ok(run) = play(&explanation, &hours(0)) else { continue };
        let decided = explanation.decision().desired().or(explanation.current());
        assert_eq!(end(&explanation, &run), decided, "{name}");
        intervals += usize::from(explanation.interval().is_some());
    }
    assert!(intervals >= 3, "{intervals}");
}

#[test]
fn no_play_leaves_the_bounds_once_the_controller_has_acted() {
    let mut played = 0;
    for (name, case) in cases() {
        let Ok(explanation) = Explanation::of(case) else { continue };
        if matches!(explanation.decision().gate, Gate::Disabled | Gate::NoScale(_) | Gate::Unknown(_)) {
            continue;
        }
        let curve = Curve::parse("sine:20%..400%/20m").expect("a curve");
        let assumptions = Assumptions {
            curves: vec![(None, curve)],
            ready_delay: Delay { least: Duration::from_seconds(10), most: Duration::from_seconds(90) },
            ..hours(1)
        };
        let Ok(run) = play(&explanation, &assumptions) else { continue };
        let hpa = &explanation.snapshot().hpa;
        for change in &run.changes {
            assert!((hpa.min..=hpa.max).contains(&change.to), "{name}: {change:?}");
        }
        assert_eq!(
            run,
            play(&explanation, &assumptions).expect("plays again"),
            "{name}: the same seed, the same play"
        );
        played += 1;
    }
    assert!(played >= 10, "{played}");
}

#[test]
fn a_higher_target_never_takes_more_pods_for_a_load_that_stays() {
    let mut compared = 0;
    for (name, case) in cases() {
        let pods = |target: &str| {
            let mut case = case.clone();
            change(&mut case, &[Change::new(Knob::Target, target).ok()?]).ok()?;
            let run = play(&Explanation::of(case).ok()?, &hours(2)).ok()?;
            Some(run.totals.pod_time)
        };
        let each: Option<Vec<i128>> =
            ["cpu=30", "cpu=45", "cpu=60", "cpu=90"].into_iter().map(pods).collect();
        let Some(each) = each else { continue };
        assert!(each.is_sorted_by(|lower, higher| lower >= higher), "{name}: {each:?}");
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}

/// A bound of a thousand million pods is no reason to play them.
#[test]
fn too_many_pods_are_refused_and_not_played() {
    let (_, mut case) = cases().find(|(name, _)| name.ends_with("/held-by-window.yaml")).expect("an example");
    let change_of = |knob, value: &str| Change::new(knob, value).expect("a change");
    let made = [change_of(Knob::Max, "1000000000"), change_of(Knob::Load, "1000000x")];
    change(&mut case, &made).expect("changed");
    let explanation = Explanation::of(case).expect("a good case");
    assert_eq!(play(&explanation, &hours(1)), Err(Unplayable::TooManyPods));
    let projection = explanation.projection();
    assert!(!projection.is_known && !projection.steps.is_empty(), "{projection:?}");
}

#[test]
fn a_name_that_no_metric_has_is_refused() {
    let (_, case) = cases().find(|(name, _)| name.ends_with("/held-by-window.yaml")).expect("an example");
    let explanation = Explanation::of(case).expect("a good case");
    let curves = vec![(Some("mem".to_owned()), Curve::default())];
    let refused = play(&explanation, &Assumptions { curves, ..hours(1) });
    assert_eq!(refused, Err(Unplayable::NoSuchMetric("mem".to_owned(), "cpu".to_owned())));
}

/// How many changes a run has, and how many of them have no cause without which others would come. Of each the cause is taken
/// away from what that sync looks at.
fn check_causes(name: &str, run: &Run, mut player: Player<'_>) -> [usize; 2] {
    let mut told = run.changes.iter();
    let mut without_effect = 0;
    while player.sync().is_some() {
        let (snapshot, Some(sync)) = (player.snapshot(), player.last()) else { break };
        let Outcome::Scale { to, failed: None, .. } = sync.decision.outcome else { continue };
        let Some(change) = told.next() else { panic!("{name}: no cause of {:?}", sync.decision.outcome) };
        assert_eq!((change.at, change.to), (sync.at, to), "{name}");
        let without = change.cause.removal.map(|removal| {
            let mut world = removal.applied_to(snapshot, &sync.decision);
            world.memory_evidence = Evidence::Given;
            decide(&world, &removal.rules(player.rules())).left()
        });
        let moves = without.is_some_and(|without| without.is_some() && without != Some(to));
        // From its own zero the HPA goes to minReplicas, whatever else there is.
        let is_told = change.cause.weight == Weight::Decides && change.cause.about != About::Floor;
        assert_eq!(moves, is_told, "{name}: {change:?}, without {without:?}");
        without_effect += usize::from(!moves);
    }
    assert_eq!(told.next(), None, "{name}");
    assert!(run.totals.over_tolerance <= run.totals.over_target, "{name}");
    assert!(run.totals.longest_over_target <= run.totals.over_target, "{name}");
    [run.changes.len(), without_effect]
}

fn sum(one: [usize; 2], other: [usize; 2]) -> [usize; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

#[test]
fn without_its_cause_a_change_would_be_another() {
    let mut sums = [0; 2];
    for (name, case) in cases() {
        let Ok(explanation) = Explanation::of(case) else { continue };
        let curves = vec![(None, Curve::parse("sine:20%..400%/20m").expect("a curve"))];
        let assumptions = Assumptions { curves, ..hours(1) };
        if let (Ok(run), Ok(player)) = (play(&explanation, &assumptions), explanation.player(&assumptions)) {
            sums = sum(sums, check_causes(&name, &run, player));
        }
    }
    assert!(sums[0] >= 300 && sums[1] * 50 <= sums[0], "{sums:?}");
}

/// The worlds in which the real controller was recorded.
#[test]
fn without_its_cause_a_recorded_change_would_be_another() {
    let mut sums = [0; 2];
    let path = root("tests/oracle/vectors/plays-v1.37.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(fs::File::open(path).expect("the plays are there"))).lines();
    for line in lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON")) {
        let begun = Begun::of(line).expect("a play");
        let player = || {
            Player::start(begun.snapshot.clone(), begun.world.clone(), &begun.rules)
                .expect("it can be played")
        };
        let run = Run::of(player(), |_| ()).expect("played");
        sums = sum(sums, check_causes("a recorded play", &run, player()));
    }
    assert!(sums[0] >= 1_000 && sums[1] * 50 <= sums[0], "{sums:?}");
}

/// Ten pods at half of the target, of which the last ones became ready 5 seconds ago and use ten times as much, as their samples
/// of the time before say.
fn with_early_samples(count: usize) -> Explanation {
    let (_, mut case) = cases().find(|(name, _)| name.ends_with("/held-by-window.yaml")).expect("an example");
    let ready_since = case.at - Duration::from_seconds(5);
    let pods = case.pods.as_mut().and_then(|pods| pods.items.as_mut()).expect("pods");
    let mut early = Vec::new();
    for pod in pods.iter_mut().rev().take(count).map(Arc::make_mut) {
        pod.status.start_time = Some(ready_since);
        for condition in &mut pod.status.conditions {
            condition.last_transition_time = Some(ready_since);
        }
        early.push(pod.metadata.name.clone());
    }
    let items = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut()).expect("samples");
    for item in items.iter_mut().filter(|item| early.contains(&item.metadata.name)).map(Arc::make_mut) {
        for container in &mut item.containers {
            container.usage.set("cpu", Quantity::parse("600m").expect("a quantity"));
        }
    }
    Explanation::of(case).expect("a good case")
}

#[test]
fn a_play_takes_no_sample_that_the_decision_does_not_count() {
    let explanation = with_early_samples(2);
    let groups = explanation.decision().metrics[0].groups.as_ref().expect("groups");
    assert_eq!((groups.ready, groups.unready), (8, 2));
    let start = hours(1).starts(explanation.snapshot());
    let pods = MeasuredPods { ready: 10, measured: 8, refused: 2, unready: 0, starting: Milli(0) };
    assert_eq!((start[0].pods, start[0].demand), (Some(pods), Milli(600)));
    let run = play(&explanation, &hours(1)).expect("plays");
    let ratios: Vec<f64> = run.spans.iter().take(3).filter_map(|span| span.ratio).collect();
    assert_eq!(ratios, [0.5, 0.5, 0.5]);
    assert_eq!(run.rests_at, Some(Replicas(5)));

    let explanation = with_early_samples(10);
    assert_eq!(play(&explanation, &hours(1)), Err(Unplayable::NoLoad("cpu".to_owned())));
}

/// A pod that failed or is done will not serve, so it is not told as one that is not ready.
#[test]
fn pods_that_have_ended_are_not_among_those_that_may_become_ready() {
    let (_, case) = cases().find(|(name, _)| name.ends_with("/22-ended-pods.yaml")).expect("a page");
    let explanation = Explanation::of(case).expect("a good case");
    let start = hours(1).starts(explanation.snapshot());
    let pods = start[0].pods.expect("the load of the pods");
    assert_eq!((pods.ready, pods.unready), (3, 0));
}

/// At 105% of the target a tolerance of 10% lets nothing happen.
#[test]
fn time_over_target_is_not_time_over_tolerance() {
    let (_, mut case) = cases().find(|(name, _)| name.ends_with("/held-by-window.yaml")).expect("an example");
    change(&mut case, &[Change::new(Knob::Load, "+110%").expect("a load")]).expect("changed");
    let run = play(&Explanation::of(case).expect("a good case"), &hours(1)).expect("plays");
    assert_eq!(run.totals.over_target, Duration::from_seconds(3600));
    assert_eq!((run.totals.over_tolerance, run.changes.len()), (Duration::ZERO, 0));
}
