//! Masks the names of people in a case: the API server names the user whom it refuses something.

use kubectl_hpa_core::snapshot::case::AccessCase;

/// What stands before a user's name in a refusal.
const USER: &str = "User \"";

/// A user as it may be told. The names of Kubernetes' own components, which begin so, are nobody's.
pub(super) fn user(name: &str) -> &str {
    if name.starts_with("system:") { name } else { "user" }
}

/// The same right without the name of who lacks it.
pub(super) fn mask(access: &mut AccessCase) {
    access.user = user(&access.user).to_owned();
}

/// A message without the names of the users that it names.
pub(super) fn text(text: &str) -> String {
    let mut parts = text.split(USER);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let name = part.split('"').next().unwrap_or_default();
        [&text, USER, user(name), &part[name.len()..]].concat()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn people_are_masked_and_components_are_not() {
        for (text, masked) in [
            (
                "pods is forbidden: User \"eve@corp.example\" cannot list",
                "pods is forbidden: User \"user\" cannot list",
            ),
            (
                "User \"system:kube-controller-manager\" cannot",
                "User \"system:kube-controller-manager\" cannot",
            ),
            ("User \"a\" and User \"b", "User \"user\" and User \"user"),
            ("no User", "no User"),
            ("", ""),
        ] {
            assert_eq!(super::text(text), masked);
        }
    }
}
