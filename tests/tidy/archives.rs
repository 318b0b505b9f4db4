//! Whoever installs a release asks for archives that it has: krew's manifest and cargo's metadata name the same ones.

use std::collections::BTreeSet;
use std::fs;

/// Parts of the addresses of archives in a text, after the version.
fn archives(file: &str, version: &str) -> BTreeSet<String> {
    let text =
        fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a text");
    let begin = format!(
        "https://github.com/kubectl-hpa/kubectl-hpa/releases/download/v{version}/kubectl-hpa-v{version}-"
    );
    let text = text.replace("{ repo }", "https://github.com/kubectl-hpa/kubectl-hpa");
    text.split(&begin)
        .skip(1)
        .map(|rest| rest.split(['"', '\n']).next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn cargo_and_krew_fetch_the_same_archives() {
    let of_krew = archives("krew-manifest.yaml", "0.0.0");
    assert_eq!(of_krew.len(), 6);
    assert_eq!(archives("Cargo.toml", "{ version }"), of_krew);
    let workflow = fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows/release.yml"),
    )
    .expect("a workflow");
    let cargo = fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .expect("a manifest");
    let metadata: Vec<&str> = cargo.split("[package.metadata.binstall.overrides.").skip(1).collect();
    assert_eq!(metadata.len(), 6);
    for part in metadata {
        let (target, rest) = part.split_once(']').expect("a target");
        let platform = rest.split("kubectl-hpa-v{ version }-").nth(1).and_then(|it| it.split('.').next());
        let row = format!("platform: {}, target: {target},", platform.expect("a platform"));
        assert!(workflow.contains(&row), "{row}");
    }
}
