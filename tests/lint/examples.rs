//! Each rule by its examples, `RULE.bad.yaml` and `RULE.good.yaml`. In the bad one a comment on each line with findings
//! names their rules; in the good one there is nothing to find.

use std::collections::BTreeSet;
use std::fs;

use kubectl_hpa_core::lint::{Finding, Fix, Rule, Severity, lint};
use kubectl_hpa_core::snapshot::{Objects, Written};
use serde_json::Value;

use crate::example::example;
use crate::root::root;

pub fn objects(text: &str) -> Vec<Written> {
    Objects::new("example.yaml", text.as_bytes()).collect::<Result<_, _>>().expect("objects")
}

/// The findings that count.
fn counted(objects: &[Written]) -> Vec<Finding> {
    lint(objects).into_iter().filter(|finding| finding.ignored.is_none()).collect()
}

/// Lines with rules, as the comments of an example name them.
fn marked(text: &str) -> BTreeSet<(u64, String)> {
    let lines = text.lines().zip(1..);
    let marks = lines.filter_map(|(line, number)| Some((number, line.split_once("# finds: ")?.1)));
    marks.flat_map(|(number, rules)| rules.split(", ").map(move |rule| (number, rule.to_owned()))).collect()
}

#[test]
fn a_bad_example_has_what_its_comments_say_and_nothing_else() {
    for rule in Rule::ALL {
        let text = example(*rule, "bad");
        let objects = objects(&text);
        let place = |it: &Finding| (objects[it.object].at(&it.path).line, it.rule.to_string());
        let found: BTreeSet<_> = counted(&objects).iter().map(place).collect();
        assert_eq!(found, marked(&text), "{rule}");
        assert!(found.iter().any(|(_, found)| found == rule.as_str()), "{rule} is not in its own example");
    }
}

#[test]
fn a_good_example_has_nothing() {
    for rule in Rule::ALL {
        let found = counted(&objects(&example(*rule, "good")));
        assert!(found.is_empty(), "{rule}: {found:#?}");
    }
}

#[test]
fn every_example_is_of_a_rule() {
    let folder = root("tests/lint");
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let rule = name.strip_suffix(".bad.yaml").or_else(|| name.strip_suffix(".good.yaml"));
        assert!(rule.is_none_or(|rule| Rule::of(rule).is_some()), "{name}");
    }
}

/// The rules of which some finding has a patch; of the others there is more than one way, or none that a manifest shows.
const PATCHED: &[Rule] = &[
    Rule::GoneVersion,
    Rule::ZeroWithoutMetric,
    Rule::TargetCannotScale,
    Rule::ResourceNotMeasured,
    Rule::VpaModeUnquoted,
    Rule::TargetNotFound,
    Rule::NoRequest,
    Rule::ContainerNotInTemplate,
    Rule::TargetTypeMismatch,
    Rule::TargetOutOfReach,
    Rule::ToleranceTooWide,
    Rule::StuckAtZero,
    Rule::ScaleUpOff,
    Rule::PdbBlocksDrain,
    Rule::OtherNamespace,
    Rule::ReplicasInManifest,
    Rule::VpaSameResource,
    Rule::ZeroNeedsGate,
    Rule::SidecarsCount,
    Rule::ScaleDownOff,
    Rule::PercentIsOnePod,
    Rule::DefaultBehavior,
];

#[test]
fn a_patch_removes_its_finding_and_brings_no_worse_one() {
    let mut patched = Vec::new();
    for rule in Rule::ALL {
        let before = objects(&example(*rule, "bad"));
        let of_rule = |all: &[Written]| counted(all).iter().filter(|it| it.rule == *rule).count();
        for finding in counted(&before).iter().filter(|finding| finding.rule == *rule) {
            let Some(Fix { object, patch, .. }) = &finding.fix else { continue };
            let mut after = before.clone();
            json_patch::merge(&mut after[*object].value, patch);
            assert_eq!(of_rule(&after), of_rule(&before) - 1, "{rule}: {patch}");
            let worst = counted(&after).iter().map(|it| it.severity).max().unwrap_or(Severity::Info);
            assert!(worst < Severity::Error, "{rule}: {:#?}", counted(&after));
            patched.push(*rule);
        }
    }
    assert_eq!(patched, PATCHED);
}

