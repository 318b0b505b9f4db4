//! Access reviews: whoever may ask learns which of the rights that the controller's errors name it has now.

use kubectl_hpa_core::snapshot::case::AccessCase;

use super::plan::Sign;
use super::refusal::{Refusal, Right, USER};
use super::world::World;

const RIGHTS: [Right; 4] = [Right::ListPodMetrics, Right::ListQueue, Right::GetScale, Right::UpdateScale];

/// The rights that are asked about: those that the status or the newest events name.
pub fn reviewed(world: &World) -> Vec<Right> {
    if !world.plan.can_review {
        return Vec::new();
    }
    let texts = texts(world);
    let is_named = |right: &Right| {
        let (verb, resource, group) = right.named(world.plan.kind);
        let words = format!("cannot {verb} resource \"{resource}\" in API group \"{group}\"");
        texts.iter().any(|text| text.contains(&words))
    };
    RIGHTS.into_iter().filter(is_named).collect()
}

fn texts(world: &World) -> Vec<&str> {
    let conditions = world.hpa.iter().flat_map(|hpa| &hpa.status.conditions);
    let live = world.events.iter().filter(|event| event.target.is_none() && event.expires > world.now);
    let live: Vec<_> = live.filter(|_| !world.plan.hides(Sign::Events)).collect();
    let newest = live.iter().map(|event| event.last).max();
    let events = live.iter().filter(|event| Some(event.last) == newest);
    let messages = events.map(|event| event.event.message.as_str());
    conditions.map(|condition| condition.message.as_str()).chain(messages).collect()
}

/// The answers to them.
pub fn access(world: &World) -> Vec<AccessCase> {
    let refused = world.refused();
    let answer = |right: Right| {
        let (verb, resource, group) = right.named(world.plan.kind);
        AccessCase {
            user: USER.to_owned(),
            verb: verb.to_owned(),
            group: group.to_owned(),
            resource,
            allowed: !refused.contains(&Refusal::Right(right)),
        }
    };
    reviewed(world).into_iter().map(answer).collect()
}
