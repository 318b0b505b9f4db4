//! Lists by what was asked for, each read once.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OnceCell};

use super::workload::Workload;
use crate::cluster::client::Client;
use crate::cluster::wire::{DatedRead, Get, Item};
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::ReadError;

/// A right that is missing.
const FORBIDDEN: u16 = 403;
/// A page that came too late, and a request that has to wait.
const OF_THE_LIST: [u16; 2] = [410, 429];

/// An item of a namespace, and what it can be found by.
pub(in crate::cluster) trait Placed {
    fn namespace(&self) -> &str;

    /// What it can be found by.
    fn names(&self) -> impl Iterator<Item = Name<'_>>;
}

impl Placed for Arc<api::Pod> {
    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        self.metadata.labels.iter()
    }
}

impl Placed for Arc<api::PodMetrics> {
    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        self.metadata.labels.iter()
    }
}

impl Placed for api::Event {
    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        std::iter::once((self.involved_object.name.as_str(), ""))
    }
}

impl Placed for Workload {
    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        std::iter::once((self.metadata.name.as_str(), ""))
    }
}

/// A label, key and value; or the name of an object, without a value.
pub(in crate::cluster) type Name<'a> = (&'a str, &'a str);

/// Stands for a name of an item in a namespace; others may have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark(u32);

impl Mark {
    fn of(namespace: &str, name: Name<'_>) -> Self {
        Self::hash((namespace, name))
    }

    fn of_all(namespace: &str) -> Self {
        Self::hash(namespace)
    }

    fn hash(text: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        // The lower half.
        let [one, two, three, four, ..] = hasher.finish().to_le_bytes();
        Self(u32::from_le_bytes([one, two, three, four]))
    }
}

/// The items of a list in their order, and where those are that have a mark.
struct Listed<T> {
    items: Vec<T>,
    /// Sorted. No list has four billion items.
    places: Box<[(Mark, u32)]>,
}

impl<T: Placed> Listed<T> {
    fn new(mut items: Vec<T>) -> Self {
        items.shrink_to_fit();
        let marks = items.iter().map(|item| {
            let namespace = item.namespace();
            item.names().map(|name| Mark::of(namespace, name)).chain([Mark::of_all(namespace)])
        });
        let places = marks.zip(0..).flat_map(|(marks, place)| marks.map(move |mark| (mark, place)));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        places.dedup();
        Self { items, places: places.into() }
    }

    /// Those of a namespace that have all these names.
    fn find(&self, namespace: &str, names: &[Name<'_>]) -> impl Iterator<Item = &T> {
        let all = names.is_empty().then(|| Mark::of_all(namespace));
        let marks = names.iter().map(|name| Mark::of(namespace, *name)).chain(all);
        let rarest = marks.map(|mark| self.marked(mark)).min_by_key(|places| places.len());
        let places = rarest.unwrap_or_default().iter().filter_map(|(_, place)| usize::try_from(*place).ok());
        let found = places.filter_map(|place| self.items.get(place));
        // Two names may have the same mark.
        found.filter(move |item| item.namespace() == namespace)
    }

    fn marked(&self, mark: Mark) -> &[(Mark, u32)] {
        let (_, rest) = self.places.split_at(self.places.partition_point(|(it, _)| *it < mark));
        rest.split_at(rest.partition_point(|(it, _)| *it == mark)).0
    }
}

/// The namespace of a list, empty for that of all; and what it lists.
pub(in crate::cluster) type ListName<'a> = (&'a str, &'a str);

type Cell<T> = Arc<OnceCell<DatedRead<Listed<T>>>>;

/// What was listed, by name.
pub(in crate::cluster) struct Lists<T> {
    cells: Mutex<BTreeMap<String, Cell<T>>>,
    /// How namespaces answered where the whole cluster refused.
    tries: AsyncMutex<Tries>,
}

/// How the lists of namespaces went.
#[derive(Default)]
struct Tries {
    has_answer: bool,
    refused: usize,
}

impl Tries {
    /// So many namespaces that refuse are enough, unless one has answered.
    const MOST: usize = 3;
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { cells: Mutex::default(), tries: AsyncMutex::default() }
    }
}