/// The engine's rounding, not ours: at one replica more the same percentage is two pods.
#[test]
fn a_percentage_is_judged_at_every_count_between_the_bounds() {
    let text = example(Rule::PercentIsOnePod, "bad");
    let has = |max: &str| {
        let objects = objects(&text.replace("maxReplicas: 7", &format!("maxReplicas: {max}")));
        counted(&objects).iter().any(|it| it.rule == Rule::PercentIsOnePod)
    };
    assert_eq!(["3", "10", "11", "12"].map(has), [false, true, false, false]);
}

/// A target in cores or bytes that the limits keep out of reach, and the margin of its fix.
#[test]
fn an_absolute_target_beyond_the_limits_is_out_of_reach() {
    let text = example(Rule::TargetOutOfReach, "bad");
    let line = text.lines().find(|line| line.contains("averageUtilization")).expect("a target");
    let of = |target: &str| {
        let text = text.replace("type: Utilization", "type: AverageValue");
        let (indent, _) = line.split_once("averageUtilization").expect("a target");
        let found = counted(&objects(&text.replace(line, &format!("{indent}averageValue: {target}"))));
        found.into_iter().find(|it| it.rule == Rule::TargetOutOfReach).map(|it| it.help)
    };
    assert_eq!(["454m", "455m", "80"].map(|target| of(target).is_some()), [false, true, true]);
    assert_eq!(of("80").as_deref(), Some("set a target of at most 400m, or raise the limits"));
    // Without limits only what no machine has.
    let text = example(Rule::TargetNotFound, "good");
    let of = |target: &str| {
        let text = text.replace("type: Utilization", "type: AverageValue");
        let found =
            counted(&objects(&text.replace("averageUtilization: 80", &format!("averageValue: {target}"))));
        found.into_iter().find(|it| it.rule == Rule::TargetOutOfReach).map(|it| it.help)
    };
    assert_eq!(of("500").as_deref(), Some("write 500m if thousandths of a core were meant"));
    assert_eq!(of("4"), None);
}

#[test]
fn a_budget_is_judged_at_the_minimum_with_its_rounding() {
    let text = example(Rule::PdbBlocksDrain, "bad").replace("minReplicas: 2", "minReplicas: 3");
    let has = |bound: &str| {
        let found = counted(&objects(&text.replace("minAvailable: 51%", bound)));
        found.iter().any(|it| it.rule == Rule::PdbBlocksDrain)
    };
    let bounds = [
        ("minAvailable: 2", false),
        ("minAvailable: 3", true),
        ("minAvailable: 4", true),
        ("minAvailable: 66%", false),
        ("minAvailable: 67%", true),
        ("minAvailable: 100%", true),
        ("maxUnavailable: 0", true),
        ("maxUnavailable: 0%", true),
        ("maxUnavailable: 1%", false),
        ("minAvailable: none", false),
    ];
    for (bound, expected) in bounds {
        assert_eq!(has(bound), expected, "{bound}");
    }
    let (before, budget) = text.rsplit_once("---").expect("a budget");
    // A budget of pods of others, too, is judged by all of them.
    let shared = format!(
        "{}---\n{}",
        text.replace("minAvailable: 51%", "minAvailable: 3"),
        before.replace("name: cart", "name: api")
    );
    let of_api = counted(&objects(&shared));
    assert!(of_api.iter().all(|it| it.rule != Rule::PdbBlocksDrain), "{of_api:?}");
    let of_others = format!("{before}---{}", budget.replace("app: cart", "app: db"));
    assert!(counted(&objects(&of_others)).iter().all(|it| it.rule != Rule::PdbBlocksDrain));
}

/// A VPA that has a policy for each container changes what they say, and nothing else.
#[test]
fn a_vpa_is_read_per_container_and_resource() {
    let text = format!(
        "{}---\n{{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {{name: web}}, spec: {{targetRef: \
         {{apiVersion: apps/v1, kind: Deployment, name: web}}, resourcePolicy: {{containerPolicies: [POLICY]}}}}}}\n",
        example(Rule::TargetNotFound, "good")
    );
    let has = |policy: &str| {
        let found = counted(&objects(&text.replace("POLICY", policy)));
        found.iter().any(|it| it.rule == Rule::VpaSameResource)
    };
    assert!(has(""));
    assert!(!has("{containerName: app, controlledResources: [memory]}"));
    assert!(has("{containerName: app, controlledResources: [memory, cpu]}"));
    assert!(has("{containerName: sidecar, controlledResources: [memory]}"));
    assert!(!has("{containerName: app, mode: 'Off'}, {containerName: '*'}"));
}

