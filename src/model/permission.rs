//! The RBAC rule that would have allowed a read.

use std::fmt;

/// A verb on a resource, in a namespace or everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permission {
    /// `get` or `list`.
    pub verb: &'static str,
    /// The API group; empty is the core group.
    pub group: String,
    /// The resource, with its subresource where one was read: `deployments/scale`.
    pub resource: String,
    /// The namespace; `None` is the whole cluster.
    pub namespace: Option<String>,
}

impl Permission {
    /// The permission that a GET of this API path needs. `None` for paths of no resource, as `/version`.
    ///
    /// Source: `RequestInfoFactory.NewRequestInfo` of apiserver's `pkg/endpoints/request`.
    #[must_use]
    pub fn to_get(path: &str) -> Option<Self> {
        let path = path.split('?').next()?;
        let mut segments = path.split('/').filter(|segment| !segment.is_empty());
        let group = match segments.next()? {
            "api" => "",
            "apis" => segments.next()?,
            _ => return None,
        };
        let _version = segments.next()?;
        let rest: Vec<&str> = segments.collect();
        let (namespace, rest) = match rest.as_slice() {
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (Some(*namespace), rest),
            rest => (None, rest),
        };
        let (verb, resource) = match rest {
            [resource] => ("list", (*resource).to_owned()),
            [resource, _name] => ("get", (*resource).to_owned()),
            [resource, _name, subresource, ..] => ("get", format!("{resource}/{subresource}")),
            [] => return None,
        };
        Some(Self { verb, group: group.into(), resource, namespace: namespace.map(Into::into) })
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "verb {} on resource {}", self.verb, self.resource)?;
        if !self.group.is_empty() {
            write!(f, " of API group {}", self.group)?;
        }
        match &self.namespace {
            Some(namespace) => write!(f, " in namespace {namespace}"),
            None => write!(f, " in the whole cluster"),
        }
    }
}
