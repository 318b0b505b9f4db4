//! A live cluster, by hand: how long a gathering takes, and how much memory.
//!
//! `KUBECTL_HPA_LIVE=kubeconfig [KUBECTL_HPA_SUBJECT=NAME] /usr/bin/time -v cargo test --release --test cluster live --
//! --ignored --nocapture`; with `KUBECTL_HPA_PRINT=1` the case is printed.

use std::time::Instant;

use kubectl_hpa::cluster::{ConnectArgs, Connection, Subject};

#[test]
#[ignore = "needs a cluster: set KUBECTL_HPA_LIVE to a kubeconfig"]
#[expect(clippy::print_stdout, reason = "a person reads it")]
fn live() {
    let kubeconfig = std::env::var_os("KUBECTL_HPA_LIVE").expect("KUBECTL_HPA_LIVE");
    let subject = std::env::var("KUBECTL_HPA_SUBJECT").unwrap_or_else(|_| "web".into());
    let subject = Subject::parse(&subject).expect("a subject");
    let args = ConnectArgs {
        kubeconfig: Some(kubeconfig.into()),
        namespace: Some("shop".into()),
        ..ConnectArgs::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (start, mut connected) = (Instant::now(), None);
    let case = runtime.block_on(async {
        let connection = Connection::new(args).await?;
        connected = Some(start.elapsed());
        connection.gather(&subject).await
    });
    let took = start.elapsed();
    let case = case.expect("a case");
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_ref()).map(Vec::len);
    let metrics = case.pod_metrics.as_ref().and_then(|metrics| metrics.items.as_ref()).map(Vec::len);
    println!("{pods:?} pods, {metrics:?} samples, connection {connected:?}, in all {took:?}");
    if std::env::var_os("KUBECTL_HPA_PRINT").is_some() {
        println!("{}", serde_json::to_string_pretty(&case).expect("JSON"));
    }
    println!("peak {} before freezing", peak());
    let snapshot = kubectl_hpa_core::snapshot::Snapshot::freeze(case).expect("a snapshot");
    println!("peak {} with {} pods frozen", peak(), snapshot.pods.expect("pods").len());
}

/// The process's peak memory.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("?").trim().into()
}