#[test]
fn a_quantity_that_cannot_be_parsed_is_told_with_the_one_that_was_meant() {
    let text = example(Rule::AlwaysAboveTarget, "good");
    let help = |typed: &str| counted(&objects(&text.replace("500Mi", typed)))[0].help.clone();
    for (typed, meant) in [("400Mib", "400Mi"), ("1GB", "1G"), ("400 Mi", "400Mi"), ("400mi", "400Mi")] {
        assert!(help(typed).starts_with(&format!("write {meant};")), "{typed}: {}", help(typed));
    }
}

/// 500m of 500m is 100%: with the tolerance of 10% a target of 90 is left behind, and one of 91 is not.
#[test]
fn the_reach_of_limits_is_the_engines() {
    let text = example(Rule::TargetOutOfReach, "bad");
    let has = |target: &str| {
        let objects =
            objects(&text.replace("averageUtilization: 95", &format!("averageUtilization: {target}")));
        counted(&objects).iter().any(|it| it.rule == Rule::TargetOutOfReach)
    };
    assert_eq!(["90", "91", "200"].map(has), [false, true, true]);
}

/// The fields of v2 under the name of v2beta1: the version is all that is wrong, and the patch keeps the metric.
#[test]
fn a_new_form_under_an_old_version_is_one_finding() {
    let text = example(Rule::GoneVersion, "bad")
        .replace("targetAverageUtilization: 80", "target: {type: Utilization, averageUtilization: 80}");
    let found = counted(&objects(&text));
    let rules: Vec<Rule> = found.iter().map(|it| it.rule).collect();
    assert_eq!(rules, [Rule::GoneVersion]);
    let patch = found[0].fix.as_ref().map(|fix| fix.patch.clone());
    assert_eq!(patch, Some(serde_json::json!({"apiVersion": "autoscaling/v2"})));
}

fn hpa(version: &str, spec: &str) -> String {
    format!("apiVersion: {version}\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec: {spec}\n")
}

/// The patch of the finding about the version.
fn rewritten(text: &str) -> Value {
    let found = counted(&objects(text));
    let gone = found.iter().find(|it| it.rule == Rule::GoneVersion).expect("it is gone");
    gone.fix.as_ref().map_or(Value::Null, |fix| fix.patch.clone())
}

/// API servers lose the container of v2beta1; the patch does not.
#[test]
fn a_container_of_v2beta1_is_in_the_patch() {
    let spec = "{scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 5, metrics: [{type: \
                ContainerResource, containerResource: {name: cpu, container: app, targetAverageUtilization: 60}}]}";
    let text = hpa("autoscaling/v2beta1", spec);
    assert_eq!(rewritten(&text)["spec"]["metrics"][0]["containerResource"]["container"], "app");
    let refused = counted(&objects(&text));
    assert!(
        refused.iter().any(|it| it.help.starts_with("use autoscaling/v2: an API server")),
        "{refused:#?}"
    );
    let without = text.replace("container: app, ", "");
    assert!(counted(&objects(&without)).iter().all(|it| !it.help.contains("loses")), "nothing is lost");
}

