//! Whether a controller is at work: who holds its Lease, and what its pods run.

use kubectl_hpa::cluster::{ConnectArgs, Connection, Subject};
use serde_json::{Value, json};

use crate::cluster::{Cluster, MANAGERS, ask, kubeconfig_file, list};
use crate::fleet::together;
use crate::fleet::world::World;
use crate::server::{Reply, Server};

const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager";

fn lease(spec: &Value) -> Value {
    let metadata = json!({"name": "kube-controller-manager", "namespace": "kube-system"});
    json!({"kind": "Lease", "apiVersion": "coordination.k8s.io/v1", "metadata": metadata, "spec": spec})
}

fn held() -> Value {
    lease(&json!({
        "holderIdentity": "n1_3f0c", "acquireTime": "2026-11-21T10:00:00.000000Z",
        "renewTime": "2026-11-21T10:41:58.123456Z", "leaseDurationSeconds": 15, "leaseTransitions": 2,
    }))
}

/// The controller of a case.
fn controller(cluster: Cluster) -> Value {
    json!(cluster.ask("web").expect("a case").controller)
}

#[test]
fn the_lease_is_kept_as_it_stands() {
    let read = controller(Cluster::shop().with(LEASE, held()));
    assert_eq!(
        read["lease"],
        json!({"holder": "n1_3f0c", "renewed": "2026-11-21T10:41:58.123456Z", "lasts": "15s"})
    );
    assert_eq!(
        read["started"],
        json!({"value": "2026-11-21T10:00:00Z", "evidence": "Observed",
            "from": "Lease kube-system/kube-controller-manager, held by n1_3f0c"})
    );
    // As client-go leaves one that it releases.
    let released = lease(&json!({
        "holderIdentity": "", "acquireTime": "2026-11-21T10:41:58.000000Z",
        "renewTime": "2026-11-21T10:41:58.000000Z", "leaseDurationSeconds": 1,
    }));
    let read = controller(Cluster::shop().with(LEASE, released));
    assert_eq!(read["lease"], json!({"holder": "", "renewed": "2026-11-21T10:41:58Z", "lasts": "1s"}));
    assert_eq!(read["started"], Value::Null);
    let never = lease(&json!({"holderIdentity": "n1", "acquireTime": "2026-11-21T10:00:00.000000Z"}));
    let read = controller(Cluster::shop().with(LEASE, never));
    assert_eq!((&read["lease"], &read["started"]["value"]), (&Value::Null, &json!("2026-11-21T10:00:00Z")));
    for reply in [Reply::forbidden("no"), Reply::unserved(), Reply::json(json!({"kind": "Lease"}))] {
        let read = controller(Cluster::shop().reply(LEASE, reply));
        assert_eq!((&read["lease"], &read["started"]), (&Value::Null, &Value::Null));
    }
}

/// A holder renews its Lease every two seconds: what is kept from look to look would soon seem to have expired.
#[test]
fn each_look_of_a_watch_reads_the_lease_and_a_fleet_reads_it_once() {
    let asked = |server: &Server| server.requests().iter().filter(|request| request.path() == LEASE).count();
    let server = Cluster::shop().with(LEASE, held()).serve();
    let kubeconfig = kubeconfig_file(&server.url());
    let args = ConnectArgs { kubeconfig: Some(kubeconfig.clone()), ..ConnectArgs::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let sharing = Connection::new(args).await.expect("a connection").sharing();
        for _ in 0..3 {
            let case = sharing.gather(&Subject::Hpa("web".into())).await.expect("a case");
            assert!(case.controller.lease.is_some());
        }
    });
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
    let settings = server.requests().iter().filter(|request| request.path() == MANAGERS).count();
    assert_eq!((asked(&server), settings), (3, 1));

    let world = World::of(3, 1, 20, 1);
    let server = Server::start(move |request| match request.path() {
        LEASE => Reply::json(held()),
        _ => world.answer(request),
    });
    let cases = together(&server, Some("ns-00"));
    assert!(cases.iter().all(|case| case.controller.lease.is_some()));
    assert_eq!(asked(&server), 1);
    // After the lists, whose time is that of the cases.
    let requests = server.requests();
    let place = |path: &str| requests.iter().rposition(|request| request.path() == path);
    assert!(place(LEASE) > place("/api/v1/namespaces/ns-00/pods"));
}

