//! `explain -f` and `list -f` of what kubectl prints.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::cli::{example, kubectl_hpa, stderr, stdout};

/// The objects of the example `missing-samples`: HPA, Deployment, pods, and the samples as `kubectl get --raw` prints them.
fn objects() -> [Value; 4] {
    let case: Value = serde_yaml::from_str(example("missing-samples")).expect("YAML");
    let typed = |version: &str, kind: &str, mut object: Value| {
        object["apiVersion"] = json!(version);
        object["kind"] = json!(kind);
        object
    };
    let deployment = json!({
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 5, "selector": {"matchLabels": {"app": "web"}}},
        "status": {"replicas": 5},
    });
    [
        typed("autoscaling/v2", "HorizontalPodAutoscaler", case["hpa"].clone()),
        typed("apps/v1", "Deployment", deployment),
        typed("v1", "PodList", json!({"items": case["pods"]["items"]})),
        typed("metrics.k8s.io/v1beta1", "PodMetricsList", json!({"items": case["podMetrics"]["items"]})),
    ]
}

/// As `kubectl get … -o json` prints several kinds.
fn list(objects: &[Value]) -> String {
    json!({"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {"resourceVersion": ""}})
        .to_string()
}

#[test]
fn objects_that_tell_all_are_explained_as_their_case() {
    let [hpa, deployment, pods, samples] = objects();
    let text = format!("{}\n{samples}\n", list(&[hpa, deployment, pods]));
    let output = kubectl_hpa(&["explain", "-f", "-"], &text);
    let told = stdout(&output);
    assert!(told.contains("5 replicas → stays at 5"), "{told}{}", stderr(&output));
    assert!(told.contains("270m of 300m = 90%"), "{told}");
    // The newest sample is 12 seconds older than the case of the example.
    assert!(told.contains("2026-11-21 10:41:52 UTC"), "{told}");
    assert!(told.contains("kubectl get events -n shop -o yaml"), "{told}");
}

#[test]
fn what_is_not_given_is_listed_with_its_commands() {
    let [hpa, deployment, pods, _] = objects();
    let output = kubectl_hpa(&["explain", "-f", "-"], &list(std::slice::from_ref(&hpa)));
    let told = stdout(&output);
    assert!(told.contains("last decided 5"), "{told}{}", stderr(&output));
    for command in [
        "kubectl get deployment web -n shop -o yaml",
        "kubectl get pods -n shop -o yaml",
        "kubectl get pods.metrics.k8s.io -n shop -o yaml",
    ] {
        assert!(told.contains(command), "{told}");
    }
    let output = kubectl_hpa(&["explain", "-f", "-"], &list(&[hpa, deployment, pods]));
    let told = stdout(&output);
    assert!(told.contains("kubectl get pods.metrics.k8s.io -n shop -l app=web -o yaml"), "{told}");
    assert!(!told.contains("kubectl get pods -n shop"), "{told}");
}

#[test]
fn a_list_has_a_row_of_each_hpa_among_the_objects() {
    let [hpa, deployment, pods, samples] = objects();
    let mut other = hpa.clone();
    other["metadata"]["name"] = json!("api");
    other["spec"]["scaleTargetRef"]["name"] = json!("api");
    let text = format!("{}\n{samples}\n", list(&[hpa, other, deployment, pods]));
    let output = kubectl_hpa(&["list", "-f", "-"], &text);
    let names: Vec<&str> =
        stdout(&output).lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["NAME", "web", "api", "Total"], "{}", stdout(&output));
}

#[test]
fn a_field_that_cannot_be_decoded_is_named_by_its_path() {
    let [hpa, deployment, mut pods, _] = objects();
    pods["items"][1]["spec"]["containers"] = json!("app");
    let output = kubectl_hpa(&["explain", "-f", "-"], &list(&[hpa, deployment, pods]));
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let told = stderr(&output);
    assert!(told.contains("items[2].items[1].spec.containers: "), "{told}");
}

#[test]
fn an_item_that_is_no_object_is_passed_over() {
    for item in [json!(5), json!("web"), json!([]), Value::Null] {
        let list =
            json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscalerList", "items": [item]});
        for command in ["explain", "list", "case"] {
            let output = kubectl_hpa(&[command, "-f", "-"], &list.to_string());
            let told = stderr(&output);
            assert!(told.starts_with("error: ") && !told.contains("panicked"), "{command}: {told}");
        }
    }
}

#[test]
fn a_target_without_a_scale_is_not_asked_for() {
    let [mut hpa, ..] = objects();
    hpa["spec"]["scaleTargetRef"]["kind"] = json!("DaemonSet");
    let output = kubectl_hpa(&["explain", "-f", "-"], &list(&[hpa]));
    let told = stdout(&output);
    assert!(told.contains("No HPA can scale DaemonSet/web: a DaemonSet has no scale subresource."), "{told}");
    assert!(!told.contains("kubectl get daemonset"), "{told}");
}

/// What `explain -f -` says of these objects.
fn told(objects: &[Value]) -> String {
    let output = kubectl_hpa(&["explain", "-f", "-"], &list(objects));
    format!("{}{}", stdout(&output), stderr(&output))
}

/// Found by trying: each once gave an exact number that the whole would not give.
#[test]
fn parts_of_a_whole_are_not_taken_for_it() {
    let [hpa, deployment, pods, samples] = objects();
    let given = |objects: &[&Value]| told(&objects.iter().map(|it| (*it).clone()).collect::<Vec<_>>());

    // Pods that end are not counted in the status of a Deployment: two of five that are left are missing.
    let mut ending = pods.clone();
    for pod in ending["items"].as_array_mut().expect("pods").iter_mut().take(2) {
        pod["metadata"]["deletionTimestamp"] = json!("2026-11-21T10:42:20Z");
    }
    let screen = given(&[&hpa, &deployment, &ending, &samples]);
    assert!(screen.contains("kubectl get pods -n shop -l app=web -o yaml"), "{screen}");

    // A scale that does not say of what: Rollout/web has the same name.
    let scale = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 8}, "status": {"replicas": 8, "selector": "app=web"},
    });
    let screen = given(&[&hpa, &scale, &pods, &samples]);
    assert!(screen.contains("kubectl get deployment web -n shop -o yaml"), "{screen}");

    // One sample alone says nothing of the other pods.
    let mut alone = samples["items"][0].clone();
    alone["apiVersion"] = json!("metrics.k8s.io/v1beta1");
    alone["kind"] = json!("PodMetrics");
    let text = format!("{}\n{alone}\n", list(&[hpa.clone(), deployment.clone(), pods.clone()]));
    let output = kubectl_hpa(&["explain", "-f", "-"], &text);
    assert!(stdout(&output).contains("kubectl get pods.metrics.k8s.io"), "{}", stdout(&output));

    // After an object that cannot be decoded nothing is said of the others.
    let mut broken = samples.clone();
    broken["items"][1]["containers"] = json!("app");
    let screen = given(&[&hpa, &deployment, &pods, &broken]);
    assert!(screen.starts_with("error: standard input: items[3].items[1].containers: "), "{screen}");
}

