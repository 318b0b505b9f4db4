//! HPAs of clusters that may each fail, by their contexts of the kubeconfig.

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures::stream::{self, LocalBoxStream, StreamExt};

use super::connect::connect;
use super::subjects::{self, Asked, Nothing};
use crate::cli::{ConnectionArgs, SubjectArgs};
use crate::cluster::{ClusterError, Connection};
use kubectl_hpa_core::comparison::Unanswered;

/// So many clusters are read at the same time.
const AT_ONCE: usize = 4;

/// The clusters, each connected to once: a credential plugin asks a person no more often than that.
pub struct Clusters {
    each: Vec<ConnectionArgs>,
    connected: RefCell<BTreeMap<String, Connection>>,
}

/// What comes from a cluster.
pub enum Found<T> {
    /// An HPA with what was read of it.
    Hpa(Box<(Asked, T)>),
    /// Nothing of the cluster could be read.
    Failed(Unread),
    /// No HPA of the cluster matches: in this namespace, or in any.
    Nothing(Option<String>),
}

/// A cluster that could not be read, and why.
pub struct Unread {
    /// Its context; empty where none was typed.
    pub context: String,
    /// Why not.
    pub error: anyhow::Error,
}

impl Unread {
    /// As an item of `errors`.
    pub fn unanswered(&self) -> Unanswered {
        let (context, message) = (Some(self.context.clone()), format!("{:#}", self.error));
        Unanswered { context, message, ..Unanswered::default() }
    }

    /// The same in words, with the cluster where there are several.
    pub fn told(&self) -> String {
        let context =
            if self.context.is_empty() { String::new() } else { format!("context {}: ", self.context) };
        format!("{context}{:#}", self.error)
    }

    /// The error with the cluster that it is of.
    pub fn into_error(self) -> anyhow::Error {
        if self.context.is_empty() {
            self.error
        } else {
            self.error.context(format!("context {}", self.context))
        }
    }
}

impl Clusters {
    /// Those that were typed; not connected to yet.
    pub fn of(connection: &ConnectionArgs) -> Self {
        Self { each: connection.each(), connected: RefCell::default() }
    }

    /// Whether there are several.
    pub fn is_several(&self) -> bool {
        self.each.len() > 1
    }

    /// What is read of the HPAs of each cluster, those of one cluster in their order. A cluster that answers late, or not at
    /// all, holds up no other.
    pub fn read_ahead<'a, T: 'a>(
        &'a self,
        subjects: &'a SubjectArgs,
        read: impl Fn(Vec<Asked>) -> LocalBoxStream<'a, (Asked, T)> + Copy + 'a,
    ) -> LocalBoxStream<'a, Found<T>> {
        let each = self.each.iter().map(move |args| self.read_one(subjects, args, read));
        stream::iter(each).flatten_unordered(AT_ONCE).boxed_local()
    }

    fn read_one<'a, T: 'a>(
        &'a self,
        subjects: &'a SubjectArgs,
        args: &'a ConnectionArgs,
        read: impl Fn(Vec<Asked>) -> LocalBoxStream<'a, (Asked, T)> + Copy + 'a,
    ) -> LocalBoxStream<'a, Found<T>> {
        let asked = stream::once(Box::pin(self.asked(subjects, args)));
        let found = asked.flat_map(move |asked| match asked {
            Ok(asked) => read(asked).map(|found| Found::Hpa(Box::new(found))).boxed_local(),
            Err(error) => stream::iter([self.failed(args, error)]).boxed_local(),
        });
        found.boxed_local()
    }

    async fn asked(&self, subjects: &SubjectArgs, args: &ConnectionArgs) -> anyhow::Result<Vec<Asked>> {
        let context = args.context().unwrap_or_default();
        let known = self.connected.borrow().get(context).cloned();
        let connection = match known {
            Some(connection) => connection,
            None => connect(args.clone()).await?,
        };
        self.connected.borrow_mut().insert(context.to_owned(), connection.clone());
        let label = self.is_several().then_some(context);
        subjects::of_connection(subjects, connection, args.namespace.as_deref(), label).await
    }

    /// Credentials that are not accepted may have been renewed where they came from.
    fn failed<T>(&self, args: &ConnectionArgs, error: anyhow::Error) -> Found<T> {
        let context = args.context().unwrap_or_default().to_owned();
        if matches!(error.downcast_ref(), Some(ClusterError::Unauthenticated { .. })) {
            self.connected.borrow_mut().remove(&context);
        }
        match subjects::nothing(&error) {
            Some(Nothing(namespace)) => Found::Nothing(namespace),
            None => Found::Failed(Unread { context, error }),
        }
    }
}