/// A pod of kube-controller-manager, whose container runs.
fn manager(name: &str, flags: &[&str]) -> Value {
    let command: Vec<&str> = std::iter::once(&"kube-controller-manager").chain(flags).copied().collect();
    json!({
        "metadata": {"name": name}, "spec": {"containers": [{"name": "kube-controller-manager", "command": command}]},
        "status": {"containerStatuses": [{"name": "kube-controller-manager",
            "state": {"running": {"startedAt": "2026-11-21T10:00:00Z"}}}]},
    })
}

fn of_managers(managers: &[Value]) -> Value {
    controller(Cluster::shop().with(MANAGERS, list("PodList", json!(managers))))
}

#[test]
fn the_flags_tell_whether_the_controller_runs() {
    let without = "--controllers=*,-horizontal-pod-autoscaler-controller";
    let runs = |managers: &[Value]| of_managers(managers)["runs"].clone();
    assert_eq!(
        runs(&[manager("kcm-a", &[without]), manager("kcm-b", &[without])]),
        json!({"value": false, "evidence": "Observed",
            "from": "--controllers of pod kube-system/kcm-a, kube-system/kcm-b"})
    );
    assert_eq!(
        runs(&[manager("kcm-a", &[])]),
        json!({"value": true, "evidence": "Inferred",
            "from": "default: pod kube-system/kcm-a without --controllers"})
    );
    // Whichever leads.
    let differing = [manager("kcm-a", &[without]), manager("kcm-b", &["--controllers", "*"])];
    assert_eq!(
        runs(&differing),
        json!({"value": true, "evidence": "Assumed", "from": "replicas differ in controllers: kube-system/kcm-a has \
            *,-horizontal-pod-autoscaler-controller, kube-system/kcm-b has *"})
    );
    assert_eq!(controller(Cluster::shop())["runs"], Value::Null);
    assert_eq!(controller(Cluster::shop().reply(MANAGERS, Reply::forbidden("no")))["runs"], Value::Null);
}

#[test]
fn controllers_that_wait_for_no_lease_are_named() {
    let (alone, elected) = (&["--leader-elect=false"][..], &["--leader-elect=true"][..]);
    let unelected = |managers: &[Value]| of_managers(managers)["unelected"].clone();
    let both = [manager("kcm-a", alone), manager("kcm-b", alone), manager("kcm-c", elected)];
    assert_eq!(unelected(&both), json!(["kube-system/kcm-a", "kube-system/kcm-b"]));
    assert_eq!(unelected(&[manager("kcm-a", elected)]), Value::Null);
    assert_eq!(
        unelected(&[manager("kcm-a", alone), manager("kcm-b", elected)]),
        json!(["kube-system/kcm-a"])
    );
    let mut dead = manager("kcm-b", alone);
    dead["status"]["containerStatuses"][0]["state"] = json!({"waiting": {"reason": "CrashLoopBackOff"}});
    assert_eq!(unelected(&[manager("kcm-a", alone), dead]), json!(["kube-system/kcm-a"]));
}

/// A case that was saved is read as it was.
#[test]
fn what_a_saved_case_tells_of_the_controller_is_read_again() {
    let managers = list(
        "PodList",
        json!([manager("kcm-a", &["--leader-elect=f"]), manager("kcm-b", &["--leader-elect=0"])]),
    );
    let server = Cluster::shop().with(MANAGERS, managers).with(LEASE, held()).serve();
    let case = ask(&server, "web").expect("a case");
    let read = serde_json::from_value(json!(case.controller)).expect("a controller");
    assert_eq!(case.controller, read);
    assert_eq!(read.unelected.len(), 2);
}
