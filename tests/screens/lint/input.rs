//! What may be piped in: Helm's output, folders, objects of any kind, and what is none.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
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
    lint_in("", words, stdin)
}

/// The same with a path to programs.
fn lint_in(path: &str, words: &[&str], stdin: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("lint")
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("PATH", path)
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
    assert!(out.ends_with("1 HPA (4 objects): 1 warning; targets: 0 of 1 found\n"), "{out}");
}

/// A repository with a chart in it: what is no template is looked at, and the templates are no fault.
#[test]
fn templates_that_nothing_rendered_give_one_note() {
    let folder = folder("templates");
    for name in ["a.yaml", "b.yaml", "below/c.yml"] {
        fs::write(folder.join(name), "{{- if .Values.on }}\nkind: {{ .Values.kind }}\n---\n{{ x }}\n")
            .expect("written");
    }
    fs::write(folder.join("hpa.yaml"), example(Rule::MinIsMax, "bad")).expect("written");
    fs::write(folder.join("notes.txt"), "{{ no manifest }}").expect("written");
    let (code, out, err) = lint(&["-f", folder.to_str().expect("UTF-8")], "");
    assert_eq!(code, Some(0));
    let name = folder.join("a.yaml").display().to_string();
    let told = "and 2 other files are templates that nothing has rendered: try helm template CHART | kubectl hpa lint -f -";
    assert_eq!(err, format!("note: not checked: {name} {told}\n"));
    assert!(out.contains("min-is-max"), "{out}");
}

/// What `helm create` writes: the lines between the braces look like half an HPA.
#[test]
fn a_piece_of_a_template_is_no_object() {
    let folder = folder("pieces");
    let template = "{{- if .Values.on }}\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: {{ x }}\n\
                    ---\napiVersion: autoscaling/v2\nspec: {maxReplicas: 3}\n---\nkind: HorizontalPodAutoscaler\n{{- end }}\n";
    fs::write(folder.join("hpa.yaml"), template).expect("written");
    let (code, out, err) = lint(&["-f", folder.to_str().expect("UTF-8")], "");
    assert_eq!((code, out.as_str()), (Some(0), "no HPA in 0 objects\n"), "{err}");
    // A whole object in the same file is one.
    fs::write(folder.join("hpa.yaml"), format!("{template}---\n{}", example(Rule::MinIsMax, "bad")))
        .expect("written");
    let (code, out, _) = lint(&["-f", folder.to_str().expect("UTF-8")], "");
    assert_eq!((code, out.matches("warning min-is-max").count()), (Some(0), 1), "{out}");
}

/// Of other tools, and words that a person is to replace.
#[test]
fn templates_of_any_tool_are_templates() {
    let hpa = example(Rule::MinIsMax, "bad");
    for text in [
        format!("{{% if x %}}\n{hpa}{{% endif %}}\n"),
        format!("<% if x %>\n{hpa}<% end %>\n"),
        hpa.replacen("name: web", "name: <name>", 1),
        hpa.replacen("name: web", "name: \"[[ name ]]\"", 1),
        hpa.replacen("maxReplicas: 4", "maxReplicas: ((max))", 1),
        hpa.replacen("maxReplicas: 4", "maxReplicas: @@max@@", 1),
    ] {
        let (code, out, err) = lint(&["-f", "-"], &text);
        assert_eq!(code, Some(0), "{text}{err}{out}");
        let told = "note: not checked: - is a template that nothing has rendered: try helm template CHART | kubectl hpa lint -f -\n";
        assert_eq!((err.as_str(), out.as_str()), (told, "no HPA in 0 objects\n"), "{text}");
    }
}

/// A repository has files of all kinds; one that is named is to be read.
#[test]
fn a_file_of_a_folder_that_is_no_manifest_is_a_note() {
    let folder = folder("foreign");
    fs::write(folder.join("hpa.yaml"), example(Rule::MinIsMax, "bad")).expect("written");
    fs::write(folder.join("tsconfig.json"), "// for the editor\n{\"a\": 1,}\n").expect("written");
    let named = folder.to_str().expect("UTF-8");
    let (code, out, err) = lint(&["-f", named], "");
    let file = folder.join("tsconfig.json");
    let told = format!("note: not checked: {} cannot be read and has no apiVersion\n", file.display());
    assert_eq!((code, err), (Some(0), told), "{out}");
    assert_eq!(lint(&["-f", file.to_str().expect("UTF-8")], "").0, Some(1));
    // A broken JSON file is one error.
    fs::write(folder.join("cut.json"), "{\n\"apiVersion\": \"v1\",\n\"items\": [\n{},\n{\n")
        .expect("written");
    let (code, _, err) = lint(&["-f", named], "");
    assert_eq!((code, err.matches("error: ").count()), (Some(1), 1), "{err}");
}

