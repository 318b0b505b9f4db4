//! `kubectl hpa test`: cases with an `expect` block pass or fail, and say why.

use std::path::PathBuf;
use std::process::{Command, Output};

use kubectl_hpa::examples;

/// A folder with one file: examples, each with what it expects.
fn folder(name: &str, cases: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("expect-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let documents = cases.iter().map(|(example, expect)| {
        let text = examples::find(example).expect("an example").text;
        format!("{}\n{expect}\n", text.trim_end())
    });
    let text = documents.collect::<Vec<_>>().join("---\n");
    std::fs::write(folder.join("cases.yaml"), text).expect("a file");
    folder
}

fn test(folder: &PathBuf, more: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("test")
        .arg(folder)
        .args(more)
        .output()
        .expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn cases_that_come_to_what_they_expect_pass() {
    let folder = folder(
        "pass",
        &[
            (
                "missing-samples",
                "expect:
  replicas: 5
  codes: [utilization-above-target, missing-pods-assumed-idle, within-tolerance]
  conditions: [{type: ScalingActive, status: 'True', reason: ValidMetricFound}]
  whatIf:
    - {change: [--load +50%], expect: {replicas: 9, reason: cpu resource utilization (percentage of request) above target}}
    - {change: [--load=+50%, --max 7], expect: {atLeast: 6, atMost: 7}}",
            ),
            ("held-by-window", "expect: {replicas: 10, codes: [scale-down-stabilized]}"),
            ("resting-at-min", ""),
        ],
    );
    let (code, out, err) = test(&folder, &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.ends_with("2 passed, 0 failed, 1 without expect, 0 broken\n"), "{out}");
}

#[test]
fn each_thing_that_is_not_as_expected_is_told() {
    let folder = folder(
        "fail",
        &[(
            "missing-samples",
            "expect:
  replicas: 6
  atLeast: 4
  codes: [within-tolerance, utilization-above-target]
  reason: All metrics below target
  conditions: [{type: ScalingActive, status: 'False'}, {type: Sleeping}]
  whatIf:
    - {change: [--load +50%], expect: {atMost: 8}}
    - {change: [--lod +50%], expect: {}}
    - {change: [--target rps=5], expect: {}}
    - {change: [--max 0], expect: {}}",
        )],
    );
    let report = folder.join("report.xml");
    let (code, out, err) = test(&folder, &["--junit", report.to_str().expect("a path")]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    let told = [
        "replicas: expected 6 and at least 4, decided 5",
        "codes: expected utilization-above-target after the codes before it; the steps are within-bounds, ",
        "reason: expected `All metrics below target`, but there is no rescale",
        "condition ScalingActive: expected False, is True ValidMetricFound",
        "condition Sleeping: expected, is not there",
        "whatIf[0]: replicas: expected at most 8, decided 9",
        "whatIf[1]: unknown change \"--lod +50%\"",
        "whatIf[2]: --target rps=5: no metric is called \"rps\"; the spec has cpu",
        "whatIf[3]: hpa.spec.maxReplicas: Required value: must be set and greater than 0; hpa.spec",
    ];
    for words in told {
        assert!(out.contains(words), "{words}\n{out}");
    }
    let xml = std::fs::read_to_string(report).expect("the report is written");
    assert!(
        xml.contains(r#"tests="1" failures="1""#) && xml.contains("expected 6 and at least 4, decided 5"),
        "{xml}"
    );
}

#[test]
fn verdicts_have_colors_and_other_characters_only_where_they_are_wanted() {
    let folder = folder("looks", &[("resting-at-min", "expect: {reason: from 2–8}")]);
    let (_, plain, _) = test(&folder, &[]);
    assert!(plain.starts_with("FAIL  ") && plain.contains("from 2–8"), "{plain}");
    let (_, ascii, _) = test(&folder, &["--ascii"]);
    assert!(ascii.is_ascii() && ascii.lines().count() == plain.lines().count(), "{ascii}");
    let (_, colored, _) = test(&folder, &["--color", "always"]);
    assert!(colored.starts_with("\u{1b}["), "{colored:?}");
    let (_, never, _) = test(&folder, &["--color", "never"]);
    assert_eq!(never, plain);
}

#[test]
fn nothing_tested_is_a_failure_and_a_broken_case_is_told_with_its_place() {
    let folder = folder("none", &[("resting-at-min", "")]);
    assert_eq!(test(&folder, &[]).0, Some(1));
    std::fs::write(
        folder.join("cases.yaml"),
        "apiVersion: kubectl-hpa/v1\nkind: Case\nexpect: {replica: 5}\n",
    )
    .expect("a file");
    let (code, out, err) = test(&folder, &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("cases.yaml") && err.contains("replica"), "{err}");
    assert!(out.ends_with("0 passed, 0 failed, 0 without expect, 1 broken\n"), "{out}");
}

/// Links may lead in a circle, and many ways to one file.
#[cfg(unix)]
#[test]
fn a_file_is_counted_once_whatever_leads_to_it() {
    use std::os::unix::fs::symlink;
    let folder = folder("links", &[("missing-samples", "expect: {replicas: 5}")]);
    let deeper = folder.join("deeper");
    let _ = std::fs::remove_dir_all(&deeper);
    std::fs::create_dir(&deeper).expect("a folder");
    for (link, leads) in [
        ("around", ".."),
        ("self", "."),
        ("again.yaml", "../cases.yaml"),
        ("circle.yaml", "circle.yaml"),
        ("nowhere.yaml", "none.yaml"),
        ("circle", "circle"),
    ] {
        symlink(leads, deeper.join(link)).expect("a link");
    }
    // Nobody writes into it, and whoever read it would wait for ever.
    assert!(Command::new("mkfifo").arg(deeper.join("pipe.yaml")).status().expect("a pipe").success());
    let again = [folder.join("cases.yaml"), folder.join("deeper/../cases.yaml"), deeper.join("self")];
    let again = again.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let (code, out, err) = test(&folder, &again);
    assert!(out.ends_with("\n1 passed, 0 failed, 0 without expect, 2 broken\n"), "{out}{err}");
    assert_eq!((code, out.lines().count()), (Some(1), 2));
    let told = |name: &str, words: &str| {
        err.contains(&format!("error: cannot open {}: {words}\n", deeper.join(name).display()))
    };
    assert!(told("circle.yaml", "too many levels of symbolic links"), "{err}");
    assert!(told("nowhere.yaml", "no such file or directory"), "{err}");
}

/// Characters and entities that XML 1.0 allows between the quotes of an attribute, and elements that are closed.
fn is_valid_xml(xml: &str) -> bool {
    let is_character = |it: char| {
        matches!(it, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..) && it != '\u{7f}'
    };
    let is_entity =
        |text: &str| ["amp;", "lt;", "gt;", "quot;", "#10;"].iter().any(|entity| text.starts_with(entity));
    let is_line = |line: &str| {
        let line = line.trim_start();
        let values = line.split('"').skip(1).step_by(2);
        line.starts_with('<')
            && line.ends_with('>')
            && line.matches('"').count().is_multiple_of(2)
            && values.into_iter().all(|value| !value.contains(['<', '>']))
            && line.split('"').step_by(2).all(|part| part.matches('<').count() <= 1)
    };
    xml.chars().all(is_character)
        && xml.split('&').skip(1).all(is_entity)
        && xml.lines().all(is_line)
        && xml.matches("<testcase ").count()
            == xml.matches("</testcase>").count()
                + xml.matches("\"/>\n  <testcase").count()
                + xml.matches("\"/>\n</testsuite>").count()
}

#[test]
fn the_report_has_broken_files_as_errors_and_is_valid_whatever_the_names() {
    let folder = folder("report", &[("missing-samples", "expect: {replicas: 6}")]);
    let text = std::fs::read_to_string(folder.join("cases.yaml")).expect("a file");
    let name = "  name: \"a<b>&'\\\"\\u0001\\ufffe\\uffff\\u202e]]>\"\n";
    let named = text.replacen("  name: missing-samples\n", name, 1);
    assert!(named != text, "{text}");
    std::fs::write(folder.join("cases.yaml"), named).expect("a file");
    std::fs::write(folder.join("b<r>&\"'o\u{1}\n]]>ken.yaml"), "kind: \"<&>\u{7}\"\nat: [").expect("a file");
    let report = folder.join("report.xml");
    let (code, out, _) = test(&folder, &["/no/such/file.yaml", "--junit", report.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(1), "{out}");
    let xml = std::fs::read_to_string(&report).expect("the report is written");
    assert!(xml.contains(r#"tests="3" failures="1" errors="2""#), "{xml}");
    assert_eq!((xml.matches("<error message=").count(), xml.matches("<failure message=").count()), (2, 1));
    assert!(xml.contains("classname=\"/no/such/file.yaml\""), "{xml}");
    assert!(is_valid_xml(&xml), "{xml}");
    std::fs::remove_dir_all(folder).expect("to remove the folder");
}

/// A report is read by others: it is as open as the umask lets it be, and the stream is a stream.
#[cfg(unix)]
#[test]
fn a_report_is_written_as_other_files_are() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("mode", &[("missing-samples", "expect: {replicas: 5}")]);
    let report = folder.join("report.xml");
    let _ = std::fs::remove_file(&report);
    let run = |junit: &str| {
        let line =
            format!("umask 022; {} test cases.yaml --junit {junit}", env!("CARGO_BIN_EXE_kubectl-hpa"));
        Command::new("sh").args(["-c", &line]).current_dir(&folder).output().expect("a shell")
    };
    assert!(run("report.xml").status.success());
    assert_eq!(std::fs::metadata(&report).expect("a report").permissions().mode() & 0o777, 0o644);
    std::fs::set_permissions(&report, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    assert!(run("report.xml").status.success());
    assert_eq!(std::fs::metadata(&report).expect("a report").permissions().mode() & 0o777, 0o600);
    let streamed = run("-");
    let xml = std::fs::read_to_string(&report).expect("a report");
    assert!(String::from_utf8_lossy(&streamed.stdout).contains(&xml) && !folder.join("-").exists());
    let lost = run("/no/such/folder/report.xml");
    let words = "error: cannot write /no/such/folder/report.xml: no such file or directory\n";
    assert_eq!((lost.status.code(), String::from_utf8_lossy(&lost.stderr).as_ref()), (Some(1), words));
}

/// A case of which nothing can be decided, as somebody without rights saves it.
fn hidden(expect: &str) -> String {
    let cases = include_str!("../simulate/upgrade.yaml");
    let hidden =
        cases.split("\n---\n").find(|case| case.contains("metadata: {name: hidden")).expect("the case");
    format!("{}\n{expect}\n", hidden.trim_end())
}

#[test]
fn a_case_that_is_not_known_neither_passes_nor_fails() {
    let folder = folder("unknown", &[("held-by-window", "expect: {replicas: 10}")]);
    let report = folder.join("report.xml");
    let run = |expect: &str| {
        std::fs::write(folder.join("hidden.yaml"), hidden(expect)).expect("a file");
        test(&folder, &["--junit", report.to_str().expect("a path")])
    };
    for expect in [
        "expect: {replicas: 4}",
        "expect: {conditions: [{type: AbleToScale}]}",
        "expect: {codes: [within-tolerance]}",
    ] {
        let (code, out, err) = run(expect);
        assert_eq!((code, err.as_str()), (Some(4), ""), "{expect}: {out}");
        assert!(out.contains("\nUNKNOWN  hidden ("), "{out}");
        assert!(
            out.contains("the decision is not known: 403 Forbidden: pods.metrics.k8s.io is forbidden"),
            "{out}"
        );
        assert!(out.ends_with("1 passed, 0 failed, 1 not known, 0 without expect, 0 broken\n"), "{out}");
        let xml = std::fs::read_to_string(&report).expect("the report is written");
        assert!(xml.contains(r#"failures="0" errors="1""#) && xml.contains("<error message="), "{xml}");
    }
    // A what-if may be what is not known; and what is expected to be so is.
    assert_eq!(run("expect: {codes: [unread]}").0, Some(0));
    let what_if = "expect: {codes: [unread], whatIf: [{change: [--max 5], expect: {replicas: 5}}]}";
    let (code, out, _) = run(what_if);
    assert_eq!(code, Some(4), "{out}");
    assert!(out.contains("whatIf[0]: the decision is not known"), "{out}");
    // A failure weighs more.
    std::fs::write(folder.join("other.yaml"), hidden("expect: {replica: 4}")).expect("a file");
    assert_eq!(test(&folder, &[]).0, Some(1));
    std::fs::remove_file(folder.join("other.yaml")).expect("to remove it");
}

/// A code that no step has would fail whatever is decided: it is a mistake of the file, not of the HPA.
#[test]
fn an_expected_code_that_there_is_not_breaks_the_case() {
    let whatif = "expect:\n  whatIf:\n    - {change: [--load +50%], expect: {codes: [zzzzzzzz]}}";
    for (name, expect, words) in [
        (
            "near",
            "expect: {codes: [within-tolerence]}",
            "expect.codes: no code \"within-tolerence\"; did you mean within-tolerance?",
        ),
        (
            "letters",
            "expect: {codes: [Within_Tolerance]}",
            "expect.codes: no code \"Within_Tolerance\"; did you mean within-tolerance?",
        ),
        (
            "advice",
            "expect: {codes: [wake-up]}",
            "expect.codes: \"wake-up\" is the code of an advice, not of a step",
        ),
        ("whatif", whatif, "whatIf[0]: expect.codes: no code \"zzzzzzzz\"; explain --why lists them"),
    ] {
        let folder = folder(&format!("code-{name}"), &[("missing-samples", expect)]);
        let (code, out, err) = test(&folder, &[]);
        assert_eq!(code, Some(1), "{name}: {out}");
        assert_eq!(err, format!("error: {}/cases.yaml: {words}\n", folder.display()), "{name}");
        assert_eq!(out, "0 passed, 0 failed, 0 without expect, 1 broken\n", "{name}");
    }
}

/// The commands of a workflow of GitHub Actions that are ours.
fn workflow() -> Vec<String> {
    let page = include_str!("../../src/cli/commands.md");
    let (_, block) = page.split_once("```yaml\nname: hpa\n").expect("a workflow");
    let workflow: serde_json::Value =
        serde_yaml::from_str(block.split("```").next().expect("its end")).expect("a workflow");
    let steps = workflow["jobs"]["hpa"]["steps"].as_array().expect("steps");
    let runs = steps.iter().filter_map(|step| step["run"].as_str());
    runs.filter_map(|run| run.strip_prefix("kubectl-hpa ")).map(str::to_owned).collect()
}

#[test]
fn the_workflow_for_a_ci_finds_what_is_wrong_and_lets_pass_what_is_right() {
    for (name, manifest, expect, codes) in [
        ("right", "min-is-max.good.yaml", "replicas: 5", [0, 0]),
        ("wrong", "min-is-max.bad.yaml", "replicas: 6", [5, 1]),
    ] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("workflow-{name}"));
        for part in ["manifests", "cases"] {
            std::fs::create_dir_all(folder.join(part)).expect("a folder");
        }
        let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/lint").join(manifest);
        std::fs::copy(from, folder.join("manifests/hpa.yaml")).expect("a copy");
        let case = examples::find("missing-samples").expect("an example").text;
        let case = format!("{}\nexpect:\n  {expect}\n", case.trim_end());
        std::fs::write(folder.join("cases/web.yaml"), case).expect("a file");
        let ended = workflow().into_iter().map(|run| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
            let output = command.args(run.split(' ')).current_dir(&folder).output().expect("the binary runs");
            output.status.code().expect("a code")
        });
        assert_eq!(ended.collect::<Vec<_>>(), codes, "{name}");
    }
}