#[test]
fn the_time_is_the_clusters_and_not_that_of_an_annotation() {
    let [hpa, mut deployment, pods, samples] = objects();
    deployment["metadata"]["annotations"] = json!({"janitor/expiryTime": "2026-11-25T00:00:00Z"});
    let screen = told(&[hpa.clone(), deployment.clone(), pods.clone(), samples.clone()]);
    assert!(screen.contains("2026-11-21 10:41:52 UTC"), "{screen}");
    // The clock of this machine may be behind.
    let mut ahead = samples;
    for sample in ahead["items"].as_array_mut().expect("samples") {
        sample["timestamp"] = json!("2099-11-21T10:41:45Z");
    }
    let screen = told(&[hpa, deployment, pods, ahead]);
    assert!(screen.contains("2099-11-21 10:41:45 UTC"), "{screen}");
}

#[test]
fn lists_without_an_hpa_and_without_an_end_say_so() {
    let [_, deployment, ..] = objects();
    let screen = told(&[deployment]);
    assert!(screen.contains("is a List of v1, and has no HorizontalPodAutoscaler of a cluster"), "{screen}");
    assert!(screen.contains("hint: kubectl get hpa,deploy,pods -o yaml"), "{screen}");
    let output =
        kubectl_hpa(&["explain", "-f", "-"], "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n");
    assert!(stderr(&output).contains("was the file cut off?"), "{}", stderr(&output));
    let secret = "apiVersion: v1\nkind: Secret\ndata:\n  password: \"aHVudGVyMg==\n";
    let output = kubectl_hpa(&["explain", "-f", "-"], secret);
    assert!(stderr(&output).contains("unclosed quote"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("aHVudGVyMg"), "{}", stderr(&output));
}

/// What is written is what would be explained, and reads again as the same.
#[test]
fn a_case_is_made_of_objects_and_explains_as_they_do() {
    let [hpa, deployment, pods, samples] = objects();
    let text = format!("{}\n{samples}\n", list(&[hpa.clone(), deployment, pods]));
    let made = kubectl_hpa(&["case", "-"], &text);
    let case = stdout(&made);
    assert!(made.status.success() && case.starts_with("apiVersion: kubectl-hpa/v1\nkind: Case\n"), "{case}");
    let told = "note: shop/web: not given, these commands print it:\n  kubectl get hpa -n shop -o yaml \
                --show-managed-fields\n  kubectl get events -n shop -o yaml\n";
    assert_eq!(stderr(&made), told);
    let explained = |text: &str| stdout(&kubectl_hpa(&["explain", "-f", "-"], text)).to_owned();
    assert_eq!(explained(case), explained(&text));
    // Again, it is the same case.
    assert_eq!(stdout(&kubectl_hpa(&["case", "-"], case)), case);
    // Of two HPAs there are two, and a masked one has no names of pods.
    let mut other = hpa;
    other["metadata"]["name"] = json!("api");
    let two = kubectl_hpa(&["case", "-"], &format!("{text}{}\n", list(&[other])));
    let two = stdout(&two);
    assert_eq!(two.matches("kind: Case\n").count(), 2, "{two}");
    assert!(stdout(&kubectl_hpa(&["list", "-f", "-"], two)).contains("Total  2 HPAs: "));
    let masked = kubectl_hpa(&["case", "-", "--redact"], &text);
    let masked = stdout(&masked);
    assert!(case.contains("web-6c8f9d7b54-4kq2x") && !masked.contains("web-6c8f9d7b54-4kq2x"), "{masked}");
    let none = kubectl_hpa(&["case", "-"], "{apiVersion: v1, kind: Service, metadata: {name: a}}");
    assert!(!none.status.success() && stdout(&none).is_empty(), "{}", stderr(&none));
    let none = kubectl_hpa(&["case", "-"], "");
    assert_eq!(
        (none.status.code(), stderr(&none)),
        (Some(1), "error: standard input: there is no case in it\n")
    );
}

/// The files of a folder in the order of their names, as of one stream.
#[test]
fn a_folder_of_objects_is_explained_and_written() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("objects");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("shop")).expect("a folder");
    let all = objects();
    for (name, object) in
        ["hpa.json", "deployment.json", "shop/pods.json", "shop/samples.json"].iter().zip(&all)
    {
        fs::write(folder.join(name), object.to_string()).expect("written");
    }
    let [hpa, deployment, pods, samples] = all;
    let stream = format!("{}\n{samples}\n", list(&[hpa, deployment, pods]));
    let named = folder.to_str().expect("UTF-8");
    for command in ["explain", "list"] {
        let told = kubectl_hpa(&[command, "-f", named], "");
        assert_eq!(stdout(&told), stdout(&kubectl_hpa(&[command, "-f", "-"], &stream)), "{command}");
    }
    fs::create_dir_all(folder.join("empty")).expect("a folder");
    let empty = folder.join("empty").display().to_string();
    for words in [&["explain", "-f", &empty] as &[&str], &["list", "-f", &empty], &["case", &empty]] {
        let output = kubectl_hpa(words, "");
        let told = (output.status.code(), stderr(&output).to_owned());
        assert_eq!(
            told,
            (Some(1), format!("error: no YAML, no JSON and no text of kubectl in {empty}\n")),
            "{words:?}"
        );
    }
    let case = folder.join("case.out");
    let output = kubectl_hpa(&["case", named, "-o", case.to_str().expect("UTF-8")], "");
    assert!(output.status.success() && stdout(&output).is_empty(), "{}", stderr(&output));
    let written = fs::read_to_string(&case).expect("a file");
    let same = folder.join("hpa.json");
    let same = same.to_str().expect("UTF-8");
    let output = kubectl_hpa(&["case", same, "-o", same], "");
    assert_eq!(stderr(&output), format!("error: -o {same}: it is one of the files that are read\n"));
    let output = kubectl_hpa(&["case", same, "-o", "json"], "");
    assert_eq!(stderr(&output), "error: -o json: a case is YAML, and -o names its file\n");
    assert_eq!(written, stdout(&kubectl_hpa(&["case", "-"], &stream)));
}