#[test]
fn what_git_ignores_and_what_is_excluded_is_left_out_of_folders() {
    let folder = folder("ignored");
    let bad = example(Rule::MinIsMax, "bad");
    for (name, text) in [
        ("kept.yaml", bad.as_str()),
        ("made.yaml", &bad),
        ("below/made.yaml", &bad),
        ("below/kept.yaml", &bad),
        (".gitignore", "/made.yaml\n*.tmp.yaml\n"),
        ("below/.gitignore", "*.yaml\n!kept.yaml\n"),
        ("a.tmp.yaml", "{ no yaml"),
    ] {
        fs::write(folder.join(name), text).expect("written");
    }
    let named = folder.to_str().expect("UTF-8");
    let found = |more: &[&str]| {
        let (_, out, err) = lint(&[&["-f", named], more].concat(), "");
        assert_eq!(err, "", "{out}");
        let places = out.lines().filter_map(|line| line.strip_prefix(named)?.split_once(": warning"));
        places.map(|(place, _)| place.rsplit_once(':').expect("a line").0.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), ["/below/kept.yaml", "/kept.yaml"]);
    assert_eq!(found(&["--exclude", "below/"]), ["/kept.yaml"]);
    assert_eq!(found(&["--exclude", "/kept.yaml"]), ["/below/kept.yaml"]);
    // What is named itself is looked at.
    let (code, out, _) = lint(&["-f", folder.join("made.yaml").to_str().expect("UTF-8")], "");
    assert!(code == Some(0) && out.contains("min-is-max"), "{out}");
    let (code, _, err) = lint(&["-f", named, "--exclude", "[z-a]"], "");
    assert!(code == Some(1) && err.starts_with("error: --exclude: ") && err.contains("[z-a]"), "{err}");
}

/// A program of that name that prints what a test says, and fails where it names a folder `broken`.
#[cfg(unix)]
fn kubectl(folder: &Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let tools = folder.join("below/tools");
    fs::create_dir_all(&tools).expect("a folder");
    fs::write(tools.join("out.yaml"), text).expect("written");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = kustomize ] || exit 9\n[ -z \"$PATH\" ] && [ -n \"$HTTPS_PROXY\" ] || exit 8\ncase \"$2\" in *broken) echo \"# Warning: old\" >&2; echo \"error: no such \
         base\" >&2; exit 1;; esac\nwhile IFS= read -r line; do printf '%s\\n' \"$line\"; done < '{}'\n",
        tools.join("out.yaml").display()
    );
    fs::write(tools.join("kubectl"), script).expect("written");
    fs::set_permissions(tools.join("kubectl"), fs::Permissions::from_mode(0o755)).expect("executable");
    tools
}

