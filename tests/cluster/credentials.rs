//! Credentials and kubeconfigs as kubectl takes them (client-go 0.37.1), and nothing secret on any screen.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::connections::{Folder, asked, kubeconfig, kubectl_hpa, shop, stderr, succeeds};
use crate::tls;

fn trusting() -> Value {
    json!({"certificate-authority": tls::path("ca.pem")})
}

/// What is said where nothing can be asked.
fn refused(args: &[&str], variables: &[(&str, &str)]) -> String {
    let output = kubectl_hpa(&[&["explain", "web", "-n", "shop"], args].concat(), variables);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stderr(&output).to_owned()
}

/// Source: `NewBearerAuthWithRefreshRoundTripper`.
#[test]
fn the_token_of_a_file_is_trimmed_and_comes_before_the_other() {
    let (server, folder) = (shop(), Folder::of("token-file"));
    let explain = |text: &str, user: Value, more: &[&str]| {
        folder.file("token", text);
        let file = folder.file("config", &kubeconfig(&server.url(), trusting(), user));
        kubectl_hpa(&[&["explain", "web", "--kubeconfig", &file], more].concat(), &[])
    };
    let of_file = || json!({"tokenFile": "token"});
    let both = || json!({"tokenFile": "token", "token": "stored"});
    for (text, user, more, shown) in [
        ("of-a-file\n", of_file(), &[][..], "of-a-file"),
        (" \t of-a-file \r\n\n", both(), &[], "of-a-file"),
        ("of-a-file", of_file(), &["--token", "typed"], "of-a-file"),
        // What is no token leaves the one that is there.
        (" \n", both(), &[], "stored"),
        ("", of_file(), &["--token", "typed"], "typed"),
    ] {
        succeeds(&explain(text, user, more));
        let last = server.requests().pop().expect("a request");
        assert_eq!(last.header("authorization"), [format!("Bearer {shown}")], "{text:?}");
    }
    let before = server.requests().len();
    for (text, words) in [
        ("", "is empty"),
        (" \n", "is empty"),
        ("a\nb", "contains a line break or another character that no header can have"),
    ] {
        let output = explain(text, of_file(), &[]);
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        assert!(told.starts_with("error: cannot connect: the token file ") && told.contains(words), "{told}");
    }
    let gone = json!({"tokenFile": "no-such-file"});
    assert!(stderr(&explain("", gone, &[])).contains("no-such-file cannot be read: entity not found"));
    assert_eq!(server.requests().len(), before, "nothing is asked without credentials");
}

#[test]
fn a_scheme_in_capitals_is_one() {
    let (server, folder) = (shop(), Folder::of("capitals"));
    let url = server.url().replace("https://", "HTTPS://");
    let file = folder.file("config", &kubeconfig(&url, trusting(), json!({"token": "stored"})));
    succeeds(&kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]));
    assert_eq!(asked(&server).header("authorization"), ["Bearer stored"]);
}

/// As `kubectl config get-contexts` has it, even where the rest of the file is none.
#[test]
fn of_several_documents_the_first_counts() {
    let (server, folder) = (shop(), Folder::of("documents"));
    folder.file("token", "of-a-file");
    let one = kubeconfig(&server.url(), trusting(), json!({"tokenFile": "token"}));
    let two = kubeconfig("https://127.0.0.1:1", json!({}), json!({})).replace("test", "two");
    for text in [
        format!("{one}\n---\n{two}\n"),
        format!("# mine\n---\n{one}\n...\n---\n{two}\n"),
        format!("{one}\n---\nkind: Pod\napiVersion: v1\n"),
        format!("{one}\n--- : : [\n"),
        format!("\u{feff}{one}"),
    ] {
        let file = folder.file("config", &text);
        succeeds(&kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]));
        let unknown = refused(&["--kubeconfig", &file, "--context", "two"], &[]);
        assert!(
            unknown.contains("context \"two\" does not exist in the kubeconfig, which has test"),
            "{unknown}"
        );
        let offered =
            kubectl_hpa(&["__complete", "--", "explain", "--kubeconfig", &file, "--context", ""], &[]);
        assert_eq!(std::str::from_utf8(&offered.stdout).expect("text").lines().next(), Some("test"));
    }
}

#[test]
fn signers_without_a_certificate_are_an_error_at_once() {
    let (server, folder) = (shop(), Folder::of("no-signers"));
    let url = server.url();
    for text in ["", "hello\n", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        let signers = folder.file("ca", text);
        let told = refused(&["-s", &url, "--certificate-authority", &signers], &[]);
        assert!(told.contains(&format!("{signers} has no certificate in PEM form")), "{told}");
        let file =
            folder.file("config", &kubeconfig(&url, json!({"certificate-authority": "ca"}), json!({})));
        let told = refused(&["--kubeconfig", &file], &[]);
        assert!(told.contains("certificate-authority of the kubeconfig has no certificate"), "{told}");
    }
    let file = folder
        .file("config", &kubeconfig(&url, json!({"certificate-authority-data": "aGVsbG8K"}), json!({})));
    assert!(refused(&["--kubeconfig", &file], &[]).contains("has no certificate in PEM form"));
    assert!(server.requests().is_empty());
}

