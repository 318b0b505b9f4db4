//! The controller's memory is hidden in a hostile world: people scale by hand, edit and recreate HPAs, controllers restart,
//! events are folded and dropped. No answer may exclude what the controller decides.
//!
//! `KUBECTL_HPA_WORLDS` sets the number of worlds, `KUBECTL_HPA_SEED` the first of their seeds, `KUBECTL_HPA_ACTS` the acts
//! by their names, with commas between them.

mod act;
mod behavior;
mod change;
mod draw;
mod editing;
mod failing;
mod fields;
mod history;
mod inherit;
mod judge;
mod kept;
mod lead;
mod measure;
mod meddling;
mod mutate;
mod plan;
mod promise;
mod recorder;
mod refusal;
mod refusing;
mod replacing;
mod replay;
mod review;
mod rival;
mod rivaling;
mod scaling;
mod scene;
mod scripts;
mod shares;
mod shown;
mod span;
mod spec;
mod store;
mod sync;
mod tally;
mod target;
mod time;
mod truth;
mod view;
mod watcher;
mod witness;
mod world;

use act::ACTS;
use draw::Draw;
use judge::{Judged, Said};
use kept::Followed;
use plan::plan;
use promise::Future;
use tally::Tally;
use world::World;

/// Without a setting; of tame ones a fifth.
const WORLDS: u64 = 150;
/// In each world.
const LOOKS: usize = 20;
/// At so many of a hundred looks a change is tried.
const WHAT_IFS: i64 = 25;
/// At so many of a hundred looks what is promised for later is awaited.
const FOLLOWED: i64 = 20;
/// So many wrong answers are told of.
const TOLD: usize = 400;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// The first seed, unless another one is asked for; `.ci/run` takes another for each state of the sources.
const SEED: u64 = 7_000_000;

fn chosen_acts() -> Vec<usize> {
    let Ok(names) = std::env::var("KUBECTL_HPA_ACTS") else { return Vec::new() };
    let place =
        |name: &str| ACTS.iter().position(|(act, _)| *act == name).unwrap_or_else(|| panic!("no act {name}"));
    names.split(',').map(place).collect()
}

#[expect(clippy::print_stdout, reason = "people read the figures")]
fn run(is_tame: bool, worlds: u64) -> Tally {
    let seed = setting("KUBECTL_HPA_SEED").unwrap_or(SEED);
    let only = chosen_acts();
    let mut tally = Tally::new(is_tame);
    for seed in (0..worlds).map(|index| seed + index) {
        let mut world = World::new(plan(seed, is_tame, LOOKS, &only));
        tally.worlds += 1;
        let mut draw = Draw::new(seed ^ 0xc4a4);
        for at in world.plan.looks.clone() {
            world.pass(at);
            if !judge::can_look(&world) {
                continue;
            }
            let is_followed = draw.chance(FOLLOWED);
            let looked = judge::look(&world, is_followed);
            let is_read = world.faults.scale_reads == 0 && !world.misses_target();
            let tried =
                (draw.chance(WHAT_IFS) && is_read).then(|| judge::what_if(&world, &looked, &mut draw));
            for judged in tried.iter().chain([&looked]) {
                if judged.is_wrong() && tally.wrong() < TOLD {
                    tell(&world, judged);
                }
                tally.add(judged);
            }
        }
    }
    println!("{} from seed {seed}\n{tally}", if is_tame { "tame" } else { "hostile" });
    tally
}

#[expect(clippy::print_stdout, reason = "people read what is wrong")]
fn tell(world: &World, judged: &Judged) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (seed, at) = (world.plan.seed, judged.at);
    let kind = if judged.change.is_some() { "-what-if" } else { "" };
    let path = folder.join(format!("{seed}-{at}{kind}.json"));
    let last: Vec<String> = world.log.iter().rev().take(8).rev().map(ToString::to_string).collect();
    let mut case = judged.case.clone();
    case.metadata.name = format!("seed {seed} at {at}");
    case.metadata.description = last.join("; ");
    let text = if judged.change.is_some() || judged.promises.broken.is_empty() {
        serde_json::to_string(&case)
    } else {
        serde_json::to_string(&Followed::of(case, &Future::of(world), world::instant(judged.at)))
    };
    std::fs::write(&path, text.expect("JSON") + "\n").expect("a file");
    let Said { replicas, interval, .. } = judged.said;
    println!(
        "WRONG seed {seed} {} at {}: said {replicas:?} {interval:?}, decided {:?} {}\n    {}\n    within the window: {:?}",
        world.plan.version,
        world::instant(at),
        judged.truth,
        judged.about(),
        path.display(),
        judged.acts,
    );
    for line in last {
        println!("    {line}");
    }
}

#[test]
fn what_was_answered_wrongly_once_is_answered_rightly() {
    assert_eq!(kept::faults(), Vec::<String>::new());
}

#[test]
fn without_the_events_no_answer_is_narrower() {
    assert_eq!(kept::narrower_unread(), Vec::<String>::new());
}

#[test]
fn what_one_sign_tells_is_answered_exactly() {
    assert_eq!(kept::intervals(), Vec::<String>::new());
}

#[test]
fn what_was_promised_wrongly_once_is_promised_rightly() {
    assert_eq!(kept::broken_promises(), Vec::<String>::new());
}

#[test]
fn the_world_shows_what_the_real_control_plane_shows() {
    let scripts = scripts::scripts();
    assert_eq!(scripts.len(), 50);
    let faults: Vec<String> = scripts.iter().filter_map(scripts::Script::fault).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), scripts.len(), faults.join("\n"));
}

