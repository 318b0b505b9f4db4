//! `-f` with text that kubectl prints for people: what the controller wrote is shown, and that no decision can be made of it.

use std::fs;
use std::path::PathBuf;

use super::cli::{kubectl_hpa, stderr, stdout};

const DESCRIBED: &str = "\
Name:                                                  web
Namespace:                                             shop
Reference:                                             Deployment/web
Metrics:                                               ( current / target )
  resource cpu on pods  (as a percentage of request):  107% (4282m) / 90%
Min replicas:                                          4
Max replicas:                                          20
Deployment pods:                                       9 current / 9 desired
Conditions:
  Type            Status  Reason            Message
  ----            ------  ------            -------
  AbleToScale     True    ReadyForNewScale  recommended size matches current size
  ScalingActive   True    ValidMetricFound  the HPA was able to successfully calculate a replica count
Events:           <none>
";

const TOP: &str = "\
NAME                   CPU(cores)   MEMORY(bytes)   
web-6c8f9d7b54-4kq2x   4310m        182Mi           
";

#[test]
fn a_described_hpa_is_shown_by_its_status() {
    let output = kubectl_hpa(&["explain", "-f", "-"], &format!("{DESCRIBED}{TOP}"));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let told = stdout(&output);
    for part in [
        "9 replicas, last decided 9      ScalingActive True: ValidMetricFound; not recomputed here",
        "cpu     107%     90%",
        "The HPA is read from the text of kubectl describe.",
        "The rows of kubectl top pods are not used: they are rounded, and have no times.",
        "kubectl get hpa -n shop -o yaml --show-managed-fields",
        "kubectl get deployment web -n shop -o yaml",
        "kubectl get pods.metrics.k8s.io -n shop -o yaml",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("ago"), "{told}");

    let output = kubectl_hpa(&["list", "-f", "-"], DESCRIBED);
    assert!(stdout(&output).contains("web   9 → ?     4–20    idle   by status"), "{}", stdout(&output));
    let deployment =
        "\n\nName:                   web\nNamespace:              shop\nSelector:               app=web\n";
    let both = kubectl_hpa(&["list", "-f", "-"], &format!("{deployment}{DESCRIBED}{deployment}"));
    assert_eq!(stdout(&both), stdout(&output), "other kinds are passed over");
    let note = "note: the state of 1 HPA is that of its last status (HPA from kubectl describe)\n";
    assert_eq!(stderr(&output), note);

    let output = kubectl_hpa(&["simulate", "-f", "-", "--max", "30"], DESCRIBED);
    assert!(stdout(&output).contains("Decision  may or may not change"), "{}", stdout(&output));

    let output = kubectl_hpa(&["explain", "-f", "-"], TOP);
    let error =
        "error: standard input:1:1 is text that kubectl prints for people, and has no object of the API\n";
    assert!(stderr(&output).starts_with(error), "{}", stderr(&output));
}

/// A desired 0 may be what was decided, or that nothing was: only the time of the last scaling tells.
#[test]
fn no_replicas_desired_may_be_no_decision() {
    let text = DESCRIBED.replace("9 current / 9 desired", "2 current / 0 desired");
    let output = kubectl_hpa(&["explain", "-f", "-"], &text);
    assert!(stdout(&output).contains("2 replicas → not known here"), "{}", stdout(&output));
}

/// Somebody may have pasted less: the sizes alone show that a controller has written.
#[test]
fn a_status_without_conditions_is_one() {
    let (before, _) = DESCRIBED.split_once("Conditions:").expect("conditions");
    let output = kubectl_hpa(&["explain", "-f", "-"], before);
    assert!(
        stdout(&output).contains("9 replicas, last decided 9      not recomputed here"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_case_of_text_says_what_the_text_says() {
    let case = kubectl_hpa(&["case", "-"], DESCRIBED);
    let note = "note: shop/web: read from the text of kubectl describe, which does not say everything\n";
    assert!(stderr(&case).starts_with(note), "{}", stderr(&case));
    let untimed = |text: &str| text.split_once(" UTC").map(|(_, rest)| rest.to_owned());
    let [of_case, of_text] =
        [stdout(&case), DESCRIBED].map(|text| stdout(&kubectl_hpa(&["explain", "-f", "-"], text)).to_owned());
    assert_eq!(untimed(&of_case), untimed(&of_text));
    assert!(untimed(&of_text).is_some(), "{of_text}");
}

#[test]
fn a_folder_may_have_text() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("printed");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in
        [("web.txt", DESCRIBED), ("top.txt", TOP), ("README.txt", "name: [broken\n"), ("NAME", "Name: x\n")]
    {
        fs::write(folder.join(name), text).expect("written");
    }
    let output = kubectl_hpa(&["explain", "-f", folder.to_str().expect("UTF-8")], "");
    assert!(stdout(&output).contains("9 replicas, last decided 9"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}

/// An object that is quoted or fenced, and the table of HPAs.
#[test]
fn what_is_pasted_has_a_hint() {
    let quoted = "> apiVersion: autoscaling/v2\n> kind: HorizontalPodAutoscaler\n";
    let fenced = "```yaml\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n```\n";
    let table = "NAME  REFERENCE       TARGETS       MINPODS   MAXPODS   REPLICAS   AGE\n\
                 web   Deployment/web  cpu: 90%/50%  2         10        3          5d\n";
    for (text, hint) in [
        (quoted, "its lines are quoted: remove the > before each"),
        (fenced, "it is fenced as in Markdown: remove the lines of ```"),
        (table, "kubectl get hpa NAME -o yaml (prints everything)"),
    ] {
        for command in ["explain", "simulate", "list", "lint"] {
            let told = stderr(&kubectl_hpa(&[command, "-f", "-"], text)).to_owned();
            assert!(told.contains(&format!("hint: {hint}")), "{command}: {told}");
        }
    }
}

/// YAML that begins like the text, and YAML that is broken, are YAML.
#[test]
fn yaml_is_not_taken_for_text() {
    let told = |text: &str| stderr(&kubectl_hpa(&["explain", "-f", "-"], text)).to_owned();
    let named = "Name:  web\nNamespace: shop\n  Metrics: a: b\n";
    assert!(told(named).contains("mapping values are not allowed"), "{}", told(named));
    let quoted = format!(
        "apiVersion: v1\nkind: ConfigMap\ndata:\n  text: |\n    {}",
        DESCRIBED.replace('\n', "\n    ")
    );
    assert!(told(&quoted).contains("is a ConfigMap of v1"), "{}", told(&quoted));
}
