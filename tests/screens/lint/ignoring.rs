//! Findings that a file ignores.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::input::lint;

const BAD: &str = "tests/lint/replicas-in-manifest.bad.yaml";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ignoring");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name);
    fs::write(&file, text).expect("written");
    file
}

/// The exit code and the error with a list of entries.
fn with(name: &str, entries: &str) -> (Option<i32>, String, String) {
    let text = format!("apiVersion: kubectl-hpa/v1\nkind: LintIgnore\nignore:\n{entries}");
    let file = file(name, &text);
    let path = file.to_str().expect("UTF-8");
    let (code, out, err) = lint(&["-f", BAD, "--fail-on", "warning", "--ignore-file", path], "");
    (code, out, err.replace(path, "FILE"))
}

#[test]
fn what_a_file_ignores_does_not_count_and_is_in_the_data() {
    let entry = "- {rule: replicas-in-manifest, name: web, reason: Argo CD ignores it}\n";
    let (code, out, err) = with("used.yaml", entry);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("1 HPA (2 objects): 1 ignored"), "{out}");
    let (code, _, _) = lint(&["-f", BAD, "--fail-on", "warning"], "");
    assert_eq!(code, Some(5));
    let words = ["-f", BAD, "--ignore-file", "tests/lint/ignore.yaml", "-o"];
    let of = |form: &str| -> Value {
        let (_, out, _) = lint(&[&words[..], &[form]].concat(), "");
        serde_json::from_str(&out).expect("JSON")
    };
    assert_eq!(of("json")["findings"][0]["ignored"], "Argo CD ignores the field");
    let expected = json!([{"kind": "external", "justification": "Argo CD ignores the field"}]);
    assert_eq!(of("sarif")["runs"][0]["results"][0]["suppressions"], expected);
}

#[test]
fn an_entry_ignores_only_the_object_that_it_names() {
    for other in ["name: api", "kind: StatefulSet", "namespace: other"] {
        let entry = format!("- {{rule: replicas-in-manifest, {other}, reason: x}}\n");
        let (code, _, err) = with("other.yaml", &entry);
        assert_eq!(code, Some(5), "{other}");
        assert!(err.starts_with("note: FILE:4: nothing to ignore: replicas-in-manifest"), "{err}");
    }
}

/// The annotation's words are those of the file.
#[test]
fn an_annotation_that_is_wrong_says_how() {
    let with = |annotation: &str| {
        let text = fs::read_to_string("tests/lint/ignore-needs-reason.bad.yaml").expect("the example");
        let text = text.replace("\"min-is-max\"", &format!("\"{annotation}\""));
        lint(&["-f", "-"], &text).1
    };
    let unknown = with("min-is-mx: fixed");
    assert!(
        unknown.contains(": there is no rule \"min-is-mx\"; did you mean \"min-is-max\"?\n"),
        "{unknown}"
    );
    let silent = with("min-is-max");
    assert!(silent.contains(": min-is-max is ignored without a reason, so it still counts\n"), "{silent}");
}

/// What is not understood is no exception: nothing is checked.
#[test]
fn a_file_is_read_strictly() {
    for (entry, error) in [
        (
            "- {rule: replica-in-manifest, reason: x}\n",
            "error: FILE:4: there is no rule \"replica-in-manifest\"; did you mean \"replicas-in-manifest\"?\n",
        ),
        (
            "- {rule: min-is-max, reason: x}\n- {rule: min-is-max}\n",
            "error: FILE:5: min-is-max is ignored without a reason\n",
        ),
        ("- {rule: min-is-max, reason: ' '}\n", "error: FILE:4: reason must be a text, and not empty\n"),
        (
            "- {rule: min-is-max, reason: x, nmae: web}\n",
            "error: FILE:4: unknown field \"nmae\", expected rule, reason, kind, name, namespace\n",
        ),
        ("- {reason: x}\n", "error: FILE:4: an entry needs a rule, for example rule: min-is-max\n"),
        ("- min-is-max\n", "error: FILE:4: expected an entry with rule and reason\n"),
    ] {
        let (code, out, err) = with("strict.yaml", entry);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(1), "", error));
    }
    let other = file("other-kind.yaml", "apiVersion: v1\nkind: ConfigMap\n");
    let (code, _, err) = lint(&["-f", BAD, "--ignore-file", other.to_str().expect("UTF-8")], "");
    assert_eq!(code, Some(1));
    assert!(err.ends_with("no object of kind LintIgnore\n"), "{err}");
    let (code, _, err) = lint(&["-f", BAD, "--ignore-file", "no-such-file"], "");
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: cannot open no-such-file: no such file or directory\n")
    );
}
