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

    /// The resource with its group: `pods`, `deployments/scale of apps`.
    #[must_use]
    pub fn what(&self) -> String {
        let Self { group, resource, .. } = self;
        if group.is_empty() { resource.clone() } else { format!("{resource} of {group}") }
    }
}

/// `list pods in namespace shop`, `get deployments/scale of apps in namespace shop`.
impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb, self.what())?;
        match &self.namespace {
            Some(namespace) => write!(f, " in namespace {namespace}"),
            None => write!(f, " in the whole cluster"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Permission;

    #[test]
    fn a_path_tells_its_permission() {
        let cases = [
            ("/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb", Some("list pods in namespace shop")),
            ("/api/v1/namespaces/shop", Some("get namespaces in the whole cluster")),
            (
                "/apis/apps/v1/namespaces/shop/deployments/web/scale",
                Some("get deployments/scale of apps in namespace shop"),
            ),
            (
                "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods",
                Some("list pods of metrics.k8s.io in namespace shop"),
            ),
            (
                "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/rps",
                Some("get pods/rps of custom.metrics.k8s.io in namespace shop"),
            ),
            (
                "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue",
                Some("list queue of external.metrics.k8s.io in namespace shop"),
            ),
            ("/apis", None),
            ("/version", None),
            ("", None),
        ];
        for (path, permission) in cases {
            let told = Permission::to_get(path).map(|permission| permission.to_string());
            assert_eq!(told.as_deref(), permission, "{path}");
        }
    }
}
