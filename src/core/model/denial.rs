//! An authorizer's refusal, as the API server words it and the controller quotes it.

/// A right that a user lacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial<'a> {
    /// Who asked.
    pub user: &'a str,
    /// For example `list`.
    pub verb: &'a str,
    /// With its subresource: `deployments/scale`.
    pub resource: &'a str,
    /// Empty for the core group.
    pub group: &'a str,
    /// Empty at the cluster scope.
    pub namespace: &'a str,
    /// Of the object; empty for all.
    pub name: &'a str,
}

/// What parts the object from what is said of it.
const FORBIDDEN: &str = " is forbidden: User \"";

impl<'a> Denial<'a> {
    /// Those that a text quotes, in their order.
    ///
    /// Source: `forbiddenMessage` of k8s.io/apiserver's `responsewriters`, and `NewForbidden` of apimachinery's `errors`.
    pub fn all_in(text: &'a str) -> impl Iterator<Item = Self> {
        text.match_indices(FORBIDDEN).filter_map(|(index, words)| {
            let (object, denied) = (text.get(..index)?, text.get(index + words.len()..)?);
            Self::parse(object, denied)
        })
    }

    fn parse(object: &'a str, denied: &'a str) -> Option<Self> {
        let (user, rest) = denied.split_once("\" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \"")?;
        let (resource, rest) = rest.split_once("\" in API group \"")?;
        let (group, rest) = rest.split_once('"')?;
        let namespace = match rest.strip_prefix(" in the namespace \"") {
            Some(rest) => rest.split_once('"')?.0,
            None => rest.strip_prefix(" at the cluster scope").map(|_| "")?,
        };
        let name = object.strip_suffix('"').and_then(|it| it.rsplit_once('"')).map_or("", |(_, name)| name);
        let is_plain = [user, verb, resource, group].iter().all(|it| !it.contains(['"', ' ']));
        (is_plain && !user.is_empty()).then_some(Self { user, verb, resource, group, namespace, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: &str = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";

    fn denials(text: &str) -> Vec<Denial<'_>> {
        Denial::all_in(text).collect()
    }

    /// Messages of a 1.37.1 control plane whose controller lacked the right.
    #[test]
    fn what_the_controller_quotes_is_read() {
        let text = format!(
            "the HPA controller was unable to get the target's current scale: deployments.apps \"web\" is forbidden: \
             User \"{USER}\" cannot get resource \"deployments/scale\" in API group \"apps\" in the namespace \"shop\""
        );
        let (user, verb, namespace) = (USER, "get", "shop");
        let scale =
            Denial { user, verb, resource: "deployments/scale", group: "apps", namespace, name: "web" };
        assert_eq!(denials(&text), [scale]);
        let text = format!(
            "the HPA was unable to compute the replica count: unable to get external metric shop/queue/nil: unable to \
             fetch metrics from external metrics API: queue.external.metrics.k8s.io is forbidden: User \"{USER}\" \
             cannot list resource \"queue\" in API group \"external.metrics.k8s.io\" in the namespace \"shop\": RBAC: \
             clusterrole.rbac.authorization.k8s.io \"metrics\" not found"
        );
        let (verb, group) = ("list", "external.metrics.k8s.io");
        let metric = Denial { user, verb, resource: "queue", group, namespace, name: "" };
        assert_eq!(denials(&text), [metric]);
        let text = "nodes is forbidden: User \"eve\" cannot list resource \"nodes\" in API group \"\" at the cluster scope";
        let nodes = Denial { user: "eve", verb, resource: "nodes", group: "", namespace: "", name: "" };
        assert_eq!(denials(text), std::slice::from_ref(&nodes));
        assert_eq!(denials(&format!("{text}; {text}")), [nodes.clone(), nodes]);
    }

    #[test]
    fn other_refusals_are_none() {
        for text in [
            "",
            "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'no' denied request: no",
            "pods \"web\" is forbidden: exceeded quota: few",
            "forbidden: User \"eve\" cannot get path \"/metrics\"",
            "x is forbidden: User \"eve\" cannot get path \"/metrics\"",
            "x is forbidden: User \"eve\" cannot list resource \"x\" in API group \"\" in the namespace \"sh",
            "x is forbidden: User \"eve\" cannot list resource \"x\" in API group \"\"",
            "x is forbidden: User \"\" cannot list resource \"x\" in API group \"\" at the cluster scope",
        ] {
            assert_eq!(denials(text), [], "{text}");
        }
    }
}
