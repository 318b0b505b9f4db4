//! Many objects at once, as a dump of a large cluster has them.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use kubectl_hpa_core::lint::{Rule, lint};
use kubectl_hpa_core::snapshot::{Objects, Written};

/// How long a thousand HPAs may take on a slow, busy machine without optimization: an idle one needs less than a second.
const LIMIT: Duration = Duration::from_secs(60);

fn application(number: usize) -> String {
    format!(
        "---\n{{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {{name: web-{number}}}, spec: {{maxReplicas: 5, \
         scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web-{number}}}}}}}\n---\n\
         {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web-{number}}}, spec: {{replicas: 2, selector: {{matchLabels: \
         {{app: web-{number}}}}}, template: {{metadata: {{labels: {{app: web-{number}}}}}, spec: {{containers: [{{name: app, \
         resources: {{requests: {{cpu: 100m}}}}}}]}}}}}}}}\n"
    )
}

#[test]
fn a_thousand_hpas_take_seconds() {
    let text: String = (0..1_000).map(application).collect();
    let (done, result) = mpsc::channel();
    // A lint that takes an hour fails at the limit, not after the hour.
    thread::spawn(move || {
        let objects: Vec<Written> =
            Objects::new("all.yaml", text.as_bytes()).collect::<Result<_, _>>().expect("objects");
        let rules: Vec<Rule> = lint(&objects).into_iter().map(|finding| finding.rule).collect();
        done.send(rules)
    });
    let rules = result.recv_timeout(LIMIT).expect("the findings within the limit");
    assert_eq!(rules, vec![Rule::ReplicasInManifest; 1_000]);
}
