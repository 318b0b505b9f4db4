//! Where a field is in a file, and what belongs together.

use kubectl_hpa_core::lint::{Rule, lint};
use kubectl_hpa_core::snapshot::{Objects, Position, Written};

fn read(name: &str, text: &str) -> Vec<Written> {
    Objects::new(name, text.as_bytes()).collect::<Result<_, _>>().expect("objects")
}

#[test]
fn a_field_is_where_its_name_is_and_an_item_where_it_begins() {
    let text = "\
# a comment
---
kind: Thing
apiVersion: v1
metadata:
  annotations:
    example.com/a: b
spec:
  list:
  - name: one
  -
    name: two
  flow: {a: 1,
    b: 2}
---
{\"apiVersion\": \"v1\",
  \"kind\": \"Thing\", \"spec\": [1]}
";
    let objects = read("a.yaml", text);
    let at = |object: usize, path: &str| {
        let Position { line, column } = objects[object].at(path);
        (line, column)
    };
    assert_eq!(at(0, "kind"), (3, 1));
    assert_eq!(at(0, "metadata.annotations[example.com/a]"), (7, 5));
    assert_eq!(at(0, "spec.list[0]"), (10, 5));
    assert_eq!(at(0, "spec.list[0].name"), (10, 5));
    assert_eq!(at(0, "spec.list[1].name"), (12, 5));
    assert_eq!(at(0, "spec.flow.b"), (14, 5));
    // What is not there is where it would stand.
    assert_eq!(at(0, "spec.list[1].image"), (12, 5));
    assert_eq!(at(0, "spec.none.at.all"), (8, 1));
    assert_eq!(at(1, "kind"), (17, 3));
    assert_eq!(at(1, "spec[0]"), (17, 29));
}

#[test]
fn the_items_of_a_list_are_objects_with_their_places() {
    let text =
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: B\n";
    let objects = read("a.yaml", text);
    let kinds: Vec<_> = objects.iter().map(|it| (it.text("/kind"), it.at("kind").line)).collect();
    assert_eq!(kinds, [("A", 5), ("B", 7)]);
}

#[test]
fn an_anchor_is_shown_where_it_is_used() {
    let text = "apiVersion: v1\nkind: A\nbase: &base\n  a: 1\nspec: *base\n";
    let objects = read("a.yaml", text);
    assert_eq!(objects[0].value["spec"]["a"], 1);
    assert_eq!(objects[0].at("spec").line, 5);
}

/// As in the value that is read.
#[test]
fn of_two_fields_of_one_name_the_later_counts() {
    let objects = read("a.yaml", "apiVersion: v1\nkind: A\nspec:\n  a: 1\n  a: 2\n");
    assert_eq!((&objects[0].value["spec"]["a"], objects[0].at("spec.a").line), (&2.into(), 5));
}

const HPA: &str = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {maxReplicas: 5, \
                   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: External, external: \
                   {metric: {name: q}, target: {type: AverageValue, averageValue: 1}}}]}}\n";
const WEB: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2, selector: {matchLabels: \
                   {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app}]}}}}\n";

/// The rules that files with texts break.
fn found(files: &[(&str, &str)]) -> Vec<Rule> {
    let objects: Vec<Written> = files.iter().flat_map(|(name, text)| read(name, text)).collect();
    lint(&objects).into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_target_is_found_in_other_files_unless_it_is_not_clear_which() {
    let replicas = [Rule::ReplicasInManifest];
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("a/web.yaml", WEB)]), replicas);
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("b/web.yaml", WEB)]), replicas);
    // The variants of two environments: the nearest one is meant.
    let other = WEB.replace("replicas: 2, ", "");
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("a/web.yaml", &other), ("b/web.yaml", WEB)]), []);
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("b/web.yaml", WEB), ("c/web.yaml", WEB)]), []);
    // Neither another namespace nor another kind, nor another group.
    let namespaced = |text: &str, name: &str| {
        text.replace("{name: web}, spec", &format!("{{name: web, namespace: {name}}}, spec"))
    };
    assert_eq!(
        found(&[("a/all.yaml", &format!("{}---\n{}", namespaced(HPA, "north"), namespaced(WEB, "south")))]),
        [Rule::TargetNotFound]
    );
    assert_eq!(found(&[("a/all.yaml", &format!("{HPA}---\n{}", namespaced(WEB, "south")))]), replicas);
    assert_eq!(
        found(&[("a/all.yaml", &format!("{HPA}---\n{}", WEB.replace("Deployment", "StatefulSet")))]),
        []
    );
    assert_eq!(
        found(&[("a/all.yaml", &format!("{HPA}---\n{}", WEB.replace("apps/v1", "example.com/v1")))]),
        [Rule::TargetNotFound]
    );
    assert_eq!(
        found(&[("a/all.yaml", &format!("{HPA}---\n{}", WEB.replace("apps/v1", "apps/v1beta2")))]),
        replicas
    );
}

