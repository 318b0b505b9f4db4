//! A cluster for the server to play: objects by their path, and what is asked of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kubectl_hpa::cluster::{ClusterError, ConnectArgs, Connection, Subject};
use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::server::{Reply, Request, Server};

/// Answers by path. What has none is not served.
#[derive(Clone, Default)]
pub struct Cluster {
    replies: BTreeMap<String, Reply>,
    fallback: Option<Reply>,
}

pub const HPAS: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers";
pub const HPA: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web";
pub const SCALE: &str = "/apis/apps/v1/namespaces/shop/deployments/web/scale";
pub const PODS: &str = "/api/v1/namespaces/shop/pods";
pub const POD_METRICS: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods";
pub const EVENTS: &str = "/api/v1/namespaces/shop/events";
pub const MANAGERS: &str = "/api/v1/namespaces/kube-system/pods";

impl Cluster {
    /// Deployment `web` with two pods, an HPA on cpu, and discovery that knows apps and the core group.
    pub fn shop() -> Self {
        let resource = json!([{"type": "Resource", "resource": {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]);
        Self::default()
            .with("/api", discovery(&[("", "v1", &[("pods", "Pod", "po"), ("services", "Service", "svc")])]))
            .with("/apis", discovery(&[("apps", "v1", &[("deployments", "Deployment", "deploy")])]))
            .with("/version", json!({"major": "1", "minor": "37", "gitVersion": "v1.37.1"}))
            .with(EVENTS, list("EventList", json!([])))
            .with(MANAGERS, list("PodList", json!([])))
            .with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", resource)])
            .with(SCALE, scale("app=web"))
            .with(PODS, list("PodList", json!([pod("web-1"), pod("web-2")])))
            .with(POD_METRICS, list("PodMetricsList", json!([pod_metrics("web-1"), pod_metrics("web-2")])))
    }

    /// Answers a path with JSON. What a scale and the items of a list are called, and where they are, is as the path has
    /// it.
    pub fn with(self, path: &str, mut body: Value) -> Self {
        place(path, &mut body);
        self.reply(path, Reply::json(body))
    }

    pub fn reply(mut self, path: &str, reply: Reply) -> Self {
        self.replies.insert(path.into(), reply);
        self
    }

    /// Answers all other paths.
    pub fn otherwise(self, reply: Reply) -> Self {
        Self { fallback: Some(reply), ..self }
    }

    pub fn with_hpas(mut self, hpas: &[Value]) -> Self {
        for hpa in hpas {
            let name = hpa["metadata"]["name"].as_str().expect("a name");
            self = self.with(&format!("{HPAS}/{name}"), hpa.clone());
        }
        self.with(HPAS, list("HorizontalPodAutoscalerList", json!(hpas)))
    }

    /// What a path is answered with.
    pub fn reply_of(&self, path: &str) -> Reply {
        self.replies.get(path).cloned().unwrap_or_else(Reply::unserved)
    }

    pub fn answer(&self, request: &Request) -> Reply {
        let known = self.replies.get(&request.target).or_else(|| self.replies.get(request.path()));
        known.or(self.fallback.as_ref()).cloned().unwrap_or_else(|| unknown(request.path()))
    }

    pub fn serve(self) -> Server {
        Server::start(move |request| self.answer(request))
    }

    /// Asks about a subject.
    pub fn ask(self, subject: &str) -> Result<Case, ClusterError> {
        ask(&self.serve(), subject)
    }
}

/// Of an object that does not exist the API server says another thing than of a path that it does not serve.
fn unknown(path: &str) -> Reply {
    match path.strip_prefix(HPAS).and_then(|rest| rest.strip_prefix('/')) {
        Some(name) => {
            let message = format!("horizontalpodautoscalers.autoscaling {name:?} not found");
            Reply::failure(404, "NotFound", &message).signed()
        }
        None => Reply::unserved(),
    }
}

fn place(path: &str, body: &mut Value) {
    let mut words = path.split('/');
    let Some(namespace) = words.by_ref().skip_while(|word| *word != "namespaces").nth(1) else { return };
    let name = words.nth(1);
    if body["kind"] == "Scale" {
        (body["metadata"]["name"], body["metadata"]["namespace"]) = (json!(name), json!(namespace));
    }
    let items = body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
    for item in items.filter(|item| item["metadata"].is_object()) {
        item["metadata"]["namespace"] = json!(namespace);
    }
}

/// Connects as a person would, with a kubeconfig, and gathers.
pub fn ask(server: &Server, subject: &str) -> Result<Case, ClusterError> {
    ask_as(server, subject, ConnectArgs::default())
}

pub fn ask_as(server: &Server, subject: &str, args: ConnectArgs) -> Result<Case, ClusterError> {
    ask_at(&server.url(), subject, args)
}

/// Asks whatever listens at a URL.
pub fn ask_at(url: &str, subject: &str, args: ConnectArgs) -> Result<Case, ClusterError> {
    let file = kubeconfig_file(url);
    let args = ConnectArgs { kubeconfig: Some(file.clone()), ..args };
    let subject = Subject::parse(subject).expect("a subject");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let case = runtime.block_on(async { Connection::new(args).await?.gather(&subject).await });
    std::fs::remove_file(file).expect("to remove the kubeconfig");
    case
}

/// A kubeconfig of its own in a file.
pub fn kubeconfig_file(url: &str) -> PathBuf {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::SeqCst);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("kubeconfig-{}-{number}", std::process::id()));
    std::fs::write(&file, kubeconfig(url)).expect("a kubeconfig");
    file
}