/// The first form of an HPA, as people wrote it.
#[test]
fn an_hpa_of_extensions_is_rewritten() {
    let of = |target: &str, rest: &str| {
        rewritten(&hpa("extensions/v1beta1", &format!("{{scaleRef: {target}, maxReplicas: 5{rest}}}")))
    };
    let target = "{apiVersion: extensions/v1beta1, kind: Deployment, name: web, subresource: scale}";
    let patch = of(target, ", cpuUtilization: {targetPercentage: 70}");
    let web = serde_json::json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    assert_eq!(patch["spec"]["scaleTargetRef"], web);
    assert_eq!(patch["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"], 70);
    assert!(patch["spec"]["cpuUtilization"].is_null() && patch["spec"]["scaleRef"].is_null(), "{patch}");
    // Without a target all versions take 80%.
    assert!(of(target, "").pointer("/spec/metrics").is_none());
    let controller = of("{apiVersion: v1, kind: ReplicationController, name: web}", "");
    assert_eq!(controller["spec"]["scaleTargetRef"]["apiVersion"], "v1");
    // Nobody knows what was meant.
    for broken in ["[]", "null", "{name: 3}", "{apiVersion: v1, kindd: x}"] {
        assert!(of(broken, "").is_null(), "{broken}");
    }
    assert!(of(target, ", cpuUtilization: {percentage: 70}").is_null());
    assert!(of(target, ", scaleFactor: 2").is_null());
}

/// v2alpha1 is the first form of v2beta1.
#[test]
fn an_hpa_of_v2alpha1_is_read_and_rewritten() {
    let spec = "{scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 5, metrics: [{type: \
                Object, object: {target: {kind: Service, name: front}, metricName: hits, targetValue: 1k}}]}";
    let patch = rewritten(&hpa("autoscaling/v2alpha1", spec));
    assert_eq!(patch["apiVersion"], "autoscaling/v2");
    let object = &patch["spec"]["metrics"][0]["object"];
    assert_eq!((&object["metric"]["name"], &object["target"]["value"]), (&"hits".into(), &"1k".into()));
}

/// An annotation that nobody reads, fields that are planned, and a name that no object can have.
#[test]
fn what_has_no_effect_is_named() {
    let target = "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 5";
    let external = "type: External, external: {fallback: {replicas: 3}, metric: {name: q}, target: {type: \
                    AverageValue, averageValue: 1}}";
    for (text, rule, words) in [
        (
            hpa("autoscaling/v1", &format!("{{{target}}}")).replace(
                "{name: web}\nspec",
                "{name: web, annotations: {alpha/target.custom-metrics.podautoscaler.kubernetes.io: \
                 '{\"items\":[{\"name\":\"qps\",\"value\":\"10\"}]}'}}\nspec",
            ),
            Rule::UnknownField,
            "no controller since Kubernetes 1.6 reads this annotation: qps has no effect",
        ),
        (
            hpa("autoscaling/v2", &format!("{{{target}, selectionStrategy: OwnerReferences}}")),
            Rule::UnknownField,
            "KEP-5325 plans it",
        ),
        (
            hpa("autoscaling/v2", &format!("{{{target}, metrics: [{{{external}}}]}}")),
            Rule::UnknownField,
            "KEP-5679 plans it",
        ),
        (
            hpa("autoscaling/v2", &format!("{{{target}}}"))
                .replace("name: web}, max", "name: WebFrontend}, max"),
            Rule::TargetNotFound,
            "no Deployment can have the name WebFrontend",
        ),
        (
            hpa("autoscaling/v2beta2", &format!("{{{target}}}")) + "status: {lastScaleTime: <some-time>}\n",
            Rule::GoneVersion,
            "Kubernetes 1.26 and later do not serve autoscaling/v2beta2",
        ),
    ] {
        let found = counted(&objects(&text));
        let is_it = |it: &Finding| it.rule == rule && (it.message.contains(words) || it.help.contains(words));
        assert!(found.iter().any(is_it), "{text}{found:#?}");
    }
    let broken = hpa("autoscaling/v1", &format!("{{{target}}}")).replace(
        "{name: web}\nspec",
        "{name: web, annotations: {alpha/target.custom-metrics.podautoscaler.kubernetes.io: '{'}}\nspec",
    );
    assert!(counted(&objects(&broken)).iter().all(|it| it.rule != Rule::UnknownField));
}

/// Fields of both versions: the version is all that is told, and no patch loses what it does not know.
#[test]
fn a_form_of_two_versions_is_one_finding_without_a_patch() {
    let both = "    resource: {name: cpu, targetAverageUtilization: 80, target: {averageUtilization: 70}}\n";
    for version in ["v2beta1", "v2beta2"] {
        let text = format!(
            "apiVersion: autoscaling/{version}\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec:\n  \
             scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}\n  maxReplicas: 5\n  metrics:\n  - \
             type: Resource\n{both}"
        );
        let found = counted(&objects(&text));
        let told: Vec<(Rule, bool)> = found.iter().map(|it| (it.rule, it.fix.is_some())).collect();
        assert_eq!(told, [(Rule::GoneVersion, false)], "{version}");
    }
}