/// As far as the files show it: another folder may have the target.
#[test]
fn a_target_that_is_not_there_is_told_with_what_was_meant() {
    let told = |files: &[(&str, &str)]| -> Vec<(&str, String)> {
        let objects: Vec<Written> = files.iter().flat_map(|(name, text)| read(name, text)).collect();
        let found = lint(&objects).into_iter().filter(|it| it.rule == Rule::TargetNotFound);
        found.map(|it| (it.severity.as_str(), it.help)).collect()
    };
    let named = |name: &str| WEB.replace("name: web}, spec", &format!("name: {name}}}, spec"));
    let (near, far, here) = (named("webb"), named("db"), named("web"));
    assert_eq!(told(&[("a/hpa.yaml", HPA)]), []);
    assert_eq!(told(&[("a/hpa.yaml", HPA), ("b/web.yaml", &near)]), []);
    assert_eq!(
        told(&[("a/hpa.yaml", HPA), ("a/web.yaml", &near)]),
        [("warning", "did you mean webb?".to_owned())]
    );
    let unclear = ("info", "correct the name, or read the target's file, too".to_owned());
    assert_eq!(told(&[("a/hpa.yaml", HPA), ("a/web.yaml", &far)]), std::slice::from_ref(&unclear));
    // What another HPA scales was not meant.
    let other = HPA.replace("name: web}", "name: webb}");
    assert_eq!(told(&[("a/hpa.yaml", HPA), ("a/web.yaml", &near), ("a/webb.yaml", &other)]), [unclear]);
    // A custom resource may name its pods' template.
    let rollout = "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {workloadRef: {name: x}}}";
    let hpa = HPA.replace("apps/v1, kind: Deployment", "argoproj.io/v1alpha1, kind: Rollout");
    assert_eq!(told(&[("a/hpa.yaml", &hpa), ("a/web.yaml", &here), ("c/rollout.yaml", rollout)]), []);
}

/// Of two that are the same the first is as good; of two that differ it is not known.
#[test]
fn a_copy_of_the_target_is_the_target() {
    let files = |second: &str| found(&[("a/hpa.yaml", HPA), ("a/b.yaml", WEB), ("a/c.yaml", second)]);
    assert_eq!(files(WEB), [Rule::ReplicasInManifest]);
    assert_eq!(files(&WEB.replace("replicas: 2", "replicas: 3")), []);
    let old = WEB.replace("apps/v1", "extensions/v1beta1");
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("a/web.yaml", &old)]), [Rule::ReplicasInManifest]);
    let small = HPA.replace("kind: Deployment", "kind: deployment");
    assert_eq!(found(&[("a/hpa.yaml", &small), ("a/web.yaml", WEB)]), [Rule::ReplicasInManifest]);
}

