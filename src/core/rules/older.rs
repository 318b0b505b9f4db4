//! Controllers before the oldest row: what they do otherwise than that row, in words. None of it is computed.

use super::release::Release;

/// From which minor to which the controller does something else than 1.23.
///
/// Source: the diffs of `horizontal.go` and `replica_calculator.go` between the releases.
const OTHERWISE: [(u32, u32, &str); 7] = [
    (1, 5, "scales by cpu alone"),
    (1, 11, "has no stabilization window (after a rescale it waits 3m to scale up and 5m to scale down)"),
    (1, 14, "decides nothing if a metric fails"),
    (1, 15, "has no minReplicas 0"),
    (16, 20, "scales down although a metric fails"),
    (1, 17, "has no spec.behavior"),
    (18, 20, "uses only one of the two stabilization windows of spec.behavior in a sync"),
];

/// The differences of an old controller, as the end of a sentence about it.
pub(super) fn otherwise(version: &str) -> String {
    let minor = Release::parse(version).map_or(0, |release| release.minor);
    let all: Vec<&str> = OTHERWISE
        .into_iter()
        .filter(|(from, to, _)| (*from..=*to).contains(&minor))
        .map(|(_, _, what)| what)
        .collect();
    match all.as_slice() {
        [] => "its arithmetic is that of 1.23".to_owned(),
        [only] => format!("unlike 1.23 it {only}"),
        [most @ .., last] => format!("unlike 1.23 it {}, and {last}", most.join(", ")),
    }
}
