//! The first document of a kubeconfig file: kubectl reads no other.

/// A text up to the end of its first YAML document.
///
/// Source: `yaml.YAMLToJSON` in client-go's `clientcmd.Load`, which decodes one document and leaves the rest alone.
pub(super) fn first(text: &str) -> &str {
    let mut has_begun = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_marker = |marker: &str| {
            line.strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        };
        if has_begun && (is_marker("---") || is_marker("...")) {
            return &text[..at];
        }
        has_begun |= is_marker("---") || !(line.trim().is_empty() || line.starts_with(['#', '%']));
        at += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_document_is_the_one_that_kubectl_reads() {
        for (text, document) in [
            ("a: 1\n---\nb: 2\n", "a: 1\n"),
            ("---\na: 1\n---\nb: 2\n", "---\na: 1\n"),
            ("# c\n\n--- # d\na: 1\n...\nb", "# c\n\n--- # d\na: 1\n"),
            ("# c\n---\n---\na: 1\n", "# c\n---\n"),
            ("a: '---'\n----\nb: 1\n", "a: '---'\n----\nb: 1\n"),
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("", ""),
        ] {
            assert_eq!(first(text), document, "{text}");
        }
    }
}
