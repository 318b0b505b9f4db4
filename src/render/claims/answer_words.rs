//! The words of an answer: made from it and the time of the decision, and from nothing else.

use super::answer::{Answer, Because, Following, Seen, Stuck, Then, Turns, Unscheduled};
use super::{At, unready_as_zero};
use crate::render::units::{ago, clock, count, list, moment, product, replicas as plural};
use kubectl_hpa_core::model::{Instant, Replicas};

/// The most HPAs that are named.
const HPAS: usize = 3;

impl Answer {
    /// From what to what.
    pub fn left(&self, now: Instant) -> String {
        let count = self.replicas.map_or_else(|| "replicas unknown".to_owned(), plural);
        let stays = |left: String| match self.replicas {
            Some(replicas) => format!("{count} → {left}, stays at {replicas}"),
            None => format!("{count} → {left}"),
        };
        match self.then {
            Then::Stays => format!("{count} → stays at {}", self.replicas.unwrap_or_default()),
            Then::Scales { to, only_now } => format!("{count} → {to}{}", if only_now { " now" } else { "" }),
            Then::Between { least, most, either } => {
                format!("{count} → {least} {} {most}", if either { "or" } else { "to" })
            }
            Then::Wanted { wanted } => format!("{count} → {wanted} wanted"),
            Then::WriteFails { to } => stays(format!("{to} wanted")),
            Then::WriteMayFail { least, most } => stays(format!("{least} to {most} wanted")),
            Then::CannotDecide => stays("cannot decide".to_owned()),
            Then::Crashes => stays("the controller crashes".to_owned()),
            Then::SwitchedOff => format!("{count} → switched off"),
            Then::NotKnown => format!("{count} → not known here"),
            Then::LastDecided { decided, written } => {
                let did = decided.map_or_else(
                    || "no decision yet".to_owned(),
                    |decided| format!("last decided {decided}"),
                );
                let age = written.map_or_else(String::new, |at| format!(" ({})", ago(now, at.0)));
                format!("{count}, {did}{age}")
            }
        }
    }

    /// Why.
    pub fn right(&self, now: Instant) -> String {
        self.reason(&self.because, now)
    }

    /// Why without the bounds, and the bounds, which come last.
    pub fn stacked(&self, now: Instant) -> (String, Option<String>) {
        match self.because.split_last() {
            Some((bounds @ Because::Bounds { .. }, because)) => {
                (self.reason(because, now), Some(bounds.text(now)))
            }
            _ => (self.right(now), None),
        }
    }

    fn reason(&self, because: &[Because], now: Instant) -> String {
        let mut right = String::new();
        for because in because {
            if !right.is_empty() {
                right.push_str(because.joint());
            }
            right.push_str(&because.text(now));
        }
        if matches!(self.then, Then::LastDecided { .. }) {
            right.push_str(if right.is_empty() { "not recomputed here" } else { "; not recomputed here" });
        }
        right
    }
}

fn since(now: Instant, word: &str, at: Option<&At>) -> String {
    at.map_or_else(String::new, |at| format!(" {word} {}", moment(now, at.0)))
}

impl Because {
    /// What all metrics together want.
    pub const fn wanted(replicas: Replicas) -> Self {
        Self::Wanted { replicas: replicas.0, by: None, pods: None }
    }

    /// True if it tells minReplicas or maxReplicas.
    pub const fn names_bound(&self) -> bool {
        matches!(
            self,
            Self::AboveMax { .. }
                | Self::BelowMin { .. }
                | Self::Max { .. }
                | Self::Min { .. }
                | Self::StraightToMin { .. }
                | Self::AlsoAt { .. }
        )
    }

