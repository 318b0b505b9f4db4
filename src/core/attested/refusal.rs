//! An authorizer's refusal in a message of the controller: who may not do what.

/// Who was refused what (upstream `responsewriters.ForbiddenStatusError`, `forbiddenMessage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal<'m> {
    /// The user as whom the controller asked.
    pub user: &'m str,
    /// For example `list`.
    pub verb: &'m str,
    /// With its subresource: `deployments/scale`.
    pub resource: &'m str,
    /// The API group; empty is the core group.
    pub group: &'m str,
    /// The namespace; `None` is the whole cluster.
    pub namespace: Option<&'m str>,
}

impl<'m> Refusal<'m> {
    /// Reads `… is forbidden: User "U" cannot VERB resource "R" in API group "G" in the namespace "N"`; `None` if nobody is
    /// named, so that the refusal may be everybody's.
    #[must_use]
    pub fn of(message: &'m str) -> Option<Self> {
        let (_, rest) = message.split_once(" is forbidden: User \"")?;
        let (user, rest) = rest.split_once("\" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \"")?;
        let (resource, rest) = rest.split_once("\" in API group \"")?;
        let (group, rest) = rest.split_once('"')?;
        let namespace = rest.strip_prefix(" in the namespace \"").and_then(|rest| rest.split_once('"'));
        Some(Self { user, verb, resource, group, namespace: namespace.map(|(namespace, _)| namespace) })
    }
}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn the_words_of_an_authorizer_name_the_user_and_the_right() {
        let words = "unable to fetch: deployments.apps \"web\" is forbidden: User \"system:serviceaccount:kube-system:horizontal-pod-autoscaler\" cannot get resource \"deployments/scale\" in API group \"apps\" in the namespace \"shop\"";
        let refusal = Refusal::of(words).expect("a refusal");
        assert_eq!((refusal.verb, refusal.resource, refusal.group), ("get", "deployments/scale", "apps"));
        assert_eq!(refusal.user, "system:serviceaccount:kube-system:horizontal-pod-autoscaler");
        assert_eq!(refusal.namespace, Some("shop"));
        let everywhere = "pods is forbidden: User \"dev\" cannot list resource \"pods\" in API group \"\" at the cluster scope";
        assert_eq!(Refusal::of(everywhere).and_then(|it| it.namespace), None);
        for other in [
            "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'a' denied request: frozen",
            "the server is currently unable to handle the request",
            "x is forbidden: User \"dev\" cannot",
            "",
        ] {
            assert_eq!(Refusal::of(other), None, "{other}");
        }
    }
}
