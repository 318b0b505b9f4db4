//! Many HPAs, a row of each.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::by_status::ByStatus;
use super::claims::InShort;
use super::name::name;
use super::phrases::origin::clusters;
use super::phrases::{basis, listed, unread};
use super::units::on_day;
use kubectl_hpa_core::causes::Cause;
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{HpaState, Instant, ListOrder, Replicas};
use kubectl_hpa_core::snapshot::Origin;

/// What is kept of one HPA: a decision with its ten thousand pods is dropped as soon as its row is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Where it was read.
    pub(super) origin: Option<Origin>,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The state that counts.
    pub state: HpaState,
    /// When it was looked at; `None` if it could not be read.
    pub(super) at: Option<Instant>,
    /// Since when it is being deleted.
    pub(super) deleted: Option<Instant>,
    pub(super) target: String,
    pub(super) current: Option<Replicas>,
    pub(super) range: Option<(Replicas, Replicas)>,
    /// True if it is one end of the range or the other.
    pub(super) is_either: bool,
    pub(super) bounds: Option<(Replicas, Replicas)>,
    pub(super) wanted: Option<Replicas>,
    /// Name and reading of the deciding metric.
    pub(super) metric: Option<(String, String)>,
    pub(super) because: InShort,
    /// The one cause that a person would name; `None` if nothing is decided.
    pub(super) cause: Option<Cause>,
    /// Since when, and by which clock that is told.
    pub(super) since: Option<(Instant, Instant)>,
    /// Why it could not be read.
    pub(super) error: Option<String>,
    /// If the state is that of its last status: why.
    pub by_status: Option<ByStatus>,
    /// Unread things that only tell more.
    pub(super) gaps: Vec<String>,
}

impl Listed {
    /// The row of an HPA.
    #[must_use]
    pub fn of(explanation: &Explanation) -> Self {
        let hpa = &explanation.snapshot().hpa;
        let (state, because) = listed::told(explanation);
        let row = Self {
            origin: explanation.snapshot().origin.clone(),
            namespace: hpa.key.namespace.to_string(),
            name: hpa.key.name.to_string(),
            state,
            at: Some(explanation.now()),
            deleted: hpa.deleted,
            target: explanation.target(),
            current: explanation.current(),
            range: explanation.range(),
            is_either: explanation.answer().is_either,
            bounds: Some((hpa.min, hpa.max)),
            wanted: explanation.decision().choice.map(|choice| choice.after),
            metric: listed::metric(explanation),
            because,
            cause: explanation.cause(),
            since: explanation.state_since().map(|at| (at, explanation.now())),
            error: None,
            by_status: None,
            gaps: basis::gaps(explanation).map(|gap| gap.text(explanation.now())).collect(),
        };
        let Some((state, condition)) = explanation.state_by_status() else { return row };
        // AbleToScale and ScalingLimited keep their times where only their reasons change.
        let has_begun = !matches!(state, HpaState::Held | HpaState::Scaling);
        let at = condition.and_then(|it| it.last_transition_time).filter(|at| *at < explanation.now());
        let at = at.filter(|_| has_begun);
        Self {
            current: row.current.or(Some(Replicas(hpa.status.current_replicas))),
            by_status: Some(ByStatus {
                why: listed::not_read_and_what(explanation),
                lacks_rights: !unread::lacking(explanation).is_empty(),
            }),
            since: at.map(|at| (at, explanation.now())),
            ..row
        }
    }

    /// The row of an HPA that could not be read, by the name under which it was asked for.
    #[must_use]
    pub fn failed(namespace: String, name: String, error: String) -> Self {
        Self {
            origin: None,
            namespace,
            name,
            state: HpaState::Unknown,
            at: None,
            deleted: None,
            target: String::new(),
            current: None,
            range: None,
            is_either: false,
            bounds: None,
            wanted: None,
            metric: None,
            because: InShort::NotRead { status: None },
            cause: None,
            since: None,
            error: Some(error),
            by_status: None,
            gaps: Vec::new(),
        }
    }