/// The API server knows no such kind or version, and `kubectl apply` fails.
#[test]
fn what_is_meant_for_an_hpa_and_is_none_is_found() {
    let text = example(Rule::InvalidHpa, "good");
    for (from, to, words) in [
        ("kind: Horizontal", "kind: horizontal", "has no kind horizontalPodAutoscaler"),
        ("kind: Horizontal", "Kind: Horizontal", "kind is missing"),
        ("apiVersion: autoscaling/v2", "apiVersion: v2", "v2 has no HorizontalPodAutoscaler"),
        ("apiVersion: autoscaling/v2", "version: autoscaling/v2", "apiVersion is missing"),
        (
            "metadata:",
            "metadata:\n  annotations: {wave: 2}",
            "metadata.annotations[wave]: must be a string, not 2",
        ),
    ] {
        let found = counted(&objects(&text.replacen(from, to, 1)));
        let told: Vec<(Rule, bool)> = found.iter().map(|it| (it.rule, it.message.contains(words))).collect();
        assert_eq!(told, [(Rule::InvalidHpa, true)], "{to}: {found:?}");
    }
}

/// Each resource is told of by itself.
#[test]
fn no_request_hides_another() {
    let text = example(Rule::NoRequest, "bad");
    let memory = "    - type: Resource\n      resource: {name: memory, target: {type: Utilization, averageUtilization: 80}}\n";
    let text = text.replacen("  metrics:\n", &format!("  metrics:\n{memory}"), 1);
    let found = counted(&objects(&text));
    let lacks = |resource: &str| {
        let words = format!("no {resource};");
        found.iter().any(|it| it.rule == Rule::NoRequest && it.message.contains(&words))
    };
    assert!(lacks("cpu") && lacks("memory"), "{found:?}");
}

/// What is filled in when pods are made is not missing.
#[test]
fn a_limit_range_or_a_vpa_sets_requests() {
    let text = example(Rule::NoRequest, "bad");
    let has = |more: &str| {
        let found = counted(&objects(&format!("{text}---\n{more}")));
        found.iter().any(|it| it.rule == Rule::NoRequest)
    };
    let range = "{apiVersion: v1, kind: LimitRange, metadata: {name: x}, spec: {limits: [{type: Container, \
                 defaultRequest: {cpu: 10m}}]}}";
    let vpa = "{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: web}, \
               spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}";
    assert!(!has(range) && !has(vpa));
    assert!(has(&range.replace("cpu", "memory")));
    assert!(has(&range.replace("type: Container", "type: Pod")));
    assert!(has(&vpa.replace("name: web}}", "name: other}}")));
}

/// Wherever its file is, if it names the namespace.
#[test]
fn a_limit_range_holds_for_its_namespace() {
    let text = example(Rule::NoRequest, "bad").replace("name: web\n", "name: web\n  namespace: shop\n");
    let range = "{apiVersion: v1, kind: LimitRange, metadata: {name: x, namespace: shop}, spec: {limits: [{type: Container, \
                 default: {cpu: 10m}}]}}";
    let has = |range: &str| {
        let files = [("shop/web.yaml", text.as_str()), ("cluster/limits.yaml", range)];
        let objects = files.into_iter().flat_map(|(name, text)| Objects::new(name, text.as_bytes()));
        let objects: Vec<Written> = objects.map(|it| it.expect("an object")).collect();
        counted(&objects).iter().any(|it| it.rule == Rule::NoRequest)
    };
    assert!(!has(range));
    assert!(
        has(&range.replace("namespace: shop", "namespace: other"))
            && has(&range.replace(", namespace: shop", ""))
    );
}

/// What is far off is told as soon as what is near.
#[test]
fn a_target_far_out_of_reach_is_told_at_once() {
    let text = example(Rule::TargetOutOfReach, "bad");
    let target = text.lines().find(|line| line.contains("averageUtilization")).expect("a target");
    let far = text.replace(target, &format!("{}: {}", target.split(':').next().expect("a key"), i32::MAX));
    let help = |text: &str| {
        let mut found = counted(&objects(text)).into_iter().filter(|it| it.rule == Rule::TargetOutOfReach);
        found.next().expect("a finding").help
    };
    assert_eq!(help(&far), help(&text));
}