#[test]
fn a_reason_to_ignore_may_stand_on_a_line_of_its_own() {
    let ignored =
        "annotations: {kubectl-hpa.io/lint-ignore: \"min-is-max: fixed\\nreplicas-in-manifest: Argo\\n\"}";
    let hpa = HPA.replace("{name: web}, spec", &format!("{{name: web, {ignored}}}, spec"));
    let hpa = hpa.replace("maxReplicas: 5", "minReplicas: 5, maxReplicas: 5");
    let objects = read("a.yaml", &format!("{hpa}---\n{WEB}"));
    let told: Vec<_> = lint(&objects).into_iter().map(|it| (it.rule, it.ignored)).collect();
    let reason = |text: &str| Some(text.to_owned());
    assert_eq!(told, [(Rule::MinIsMax, reason("fixed")), (Rule::ReplicasInManifest, reason("Argo"))]);
}

/// One object in two files of a folder does not part the others.
#[test]
fn a_repeated_object_leaves_the_rest_of_its_folder_together() {
    let vpa = "{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: web}, spec: {targetRef: \
               {apiVersion: apps/v1, kind: Deployment, name: web}}}";
    let hpa = HPA.replace(
        "{type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 1}}}",
        "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}",
    );
    let web = WEB.replace("replicas: 2, ", "");
    for repeated in [
        "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
    ] {
        let text = |more: &str| format!("{repeated}\n---\n{more}");
        let files = [("a/hpa.yaml", text(&hpa)), ("a/web.yaml", text(&web)), ("a/vpa.yaml", vpa.to_owned())];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        assert_eq!(found(&files), [Rule::VpaSameResource], "{repeated}");
    }
    // An example of the same workload is for itself, and sees what is in no other one.
    let files = [
        ("a/one.yaml", format!("{hpa}---\n{web}")),
        ("a/two.yaml", web.clone()),
        ("a/vpa.yaml", vpa.to_owned()),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    assert_eq!(found(&files), [Rule::VpaSameResource]);
}

/// One name in two environments, of which one has the HPA and the other the Deployment.
#[test]
fn unrelated_folders_are_not_paired() {
    let replicas = [Rule::ReplicasInManifest];
    let built = "resources: [web.yaml]";
    let overlays = [("prod/hpa.yaml", HPA), ("dev/web.yaml", WEB), ("prod/kustomization.yaml", built)];
    assert_eq!(found(&overlays), replicas, "one of them may be a part of the other");
    assert_eq!(found(&[&overlays[..], &[("dev/kustomization.yaml", built)]].concat()), []);
    // Nor are they built for themselves, if each has an object of the other's name.
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}";
    let variants =
        [("prod/hpa.yaml", HPA), ("prod/env.yaml", config), ("dev/web.yaml", WEB), ("dev/env.yaml", config)];
    assert_eq!(found(&variants), []);
    assert_eq!(found(&variants[..3]), replicas);
    // A namespace is the same one in all of them.
    let shop = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}";
    let parts = [("a/hpa.yaml", HPA), ("a/shop.yaml", shop), ("b/web.yaml", WEB), ("b/shop.yaml", shop)];
    assert_eq!(found(&parts), replicas);
    assert_eq!(found(&[("north/web/hpa.yaml", HPA), ("south/web/web.yaml", WEB)]), []);
    assert_eq!(found(&[("web/hpa.yaml", HPA), ("web/deployments/web.yaml", WEB)]), replicas);
}

#[test]
fn the_same_hpa_twice_is_one_hpa_and_folders_are_variants() {
    let other = HPA.replace("{name: web}, spec", "{name: web-2}, spec");
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("a/again.yaml", HPA)]), []);
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("a/other.yaml", &other)]), [Rule::SharedTarget]);
    assert_eq!(found(&[("a/hpa.yaml", HPA), ("b/other.yaml", &other)]), []);
    // Files that have one object several times are examples, each for itself.
    let files = [("a/hpa.yaml", HPA), ("a/again.yaml", HPA), ("a/other.yaml", &other)];
    assert_eq!(found(&files), []);
}

#[test]
fn what_a_cluster_gave_is_not_a_manifest_that_sets_replicas() {
    let live = WEB.replace("{name: web}, spec", "{name: web, uid: 8d0c}, spec");
    let set = "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, ownerReferences: [{kind: Deployment, name: web}]}, \
               spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app}]}}}}";
    assert_eq!(found(&[("all.yaml", &format!("{HPA}---\n{live}---\n{set}"))]), []);
}

