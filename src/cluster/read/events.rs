//! The events about an HPA and its target: evidence of what the controller remembers.

use crate::cluster::connection::Connection;
use crate::cluster::wire::{Get, Path};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::snapshot::case::Many;

impl Connection {
    /// Lists the events about an object, newest last. The controller never reads them, so an error is the reader's alone.
    pub(super) async fn events(&self, kind: &str, name: &str) -> Many<api::Event> {
        let single = || {
            let path = Path::of("", "v1").namespace(&self.client.namespace).segment("events");
            let about = format!("involvedObject.kind={kind},involvedObject.name={name}");
            Get::list(path.parameter("fieldSelector", &about), "", "events")
        };
        let answer = match self.listed_events(&single, kind, name).await {
            Some(listed) => listed,
            None => self.client.optional().list::<api::Event>(&single()).await,
        };
        let mut read = answer.read.map_err(ReadError::of_reader);
        if let Ok(events) = &mut read {
            events.sort_by_key(last_seen);
        }
        read.into()
    }
}

/// When an event happened last; series tell it in a field of their own.
pub(super) fn last_seen(event: &api::Event) -> Option<Instant> {
    let series = event.series.as_ref().and_then(|series| series.last_observed_time);
    [series, event.last_timestamp, event.event_time, event.first_timestamp].into_iter().flatten().max()
}
