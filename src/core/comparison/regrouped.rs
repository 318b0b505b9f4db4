//! Pods that count as something else.

use std::collections::BTreeMap;
use std::mem::discriminant;

use super::Sides;
use crate::explanation::{Explanation, Metric};
use crate::model::Milli;
use crate::trace::{Group, Proposal};

/// A pod that counts as something else; `None` where it is not there.
#[derive(Clone, Copy, Debug)]
pub struct RegroupedPod<'a> {
    /// For which metric, as it is and as it would be.
    pub metrics: [Metric<'a>; 2],
    /// The pod's name.
    pub pod: &'a str,
    /// What it counts as now.
    pub now: Option<CountedAs<'a>>,
    /// What it would count as.
    pub then: Option<CountedAs<'a>>,
}

/// What a pod counts as.
#[derive(Clone, Copy, Debug)]
pub struct CountedAs<'a> {
    /// Its group.
    pub group: &'a Group,
    /// The value filled in for it, if it does not count by itself.
    pub filled: Option<Milli>,
}

impl CountedAs<'_> {
    /// Whether it counts the same, for whatever reason.
    fn is_as(self, other: Self) -> bool {
        discriminant(self.group) == discriminant(other.group) && self.filled == other.filled
    }
}

impl<'a> Sides<'a> {
    /// The pods whose group or filled-in value changes, metric by metric.
    #[must_use]
    pub fn regrouped(&self) -> Vec<RegroupedPod<'a>> {
        let Some(explanation) = self.now else { return Vec::new() };
        let both = self.then.metrics().filter_map(|then| {
            let now = explanation.metrics().find(|now| now.trace.index == then.trace.index)?;
            Some([(explanation, now), (self.then, then)])
        });
        both.flat_map(compare).collect()
    }
}

fn compare<'a>(sides: [(&'a Explanation, Metric<'a>); 2]) -> Vec<RegroupedPod<'a>> {
    let metrics = sides.map(|(_, metric)| metric);
    let [before, after] = sides.map(|(explanation, metric)| members(explanation, metric));
    let mut names: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    let moved = names.into_iter().map(|pod| {
        let [now, then] = [&before, &after].map(|members| members.get(pod).copied());
        RegroupedPod { metrics, pod, now, then }
    });
    let stays =
        |moved: &RegroupedPod<'_>| moved.now.zip(moved.then).is_some_and(|(now, then)| now.is_as(then));
    moved.filter(|moved| !stays(moved)).collect()
}

fn members<'a>(explanation: &'a Explanation, metric: Metric<'a>) -> BTreeMap<&'a str, CountedAs<'a>> {
    let members = metric.trace.groups.iter().flat_map(|groups| &groups.pods);
    let refill = metric.proposal().and_then(Proposal::refill);
    let standings = members.map(|member| {
        let filled = refill.filter(|_| member.counted().is_none()).and_then(|it| it.counted(member));
        CountedAs { group: &member.group, filled }
    });
    explanation.pods().iter().map(|pod| &*pod.name).zip(standings).collect()
}
