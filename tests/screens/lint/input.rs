//! What may be piped in: Helm's output, folders, objects of any kind, and what is none.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use kubectl_hpa_core::lint::Rule;

use crate::example::example;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lint").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("below")).expect("a folder");
    folder
}

pub fn lint(words: &[&str], stdin: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("lint")
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A command that reads nothing may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("an end");
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    (status.code(), stdout, stderr)
}

#[test]
fn helms_output_is_read_as_it_comes() {
    // Schemas of custom resources are nested deeply.
    let deep = (0..60).fold("{}".to_owned(), |inside, level| format!("{{l{level}: [{inside}]}}"));
    let text = format!(
        "---\n# Source: shop/templates/empty.yaml\n---\n\n---\n# Source: shop/crds/x.yaml\napiVersion: apiextensions.k8s.io/v1\n\
         kind: CustomResourceDefinition\nmetadata: {{name: x}}\nspec: {deep}\n---\n# Source: shop/templates/config.yaml\n\
         apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  rule: \"{{{{ $labels.pod }}}}\"\n---\n\
         # Source: shop/templates/hpa.yaml\n{}---\napiVersion: example.com/v1\nkind: Widget\nspec: 7\n---\nnull\n---\n- a list\n",
        example(Rule::MinIsMax, "bad")
    );
    let (code, out, err) = lint(&["-f", "-"], &text);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("warning min-is-max: "), "{out}");
    assert!(out.ends_with("1 HPA (4 objects): 1 warning\n"), "{out}");
}

#[test]
fn templates_that_nothing_rendered_give_one_error() {
    let folder = folder("templates");
    for name in ["a.yaml", "b.yaml", "below/c.yml"] {
        fs::write(folder.join(name), "{{- if .Values.on }}\nkind: {{ .Values.kind }}\n---\n{{ x }}\n")
            .expect("written");
    }
    fs::write(folder.join("hpa.yaml"), example(Rule::MinIsMax, "bad")).expect("written");
    fs::write(folder.join("notes.txt"), "{{ no manifest }}").expect("written");
    let (code, out, err) = lint(&["-f", folder.to_str().expect("UTF-8")], "");
    assert_eq!(code, Some(1));
    let name = folder.join("a.yaml").display().to_string();
    let told = "and 2 other files are templates that nothing has rendered: try helm template CHART | kubectl hpa lint -f -";
    assert_eq!(err, format!("error: {name} {told}\n"));
    assert!(out.contains("min-is-max"), "{out}");
}

#[test]
fn a_document_that_is_no_yaml_does_not_hide_the_others() {
    let text = format!("kind: [\n---\n{}", example(Rule::MinIsMax, "bad"));
    let (code, out, err) = lint(&["-f", "-"], &text);
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("error: standard input:1:7: ") && out.contains("-:9: warning min-is-max"),
        "{err}{out}"
    );
}

#[test]
fn nothing_to_look_at_is_said() {
    // As kubectl apply: a CI that names the wrong folder, or whose template failed, does not pass.
    let (code, _, err) = lint(&["-f", "-"], "");
    assert_eq!((code, err.as_str()), (Some(1), "error: no objects in standard input\n"));
    let empty = folder("empty");
    let (code, _, err) = lint(&["-f", empty.to_str().expect("UTF-8"), "-o", "github"], "");
    assert_eq!((code, err), (Some(1), format!("error: no objects in {}\n", empty.display())));
    let (code, out, err) = lint(&["-f", "-"], "{kind: ConfigMap, apiVersion: v1, metadata: {name: a}}");
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "no HPA in 1 object\n", ""));
    let (code, _, err) = lint(&["-f", "no-such-file"], "");
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: cannot open no-such-file: no such file or directory\n")
    );
    // Without a file a cluster is asked, and here is none; both at once is not meant.
    let (code, _, err) = lint(&[], "");
    assert_eq!(code, Some(1));
    assert!(err.starts_with("error: no cluster is configured"), "{err}");
    assert_eq!(lint(&["web", "-f", "-"], "").0, Some(2));
    assert_eq!(lint(&["-A", "-f", "-"], "").0, Some(2));
    assert_eq!(lint(&["-f", "-", "-f", "-"], "").0, Some(2));
}

/// A field by a wrong name says which was meant, if one is near; others have no guess.
#[test]
fn an_unknown_field_names_the_one_that_is_near() {
    let with = |field: &str| {
        let text = format!(
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec:\n  {field}: 2\n  \
             maxReplicas: 3\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}\n"
        );
        lint(&["-f", "-"], &text).1
    };
    assert!(
        with("minreplicas").contains("fix: did you mean minReplicas? Correct its name"),
        "{}",
        with("minreplicas")
    );
    assert!(with("minReplica").contains("did you mean minReplicas?"));
    assert!(!with("color").contains("did you mean"), "{}", with("color"));
}

/// What the API server refuses never runs, so nothing else is looked for: the finding says so, once for each HPA.
#[test]
fn a_refused_hpa_says_that_other_rules_wait() {
    let words = "; the other rules are not checked until then\n";
    let twice = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  minReplicas: -1\n  \
                 maxReplicas: 0\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n";
    let wrong_type = twice.replace("maxReplicas: 0", "maxReplicas: many");
    for (text, least) in [(twice, 2), (wrong_type.as_str(), 1)] {
        let (_, out, _) = lint(&["-f", "-"], text);
        assert!(out.matches("error invalid-hpa").count() >= least, "{out}");
        assert_eq!(out.matches(words).count(), 1, "{out}");
    }
}

#[test]
fn the_exit_code_tells_of_what_fail_on_names() {
    let codes = |rule: Rule| {
        let file = format!("tests/lint/{rule}.bad.yaml");
        ["error", "warning", "info"].map(|severity| lint(&["-f", &file, "--fail-on", severity], "").0)
    };
    assert_eq!(codes(Rule::InvalidHpa), [Some(5); 3]);
    assert_eq!(codes(Rule::MinIsMax), [Some(0), Some(5), Some(5)]);
    assert_eq!(codes(Rule::ScaleDownOff), [Some(0), Some(0), Some(5)]);
    let file = "tests/lint/invalid-hpa.bad.yaml";
    assert_eq!(lint(&["-f", file], "").0, Some(5), "errors are the default");
    // What is ignored with a reason does not count.
    assert_eq!(lint(&["-f", "tests/lint/ignore-needs-reason.good.yaml", "--fail-on", "info"], "").0, Some(0));
}

#[test]
fn recorded_cases_are_not_passed_over_in_silence() {
    let (code, told, noted) = lint(&["-f", "src/examples/rollout.yaml"], "");
    assert_eq!((code, told.as_str()), (Some(0), "no HPA in 1 object\n"));
    assert_eq!(noted, "note: not checked: a case (kubectl hpa explain -f reads it)\n");
    let (_, _, noted) = lint(&["-f", "src/examples"], "");
    assert!(noted.starts_with("note: not checked: 12 cases"), "{noted}");
}