#[test]
fn a_tolerance_is_told_as_it_is_written_and_mended_in_decimals() {
    let text = example(Rule::ToleranceTooWide, "bad");
    for (typed, percent, meant) in
        [("\"1.1\"", "110", "0.011"), ("5", "500", "0.05"), ("\"2.3\"", "230", "0.023")]
    {
        let found = counted(&objects(&text.replace("tolerance: 5", &format!("tolerance: {typed}"))));
        let finding = found.iter().find(|it| it.rule == Rule::ToleranceTooWide).expect("a finding");
        let typed = typed.trim_matches('"');
        assert!(
            finding.message.starts_with(&format!("a tolerance of {typed} is {percent}%: ")),
            "{finding:?}"
        );
        assert_eq!(finding.help, format!("if {typed}% was meant, write {meant}"));
    }
}

#[test]
fn a_node_that_does_not_tell_what_it_has_has_an_unknown_room() {
    let text = example(Rule::MaxBeyondNodes, "bad");
    let (before, _) = text.split_once("status:").expect("a status");
    assert!(counted(&objects(before)).iter().all(|it| it.rule != Rule::MaxBeyondNodes));
    assert!(counted(&objects(&text)).iter().any(|it| it.rule == Rule::MaxBeyondNodes));
}

/// A request of 0 is one: no default replaces it, and the controller cannot divide by it.
#[test]
fn requests_that_are_all_zero_are_none() {
    let text = example(Rule::NoRequest, "good");
    let has = |request: &str| {
        let found = counted(&objects(&text.replace("cpu: 500m", request).replace("cpu: 50m", request)));
        found.iter().any(|it| it.rule == Rule::NoRequest)
    };
    assert_eq!(["cpu: 1m", "cpu: 0", "cpu: '0.0'"].map(has), [false, true, true]);
}

/// The documentation lists them the other way round than the API server fills them in.
#[test]
fn the_order_of_policies_makes_no_behavior_of_its_own() {
    let text = example(Rule::MinIsMax, "good");
    let has = |policies: &str| {
        let behavior = format!("  behavior: {{scaleUp: {{policies: [{policies}]}}}}\n  metrics:");
        let found = counted(&objects(&text.replace("  metrics:", &behavior)));
        found.iter().any(|it| it.rule == Rule::DefaultBehavior)
    };
    let (pods, percent) =
        ("{type: Pods, value: 4, periodSeconds: 15}", "{type: Percent, value: 100, periodSeconds: 15}");
    assert!(has(&format!("{pods}, {percent}")) && has(&format!("{percent}, {pods}")));
    assert!(!has(pods) && !has(&format!("{pods}, {percent}, {percent}")));
}

/// Each value of a document and, in its place, what may stand there by mistake.
fn broken(value: &Value) -> Vec<Value> {
    let wrong =
        [Value::Null, 7.into(), (-1).into(), "x".into(), serde_json::json!([]), serde_json::json!({})];
    let mut all = wrong.to_vec();
    match value {
        Value::Object(fields) => {
            for (name, below) in fields {
                all.extend(broken(below).into_iter().map(|below| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), below);
                    Value::Object(fields)
                }));
            }
        }
        Value::Array(items) => {
            for (place, below) in items.iter().enumerate() {
                all.extend(broken(below).into_iter().map(|below| {
                    let mut items = items.clone();
                    items[place] = below;
                    Value::Array(items)
                }));
            }
        }
        _ => {}
    }
    all
}

#[test]
fn nothing_in_a_file_makes_lint_panic() {
    let mut tried = 0;
    for rule in Rule::ALL {
        let objects = objects(&example(*rule, "bad"));
        for place in 0..objects.len() {
            for value in broken(&objects[place].value) {
                let mut changed = objects.clone();
                changed[place].value = value;
                let _ = lint(&changed);
                tried += 1;
            }
        }
    }
    assert!(tried > 4_000, "{tried}");
}