    /// How it follows on another.
    const fn joint(&self) -> &'static str {
        match self {
            Self::FailingSince { .. } | Self::StaysAfterWindow { .. } => ", ",
            _ => "; ",
        }
    }

    /// In a few words.
    #[expect(clippy::too_many_lines, reason = "one arm for each, in the order of the enum")]
    pub fn text(&self, now: Instant) -> String {
        let clock = |at: &At| clock(now, at.0);
        match self {
            Self::ControllerLeftOut => "the HPA controller is switched off by --controllers".to_owned(),
            Self::NoController { since: at } => {
                format!("no controller has been at work{}", since(now, "since", at.as_ref()))
            }
            Self::NoSyncSeen { since: at } => format!("no sync seen{}", since(now, "since", at.as_ref())),
            Self::NoSyncSinceStart { started } => {
                format!("no sync seen since the controller started{}", since(now, "at", started.as_ref()))
            }
            Self::WouldBe { least, most } if least == most => format!("it would be {least}"),
            Self::WouldBe { least, most } => format!("it would be {least} to {most}"),
            Self::LacksRight { verb, resource } => format!("no right to {verb} {resource}"),
            Self::UpdateRefused { size, status } => {
                let size = size.map_or_else(String::new, |size| format!(", to {},", plural(size)));
                format!("its last update{size} was refused ({status})")
            }
            Self::LastSyncWithoutScale => "its last sync could not read the scale".to_owned(),
            Self::LastSyncWithoutValue { metric } => format!("its last sync got no value of {metric}"),
            Self::SameSelector { hpas } => {
                let (select, all) = if hpas.len() == 1 { ("selects", "both") } else { ("select", "all") };
                format!("{} {select} the same pods: {all} stop, or {all} run", named(hpas))
            }
            Self::EarlierSelector { hpas } => format!("{} may have selected the same pods", named(hpas)),

            Self::TargetCannotScale { .. } => "no HPA can scale this kind".to_owned(),
            Self::ScaleUnreadable { absent: true } => "the target does not exist".to_owned(),
            Self::ScaleUnreadable { absent: false } => "the target's scale cannot be read".to_owned(),
            Self::NotReadHere { what } => what.clone(),
            Self::LastStatus { condition, status, reason } => format!("{condition} {status}: {reason}"),
            Self::FailingSince { since } => format!("failing since {}", moment(now, since.0)),
            Self::WriteRefused { status } => format!("the write failed: {status}"),

            Self::ZeroOfKeda => "at 0 replicas KEDA decides, by its triggers".to_owned(),
            Self::ZeroWithGateOff => {
                "with the gate HPAScaleToZero off, every zero counts as a pause".to_owned()
            }
            Self::ZeroReplicas => "the HPA does nothing while its target has 0 replicas".to_owned(),
            Self::InvalidSelector => "the target's scale has no valid selector".to_owned(),
            Self::AmbiguousSelector => "another HPA selects the same pods".to_owned(),
            Self::PodsUnlisted => "the controller cannot list pods".to_owned(),
            Self::ControllerCrash => "kube-controller-manager crashes on this HPA".to_owned(),
            Self::NoMetricWorks { metrics, apis } => {
                let fail = if apis.len() == 1 { "fails" } else { "fail" };
                let apis = if apis.is_empty() { String::new() } else { format!("; {} {fail}", list(apis)) };
                format!("none of the {metrics} metrics works{apis}")
            }
            Self::MetricFails { says, .. } => says.clone(),
            Self::MetricsFail { metrics } => {
                format!("{} {}", metrics.join(", "), if metrics.len() == 1 { "fails" } else { "fail" })
            }

            Self::Wanted { replicas, by: Some(metric), .. } => format!("{replicas} wanted by {metric}"),
            Self::Wanted { replicas, pods: Some(pods), .. } => {
                format!("{replicas} wanted for {}", count(*pods, "pod"))
            }
            Self::Wanted { replicas, .. } => format!("{replicas} wanted"),
            Self::WantedAt { replicas, at } => {
                format!("{replicas} wanted, at {} if the load stays", clock(at))
            }
            Self::Follows { steps } => {
                let step = |it: &Following| format!("{} at {}", it.replicas, clock(&it.at));
                let steps: Vec<String> = steps.iter().map(step).collect();
                format!("{} if the load stays", steps.join(", "))
            }
            Self::AboveMax { max_replicas } => {
                format!("above maxReplicas {max_replicas}; metrics are not read")
            }
            Self::BelowMin { min_replicas } => {
                format!("below minReplicas {min_replicas}; metrics are not read")
            }
            Self::Max { max_replicas, at } => format!("{}max {max_replicas}", if *at { "at " } else { "" }),
            Self::Min { min_replicas, at } => format!("{}min {min_replicas}", if *at { "at " } else { "" }),
            Self::StraightToMin { min_replicas } => format!("straight to minReplicas {min_replicas}"),
            Self::AlsoAt { bound, replicas } => format!("also at {bound} {replicas}"),
            Self::AlsoWindow { direction } => format!("the {direction} window keeps it, too"),
            Self::AlsoDisabled { direction } => format!("spec.behavior.{direction} is disabled, too"),
            Self::Disabled { direction } => format!("spec.behavior.{direction} is disabled"),
            Self::PercentOfZero => "a percentage of 0 is 0".to_owned(),
            Self::AtLatest(latest) => latest.text(now),
            Self::StaysAfterWindow { replicas, until } => {
                format!("but {replicas} stays after the window ends at {} if the load stays", clock(until))
            }
            Self::WindowHas { replicas, until } => {
                format!("the window has {replicas} until {}", clock(until))
            }

            Self::MatchesOthers { pods, owner, loose } => {
                let owned = match owner {
                    Some(owner) => count(*pods, &format!("{owner} pod")),
                    None => format!("{} of others", count(*pods, "pod")),
                };
                let loose = (*loose > 0).then(|| format!("{} without an owner", count(*loose, "pod")));
                let all: Vec<String> = (*pods > 0).then_some(owned).into_iter().chain(loose).collect();
                format!("the selector matches {}", all.join(" and "))
            }
            Self::Hidden { container, percent, hidden_by, .. } => {
                let hides =
                    hidden_by.as_ref().map_or_else(String::new, |other| format!(", {other} hides it"));
                format!("container {container} is at {percent}%{hides}")
            }
            Self::SetByOthers { found, .. } => format!("{found} was set by something else"),
            Self::Flaps { ups, downs, since } => {
                format!("{ups} up and {downs} down since {}", clock(since))
            }

            Self::Contradiction => "the last sync saw the same inputs and decided differently".to_owned(),
            Self::ResizedByWhom { at } => {
                format!("whether the controller changed the replicas at {} is not known", clock(at))
            }
            Self::SizeBeforeUnknown { at, by, set } => {
                let set = set.map_or_else(String::new, |set| format!(" at {}", clock(&set)));
                let who =
                    by.as_ref().map_or_else(String::new, |by| format!("{by} set the replicas{set}, so "));
                format!("{who}the size before the rescale at {} is not known", clock(at))
            }
            Self::EventMissing => "an event of the HPA is missing".to_owned(),
            Self::EventsIncomplete => "the HPA's events may not show every rescale".to_owned(),
            Self::MemoryUnknown => "the controller's memory decides, which is not known".to_owned(),

            Self::Bounds { min_replicas, max_replicas } => format!("bounds {min_replicas}–{max_replicas}"),
            Self::Assumed { metric, missing, unready, unscheduled, stuck, turns, held } => {
                let held = if *held { "held: " } else { "" };
                format!("{held}{}", assumed(metric, (*missing, *unready), *unscheduled, stuck, *turns))
            }
            Self::Counts { pods, replicas, held: true, .. } => {
                format!("held: only {pods} of {replicas} replicas have a pod that counts")
            }
            Self::Counts { metric, pods, replicas, .. } => {
                let only = if i32::try_from(*pods).is_ok_and(|pods| pods > *replicas) { "" } else { "only " };
                format!("{metric} counts {only}{} for {replicas} replicas", count(*pods, "pod"))
            }
            Self::ForeignSamples { metric, samples } => {
                format!("{metric} counts {} of no selected pod", count(*samples, "sample"))
            }
            Self::KeepsStatusReplicas { metric, replicas } => {
                format!("{metric} keeps status.replicas ({replicas}), not spec.replicas")
            }
            Self::DividedByStatusReplicas { metric } => {
                format!("{metric} is divided by status.replicas, not by spec.replicas")
            }
            Self::WithinTolerance { metric } => format!("{metric} is within the tolerance"),
            Self::OnTarget { metric } => format!("{metric} is exactly on target"),
            Self::Reads { metric, now, target, exact, replicas } => {
                let target = target.map_or_else(String::new, Seen::text);
                let exact = exact.map_or_else(String::new, |exact| {
                    format!(": needs {}, rounded up to {replicas}", product(exact))
                });
                format!("{metric} {}, target {target}{exact}", now.text())
            }
        }
    }
}

