//! Lists that are certain to be needed are read while the HPAs still come, and no others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::world::{World, parameter};
use super::{requests, run};
use crate::run::run_on;
use crate::server::Server;

const HPAS: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";
/// What HPAs of Deployments in many namespaces need.
const LISTS: [&str; 3] = ["/api/v1/pods", "/apis/metrics.k8s.io/v1beta1/pods", "/apis/apps/v1/deployments"];

#[test]
fn lists_are_asked_for_before_the_last_hpas_have_come() {
    let (world, asked, late) = (World::of(2, 20, 10, 1), AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let last = (world.names().len() / 7 * 7).to_string();
    let seen = Arc::clone(&late);
    let server = Server::start(move |request| {
        let is_first = parameter(request, "continue").is_none();
        if LISTS.contains(&request.path()) && is_first {
            asked.fetch_add(1, Ordering::SeqCst);
        }
        if request.path() == HPAS && parameter(request, "continue").as_ref() == Some(&last) {
            let begun = Instant::now();
            while asked.load(Ordering::SeqCst) < LISTS.len() && begun.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(1));
            }
            seen.fetch_add(asked.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        world.answer(request)
    });
    let told = run_on(&server, &["list", "-A", "-o", "csv"]);
    assert_eq!(late.load(Ordering::SeqCst), LISTS.len(), "lists when the last page was asked for");
    assert_eq!(told.out.lines().count(), 201, "{}", told.err);
    // Each list once, however often its need was seen.
    for list in LISTS {
        let firsts =
            told.requests.iter().filter(|it| it.path() == list && parameter(it, "continue").is_none());
        assert_eq!(firsts.count(), 1, "{list}");
    }
}

#[test]
fn what_a_selector_may_leave_out_is_not_read() {
    let (told, _) = run(World::of(2, 20, 10, 1), &["list", "-A", "-l", "app=none"]);
    assert!(told.requests.iter().all(|it| it.path() == HPAS), "{} requests", requests(&told));
}