    /// The same with where it was to be read.
    #[must_use]
    pub fn of_origin(self, origin: Origin) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// Why it is in its state, after what comes before that: it is being deleted.
    pub(super) fn marked_why(&self) -> String {
        let why = self.why();
        if self.deleted.is_some() { format!("being deleted; {why}") } else { why }
    }

    /// Why it is in its state.
    pub(super) fn why(&self) -> String {
        self.at.map_or_else(|| "not read: see the error".to_owned(), |at| self.because.text(at))
    }

    /// Where it is, and its name.
    #[must_use]
    pub fn place(&self) -> (Option<Origin>, String, String) {
        (self.origin.clone(), self.namespace.clone(), self.name.clone())
    }

    /// Whether a later row has nothing new but the time.
    #[must_use]
    pub fn says_the_same_as(&self, later: &Self) -> bool {
        let since = self.since.map(|(at, _)| at) == later.since.map(|(at, _)| at);
        since && *self == Self { at: self.at, since: self.since, ..later.clone() }
    }

    /// The context of the kubeconfig that it is of.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        self.origin.as_ref().and_then(Origin::context)
    }

    /// Tells when it was looked for last: one that is gone was not there then.
    pub fn looked_at(&mut self, at: Option<Instant>) {
        self.at = at;
    }

    /// When it was looked at; `None` if it could not be read.
    #[must_use]
    pub fn read_at(&self) -> Option<Instant> {
        self.at
    }

    /// The case that it is of, if there are several.
    pub(super) fn case(&self) -> Option<&str> {
        self.origin.as_ref().and_then(Origin::case)
    }
}

/// Many HPAs, those that need attention first.
#[derive(Clone, Debug)]
pub struct Fleet {
    pub(super) rows: Vec<Listed>,
    /// How many there are in each state, also of those that are not shown.
    pub(super) counts: [(HpaState, usize); HpaState::ALL.len()],
    /// How many states are those of the last status, by why that is so.
    pub by_status: BTreeMap<ByStatus, usize>,
    /// Unread things that only tell more, and of how many HPAs.
    pub gaps: BTreeMap<String, usize>,
    /// When the first and the last of them were looked at, shown or not.
    pub(super) times: Option<[Instant; 2]>,
    /// What could not be read, shown or not.
    pub(super) errors: Vec<Unanswered>,
    /// Where all of them were read, shown or not.
    pub(super) origins: Vec<Origin>,
    /// Whether rows name their contexts.
    pub(super) is_of_clusters: bool,
    /// Whether rows name their namespaces.
    pub(super) is_everywhere: bool,
}

fn counted<T: Ord>(all: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    all.for_each(|it| *counts.entry(it).or_default() += 1);
    counts
}

/// What is alike stays in the order that it had.
fn sort(rows: &mut [Listed], order: ListOrder) {
    let most = |number: Option<Replicas>| Reverse(number);
    let since = |row: &Listed| row.since.map_or((true, None), |(at, _)| (false, Some(at)));
    rows.sort_by(|one, other| match order {
        ListOrder::State => one.key().cmp(&other.key()),
        ListOrder::Context => one.place().cmp(&other.place()),
        ListOrder::Namespace => (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name)),
        ListOrder::Name => one.name.cmp(&other.name),
        ListOrder::Replicas => most(one.current).cmp(&most(other.current)),
        ListOrder::Max => most(one.bounds.map(|(_, max)| max)).cmp(&most(other.bounds.map(|(_, max)| max))),
        ListOrder::Wanted => most(one.wanted).cmp(&most(other.wanted)),
        ListOrder::Since => since(one).cmp(&since(other)),
    });
}