/// The HPA of the objects with another target, as somebody writes it.
fn manifest(name: &str, target: i32) -> Value {
    let [hpa, ..] = objects();
    let mut spec = hpa["spec"].clone();
    spec["metrics"][0]["resource"]["target"]["averageUtilization"] = json!(target);
    let metadata = json!({"name": name, "namespace": "shop"});
    json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata, "spec": spec})
}

fn simulated(args: &[&str], input: &str) -> Value {
    let output = kubectl_hpa(&[&["simulate", "-f", "-", "-o", "json"], args].concat(), input);
    serde_json::from_str(stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

/// `simulate` makes of objects what it makes of their case, and of a manifest beside them what it makes of its knob.
#[test]
fn objects_are_simulated_as_their_case() {
    let [hpa, deployment, pods, samples] = objects();
    let text = format!("{}\n{samples}\n", list(&[hpa.clone(), deployment.clone(), pods.clone()]));
    let case = kubectl_hpa(&["case", "-"], &text);
    let of_knob = simulated(&["--target", "40"], stdout(&case));
    assert_ne!(of_knob["now"]["desiredReplicas"], of_knob["then"]["desiredReplicas"], "{of_knob}");
    assert_eq!(simulated(&["--target", "40"], &text), of_knob);

    let mut edited = hpa.clone();
    edited["spec"] = manifest("web", 40)["spec"].clone();
    for proposed in [manifest("web", 40), edited] {
        for input in [format!("{text}{proposed}\n"), format!("{proposed}\n{text}")] {
            let mut of_manifest = simulated(&[], &input);
            assert_eq!(of_manifest["changes"], json!(["-f -"]));
            of_manifest["changes"] = of_knob["changes"].clone();
            for side in ["now", "then"] {
                let [mut own, mut knob] = [&of_manifest, &of_knob].map(|it| it[side].clone());
                // The API server counts an update of the spec.
                for side in [&mut own, &mut knob] {
                    side["status"].as_object_mut().expect("a status").remove("observedGeneration");
                }
                assert_eq!(own, knob, "{side}");
            }
        }
    }
    // Documents of one kind each are objects, too.
    let apart = [&hpa, &deployment, &pods, &samples].map(|it| format!("{it}\n")).concat();
    assert_eq!(simulated(&["--target", "40"], &apart), of_knob);
    // Of a new HPA there is no decision yet.
    let of_new =
        simulated(&[], &format!("{}{samples}\n{}\n", list(&[deployment, pods]), manifest("other", 40)));
    assert_eq!(of_new["now"], Value::Null);
    assert_eq!(of_new["then"]["desiredReplicas"], of_knob["then"]["desiredReplicas"]);
    let written = kubectl_hpa(&["simulate", "-f", "-", "--target", "40", "--apply", "--yes"], &text);
    assert_eq!(
        (written.status.code(), stderr(&written)),
        (Some(1), "error: shop/web: --apply needs a live HPA, not a case file\n")
    );
}

/// Names, a namespace and labels take some HPAs of files, and what is not there is an error.
#[test]
fn some_hpas_of_files_are_taken() {
    let [hpa, deployment, pods, _] = objects();
    let placed = |namespace: &str, name: &str, team: &str| {
        let mut it = hpa.clone();
        it["metadata"]["namespace"] = json!(namespace);
        it["metadata"]["name"] = json!(name);
        it["metadata"]["labels"] = json!({"team": team});
        it
    };
    let hpas = [placed("shop", "web", "a"), placed("shop", "api", "b"), placed("bank", "web", "b")];
    let text = list(&[&hpas[..], &[deployment, pods]].concat());
    let ran = |args: &[&str]| {
        let output = kubectl_hpa(&[args, &["-f", "-"]].concat(), &text);
        (stdout(&output).to_owned(), stderr(&output).to_owned())
    };
    for command in
        [&["explain", "-o", "name"][..], &["list", "-o", "name"], &["simulate", "--max", "7", "-o", "name"]]
    {
        for (args, count) in [
            (&[][..], 3),
            (&["web"], 2),
            (&["web", "-n", "shop"], 1),
            (&["hpa/api"], 1),
            (&["hpa", "web", "api"], 3),
            (&["deploy/web"], 3),
            (&["deployments.apps/web"], 3),
            (&["Deployment.v1.apps/web", "-n", "bank"], 1),
            (&["shop/web"], 1),
            (&["-n", "shop"], 2),
            (&["-l", "team=b"], 2),
            (&["-l", "team=b", "-n", "shop"], 1),
        ] {
            // With a selector simulate has one table, of those that are decided.
            if command[0] == "simulate" && args.contains(&"-l") {
                continue;
            }
            let (out, err) = ran(&[command, args].concat());
            assert_eq!(out.lines().count(), count, "{command:?} {args:?}: {out}{err}");
        }
        for (args, words) in [
            (&["nope"][..], "no HPA hpa/nope in the files; there are bank/web, shop/api, shop/web"),
            (&["web", "-n", "x"], "no HPA hpa/web -n x in the files"),
            (&["rs/web"], "no HPA rs/web in the files"),
            (&["deployments.extensions/web"], "no HPA deployments.extensions/web in the files"),
            (&["-n", "x", "-l", "team=b"], "no HPA -n x -l team=b in the files; there are"),
        ] {
            let (out, err) = ran(&[command, args].concat());
            assert!(out.lines().next().is_none_or(|line| !line.contains("autoscaler")), "{out}");
            assert!(err.contains(words), "{command:?} {args:?}: {err}");
        }
    }
    let (out, err) = ran(&["simulate", "--all", "--max", "7", "web", "-o", "name"]);
    assert!(err.contains("--all"), "{out}{err}");
}
