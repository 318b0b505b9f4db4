//! What Kubernetes lets a name, a label's key and a label's value be, and what it says of others.
//!
//! Source: `k8s.io/apimachinery/pkg/api/validate/content`. Its words hold the patterns; what they match is plain enough to
//! be found without regular expressions.

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const KEY_WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                         alphanumeric character";
const KEY_EXAMPLES: &str = "(e.g. 'MyName',  or 'my.name',  or '123-abc', ";

/// What keeps a name from being a segment of a path (`IsPathSegmentName`).
#[must_use]
pub fn path_segment(name: &str) -> Vec<String> {
    if name == "." || name == ".." {
        return vec![format!("may not be '{name}'")];
    }
    let found = ["/", "%"].into_iter().filter(|refused| name.contains(refused));
    found.map(|refused| format!("may not contain '{refused}'")).collect()
}

/// What keeps a name from being a DNS label (`IsDNS1123Label`).
#[must_use]
pub fn dns_label(name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if name.len() > 63 {
        problems.push("must be no more than 63 characters".to_owned());
    }
    if !is_label(name) {
        problems.push(if is_subdomain(name) {
            "must not contain dots".to_owned()
        } else {
            format!(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                 and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                 '{LABEL}')"
            )
        });
    }
    problems
}

/// What keeps a name from being a DNS subdomain (`IsDNS1123Subdomain`).
#[must_use]
pub fn dns_subdomain(name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if name.len() > 253 {
        problems.push("must be no more than 253 bytes".to_owned());
    }
    if !is_subdomain(name) {
        problems.push(format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or \
             '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for \
             validation is '{LABEL}(\\.{LABEL})*')"
        ));
    }
    problems
}

/// What keeps a text from being a label's key or any other qualified name (`IsLabelKey`, `IsQualifiedName`).
#[must_use]
pub fn label_key(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let mut problems = Vec::new();
    let name = match parts[..] {
        [name] => name,
        ["", name] => {
            problems.push("prefix part must be non-empty".to_owned());
            name
        }
        [prefix, name] => {
            problems
                .extend(dns_subdomain(prefix).into_iter().map(|problem| format!("prefix part {problem}")));
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {KEY_WORDS} {KEY_EXAMPLES}regex used for validation is '{KEY}') with an optional \
                 DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    match name.len() {
        0 => problems.push("name part must be non-empty".to_owned()),
        64.. => problems.push("name part must be no more than 63 bytes".to_owned()),
        _ => {}
    }
    if !is_key(name) {
        problems.push(format!("name part {KEY_WORDS} {KEY_EXAMPLES}regex used for validation is '{KEY}')"));
    }
    problems
}

/// What keeps a text from being a label's value (`IsLabelValue`).
#[must_use]
pub fn label_value(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if text.len() > 63 {
        problems.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !is_key(text) {
        let rest = KEY_WORDS.trim_start_matches("must ");
        problems.push(format!(
            "a valid label must be an empty string or {rest} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
             for validation is '({KEY})?')"
        ));
    }
    problems
}

fn is_subdomain(name: &str) -> bool {
    name.split('.').all(is_label)
}

fn is_label(name: &str) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    consists_of(name, is_end, |byte| is_end(byte) || *byte == b'-')
}

fn is_key(name: &str) -> bool {
    consists_of(name, u8::is_ascii_alphanumeric, |byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

fn consists_of(name: &str, is_end: impl Fn(&u8) -> bool, is_inner: impl Fn(&u8) -> bool) -> bool {
    let bytes = name.as_bytes();
    bytes.first().is_some_and(&is_end) && bytes.last().is_some_and(&is_end) && bytes.iter().all(is_inner)
}
