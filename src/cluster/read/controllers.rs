//! Which controllers a controller manager runs, and whether it waits until it leads.

use super::flags::CONTROLLERS;
use super::processes::Process;
use kubectl_hpa_core::model::boolean;

/// The HPA controller's name, and its alias.
///
/// Source: `newHorizontalPodAutoscalerControllerDescriptor` of kube-controller-manager.
const NAMES: [&str; 2] = ["horizontal-pod-autoscaler-controller", "horizontalpodautoscaling"];

/// Whether a value of `--controllers` has the HPA controller run. The first entry that names it counts, and before all the
/// star.
///
/// Source: `IsControllerEnabled` of k8s.io/controller-manager's `app`, after `ApplyTo` of its `options` has replaced aliases.
pub(super) fn has_hpa_controller(controllers: &str) -> bool {
    let named = controllers.split(',').find_map(|entry| match entry.strip_prefix('-') {
        Some(name) => NAMES.contains(&name).then_some(false),
        None => NAMES.contains(&entry).then_some(true),
    });
    named.unwrap_or_else(|| controllers.split(',').any(|entry| entry == "*"))
}

/// Whether a controller manager runs the HPA controller when it leads; the default of the flag is the star.
pub(super) fn runs_hpa_controller(manager: &Process) -> bool {
    manager.flags.value(CONTROLLERS).is_none_or(has_hpa_controller)
}

/// The pods whose HPA controllers work without a Lease, because they take no part in a leader election.
pub(super) fn unelected(managers: &[Process]) -> Vec<String> {
    let is_unelected = |it: &&Process| it.flags.value("leader-elect").and_then(boolean) == Some(false);
    let working = managers.iter().filter(|it| it.started.is_some() && runs_hpa_controller(it));
    working.filter(is_unelected).map(|it| it.pod.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::flags::Flags;
    use super::*;

    #[test]
    fn the_first_entry_that_names_it_counts() {
        for (controllers, runs) in [
            ("*", true),
            ("", false),
            ("*,-horizontal-pod-autoscaler-controller", false),
            ("-horizontal-pod-autoscaler-controller,*", false),
            ("*,-horizontalpodautoscaling", false),
            ("horizontalpodautoscaling", true),
            ("horizontal-pod-autoscaler-controller,-horizontalpodautoscaling", true),
            ("-horizontalpodautoscaling,horizontal-pod-autoscaler-controller", false),
            ("deployment-controller", false),
            ("*,-deployment-controller,bootstrap-signer-controller", true),
            ("-deployment-controller", false),
            ("*,-horizontal-pod-autoscaler", true),
        ] {
            assert_eq!(has_hpa_controller(controllers), runs, "{controllers}");
        }
    }

    fn manager(pod: &str, words: &str) -> Process {
        let flags = Flags::parse(std::iter::once(words));
        let started = kubectl_hpa_core::model::Instant::parse("2026-11-21T10:00:00Z").ok();
        Process { pod: pod.into(), version: None, flags, started }
    }

    #[test]
    fn flags_of_several_words_and_several_flags_are_read_as_pflag_reads_them() {
        for (words, runs) in [
            ("kube-controller-manager", true),
            ("kube-controller-manager --controllers=*,-horizontalpodautoscaling", false),
            ("kube-controller-manager --controllers='*,-horizontalpodautoscaling' --v=2", false),
            // A value may begin with a dash.
            ("kube-controller-manager --controllers -horizontalpodautoscaling,*", false),
            // Both flags together, as pflag's string slices add up.
            ("kube-controller-manager --controllers=* --controllers=-horizontalpodautoscaling", false),
            ("kube-controller-manager --controllers=* --controllers=-deployment-controller", true),
        ] {
            assert_eq!(runs_hpa_controller(&manager("a", words)), runs, "{words}");
        }
    }

    #[test]
    fn those_that_wait_for_no_lease_are_named() {
        let alone = "kube-controller-manager --leader-elect=false";
        let [a, b, c] = ["a", "b", "c"];
        let elected = "kube-controller-manager --leader-elect --v=2";
        let other = "kube-controller-manager --leader-elect=0 --controllers=deployment-controller";
        let dead = Process { started: None, ..manager(b, alone) };
        for (managers, pods) in [
            (vec![manager(a, alone), manager(b, "kube-controller-manager --leader_elect=F")], &[a, b][..]),
            (vec![manager(a, alone)], &[a]),
            (vec![manager(a, alone), manager(b, elected)], &[a]),
            (vec![manager(a, alone), manager(b, other)], &[a]),
            (vec![manager(a, elected)], &[]),
            (vec![manager(a, alone), dead, manager(c, alone)], &[a, c]),
            (Vec::new(), &[]),
        ] {
            assert_eq!(unelected(&managers), pods);
        }
    }
}
