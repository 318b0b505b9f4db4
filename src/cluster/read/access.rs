//! Whether the controller has the rights by now that it lacked at its last sync.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};

use super::events::last_seen;
use crate::cluster::connection::Connection;
use crate::cluster::wire::{DatedRead, Get, JSON, Path, ours};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Denial, Duration, Instant};
use kubectl_hpa_core::snapshot::Read;
use kubectl_hpa_core::snapshot::case::{AccessCase, Many};

const GROUP: &str = "authorization.k8s.io";
const KIND: &str = "SubjectAccessReview";
/// The controller, as its events name it.
const COMPONENT: &str = "horizontal-pod-autoscaler";
/// What happened before is not worth a question. The event recorder may drop all events of an HPA but one in 5 minutes (client-go
/// `EventSourceObjectSpamFilter`), so the last one may be as old although the last sync failed.
const RECENT: Duration = Duration::from_seconds(600);
/// The most rights that are asked about for one HPA.
const MOST: usize = 4;

impl Connection {
    /// The rights that the controller's status and its last events say it lacks, as the API server answers for them now. It is
    /// no error if it does not answer: few users may ask.
    pub(super) async fn access(
        &self,
        status: &api::HpaStatus,
        events: &Many<api::Event>,
        now: Option<Instant>,
    ) -> Vec<AccessCase> {
        let tells = [api::ConditionType::ScalingActive, api::ConditionType::AbleToScale];
        let is_failed =
            |it: &&api::Condition| it.status == "False" && tells.iter().any(|kind| it.kind == *kind);
        let failed = status.conditions.iter().filter(is_failed);
        let is_recent = |event: &&api::Event| {
            event.is_of(COMPONENT)
                && last_seen(event).zip(now).is_some_and(|(seen, now)| seen + RECENT >= now)
        };
        let events = events.items.iter().flatten().filter(is_recent);
        let messages = failed.map(|it| &it.message).chain(events.map(|it| &it.message));
        let mut denials: Vec<Denial<'_>> = Vec::new();
        for denial in messages.flat_map(|message| Denial::all_in(message)) {
            if denials.len() < MOST && !denials.contains(&denial) {
                denials.push(denial);
            }
        }
        let asked = denials
            .iter()
            .map(|denial| async move { Some(case(denial, self.is_allowed(denial).await.ok()?)) });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Questions that share ask for each right once, and for no more after one was refused.
    async fn is_allowed(&self, denial: &Denial<'_>) -> Read<bool> {
        let review = review(denial);
        let Some(shared) = &self.shared else { return self.reviewed(&review).await };
        if let Some(error) = shared.access_error.get() {
            return Err(error.clone());
        }
        let answer = async { DatedRead { read: self.reviewed(&review).await, at: None } };
        let answer = shared.access.once(review.to_string(), answer).await.read;
        answer.inspect_err(|error| _ = shared.access_error.set(error.clone()))
    }

    /// Asks. A review is virtual: the API server answers it and stores nothing, so no promise to write nothing is broken.
    async fn reviewed(&self, review: &Value) -> Read<bool> {
        let path = Path::of(GROUP, "v1").segment("subjectaccessreviews");
        let to = Get::list(path, GROUP, "subjectaccessreviews");
        let answer = self.client.optional().exchanged(Method::POST, &to, JSON, review).await?;
        answered(&answer).ok_or_else(|| ours(&to, "the answer is no review"))
    }
}

/// The question whether a user has a right now.
fn review(denial: &Denial<'_>) -> Value {
    let (resource, subresource) = denial.resource.split_once('/').unwrap_or((denial.resource, ""));
    json!({
        "kind": KIND,
        "apiVersion": format!("{GROUP}/v1"),
        "spec": {
            "user": denial.user,
            "groups": groups(denial.user),
            "resourceAttributes": {
                "namespace": denial.namespace, "verb": denial.verb, "group": denial.group,
                "resource": resource, "subresource": subresource, "name": denial.name,
            },
        },
    })
}

/// The groups that every user with such a name is in.
///
/// Source: `MakeGroupNames` of k8s.io/apiserver's `pkg/authentication/serviceaccount`.
fn groups(user: &str) -> Vec<String> {
    let account = user.strip_prefix("system:serviceaccount:").and_then(|it| it.split_once(':'));
    let of_accounts = account.map(|(namespace, _)| {
        ["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
    });
    of_accounts.into_iter().flatten().chain(["system:authenticated".to_owned()]).collect()
}

/// Whether a review allows it; `None` if it does not say, or if an authorizer failed before any allowed it.
fn answered(review: &Value) -> Option<bool> {
    let status = review.get("status").filter(|_| review["kind"] == KIND)?;
    let is_allowed = status["allowed"].as_bool()?;
    let has_failed = status["evaluationError"].as_str().is_some_and(|error| !error.is_empty());
    (is_allowed || !has_failed).then_some(is_allowed)
}

fn case(denial: &Denial<'_>, allowed: bool) -> AccessCase {
    AccessCase {
        user: denial.user.to_owned(),
        verb: denial.verb.to_owned(),
        group: denial.group.to_owned(),
        resource: denial.resource.to_owned(),
        allowed,
    }
}