#[test]
fn no_password_and_no_token_is_printed() {
    let folder = Folder::of("secrets");
    let proxied = |url: &str| {
        folder.file("config", &kubeconfig("https://10.0.0.1:6443", json!({"proxy-url": url}), json!({})))
    };
    let mut told = Vec::new();
    for url in
        ["https://eve:s3cret@127.0.0.1:1", "https://eve:s3cret@127.0.0.1:99999", "ftp://eve:s3cret@127.0.0.1"]
    {
        told.push(refused(&["-s", url], &[]));
        told.push(refused(&["-s", url, "-v=9"], &[]));
        told.push(refused(&["--kubeconfig", &proxied(url)], &[]));
        told.push(refused(&["-s", "https://10.0.0.1:6443"], &[("HTTPS_PROXY", url)]));
    }
    told.push(refused(&["-s", "https://10.0.0.1:6443"], &[("HTTPS_PROXY", "http://eve:s3cret@[")]));
    let broken =
        "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    token: s3cret\n    exec: s3cret\n";
    told.push(refused(&["--kubeconfig", &folder.file("broken", broken)], &[]));
    told.push(refused(&["--kubeconfig", &folder.file("broken", "users: s3cret")], &[]));
    told.push(refused(&["--kubeconfig", &folder.file("broken", "s3cret")], &[]));
    for told in told {
        assert!(!told.contains("s3cret"), "{told}");
    }
}

#[test]
#[cfg(unix)]
fn a_credential_plugin_that_answers_something_else_is_refused() {
    let (server, folder) = (shop(), Folder::of("other-plugin"));
    let exec = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin",
        "interactiveMode": "Never"}});
    let file = folder.file("config", &kubeconfig(&server.url(), trusting(), exec));
    let of_kind = |kind: &str, version: &str| {
        json!({"kind": kind, "apiVersion": version, "status": {"token": "s3cret"}}).to_string()
    };
    for (answer, words) in [
        (of_kind("TokenReview", "client.authentication.k8s.io/v1"), "did not answer with an ExecCredential"),
        (
            of_kind("execcredential", "client.authentication.k8s.io/v1"),
            "did not answer with an ExecCredential",
        ),
        (
            json!({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
                "status": {"token": "s3cret", "expirationTimestamp": "soon"}})
            .to_string(),
            "did not answer with an ExecCredential",
        ),
        ("[]".into(), "did not answer with an ExecCredential"),
        (String::new(), "did not answer with an ExecCredential"),
        (of_kind("ExecCredential", "client.authentication.k8s.io/v1beta1"), "answered in version"),
        (of_kind("ExecCredential", "v1"), "answered in version \"v1\", and was asked in"),
    ] {
        folder.script("plugin", &format!("#!/bin/sh\ncat <<'END'\n{answer}\nEND\n"));
        let told = refused(&["--kubeconfig", &file], &[]);
        assert!(told.contains(&format!("/./plugin {words}")), "{answer}: {told}");
        assert!(!told.contains("s3cret"), "{told}");
    }
    assert!(server.requests().is_empty());
    // client-go's decoder takes one without a kind, and so does kubectl.
    for answer in [
        of_kind("", "client.authentication.k8s.io/v1"),
        "apiVersion: client.authentication.k8s.io/v1\nstatus: {token: s3cret, expirationTimestamp: null}"
            .into(),
    ] {
        folder.script("plugin", &format!("#!/bin/sh\ncat <<'END'\n{answer}\nEND\n"));
        succeeds(&kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]));
    }
}

#[test]
#[cfg(unix)]
fn a_credential_plugin_has_its_bounds() {
    let (server, folder) = (shop(), Folder::of("bounded-plugin"));
    let exec = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin",
        "interactiveMode": "Never"}});
    let file = folder.file("config", &kubeconfig(&server.url(), trusting(), exec));
    for (script, words) in [
        ("exec sleep 100", "did not end within 1s"),
        ("exec >&-; exec sleep 100", "did not end within 1s"),
        ("sleep 100 2>&- & echo x; exit 0", "did not end within 1s"),
        ("exec cat /dev/zero", "wrote more than 1048576 bytes"),
        ("exec yes", "wrote more than 1048576 bytes"),
    ] {
        folder.script("plugin", &format!("#!/bin/sh\n{script}\n"));
        let start = Instant::now();
        let told = refused(&["--kubeconfig", &file, "--request-timeout", "1s"], &[]);
        assert!(told.contains(&format!("/./plugin {words}")), "{script}: {told}");
        assert!(start.elapsed() < Duration::from_secs(20), "{script}: {:?}", start.elapsed());
    }
    assert!(server.requests().is_empty());
}
