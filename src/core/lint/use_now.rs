//! Whether the request of a utilization is anywhere near what is used, by the last status: one moment, so never more than a
//! note.

use serde_json::Value;

use super::rehearsal::resource;
use super::set::{Set, Subject};
use super::{Finding, Rule};

/// Load alone does not explain a use of so many times the target, or a target of so many times the use.
const FAR: f64 = 10.0;

pub(super) fn check(_: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let status = &hpa.written.value["status"];
    let current = status["currentMetrics"].as_array();
    for (index, metric) in hpa.spec().metrics.iter().enumerate() {
        let Some((name, container)) = resource(metric) else { continue };
        let (part, target) = match (&metric.resource, &metric.container_resource) {
            (_, Some(it)) if container.is_some() => ("containerResource", it.target.average_utilization),
            (Some(it), _) => ("resource", it.target.average_utilization),
            _ => continue,
        };
        let mut of_metric = current.into_iter().flatten().filter(|it| is_of(it, part, name, container));
        let used = of_metric.next().and_then(|it| it[part]["current"]["averageUtilization"].as_f64());
        let now = status["currentReplicas"].as_f64();
        if let (Some(target), Some(used), Some(now)) = (target, used, now) {
            let moment = Moment { hpa, name, target: f64::from(target), used, now };
            let path = format!("spec.metrics[{index}].{part}.target.averageUtilization");
            findings.extend(moment.finding(path));
        }
    }
}

fn is_of(status: &Value, part: &str, name: &str, container: Option<&str>) -> bool {
    status[part]["name"] == name && container.is_none_or(|container| status[part]["container"] == container)
}

/// A utilization as the controller last saw it.
struct Moment<'a> {
    hpa: &'a Subject<'a>,
    name: &'a str,
    target: f64,
    used: f64,
    now: f64,
}

impl Moment<'_> {
    fn finding(&self, path: String) -> Option<Finding> {
        let Self { hpa, name, target, used, now } = self;
        let spec = hpa.spec();
        let (min, max) = (f64::from(spec.min_replicas.unwrap_or(1)), f64::from(spec.max_replicas));
        // The replicas that the same use would need.
        let needed = used * now / target;
        let effect = if *now >= max && needed >= max * FAR {
            format!("and {max} replicas cannot bring it down to the target of {target}%")
        } else if *now <= min && needed * FAR <= min {
            format!("so the target of {target}% is met with far less than minReplicas {min}")
        } else {
            return None;
        };
        let message = format!("at this moment the {name} usage is {used}% of the requests, {effect}");
        let help = format!("compare the {name} requests with the usage over a day or more");
        Some(Finding::new(Rule::RequestFarFromUse, hpa.place, path, message, help))
    }
}
