//! What is said of a read that only the reader could not do, and of the permission that would help.

use crate::snapshot::ReadError;
use crate::trace::Unread;

/// What happened, in half a sentence.
pub(in crate::render) fn what(unread: &Unread) -> String {
    match unread {
        Unread::NotInCase => "the case does not hold it".to_owned(),
        Unread::Refused(error) => refused(error),
    }
}

/// An error with its status and its place, where they are known.
pub(in crate::render) fn refused(error: &ReadError) -> String {
    let status = [error.code.map(|code| code.to_string()), Some(error.reason.clone())];
    let status: Vec<String> = status.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let status = if status.is_empty() { String::new() } else { format!("{}: ", status.join(" ")) };
    let path = if error.path.is_empty() { String::new() } else { format!("GET {}: ", error.path) };
    format!("{path}{status}{}", error.message)
}

/// The permission that the read needs: verb, resource and namespace; `None` where its path is not known.
pub(in crate::render) fn permission(unread: &Unread) -> Option<String> {
    match unread {
        Unread::NotInCase => None,
        Unread::Refused(error) => of_path(&error.path),
    }
}

fn of_path(path: &str) -> Option<String> {
    let path = path.split('?').next().unwrap_or_default();
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let group = match parts.next()? {
        "api" => "",
        "apis" => parts.next()?,
        _ => return None,
    };
    parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let (namespace, rest) = match rest.as_slice() {
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (Some(*namespace), rest),
        rest => (None, rest),
    };
    let (verb, resource) = match rest {
        [resource] => ("list", (*resource).to_owned()),
        [resource, _] => ("get", (*resource).to_owned()),
        [resource, _, subresource @ ..] => ("get", format!("{resource}/{}", subresource.join("/"))),
        [] => return None,
    };
    let group = if group.is_empty() { String::new() } else { format!(" of {group}") };
    let place = namespace.map_or_else(String::new, |namespace| format!(" in namespace {namespace}"));
    Some(format!("{verb} {resource}{group}{place}"))
}

#[cfg(test)]
mod tests {
    use super::of_path;

    #[test]
    fn the_permission_names_verb_resource_and_namespace() {
        let cases = [
            ("/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb", Some("list pods in namespace shop")),
            (
                "/apis/apps/v1/namespaces/shop/deployments/web/scale",
                Some("get deployments/scale of apps in namespace shop"),
            ),
            (
                "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods",
                Some("list pods of metrics.k8s.io in namespace shop"),
            ),
            ("/api/v1/namespaces/shop", Some("get namespaces")),
            ("/version", None),
            ("", None),
        ];
        for (path, permission) in cases {
            assert_eq!(of_path(path).as_deref(), permission, "{path}");
        }
    }
}
