//! The time that the controller remembers at a look.

use super::draw::Draw;
use super::scene::Replayed;
use super::world::{Millis, SECOND, World};

/// The part of a world's time in which its history may be another one, and what really was in it.
#[derive(Clone, Debug)]
pub struct Span {
    pub from: Millis,
    pub to: Millis,
    pub period: Millis,
    /// For how long the controller remembers anything.
    pub remembers: Millis,
    /// When the HPA was created, if its memory may be older.
    pub created: Option<Millis>,
    /// When syncs began.
    pub syncs: Vec<Millis>,
    /// Loads of which the ends of the interval, or the replicas that there are, would be recommended.
    pub levels: Vec<i64>,
    /// The replicas that there are, and the ends of the interval.
    pub sizes: [i32; 3],
    /// When the status was written last.
    pub written: Option<Millis>,
    /// When what is forgotten at the end was remembered, by windows and periods.
    pub windows: Vec<Millis>,
    /// How long before the end the last sync was.
    pub slot: Millis,
    /// Instants about which it counts what a sync saw: when a status was written, when windows and periods end.
    pub keys: Vec<Millis>,
    /// When syncs recommended what does not lead to the wanted decision.
    pub contradicting: Vec<Millis>,
}

impl Span {
    /// The same with the syncs of a history that was found.
    pub fn following(&self, replayed: &Replayed) -> Self {
        let Replayed { syncs, contradicting, .. } = replayed;
        Self { syncs: syncs.clone(), contradicting: contradicting.clone(), ..self.clone() }
    }

    /// A sync by its place; most are beside an instant that counts.
    pub fn some_sync(&self, draw: &mut Draw) -> i64 {
        let last = i64::try_from(self.syncs.len()).expect("a count") - 1;
        if self.keys.is_empty() || draw.chance(30) {
            return draw.between(0, last);
        }
        let key = draw.pick(&self.keys);
        let after = i64::try_from(self.syncs.partition_point(|sync| *sync < key)).expect("a count");
        (after + draw.pick(&[-1, -1, 0, 0, 0, -2, 1])).clamp(0, last)
    }

    /// Of a world as it was looked at: from an instant on.
    pub fn of(truth: &World, from: Millis, remembers: Millis, interval: (i32, i32)) -> Self {
        let to = truth.now;
        let since =
            |times: &mut dyn Iterator<Item = Millis>| times.filter(|at| *at >= from).collect::<Vec<_>>();
        let windows: Vec<Millis> = windows(truth).into_iter().map(|window| to - window * SECOND).collect();
        let mut keys = since(&mut truth.written.iter().rev().take(3).copied());
        keys.extend(since(&mut truth.rescales.iter().map(|(at, _)| *at)));
        keys.extend(&windows);
        keys.push(to);
        Self {
            from,
            to,
            period: truth.plan.period,
            remembers,
            created: truth.hpa.as_ref().map(|hpa| hpa.created).filter(|created| *created >= from),
            syncs: since(&mut truth.syncs.iter().copied()),
            levels: levels(truth, interval),
            sizes: [truth.target.replicas, interval.0, interval.1],
            written: truth.written.last().copied(),
            windows,
            slot: to - truth.syncs.last().copied().unwrap_or(to),
            keys,
            contradicting: Vec::new(),
        }
    }
}

/// How long anything is remembered, in seconds.
fn windows(world: &World) -> Vec<Millis> {
    let behavior = world.hpa.as_ref().and_then(|hpa| hpa.spec.behavior.as_ref());
    let mut windows = vec![world.plan.window];
    for rules in behavior.into_iter().flat_map(|it| [&it.scale_up, &it.scale_down]).flatten() {
        windows.extend(rules.stabilization_window_seconds.map(i64::from));
        windows.extend(rules.policies.iter().flatten().map(|policy| i64::from(policy.period_seconds)));
    }
    windows.sort_unstable();
    windows.dedup();
    windows
}

/// The loads of which about the ends of an interval would be recommended, or the replicas that there are.
fn levels(truth: &World, (low, high): (i32, i32)) -> Vec<i64> {
    let passed = truth.plan.load.iter().take_while(|(at, _)| *at <= truth.now);
    let now = passed.last().and_then(|(_, level)| *level);
    let recommended = truth.decided().1.choice.map(|choice| i64::from(choice.after.0).max(1));
    let (Some(now), Some(recommended)) = (now, recommended) else { return Vec::new() };
    let sizes = [low, high, truth.target.replicas].map(i64::from);
    let about = sizes.into_iter().flat_map(|size| [size - 1, size, size + 1]);
    about.map(|size| (now * size / recommended).max(1)).collect()
}
