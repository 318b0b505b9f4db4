//! Any bytes are cases or are refused; a saved case is read back; a good one is decided on.
#![no_main]

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Cases, Snapshot};
use kubectl_hpa_core::status::report;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for case in Cases::new("fuzz", bytes) {
        match case {
            Ok(case) => good(case),
            Err(error) => {
                let told = error.to_string();
                assert!(!told.chars().any(|char| char != '\n' && char.is_control()), "{told:?}");
            }
        }
    }
});

fn good(case: Case) {
    // As in Go a quantity may settle only in its second print: 91017812.5Ki is 93202240000, and that is 93202240k.
    let settled = saved_and_read(&case, serde_json::to_string(&case).expect("JSON"));
    for text in
        [serde_json::to_string(&settled).expect("JSON"), serde_yaml::to_string(&settled).expect("YAML")]
    {
        assert_eq!(saved_and_read(&settled, text), settled);
    }
    let Ok(snapshot) = Snapshot::freeze(case) else { return };
    let controller = &snapshot.controller;
    let Ok(rules) = Rules::for_version(&controller.version.value, &controller.feature_gates) else { return };
    let decision = decide(&snapshot, &rules);
    assert_eq!(decision.check(&snapshot.hpa), Ok(()), "{decision:?}");
    let _ = report(&snapshot, &decision, &rules);
}

fn saved_and_read(case: &Case, text: String) -> Case {
    let again = Cases::new("saved", text.as_bytes()).next().expect("a case");
    again.unwrap_or_else(|error| panic!("{error}\n{text}\n{case:?}"))
}