fn named(hpas: &[String]) -> String {
    list(&hpas.iter().take(HPAS).map(|name| format!("HPA {name}")).collect::<Vec<_>>())
}

/// For which pods the controller assumed a usage, and what that does.
fn assumed(
    metric: &str,
    (missing, unready): (usize, usize),
    unscheduled: Unscheduled,
    stuck: &Stuck,
    turns: Turns,
) -> String {
    let way = match turns {
        Turns::UpIntoDown => "turns scale-up into scale-down",
        Turns::DownIntoUp => "turns scale-down into scale-up",
        Turns::Otherwise | Turns::No => "reverses the direction",
    };
    let turns = turns != Turns::No;
    if let Some((pods, say)) = unscheduled.words() {
        let verb = if unready == 1 { "counts" } else { "count" };
        return if turns { format!("{pods} {verb} as 0, which {way}") } else { say };
    }
    if stuck.pods > 0 {
        return if turns { stuck.reversing(way, missing == 0) } else { stuck.text() };
    }
    let have = if missing == 1 { "has" } else { "have" };
    let lacking = count(missing, "pod");
    let zero = unready_as_zero(unready);
    match (missing > 0, unready > 0) {
        (true, true) if turns => {
            let unready = count(unready, "unready pod");
            format!("{lacking} without a sample and {unready} reverse the direction")
        }
        (true, false) if turns => {
            let reverse = if missing == 1 { "reverses" } else { "reverse" };
            format!("{lacking} without a sample {reverse} the direction")
        }
        (true, true) => format!("{lacking} {have} no {metric} sample, {zero}"),
        (true, false) => format!("{lacking} {have} no {metric} sample"),
        (false, _) if turns => format!("{zero}, which {way}"),
        (false, _) => zero,
    }
}

