//! Why what was typed is refused, in words.

use thiserror::Error;

/// A value of another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    /// Not a fraction.
    #[error("expected a number of at least 0, as 0.1")]
    NotAFraction,
    /// Not a timeout.
    #[error("expected seconds or a duration, as 10s or 1m")]
    NotATimeout,
    /// Not a length of time.
    #[error("expected a duration, for example 30s, 5m or 24h")]
    NotALength,
    /// Not a length of time that is played.
    #[error("expected a duration of more than 0 and at most 30d, for example 30m, 24h or 7d")]
    NotAPlayedLength,
    /// A delay whose end is before its beginning.
    #[error("expected a duration, or the shortest and the longest, for example 20s or 20s..60s")]
    NotADelay,
    /// Not an amount.
    #[error("expected a quantity of at least 0, for example 50m, 2 or 1.5Gi")]
    NotAnAmount,
    /// Not a time.
    #[error("expected a time in UTC, for example 03:02:38 or 2026-11-21T03:02:38Z")]
    NotATime,
    /// Not a size with a time.
    #[error("expected a size and a time, for example 12@03:02:38")]
    NotASizeAndATime,
}

/// Flags that exclude or need each other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UsageError {
    /// `--apply` of what is not live.
    #[error("--apply writes to a cluster: leave out -f, --example and --why")]
    ApplyNeedsACluster,
    /// `--apply` of a recorded case.
    #[error("--apply writes to a cluster: leave out --example")]
    ApplyOfAnExample,
    /// `--apply` of a query.
    #[error("--apply writes to what is named: leave out --all, -A and -l")]
    ApplyNeedsNames,
    /// `--apply` without a change of the HPA.
    #[error("--apply has nothing to write: say what to change, as --max 40")]
    NothingToApply,
    /// `--apply` with this change of the world.
    #[error("--apply writes what is decided on the world as it is: leave out {0}")]
    ApplyWithAChangedWorld(&'static str),
    /// `--watch` of several HPAs.
    #[error("--watch follows one HPA: name one, and leave out --all, -A and -l")]
    WatchNeedsOne,
    /// `--watch` in a form that ends.
    #[error("--watch goes on and on: its forms are text, wide and jsonl")]
    WatchForm,
    /// Several versions with flags that follow one decision.
    #[error("several versions are set side by side: leave out --apply, --carry, --blame and --watch")]
    ComparedVersions,
    /// `--upgrade-to` from several versions.
    #[error("--upgrade-to starts from one version: --as-version takes one here")]
    UpgradeFromSeveral,
    /// Several versions of a simulation.
    #[error("--as-version takes one version here: explain sets several side by side")]
    SimulatedVersions,
    /// `-o patch` with `--apply`.
    #[error("-o patch prints the change instead of writing it: leave out --apply")]
    PatchAndApply,
    /// `--carry` without a file.
    #[error("--carry needs -f FILE: it hands on from case to case of a file")]
    CarryNeedsAFile,
    /// `--redact` without a file to write.
    #[error("--redact needs --save FILE: it masks names in the saved case")]
    RedactNeedsSave,
    /// `--save` of the list of examples.
    #[error("--save needs a case: name the example")]
    SaveNeedsACase,
    /// `--save` of several HPAs.
    #[error("--save needs one HPA: a case file holds one")]
    SaveNeedsOne,
    /// A simulation of nothing, with the flags that change something.
    #[error("simulate needs a change: {0}, --sweep, a setting of the controller, or a manifest with -f")]
    NoChange(String),
    /// `--sweep` so many times.
    #[error("--sweep may be given twice, not {0} times")]
    TooManySweeps(usize),
    /// `--sweep` of what is written.
    #[error("--sweep tries many values: say the one to write with its flag")]
    SweepAndWrite,
    /// `--over` with this flag, which has no part in it.
    #[error("--over plays what is to come: leave out {0}")]
    OverWith(&'static str),
    /// A form of what is played.
    #[error("-o {0} is a form of what is played: say for how long with --over")]
    FormNeedsOver(&'static str),
    /// `--versus` with `--sweep`.
    #[error("--versus sets two HPAs side by side, and --sweep tries many values: leave out one")]
    VersusAndSweep,
    /// This flag, which asks for every HPA, with names.
    #[error("{0} asks for every HPA that there is: leave out the names")]
    QueryWithNames(&'static str),
    /// This name, which has a type, after this type.
    #[error("{0} has a type already: leave out the {1}")]
    TypedTwice(String, String),
}
