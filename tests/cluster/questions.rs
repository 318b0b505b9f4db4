//! What the pages of `tests/questions` ask a cluster.

use std::path::{Path, PathBuf};

use kubectl_hpa::commands::Ending;
use serde_json::json;

use crate::apply::Shop;
use crate::manifests::no_hpa;
use crate::pages;
use crate::run::Told;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions")
}

/// Holds the answers to the commands of a page that need a cluster against those of a played one.
fn check(page: &str, run: impl Fn(&[&str]) -> Told) {
    let folder = folder();
    let in_folder = format!("{}/", folder.display());
    pages::check(&folder.join(page), |line| {
        let words = pages::words(line);
        let is_live = words.iter().any(|word| word == "-n");
        let file = |word: &String| {
            if Path::new(word).extension().is_some_and(|it| it == "yaml") {
                format!("{in_folder}{word}")
            } else {
                word.clone()
            }
        };
        let words: Vec<String> = words.iter().skip(2).map(file).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        is_live.then(|| without_kubeconfig(&text(&run(&words))).replace(&in_folder, ""))
    });
}

fn text(told: &Told) -> String {
    let exit = match told.ending {
        Ending::Done => "",
        Ending::Failed => "exit 1\n",
        Ending::Different => "exit 3\n",
        Ending::Unknown => "exit 4\n",
        Ending::Found => "exit 5\n",
    };
    format!("{}{}{exit}", told.err, told.out)
}

/// The played cluster's own way to it is of no interest.
fn without_kubeconfig(text: &str) -> String {
    let mut parts = text.split(" --kubeconfig ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.find(' ').map_or("", |end| &part[end..]))
}

#[test]
fn whoever_owns_the_replicas_is_named() {
    let shop = Shop::new().with(|state| {
        state.usage = "90m";
        state.deployment = json!({"kind": "Deployment", "apiVersion": "apps/v1",
            "metadata": {"name": "web", "namespace": "shop", "managedFields": [
            {"manager": "argocd-controller", "operation": "Apply", "time": "2026-11-21T10:38:40Z",
                "fieldsV1": {"f:spec": {"f:replicas": {}}}}],
            "annotations": {"argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/web"}}});
    });
    check("17-replicas-reset.md", |words| shop.run(words));
}

#[test]
fn an_hpa_is_tried_before_there_is_one() {
    check("18-dry-run.md", |words| no_hpa().run(words));
}

#[test]
fn a_pause_has_its_undo() {
    check("19-pause.md", |words| Shop::new().run(words));
}