/// The outcome is looked at, not the parts; the outcome of one that cannot be built is not known, and its parts are looked at.
#[cfg(unix)]
#[test]
fn a_kustomization_is_looked_at_as_it_is_built() {
    let folder = folder("kustomized");
    let patch = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  maxReplicas: 4\n";
    let whole = example(Rule::MinIsMax, "good");
    for (name, text) in [
        ("base/kustomization.yaml", "resources: [hpa.yaml]\n"),
        ("base/hpa.yaml", whole.as_str()),
        ("prod/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]\n"),
        ("prod/patch.yaml", patch),
    ] {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("written");
    }
    let built = example(Rule::MinIsMax, "bad");
    let tools = kubectl(&folder, &built);
    let named = folder.to_str().expect("UTF-8");
    let with = |programs: &str| {
        let (code, out, err) = lint_in(programs, &["-f", named, "--exclude", "tools/"], "");
        (code, out.replace(named, ""), err.replace(named, ""))
    };
    let programs = tools.to_str().expect("UTF-8");
    let (code, out, err) = with(programs);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(
        out.starts_with(
            "/prod/kustomization.yaml: HorizontalPodAutoscaler web spec.maxReplicas: warning min-is-max: "
        ) && out.ends_with("\n1 HPA (3 objects): 1 warning; targets: 0 of 1 found\n"),
        "{out}"
    );
    // The same as what is piped in.
    let rules = |out: &str| {
        out.lines().filter_map(|line| Some(line.split_once(": warning ")?.1.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(rules(&out), rules(&lint(&["-f", "-"], &built).1));
    let (_, out, err) = with("/nowhere");
    assert_eq!(err, "note: not checked: 1 kustomization not built: there is no kubectl\n");
    assert!(out.contains("2 HPAs (4 objects): nothing found; targets: 0 of 1 found"), "{out}");
    fs::create_dir_all(folder.join("broken")).expect("a folder");
    fs::write(folder.join("broken/Kustomization"), "resources: [../nothing]\n").expect("written");
    // What Flux reads is called so, and is none.
    let flux = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {path: x}}";
    fs::create_dir_all(folder.join("flux")).expect("a folder");
    fs::write(folder.join("flux/kustomization.yaml"), flux).expect("written");
    let (code, out, err) = with(programs);
    assert_eq!(err, "note: not checked: 1 kustomization not built; /broken: no such base\n");
    assert!(
        code == Some(0) && out.contains("/prod/kustomization.yaml: HorizontalPodAutoscaler web"),
        "{out}"
    );
}

/// Every patch that is certain is in the files, and nothing else is changed.
#[test]
fn fix_writes_into_the_files() {
    let folder = folder("fixed");
    let two =
        example(Rule::ResourceNotMeasured, "bad").replace("# finds: resource-not-measured\n", "# by hand\n");
    let file = folder.join("two.yaml");
    fs::write(&file, &two).expect("written");
    let named = folder.to_str().expect("UTF-8");
    let (code, out, err) = lint(&["-f", named, "--fix"], "");
    assert_eq!(
        err,
        format!("fixed: {}: HorizontalPodAutoscaler web: resource-not-measured: write cpu\n", file.display())
    );
    assert!(code == Some(0) && out.ends_with("1 HPA (2 objects): 1 warning\n"), "{out}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), two.replace("name: CPU", "name: cpu"));
    // A guess, and one of several ways, is left to the reader.
    for rule in Rule::ALL {
        fs::write(folder.join(format!("{rule}.yaml")), example(*rule, "bad")).expect("written");
        let name = folder.join(format!("{rule}.yaml"));
        let name = name.to_str().expect("UTF-8");
        let patches = |form: &str| {
            let view: serde_json::Value = serde_json::from_str(form).expect("JSON");
            let findings = view["findings"].as_array().expect("findings").clone();
            findings.into_iter().filter(|it| it["fix"]["certain"] == true).count()
        };
        let before = patches(&lint(&["-f", name, "-o", "json"], "").1);
        let (_, out, err) = lint(&["-f", name, "-o", "json", "--fix"], "");
        assert_eq!(patches(&out), 0, "{rule}: {out}");
        assert!(err.matches("fixed: ").count() >= before, "{rule}: {err}");
    }
    assert_eq!(lint(&["--fix"], "").0, Some(2));
    let (code, _, err) = lint(&["-f", "-", "--fix"], &two);
    assert!(
        code == Some(2) && err.contains("--fix writes into files and folders, and - is neither"),
        "{err}"
    );
}

/// The line of the file with a mark, where there is a file and a line that people can read.
#[test]
fn a_finding_quotes_its_line() {
    let folder = folder("quoted");
    let name = folder.join("hpa.yaml");
    let text = example(Rule::MinIsMax, "bad");
    fs::write(&name, &text).expect("written");
    let quoted = "  |   maxReplicas: 4  # finds: min-is-max\n  |   ^\n    fix: ";
    let out = lint(&["-f", name.to_str().expect("UTF-8")], "").1;
    assert!(out.contains(quoted), "{out}");
    assert!(!lint(&["-f", "-"], &text).1.contains("  | "));
    fs::write(&name, text.replace("maxReplicas:", "\"maxReplicas\": # \u{202e}\n   ")).expect("written");
    let out = lint(&["-f", name.to_str().expect("UTF-8")], "").1;
    assert!(out.contains("  |   \"maxReplicas\": #") && !out.contains('\u{202e}'), "{out}");
}

/// A habit of other tools: the file without `-f`.
#[test]
fn a_file_in_the_place_of_a_name_is_told() {
    let (code, _, err) = lint(&["tests/lint/min-is-max.bad.yaml"], "");
    let told = "tests/lint/min-is-max.bad.yaml is a file, not the name of an object: files are named with -f";
    assert!(code == Some(2) && err.contains(told), "{err}");
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
