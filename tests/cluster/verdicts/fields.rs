//! The fields that upstream's encoder always writes, of each kind that is read.

use super::readers::Reader;

/// Of an object or of the first item of a list: JSON pointers.
pub fn written(reader: &Reader) -> &'static [&'static str] {
    match reader.name {
        "HPA" => &[
            "/kind", "/apiVersion", "/metadata", "/metadata/name", "/metadata/namespace", "/spec",
            "/spec/scaleTargetRef", "/spec/scaleTargetRef/kind", "/spec/scaleTargetRef/name", "/spec/maxReplicas",
            "/status", "/status/desiredReplicas", "/status/currentMetrics",
        ],
        "HPAs" => &[
            "/kind", "/apiVersion", "/items", "/items/0/metadata", "/items/0/metadata/name",
            "/items/0/metadata/namespace", "/items/0/spec", "/items/0/spec/scaleTargetRef",
            "/items/0/spec/maxReplicas", "/items/0/status",
        ],
        "core group" | "groups" => &["/kind", "/apiVersion", "/items", "/items/0/metadata"],
        "group version" => &["/kind", "/groupVersion", "/resources"],
        "scale" | "other scale" => &[
            "/kind", "/apiVersion", "/metadata", "/metadata/name", "/metadata/namespace", "/spec", "/status",
            "/status/replicas",
        ],
        "pods" | "controller's pods" => &[
            "/kind", "/apiVersion", "/items", "/items/0/metadata", "/items/0/metadata/name",
            "/items/0/metadata/namespace", "/items/0/spec", "/items/0/spec/containers",
        ],
        "resource metrics" => &[
            "/kind", "/apiVersion", "/items", "/items/0/metadata", "/items/0/metadata/name",
            "/items/0/metadata/namespace", "/items/0/timestamp", "/items/0/window", "/items/0/containers",
        ],
        "pods metric" | "object metric" | "namespace metric" => &[
            "/kind", "/apiVersion", "/items", "/items/0/describedObject", "/items/0/timestamp", "/items/0/value",
        ],
        "external metric" => &[
            "/kind", "/apiVersion", "/items", "/items/0/metricName", "/items/0/metricLabels", "/items/0/timestamp",
            "/items/0/value",
        ],
        "events" => &["/kind", "/apiVersion", "/items", "/items/0/metadata", "/items/0/involvedObject"],
        "version" => &["/gitVersion"],
        other => panic!("{other}"),
    }
}