/// A kubeconfig of several contexts, each with a server of its own; the first is the current one.
pub fn kubeconfig_of(contexts: &[(&str, &str)]) -> PathBuf {
    let named = |kind: &str, of: &dyn Fn(&str, &str) -> Value| -> Value {
        contexts.iter().map(|(name, url)| json!({"name": name, kind: of(name, url)})).collect()
    };
    let text = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": contexts[0].0,
        "contexts": named("context", &|name, _| json!({"cluster": name, "namespace": "shop"})),
        "clusters": named("cluster", &|_, url| json!({"server": url})),
    });
    let file = kubeconfig_file("");
    std::fs::write(&file, text.to_string()).expect("a kubeconfig");
    file
}

fn kubeconfig(server: &str) -> String {
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "contexts": [
            {"name": "test", "context": {"cluster": "test", "user": "test", "namespace": "shop"}},
            {"name": "other", "context": {"cluster": "test", "user": "test", "namespace": "elsewhere"}},
        ],
        "clusters": [{"name": "test", "cluster": {"server": server}}],
        "users": [{"name": "test", "user": {"token": "secret"}}],
    })
    .to_string()
}

pub fn list(kind: &str, items: Value) -> Value {
    let version = match kind {
        "HorizontalPodAutoscalerList" => "autoscaling/v2",
        "PodMetricsList" => "metrics.k8s.io/v1beta1",
        "MetricValueList" => "custom.metrics.k8s.io/v1beta2",
        "ExternalMetricValueList" => "external.metrics.k8s.io/v1beta1",
        _ => "v1",
    };
    json!({"kind": kind, "apiVersion": version, "metadata": {}, "items": items})
}

pub fn hpa(name: &str, version: &str, kind: &str, target: &str, metrics: Value) -> Value {
    json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": "shop", "annotations": {"secret": "of the annotation"}},
        "spec": {
            "scaleTargetRef": {"apiVersion": version, "kind": kind, "name": target},
            "minReplicas": 1, "maxReplicas": 10, "metrics": metrics,
        },
        "status": {"desiredReplicas": 0, "currentMetrics": null},
    })
}

pub fn scale(selector: &str) -> Value {
    json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 2}, "status": {"replicas": 2, "selector": selector},
    })
}

pub fn pod(name: &str) -> Value {
    json!({
        "metadata": {
            "name": name, "namespace": "shop", "labels": {"app": "web"},
            "annotations": {"secret": "of the annotation"},
            "managedFields": [{"manager": "kubelet", "operation": "Update", "fieldsV1": {"f:status": {}}}],
        },
        "spec": {"containers": [{
            "name": "app", "image": "app", "env": [{"name": "PASSWORD", "value": "secret of the pod"}],
            "resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": "1"}},
        }]},
        "status": {
            "phase": "Running", "startTime": "2026-11-21T09:00:00Z",
            "conditions": [
                {"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-11-21T09:00:00Z"},
                {"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-21T09:00:05Z"},
            ],
        },
    })
}

pub fn pod_metrics(name: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": "web"}},
        "timestamp": "2026-11-21T10:41:50Z", "window": "15s",
        "containers": [{"name": "app", "usage": {"cpu": "50m", "memory": "10Mi"}}],
    })
}

/// Aggregated discovery of groups with one version each; a resource is its plural, its kind and its short name.
pub fn discovery(groups: &[(&str, &str, &[(&str, &str, &str)])]) -> Value {
    let resource = |(plural, kind, short): &(&str, &str, &str)| {
        json!({
            "resource": plural, "responseKind": {"group": "", "version": "", "kind": kind}, "scope": "Namespaced",
            "singularResource": kind.to_lowercase(), "shortNames": [short], "verbs": ["get"],
        })
    };
    let group = |(name, version, resources): &(&str, &str, &[(&str, &str, &str)])| {
        let resources: Vec<Value> = resources.iter().map(resource).collect();
        let version = json!({"version": version, "resources": resources, "freshness": "Current"});
        json!({"metadata": {"name": name}, "versions": [version]})
    };
    let groups: Vec<Value> = groups.iter().map(group).collect();
    json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": groups})
}

/// A server whose answers wait until no more questions come: each time that happens is one round trip.
pub struct Waves {
    pub server: Server,
    waves: Arc<AtomicUsize>,
}

impl Waves {
    pub fn of(cluster: Cluster) -> Self {
        use std::sync::Mutex;
        use std::time::{Duration, Instant};
        let waves = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waves);
        let last = Mutex::new(Instant::now());
        let server = Server::start(move |request| {
            *last.lock().expect("the time") = Instant::now();
            let mine = counter.load(Ordering::SeqCst);
            while counter.load(Ordering::SeqCst) == mine {
                std::thread::sleep(Duration::from_millis(10));
                let quiet = last.lock().expect("the time").elapsed() > Duration::from_millis(500);
                if quiet {
                    // Only the first to see the quiet ends the wave.
                    let _ = counter.compare_exchange(mine, mine + 1, Ordering::SeqCst, Ordering::SeqCst);
                }
            }
            cluster.answer(request)
        });
        Self { server, waves }
    }

    /// How many round trips there were.
    pub fn count(&self) -> usize {
        self.waves.load(Ordering::SeqCst)
    }
}
