//! How the controller's words differ.

/// Word order in "unable to get metric".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectErrorOrder {
    /// Up to 1.36 the arguments are swapped: "NAME: KIND on NAMESPACE OBJECT/ERROR".
    Swapped,
    /// Since 1.37: "NAME on KIND NAMESPACE/OBJECT: ERROR".
    Straight,
}

/// The wording of the AmbiguousSelector message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmbiguousText {
    /// 1.26 to 1.36: "multiple HPAs: [...]".
    Multiple,
    /// Since 1.37: "more than one HPA (e.g. [...])".
    MoreThanOne,
}

/// Which errors of metrics are wrapped again, for example as "failed to get … metric value: ".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapping {
    /// Up to 1.24 those of Object and Pods metrics.
    ObjectAndPods,
    /// Since 1.25 all.
    All,
}

/// What is said when no sample is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSampleWords {
    /// Up to 1.26: "for any ready pods".
    AnyReadyPods,
    /// Since 1.27: "for targeted pods (pods might be unready)".
    TargetedPods,
}

/// What is said of a missing request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapWords {
    /// Up to 1.25 the resource.
    Resource,
    /// Since 1.26 the resource, the container and the pod.
    ContainerAndPod,
}