impl Stuck {
    /// `3 pods do not run (ImagePullBackOff)`.
    pub fn text(&self) -> String {
        let run = if self.pods == 1 { "does not run" } else { "do not run" };
        format!("{} {run} ({})", count(self.pods, "pod"), self.reasons())
    }

    /// The pods that do not run, and the way in which they reverse the direction, as 0 or not.
    fn reversing(&self, way: &str, as_zero: bool) -> String {
        let [run, counts, reverses] = match self.pods {
            1 => ["does not run", "counts", "reverses"],
            _ => ["do not run", "count", "reverse"],
        };
        let pods = format!("{} that {run} ({})", count(self.pods, "pod"), self.reasons());
        if as_zero {
            format!("{pods} {counts} as 0, which {way}")
        } else {
            format!("{pods} {reverses} the direction")
        }
    }

    /// In one word, as the kubelet alternates between them.
    fn reasons(&self) -> String {
        self.reasons.iter().map(String::as_str).collect::<Vec<_>>().join("/")
    }
}

impl Unscheduled {
    /// The pods, and a sentence about them; none if all have a node.
    pub fn words(self) -> Option<(String, String)> {
        let pods = self.waiting + self.gated;
        let (one, all) = (pods == 1, count(pods, "pod"));
        let (those, say) = match (self.waiting, self.gated) {
            (0, 0) => return None,
            (_, 0) if one => ("that waits for a node", "waits for a node"),
            (_, 0) => ("that wait for a node", "wait for a node"),
            (0, _) if one => ("with a scheduling gate", "has a scheduling gate"),
            (0, _) => ("with a scheduling gate", "have a scheduling gate"),
            (..) => ("that are not scheduled", "are not scheduled"),
        };
        Some((format!("{all} {those}"), format!("{all} {say}")))
    }
}

impl Seen {
    /// For people.
    pub fn text(self) -> String {
        match self {
            Self::Percent(percent) => format!("{percent}%"),
            Self::PerPod(amount) => format!("{} per pod", amount.text()),
            Self::PerReplica(amount) => format!("{} per replica", amount.text()),
            Self::Value(amount) => amount.text(),
        }
    }
}