impl<T: Placed> Lists<T> {
    /// Returns what a read of `single` does, out of the list of this name: what is picked of the items that have all the names. Where
    /// the list cannot be had, nothing is asked in its place: a server in trouble would get a request for each HPA. Only a right
    /// that is missing in the whole cluster may be there in namespaces: each is listed once, until some have refused.
    ///
    /// Both reads are put together only where they are needed, which is not for each of ten thousand HPAs.
    pub async fn items<R: Item + Into<T>, U>(
        &self,
        client: &Client,
        (scope, what): ListName<'_>,
        list: &dyn Fn(&str) -> Get,
        single: &dyn Fn() -> Get,
        names: &[Name<'_>],
        pick: impl Fn(&T) -> Option<U>,
    ) -> DatedRead<Vec<U>> {
        let whole = self.cell((scope, what));
        let whole = whole.get_or_init(|| Box::pin(read::<R, T>(client, list(scope)))).await;
        let is_refused = scope.is_empty() && whole.read.as_ref().is_err_and(|it| it.code == Some(FORBIDDEN));
        let own = is_refused.then(|| self.cell((&client.namespace, what)));
        if let Some(own) = &own {
            self.list_own::<R>(client, list, own).await;
        }
        let (scope, answer) = match own.as_deref().and_then(OnceCell::get) {
            Some(answer) => (client.namespace.as_str(), answer),
            None => (scope, whole),
        };
        match &answer.read {
            Ok(all) => {
                let items = all.find(&client.namespace, names).filter_map(pick).collect();
                DatedRead { read: Ok(items), at: answer.at }
            }
            Err(error) => {
                let error = error.clone();
                let error = if is_of_all((scope, what), &error) {
                    ReadError { path: single().path.as_str().into(), ..error }
                } else {
                    error.of_reader()
                };
                DatedRead { read: Err(error), at: answer.at }
            }
        }
    }

    /// Lists the client's namespace, unless that has been done or is of no use. One after the other until the first answers, so
    /// that which are asked does not depend on which is faster.
    async fn list_own<R: Item + Into<T>>(&self, client: &Client, list: &dyn Fn(&str) -> Get, own: &Cell<T>) {
        let read = || Box::pin(read::<R, T>(client, list(&client.namespace)));
        let mut tries = self.tries.lock().await;
        if tries.has_answer {
            drop(tries);
            own.get_or_init(read).await;
        } else if !own.initialized() && tries.refused < Tries::MOST {
            let is_answered = own.get_or_init(read).await.read.is_ok();
            tries.has_answer = is_answered;
            tries.refused += usize::from(!is_answered);
        }
    }

    fn cell(&self, (namespace, what): ListName<'_>) -> Cell<T> {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cells.entry([namespace, "/", what].concat()).or_default())
    }
}

async fn read<R: Item + Into<T>, T: Placed>(client: &Client, list: Get) -> DatedRead<Listed<T>> {
    client.list::<R>(&list).await.map(|items| Listed::new(items.into_iter().map(Into::into).collect()))
}

/// Whether a read of a part gets the same error: what the API server answers. A right that is missing in the whole cluster
/// may be there in a namespace, and its error has other words there; a list that is too long or breaks off may be short for
/// one HPA.
fn is_of_all((namespace, _): ListName<'_>, error: &ReadError) -> bool {
    let Some(code) = error.code.filter(|code| *code >= 400 && !error.is_foreign()) else { return false };
    !(OF_THE_LIST.contains(&code) || code == FORBIDDEN && namespace.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use kubectl_hpa_core::model::{Labels, Selector};

    fn pod() -> impl Strategy<Value = Arc<api::Pod>> {
        let labels = prop::collection::btree_map("[a-c]", "[x-z]?", 0..4);
        ("[mn]", labels).prop_map(|(namespace, labels)| {
            let labels = Labels::from_iter(labels);
            let metadata =
                api::ObjectMeta { namespace: namespace.into(), labels, ..api::ObjectMeta::default() };
            Arc::new(api::Pod { metadata, ..api::Pod::default() })
        })
    }

    fn selector() -> impl Strategy<Value = Selector> {
        let requirement = prop_oneof![
            "[a-c]={1,2}[x-z]?",
            "[a-c] in \\([x-z]\\)",
            "[a-c] in \\(x,y\\)",
            "[a-c]!=[x-z]",
            "!?[a-c]",
        ];
        let text = prop::collection::vec(requirement, 0..3).prop_map(|all| all.join(","));
        let parsed = text.prop_map(|text| Selector::parse(&text).expect("a selector"));
        prop_oneof![9 => parsed, 1 => Just(Selector::nothing())]
    }

    proptest! {
        #[test]
        fn what_is_found_by_labels_is_what_a_look_at_all_finds(
            pods in prop::collection::vec(pod(), 0..20),
            selector in selector(),
            namespace in "[mno]",
        ) {
            let keep = |pod: &&Arc<api::Pod>| selector.matches(&pod.metadata.labels);
            let is_there = |pod: &&Arc<api::Pod>| pod.metadata.namespace == namespace;
            let all: Vec<Arc<api::Pod>> = pods.iter().filter(is_there).filter(keep).cloned().collect();
            let labels: Vec<_> = selector.labels().collect();
            let listed = Listed::new(pods);
            let found: Vec<Arc<api::Pod>> = listed.find(&namespace, &labels).filter(keep).cloned().collect();
            prop_assert_eq!(found, all);
        }
    }

    #[test]
    fn only_those_with_a_label_are_looked_at() {
        let pods = (0..100).map(|index| {
            let labels =
                Labels::from_iter([("app", format!("{}", index % 10)), ("tier", "front".to_owned())]);
            let metadata = api::ObjectMeta { namespace: "shop".into(), labels, ..api::ObjectMeta::default() };
            Arc::new(api::Pod { metadata, ..api::Pod::default() })
        });
        let listed = Listed::new(pods.collect());
        let found = |names: &[Name<'_>]| listed.find("shop", names).count();
        assert_eq!(found(&[("tier", "front"), ("app", "3")]), 10);
        assert_eq!(found(&[("tier", "front")]), 100);
        assert_eq!(found(&[("tier", "back"), ("app", "3")]), 0);
        assert_eq!(found(&[]), 100);
    }
}
