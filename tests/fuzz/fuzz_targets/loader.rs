//! Any bytes are cases or are refused; a case is saved the same once it was read back; a good one is decided on.
#![no_main]

use kubectl_hpa::engine::decide;
use kubectl_hpa::rules::Rules;
use kubectl_hpa::snapshot::{Case, Cases, Snapshot};
use kubectl_hpa::status::report;
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
    let json = serde_json::to_string(&case).expect("JSON");
    for saved in [&json, &serde_yaml::to_string(&case).expect("YAML")] {
        let again = Cases::new("saved", saved.as_bytes()).next().expect("a case");
        let again = again.unwrap_or_else(|error| panic!("{error}\n{saved}"));
        assert_eq!(serde_json::to_string(&again).expect("JSON"), json);
    }
    let Ok(snapshot) = Snapshot::freeze(case) else { return };
    let controller = &snapshot.controller;
    let Ok(rules) = Rules::for_version(&controller.version.value, &controller.feature_gates) else { return };
    let _ = report(&snapshot, &decide(&snapshot, &rules), &rules);
}
