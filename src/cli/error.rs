//! The reasons for which a command line is refused.

use kubectl_hpa_core::whatif::MOST_POINTS;
use thiserror::Error;

/// A value of another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    /// Not a fraction.
    #[error("expected a number of at least 0, for example 0.1")]
    NotAFraction,
    /// Not a timeout.
    #[error("expected seconds or a duration, for example 10s or 1m")]
    NotATimeout,
    /// Not a rate.
    #[error("expected a number of requests, for example 50; 0 is without limit")]
    NotARate,
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
    /// Not what can be waited for.
    #[error("expected replicas=N, stable, not-broken or code=CODE")]
    NotACondition,
    /// Not a time.
    #[error("expected a time in UTC, for example 03:02:38 or 2026-11-21T03:02:38Z")]
    NotATime,
    /// Not a size with a time.
    #[error("expected replicas and a time, for example 12@03:02:38")]
    NotASizeAndATime,
}

/// Flags that exclude or need each other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UsageError {
    /// `--apply` of what is not live.
    #[error("--apply needs a live HPA: leave out -f, --example and --why")]
    ApplyNeedsACluster,
    /// `--apply` of an example.
    #[error("--apply needs a live HPA: leave out --example")]
    ApplyOfAnExample,
    /// `--apply` of a query.
    #[error("--apply needs named HPAs: leave out --all, -A and -l")]
    ApplyNeedsNames,
    /// `--apply` without a change of the HPA.
    #[error("--apply has nothing to write: name a change, for example --max 40")]
    NothingToApply,
    /// `--apply` with this change of the world.
    #[error("--apply writes a decision about the cluster as it is: leave out {0}")]
    ApplyWithAChangedWorld(&'static str),
    /// Several contexts where one is meant.
    #[error("several --context work only with list, simulate -A, -l or --all, and --upgrade-to: give one")]
    SeveralContexts,
    /// One of several contexts is empty.
    #[error("one of several --context is empty: name each")]
    EmptyContext,
    /// A flag that overrides what each of several contexts has.
    #[error("{0} would apply to each --context: leave it out, or give one --context")]
    OneForSeveralContexts(&'static str),
    /// `--watch` of several HPAs.
    #[error("--watch follows one HPA: name one, add --changes, or use list --watch")]
    WatchNeedsOne,
    /// `wait` for several HPAs.
    #[error("wait follows one HPA: name one")]
    WaitNeedsOne,
    /// `--watch` in a form that ends.
    #[error("--watch never ends: use -o text, wide or jsonl")]
    WatchForm,
    /// Several versions with flags that follow one decision.
    #[error("several versions are compared: leave out --apply, --carry, --blame and --watch")]
    ComparedVersions,
    /// `--upgrade-to` from several versions.
    #[error("--upgrade-to starts from one version: give --as-version only one")]
    UpgradeFromSeveral,
    /// Several versions of a simulation.
    #[error("--as-version takes one version here: explain compares several")]
    SimulatedVersions,
    /// A setting of `history` where nothing is decided.
    #[error("history decides only on a record: give -f, or leave out the settings of the controller")]
    SettingNeedsARecord,
    /// A change of what a record has.
    #[error("backtest plays the load and the pods of the record: leave out {0}")]
    RecordedWorld(&'static str),
    /// A record that would be read twice.
    #[error("--since reads the record twice: name a file instead of standard input")]
    SinceOfInput,
    /// A record of `mcp` on standard input.
    #[error("mcp reads questions from standard input: name a file")]
    RecordOnInput,
    /// `-o patch` with `--apply`.
    #[error("-o patch prints the change instead of writing it: leave out --apply")]
    PatchAndApply,
    /// `--carry` without a file.
    #[error("--carry needs -f FILE: it carries state from each case of a file to the next")]
    CarryNeedsAFile,
    /// `--redact` without a file to write.
    #[error("--redact needs --save FILE: it masks names in the saved case")]
    RedactNeedsSave,
    /// This flag with the list of the examples.
    #[error("{0} needs one example: name it")]
    NeedsACase(&'static str),
    /// The text of a code in another form.
    #[error("--why prints a text: leave out -o")]
    WhyIsText,
    /// `--save` of several HPAs.
    #[error("--save needs one HPA: a case file is of one")]
    SaveNeedsOne,
    /// A simulation of nothing, with the flags that change something.
    #[error("simulate needs a change: {0}, --sweep, a setting of the controller, or a manifest with -f")]
    NoChange(String),
    /// `--sweep` so many times.
    #[error("--sweep may be given twice, not {0} times")]
    TooManySweeps(usize),
    /// Two axes with more combinations than are tried.
    #[error("both --sweep together give {0} values; at most {MOST_POINTS} are allowed")]
    TooManyPoints(usize),
    /// What is written by the rules of another version than the API server's.
    #[error("--as-version changes nothing in what is stored: leave it out with {0}")]
    WrittenAsVersion(&'static str),
    /// `--sweep` of what is written.
    #[error("--sweep tries many values: give the one to write with its flag")]
    SweepAndWrite,
    /// `--over` with this flag, which has no part in it.
    #[error("{0} cannot be combined with --over")]
    OverWith(&'static str),
    /// A form of what is played.
    #[error("-o {0} works only with --over, with --sweep, and with -A, -l, --all or --example")]
    FormNeedsOver(&'static str),
    /// `-o wide` of what has no more columns, with the flags that ask for it.
    #[error("-o wide shows no more than text with {0}: leave it out")]
    WideShowsNoMore(&'static str),
    /// Explanations as a table.
    #[error("-o csv works only with --upgrade-to; kubectl hpa list has a table of all HPAs")]
    CsvNeedsAnUpgrade,
    /// `--versus` with `--sweep`.
    #[error("--versus compares two HPAs, and --sweep tries many values: leave out one")]
    VersusAndSweep,
    /// This flag, which asks for every HPA, with names.
    #[error("{0} selects every HPA: leave out the names")]
    QueryWithNames(&'static str),
    /// This name, which has a type, after this type.
    #[error("{0} already has a type: leave out the {1}")]
    TypedTwice(String, String),
    /// A file in the place of a name.
    #[error("{0} is a file, not the name of an object: files are named with -f")]
    FileAsName(String),
    /// A fix of what is no file.
    #[error("--fix writes into files and folders, and {0} is neither")]
    FixNeedsFiles(String),
}
