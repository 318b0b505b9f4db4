//! The words of the controller's conditions.

use crate::model::Text;

/// Names that upstream has as text, and their enum.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// As the API writes it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }
        }

        impl PartialEq<$name> for Text {
            fn eq(&self, other: &$name) -> bool {
                self == other.as_str()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }
    };
}

names! {
    /// The types of the controller's conditions (`HorizontalPodAutoscalerConditionType`). A status keeps types as text, as
    /// anybody may add another.
    ConditionType {
        /// True while the scale can be read and written.
        AbleToScale,
        /// True while the replicas can be computed.
        ScalingActive,
        /// True while a bound or a rate limits them.
        ScalingLimited,
        /// True if the HPA set the 0 replicas itself.
        ScaledToZero,
    }
}

names! {
    /// The reasons of conditions on which something depends.
    ConditionReason {
        /// AbleToScale: the scale was read.
        SucceededGetScale,
        /// AbleToScale: the scale could not be read.
        FailedGetScale,
        /// AbleToScale: the scale was written.
        SucceededRescale,
        /// AbleToScale: the scale could not be written.
        FailedUpdateScale,
        /// AbleToScale: no window keeps the replicas.
        ReadyForNewScale,
        /// AbleToScale: a window keeps them from rising.
        ScaleUpStabilized,
        /// AbleToScale: a window keeps them from falling.
        ScaleDownStabilized,
        /// ScalingActive: a metric decides.
        ValidMetricFound,
        /// ScalingActive: 0 replicas are a pause.
        ScalingDisabled,
        /// ScalingActive: the scale's selector is missing or wrong.
        InvalidSelector,
        /// ScalingActive: another HPA selects the same pods.
        AmbiguousSelector,
        /// ScalingLimited: nothing limits the replicas.
        DesiredWithinRange,
        /// ScalingLimited: the policies of scaleUp do.
        ScaleUpLimit,
        /// ScalingLimited: the policies of scaleDown do.
        ScaleDownLimit,
        /// ScalingLimited: maxReplicas does.
        TooManyReplicas,
        /// ScalingLimited: minReplicas does.
        TooFewReplicas,
        /// ScaledToZero: it did.
        ScaledToZero,
        /// ScaledToZero: it did not.
        NotScaledToZero,
    }
}

impl ConditionReason {
    /// The one of a text; `None` if nothing depends on it.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::{ConditionReason, ConditionType};
    use crate::api::Condition;
    use crate::model::Text;

    #[test]
    fn words_are_those_of_the_api_and_others_stay_as_they_are() {
        for (kind, text) in ConditionType::ALL.iter().zip(["AbleToScale", "ScalingActive", "ScalingLimited"])
        {
            assert_eq!(Text::from(text), *kind);
        }
        for reason in ConditionReason::ALL {
            assert_eq!(ConditionReason::of(reason.as_str()), Some(*reason));
        }
        let text = r#"{"type":"Paused","status":"True","lastTransitionTime":null,"reason":"ByMe"}"#;
        let other: Condition = serde_json::from_str(text).expect("a condition");
        assert_eq!((other.kind.as_str(), other.known_reason()), ("Paused", None));
    }
}