#[test]
fn pods_that_come_and_go_are_worth_a_note() {
    let text = format!(
        "{HPA}---\n{}---\n{{apiVersion: v1, kind: Pod, metadata: {{name: test, labels: {{app: web}}}}, spec: {{containers: \
         [{{name: test}}]}}}}\n",
        WEB.replace("replicas: 2, ", "")
    );
    let findings = lint(&read("all.yaml", &text));
    let told: Vec<_> = findings.iter().map(|it| (it.rule, it.severity.as_str())).collect();
    assert_eq!(told, [(Rule::SelectsOtherPods, "info")]);
}

#[test]
fn patches_of_a_kustomization_are_no_hpas_of_their_own() {
    let patch = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {maxReplicas: 9}}";
    let parts = WEB.replace("selector: {matchLabels: {app: web}}, ", "");
    assert_eq!(found(&[("base/hpa.yaml", HPA), ("prod/hpa.yaml", patch)]), []);
    // A kustomization may leave out its kind.
    assert_eq!(
        found(&[("prod/hpa.yaml", patch), ("prod/kustomization.yaml", "patches: [{path: hpa.yaml}]")]),
        []
    );
    assert_eq!(found(&[("prod/hpa.yaml", HPA), ("prod/web.yaml", &parts)]), []);
    // Alone it is refused, as any HPA is that lacks what it needs.
    assert_eq!(found(&[("prod/hpa.yaml", patch)]), [Rule::InvalidHpa; 3]);
}

/// The selector of an old kind is a map of labels; read as a selector of the new form it would match every pod.
#[test]
fn labels_of_old_kinds_are_selectors() {
    let config = WEB
        .replace("apps/v1, kind: Deployment", "apps.openshift.io/v1, kind: DeploymentConfig")
        .replace("replicas: 2, ", "")
        .replace("{matchLabels: {app: web}}", "{app: web}");
    let hpa = HPA.replace("apps/v1, kind: Deployment", "apps.openshift.io/v1, kind: DeploymentConfig");
    let job = |label: &str| {
        format!(
            "{{apiVersion: batch/v1, kind: Job, metadata: {{name: job}}, spec: {{template: {{metadata: {{labels: \
             {{app: {label}}}}}, spec: {{containers: [{{name: job}}]}}}}}}}}"
        )
    };
    let found = |label: &str| found(&[("all.yaml", &format!("{hpa}---\n{config}---\n{}", job(label)))]);
    assert_eq!(found("other"), []);
    assert_eq!(found("web"), [Rule::SelectsOtherPods]);
}

#[test]
fn scalars_are_those_that_kubectl_sends() {
    assert_eq!(found(&[("a.yaml", &HPA.replace("maxReplicas: 5", "maxReplicas: 5.0"))]), []);
    assert_eq!(found(&[("a.yaml", &HPA.replace("maxReplicas: 5", "maxReplicas: 5.5"))]), [Rule::InvalidHpa]);
    assert_eq!(found(&[("a.yaml", &HPA.replace("maxReplicas: 5", "maxReplicas: '5'"))]), [Rule::InvalidHpa]);
    let with = |metadata: &str| {
        let text = HPA.replace("{name: web}, spec", &format!("{{name: web, {metadata}}}, spec"));
        found(&[("a.yaml", &text)])
    };
    assert_eq!(with("labels: {version: 1.0}"), [Rule::InvalidHpa]);
    // What the API server takes for a key, a value, a namespace.
    assert_eq!(with("labels: {a.b/c: '', d: e}, annotations: {A.B/c: 'any text: 1'}, namespace: north"), []);
    for wrong in [
        "labels: {'a b': c}",
        "labels: {a: 'b c'}",
        "labels: {A.B/c: d}",
        "annotations: {'a b': c}",
        "annotations: {a/b/c: d}",
        "namespace: a.b",
    ] {
        assert_eq!(with(wrong), [Rule::InvalidHpa], "{wrong}");
    }
}
