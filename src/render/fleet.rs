//! Many HPAs, a row of each.

use std::cmp::Reverse;

use super::phrases::listed;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{HpaState, Instant, ListOrder, Replicas};

/// What is kept of one HPA: a decision with its ten thousand pods is dropped as soon as its row is made.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The state that counts.
    pub state: HpaState,
    /// Whether the state is that of the last status, because what the controller reads could not be read.
    pub is_by_status: bool,
    pub(super) target: String,
    pub(super) current: Option<Replicas>,
    pub(super) range: Option<(Replicas, Replicas)>,
    pub(super) bounds: Option<(Replicas, Replicas)>,
    pub(super) wanted: Option<Replicas>,
    /// Name and reading of the deciding metric.
    pub(super) metric: Option<(String, String)>,
    pub(super) why: String,
    /// Since when, and by which clock that is told.
    pub(super) since: Option<(Instant, Instant)>,
    /// Why it could not be read.
    pub(super) error: Option<String>,
}

impl Listed {
    /// The row of an HPA.
    #[must_use]
    pub fn of(explanation: &Explanation) -> Self {
        let hpa = &explanation.snapshot().hpa;
        let row = Self {
            namespace: hpa.key.namespace.to_string(),
            name: hpa.key.name.to_string(),
            state: explanation.state(),
            is_by_status: false,
            target: explanation.target(),
            current: explanation.current(),
            range: explanation.range(),
            bounds: Some((hpa.min, hpa.max)),
            wanted: explanation.decision().choice.map(|choice| choice.after),
            metric: listed::metric(explanation),
            why: listed::why(explanation),
            since: explanation.state_since().map(|at| (at, explanation.now())),
            error: None,
        };
        let Some((state, condition)) = explanation.state_by_status() else { return row };
        // AbleToScale and ScalingLimited keep their times where only their reasons change.
        let has_begun = !matches!(state, HpaState::Held | HpaState::Scaling);
        let at = condition.and_then(|it| it.last_transition_time).filter(|at| *at < explanation.now());
        let at = at.filter(|_| has_begun);
        Self {
            state,
            is_by_status: true,
            current: row.current.or(Some(Replicas(hpa.status.current_replicas))),
            why: listed::by_status(condition),
            since: at.map(|at| (at, explanation.now())),
            ..row
        }
    }

    /// The row of an HPA that could not be read, by the name under which it was asked for.
    #[must_use]
    pub fn failed(namespace: String, name: String, error: String) -> Self {
        Self {
            namespace,
            name,
            state: HpaState::Unknown,
            is_by_status: false,
            target: String::new(),
            current: None,
            range: None,
            bounds: None,
            wanted: None,
            metric: None,
            why: "not read: see the error".to_owned(),
            since: None,
            error: Some(error),
        }
    }
}

/// Many HPAs, those that need attention first.
#[derive(Clone, Debug)]
pub struct Fleet {
    pub(super) rows: Vec<Listed>,
    /// How many there are in each state, also of those that are not shown.
    pub(super) counts: [(HpaState, usize); HpaState::ALL.len()],
    /// How many states are those of the last status.
    pub by_status: usize,
    /// Those that could not be read, shown or not.
    pub(super) unread: Vec<Listed>,
    /// Whether rows name their namespaces.
    pub(super) is_everywhere: bool,
}

impl Fleet {
    /// Sorts: what is broken, then what is held, then the rest; of one severity by state, then by namespace and name. Where
    /// states are named, only HPAs in one of them are shown.
    #[must_use]
    pub fn of(mut rows: Vec<Listed>, only: &[HpaState], is_everywhere: bool) -> Self {
        let number = |state: HpaState| rows.iter().filter(|row| row.state == state).count();
        let counts = HpaState::ALL.map(|state| (state, number(state)));
        let unread = rows.iter().filter(|row| row.error.is_some()).cloned().collect();
        let is_everywhere =
            is_everywhere || rows.windows(2).any(|pair| pair[0].namespace != pair[1].namespace);
        let by_status = rows.iter().filter(|row| row.is_by_status).count();
        rows.retain(|row| only.is_empty() || only.contains(&row.state));
        rows.sort_by(|one, other| one.key().cmp(&other.key()));
        Self { rows, counts, by_status, unread, is_everywhere }
    }

    /// The same by a column; what is alike there stays in the order of the states.
    #[must_use]
    pub fn sorted(mut self, order: ListOrder) -> Self {
        let most = |number: Option<Replicas>| Reverse(number);
        match order {
            ListOrder::State => {}
            ListOrder::Namespace => {
                self.rows
                    .sort_by(|one, other| (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name)));
            }
            ListOrder::Name => self.rows.sort_by(|one, other| one.name.cmp(&other.name)),
            ListOrder::Replicas => self.rows.sort_by_key(|row| most(row.current)),
            ListOrder::Max => self.rows.sort_by_key(|row| most(row.bounds.map(|(_, max)| max))),
            ListOrder::Wanted => self.rows.sort_by_key(|row| most(row.wanted)),
            ListOrder::Since => {
                self.rows.sort_by_key(|row| row.since.map_or((true, None), |(at, _)| (false, Some(at))));
            }
        }
        self
    }

    /// How many HPAs are in a state, shown or not.
    #[must_use]
    pub fn count(&self, state: HpaState) -> usize {
        self.counts.iter().find(|(counted, _)| *counted == state).map_or(0, |(_, number)| *number)
    }

    /// The names of those that are shown.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.name.as_str())
    }
}

impl Listed {
    fn key(&self) -> impl Ord + '_ {
        (self.state.severity(), self.state, &self.namespace, &self.name)
    }
}
