//! The rules for keys and values of labels, and what Kubernetes says when they are broken.
use super::error::{Fault, Value};

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const PREFIX_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Source: `validateLabelKey`.
pub(super) fn check_key(key: &str, path: &str) -> Result<(), Fault> {
    join(path, key, &key_faults(key))
}

/// Source: `validateLabelValue`.
pub(super) fn check_value(value: &str, path: &str) -> Result<(), Fault> {
    let mut faults = Vec::new();
    if value.len() > 63 {
        faults.push("must be no more than 63 bytes".into());
    }
    if !value.is_empty() && !is_name(value) {
        faults.push(VALUE_RULE.into());
    }
    join(path, value, &faults)
}

fn join(path: &str, bad: &str, faults: &[String]) -> Result<(), Fault> {
    if faults.is_empty() {
        return Ok(());
    }
    Err(Fault { path: path.to_owned(), value: Value::Text(bad.into()), detail: faults.join("; ") })
}

/// Source: `content.IsLabelKey`.
fn key_faults(key: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let name = match key.split_once('/') {
        None => key,
        Some((_, name)) if name.contains('/') => {
            let rest = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a valid label key {NAME_RULE} {rest}")];
        }
        Some((prefix, name)) => {
            push_prefix_faults(&mut faults, prefix);
            name
        }
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".into());
    } else if name.len() > 63 {
        faults.push("name part must be no more than 63 bytes".into());
    }
    if !is_name(name) {
        faults.push(format!("name part {NAME_RULE}"));
    }
    faults
}

fn push_prefix_faults(faults: &mut Vec<String>, prefix: &str) {
    if prefix.is_empty() {
        faults.push("prefix part must be non-empty".into());
        return;
    }
    if prefix.len() > 253 {
        faults.push("prefix part must be no more than 253 bytes".into());
    }
    if !prefix.split('.').all(is_domain_label) {
        faults.push(format!("prefix part {PREFIX_RULE}"));
    }
}

fn is_name(text: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    ends(bytes.first())
        && ends(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

fn is_domain_label(text: &str) -> bool {
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(plain)
        && bytes.last().is_some_and(plain)
        && bytes.iter().all(|byte| plain(byte) || *byte == b'-')
}
