//! What a read answered: a value, or the error in its place.

use serde::{Deserialize, Serialize};

use crate::api::nullable;

/// The answer to one read.
pub type Read<T> = Result<T, ReadError>;

/// Why a read gave no value.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadError {
    /// HTTP status code, where there was an answer.
    pub code: Option<u16>,
    /// `Status.reason` of the answer; `NotFromAPIServer` where it is not the API server's.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The error as client-go prints it: the controller quotes this text.
    pub message: String,
    /// The API path that was read.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Who gets this error.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Scope::is_everyone")]
    pub scope: Scope,
    /// For the scale only: what failed.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Stage::is_get")]
    pub stage: Stage,
}

impl ReadError {
    /// In place of a read that a case says nothing about.
    pub(super) fn not_in_case(place: &str) -> Self {
        let what = match place {
            "scale" => "the target's scale".to_owned(),
            "pods" => "the pods".to_owned(),
            "podMetrics" => "the pods' usage (podMetrics)".to_owned(),
            _ => format!("`{place}`"),
        };
        let message = format!("the case does not have {what}, and its decision depends on that");
        Self { reason: Self::NOT_IN_CASE.to_owned(), message, scope: Scope::Reader, ..Self::default() }
    }

    const NOT_IN_CASE: &str = "NotInCase";

    /// In place of what nobody gave, with the command that prints it.
    #[must_use]
    pub fn not_given(command: String) -> Self {
        Self { reason: Self::NOT_GIVEN.to_owned(), message: command, scope: Scope::Reader, ..Self::default() }
    }

    const NOT_GIVEN: &str = "NotGiven";

    /// In place of the scale of an HPA of which only the text of `kubectl describe` is given, with a command that prints more.
    #[must_use]
    pub fn described(command: String) -> Self {
        Self { reason: Self::DESCRIBED.to_owned(), ..Self::not_given(command) }
    }

    /// As an error of the reader alone: the controller does not read that, or not so.
    #[must_use]
    pub fn of_reader(self) -> Self {
        Self { scope: Scope::Reader, ..self }
    }

    const DESCRIBED: &str = "OnlyDescribed";

    /// True if there is only the text of `kubectl describe`.
    #[must_use]
    pub fn is_described(&self) -> bool {
        self.reason == Self::DESCRIBED
    }

    /// In place of samples that only `kubectl top pods` shows, with the command that prints them.
    #[must_use]
    pub fn rounded(command: String) -> Self {
        Self { reason: Self::ROUNDED.to_owned(), ..Self::not_given(command) }
    }

    const ROUNDED: &str = "OnlyRounded";

    /// True if there is only the table of `kubectl top pods`.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        self.reason == Self::ROUNDED
    }

    /// True if nobody gave it, or all of it; the message is the command that prints it.
    #[must_use]
    pub fn is_not_given(&self) -> bool {
        [Self::NOT_GIVEN, Self::DESCRIBED, Self::ROUNDED].contains(&self.reason.as_str())
    }

    /// The reason of an answer that the API server did not write, but somebody on the way to it: a proxy, a load
    /// balancer, a login page.
    pub const FOREIGN: &str = "NotFromAPIServer";

    /// In place of a scale that can be read, but that the controller may not come to: it may not find the target's kind.
    pub(super) fn unmapped() -> Self {
        let message = "the controller's last sync did not find the target's kind. It lists the kinds again every 30s, and does nothing until it finds it";
        Self {
            reason: Self::UNMAPPED.to_owned(),
            message: message.to_owned(),
            scope: Scope::Reader,
            ..Self::default()
        }
    }

    const UNMAPPED: &str = "NoKindMatch";

    /// Whether it could be read, but the controller may not find its kind.
    #[must_use]
    pub fn is_unmapped(&self) -> bool {
        self.reason == Self::UNMAPPED
    }

    /// Whether something between here and the API server answered instead.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.reason == Self::FOREIGN
    }

    /// Whether it is a read that the case says nothing about.
    #[must_use]
    pub fn is_not_in_case(&self) -> bool {
        self.reason == Self::NOT_IN_CASE
    }
}

/// Who gets an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// The controller gets the same error, so the error is part of its decision.
    #[default]
    Everyone,
    /// Only this reader was refused; what the controller reads is unknown.
    Reader,
}

impl Scope {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_everyone(&self) -> bool {
        *self == Self::Everyone
    }
}

/// Which step of getting a scale failed (upstream `reconcileAutoscaler` returns different errors).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Finding the resource for the target's kind.
    Mapping,
    /// Reading the scale subresource.
    #[default]
    Get,
}

impl Stage {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_get(&self) -> bool {
        *self == Self::Get
    }
}
