//! Files, devices and pipes that never end.

use std::fs;

use super::limits::{Limits, SMALL, refused};

/// The largest document is read before it is refused.
const DOCUMENT: Limits = Limits { seconds: 20, megabytes: 700 };

#[test]
fn a_device_without_end_is_refused() {
    let folder = tempdir("devices");
    let kubeconfig = |user: &str| {
        format!(
            "{{apiVersion: v1, kind: Config, current-context: c, contexts: [{{name: c, context: {{cluster: c, user: u}}}}],\n\
             clusters: [{{name: c, cluster: {{server: 'https://127.0.0.1:1'}}}}], users: [{{name: u, user: {{{user}}}}}]}}\n"
        )
    };
    let token = folder.clone() + "/token";
    fs::write(&token, kubeconfig("tokenFile: /dev/zero")).expect("a kubeconfig");
    let key = folder + "/key";
    fs::write(&key, kubeconfig("client-certificate: /dev/zero, client-key: /dev/zero"))
        .expect("a kubeconfig");
    for command in ["explain", "simulate", "lint"] {
        refused(SMALL, &[command, "-f", "/dev/zero"], b"", "/dev/zero");
    }
    let curve = ["simulate", "--example", "held-by-window", "--over", "10m", "--load-curve", "/dev/zero"];
    refused(SMALL, &curve, b"", "larger than 64 MiB");
    let log = ["history", "-f", "src/examples/held-by-window.yaml", "--controller-log", "/dev/zero"];
    refused(SMALL, &log, b"", "/dev/zero: it is longer than 256 MiB, the most of a log that is read");
    refused(SMALL, &["list", "--kubeconfig", "/dev/zero"], b"", "larger than 16 MiB");
    refused(SMALL, &["list", "--kubeconfig", &token], b"", "too large");
    refused(SMALL, &["list", "--kubeconfig", &key], b"", "larger than 1 MiB");
}

#[test]
fn a_pipe_without_end_is_refused() {
    for (text, words) in [
        ("\n", "without a document"),
        ("#\n", "lines in YAML"),
        ("a: b\n", "lines in YAML"),
        ("a", "the document is larger"),
        ("{\"a\": 1,\n", ""),
    ] {
        let chunk = text.repeat(65_536 / text.len());
        refused(DOCUMENT, &["explain", "-f", "-"], chunk.as_bytes(), words);
    }
}

fn tempdir(name: &str) -> String {
    let folder = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