#[test]
fn no_answer_excludes_what_the_controller_decides() {
    let tally = run(false, setting("KUBECTL_HPA_WORLDS").unwrap_or(WORLDS));
    assert_eq!(tally.wrong(), 0, "wrong answers");
    let (exact, width) = tally.tightness();
    assert!(exact >= 60.0 && width <= 100.0 / 3.0, "{exact:.1}% exact, {width:.1}% wide");
}

/// No act may break what a watch assumes: no sync comes after `longest_wait`.
fn watched_acts() -> Vec<usize> {
    let chosen = chosen_acts();
    let all: Vec<usize> = if chosen.is_empty() { (0..ACTS.len()).collect() } else { chosen };
    all.into_iter().filter(|act| ACTS[*act].0 != "late-sync").collect()
}

#[test]
fn nor_does_one_of_a_watch() {
    let seed = setting("KUBECTL_HPA_SEED").unwrap_or(SEED);
    let worlds = setting("KUBECTL_HPA_WORLDS").unwrap_or(WORLDS) / 5;
    let (looks, exact) = watched((0..worlds).map(|index| seed + index), &watched_acts());
    assert!(exact * 100 >= looks * 60, "{exact} of {looks} exact");
}

/// The worlds of which a watch once said something wrong. Which acts a world draws depends on how many there were then.
#[test]
fn nor_does_one_that_was_wrong_once() {
    let first = |acts: usize| watched_acts().into_iter().filter(|act| *act < acts).collect::<Vec<_>>();
    let seeds = [
        163_947_875_878_440,
        187_266_155_251_692,
        192_485_503_784_655,
        211_443_270_860_591,
        400_000_261,
        400_000_556,
        400_002_840,
        400_004_112,
        400_004_271,
        400_005_439,
        400_005_557,
        400_005_617,
        400_005_707,
        400_010_601,
        400_011_300,
        500_004_818,
        500_010_893,
        600_008_987,
    ];
    watched(seeds, &first(31));
    let later = [
        // The status of a rescale was refused, and the event about that was dropped.
        9_107_000_161,
        // In a period of one second the controller was 0.8 s late.
        9_200_004_637,
    ];
    watched(later, &first(33));
    // A slow sync made the next one later than the watch expected.
    let now = [
        174_123_707_362_125,
        // Neither events nor fields showed a rescale of which the status was refused.
        28_105_603,
    ];
    watched(now, &first(44));
    // A rival was pointed at another target a second after it had been created again, which nothing counted.
    watched([52_000_097], &first(68));
    let is_slow = |act: &usize| ACTS[*act].0 == "slow-syncs";
    let slow: Vec<usize> = watched_acts().into_iter().filter(is_slow).collect();
    watched([28_000_531, 28_000_615, 28_001_619, 28_003_184, 28_003_605, 28_003_963], &slow);
}

/// Watches the worlds of some seeds. Returns how many looks there were, and how many of them were answered exactly.
#[expect(clippy::print_stdout, reason = "people read the figures")]
fn watched(seeds: impl IntoIterator<Item = u64>, acts: &[usize]) -> (u32, u32) {
    let (mut looks, mut exact, mut wrong) = (0_u32, 0_u32, 0_u32);
    for seed in seeds {
        let world = World::new(plan(seed, false, LOOKS, acts));
        let version = world.plan.version;
        for look in watcher::watch(world, &mut Draw::new(seed ^ 0x3a7c)) {
            looks += 1;
            exact += u32::from(look.said.is_exact());
            if look.truth.is_missed(&look.said) {
                wrong += 1;
                let Said { replicas, interval, .. } = look.said;
                println!(
                    "WRONG seed {seed} {version} at {}: said {replicas:?} {interval:?}, decided {:?}",
                    look.at, look.truth
                );
                println!("    {}", look.last);
            }
        }
    }
    println!("watched: {looks} looks, {exact} exact, {wrong} wrong");
    assert_eq!(wrong, 0, "wrong answers");
    (looks, exact)
}

#[test]
fn in_a_tame_world_too() {
    let tally = run(true, setting("KUBECTL_HPA_WORLDS").unwrap_or(WORLDS) / 5);
    assert_eq!(tally.wrong(), 0, "wrong answers");
}

/// Of either world, without a setting.
const WITNESSES: usize = 24;
/// So many histories are tried for each end.
const REPLAYS: u32 = 500;

/// For as many intervals as `KUBECTL_HPA_WITNESSES` says, half of them of either world, with at most `KUBECTL_HPA_REPLAYS`
/// histories for each end; a few are always the same.
#[test]
#[expect(clippy::print_stdout, reason = "people read the figures")]
fn ends_of_intervals_have_witnesses() {
    let wanted = setting("KUBECTL_HPA_WITNESSES").map(|it| usize::try_from(it.div_ceil(2)).expect("a count"));
    let replays = setting("KUBECTL_HPA_REPLAYS").map_or(REPLAYS, |it| u32::try_from(it).expect("a count"));
    let seed = wanted.and(setting("KUBECTL_HPA_SEED")).unwrap_or(SEED);
    let shares = [true, false].map(|is_tame| {
        let shares = witness::search(is_tame, &chosen_acts(), seed, wanted.unwrap_or(WITNESSES), replays);
        println!("{} from seed {seed}\n{shares}", if is_tame { "tame" } else { "hostile" });
        shares
    });
    let [tame, hostile] = shares.map(|shares| shares.witnessed());
    assert!(tame >= 85 && hostile >= 60, "{tame} and {hostile} of a hundred ends");
}