impl Fleet {
    /// Sorts: what is broken, then what is held, then the rest; of one severity by state, then by namespace and name. Where
    /// states are named, only HPAs in one of them are shown.
    #[must_use]
    pub fn of(mut rows: Vec<Listed>, only: &[HpaState], is_everywhere: bool) -> Self {
        let number = |state: HpaState| rows.iter().filter(|row| row.state == state).count();
        let counts = HpaState::ALL.map(|state| (state, number(state)));
        let errors = rows.iter().filter_map(Listed::unanswered).collect();
        let mut origins: Vec<Origin> = rows.iter().filter_map(|row| row.origin.clone()).collect();
        origins.sort_unstable();
        origins.dedup();
        let is_everywhere =
            is_everywhere || rows.windows(2).any(|pair| pair[0].namespace != pair[1].namespace);
        let by_status = counted(rows.iter().filter_map(|row| row.by_status.clone()));
        let gaps = counted(rows.iter().flat_map(|row| row.gaps.iter().cloned()));
        let times = rows.iter().filter_map(Listed::read_at);
        let times = times.clone().min().zip(times.max()).map(Into::into);
        rows.retain(|row| only.is_empty() || only.contains(&row.state));
        sort(&mut rows, ListOrder::State);
        let is_of_clusters = false;
        Self { rows, counts, by_status, gaps, times, errors, origins, is_of_clusters, is_everywhere }
    }

    /// The same with what has no row: clusters and files that could not be read at all.
    #[must_use]
    pub fn and_unread(mut self, unread: Vec<Unanswered>) -> Self {
        self.errors.extend(unread);
        self.errors.sort_unstable();
        self
    }

    /// A fleet without an HPA was looked at now.
    #[must_use]
    pub fn looked_at(self, now: Option<Instant>) -> Self {
        Self { times: self.times.or(now.map(|now| [now; 2])), ..self }
    }

    /// When they were looked at, in words; `None` where none could be read.
    pub(super) fn read(&self) -> Option<String> {
        let [first, last] = self.times?;
        let first = (first != last).then(|| format!("from {} to ", on_day(first)));
        Some(format!("read {}{}", first.unwrap_or_default(), on_day(last)))
    }

    /// The same of several clusters.
    #[must_use]
    pub fn of_clusters(self) -> Self {
        Self { is_of_clusters: true, ..self }
    }

    /// The same by a column; what is alike there stays in the order of the states.
    #[must_use]
    pub fn sorted(mut self, order: ListOrder) -> Self {
        if order != ListOrder::State {
            sort(&mut self.rows, order);
        }
        self
    }

    /// The title of a page: `HPAs · context prod · 2026-11-21 10:42:00 UTC`.
    #[must_use]
    pub fn title(&self) -> String {
        let clusters =
            clusters(&self.origins).map(|(title, names)| format!("{} {names}", title.to_lowercase()));
        let at = self.times.map(|[_, last]| on_day(last));
        ["HPAs".to_owned()].into_iter().chain(clusters).chain(at).collect::<Vec<_>>().join(" · ")
    }

    /// How many HPAs are in a state, shown or not.
    #[must_use]
    pub fn count(&self, state: HpaState) -> usize {
        self.counts.iter().find(|(counted, _)| *counted == state).map_or(0, |(_, number)| *number)
    }

    /// Those that are shown, in their order.
    #[must_use]
    pub fn rows(&self) -> &[Listed] {
        &self.rows
    }

    /// The names of those that are shown; of several clusters with what else finds them.
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.rows
            .iter()
            .map(|row| name(&row.name, &row.namespace, row.origin.as_ref().filter(|_| self.is_of_clusters)))
    }
}

impl Listed {
    fn key(&self) -> impl Ord + '_ {
        (self.state.severity(), self.state, self.context(), &self.namespace, &self.name, &self.origin)
    }

    fn unanswered(&self) -> Option<Unanswered> {
        let message = self.error.clone()?;
        Some(Unanswered { message, ..Unanswered::of(&self.namespace, &self.name, self.origin.as_ref()) })
    }
}
