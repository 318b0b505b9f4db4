//! Which HPAs of a record or a log are meant.

use crate::cli::HistoryArgs;
use kubectl_hpa_core::model::is_hpa_type;

/// Those of some names, or of a namespace; all where nothing is said.
pub struct Named {
    names: Vec<String>,
    namespace: Option<String>,
}

impl Named {
    /// As it was typed.
    pub fn of(args: &HistoryArgs) -> Self {
        let namespace = args.connection.namespace.clone().filter(|it| !it.is_empty() && !args.all_namespaces);
        Self { names: args.subjects().named(), namespace }
    }

    /// The HPA of this name, or all.
    pub fn only(name: Option<&String>) -> Self {
        Self { names: name.into_iter().cloned().collect(), namespace: None }
    }

    /// Without a typed namespace, it is that of the cluster's HPAs.
    pub fn stay_in(&mut self, namespace: Option<String>) {
        self.namespace = self.namespace.take().or(namespace);
    }

    /// True if an HPA is meant; the log of an older controller does not show its namespace.
    pub fn means(&self, namespace: Option<&str>, name: &str) -> bool {
        let is_in = |typed: &str| namespace.is_none_or(|it| it == typed);
        let is_here = self.namespace.as_deref().is_none_or(is_in);
        let is = |typed: &String| match typed.split_once('/') {
            Some((of, typed)) => typed == name && (is_in(of) || is_hpa_type(of) && is_here),
            None => typed == name && is_here,
        };
        if self.names.is_empty() { is_here } else { self.names.iter().any(is) }
    }

    /// The names, for an error.
    pub fn at(&self) -> String {
        if self.names.is_empty() { String::new() } else { format!(" at {}", self.names.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::Named;

    #[test]
    fn names_and_namespaces_choose() {
        let named = |names: &[&str], namespace: Option<&str>| Named {
            names: names.iter().map(ToString::to_string).collect(),
            namespace: namespace.map(ToOwned::to_owned),
        };
        for (names, of, namespace, is_meant) in [
            (&[][..], None, Some("shop"), true),
            (&[], Some("shop"), Some("shop"), true),
            (&[], Some("other"), Some("shop"), false),
            (&[], Some("other"), None, true),
            (&["web"], None, Some("shop"), true),
            (&["api"], None, Some("shop"), false),
            (&["web"], Some("other"), Some("shop"), false),
            (&["shop/web"], Some("other"), Some("shop"), true),
            (&["other/web"], None, Some("shop"), false),
            (&["other/web"], None, None, true),
            (&["hpa/web"], Some("shop"), Some("shop"), true),
            (&["hpa/web"], Some("other"), Some("shop"), false),
        ] {
            assert_eq!(named(names, of).means(namespace, "web"), is_meant, "{names:?} {of:?} {namespace:?}");
        }
    }
}
