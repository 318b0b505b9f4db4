//! The binary on its way to an API server behind TLS: kubectl's flags, several kubeconfigs, credential plugins, proxies.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::cluster::{Cluster, HPA};
use crate::server::{Reply, Request, Server};
use crate::tls;

/// A folder of its own, gone afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn of(name: &str) -> Self {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A program.
    #[cfg(unix)]
    pub fn script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.file(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("to be run");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary in an environment that holds nothing but what is given.
pub fn kubectl_hpa(args: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(args)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(variables.iter().copied())
        .output()
        .expect("the binary runs")
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

pub fn shop() -> Server {
    let shop = Cluster::shop();
    Server::start_tls(move |request| shop.answer(request))
}

/// The one request for the autoscaler.
pub fn asked(server: &Server) -> Request {
    let mut requests = server.requests().into_iter().filter(|request| request.path() == HPA);
    requests.next().expect("a request")
}

pub fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

/// A kubeconfig with one cluster and one user.
pub fn kubeconfig(server: &str, cluster: Value, user: Value) -> String {
    let mut cluster = cluster;
    cluster["server"] = json!(server);
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test", "namespace": "shop"}}],
        "clusters": [{"name": "test", "cluster": cluster}], "users": [{"name": "test", "user": user}],
    })
    .to_string()
}

#[test]
fn flags_alone_are_enough() {
    let server = shop();
    let (url, ca) = (server.url(), tls::path("ca.pem"));
    let output = kubectl_hpa(
        &[
            "explain",
            "web",
            "-n",
            "shop",
            "-s",
            &url,
            "--certificate-authority",
            &ca,
            "--token",
            "typed",
            "--as",
            "eve",
            "--as-group",
            "ops",
            "--as-group",
            "dev",
            "--as-uid",
            "7",
            "--disable-compression",
            "--request-timeout",
            "10",
        ],
        &[],
    );
    succeeds(&output);
    let request = asked(&server);
    assert_eq!(request.header("authorization"), ["Bearer typed"]);
    assert_eq!(request.header("impersonate-user"), ["eve"]);
    assert_eq!(request.header("impersonate-group"), ["ops", "dev"]);
    assert_eq!(request.header("impersonate-uid"), ["7"]);
    assert!(request.header("accept-encoding").is_empty());
}

#[test]
fn what_is_empty_is_not_said() {
    let (server, folder) = (shop(), Folder::of("empty"));
    let cluster = json!({"certificate-authority": tls::path("ca.pem")});
    let file = folder.file("config", &kubeconfig(&server.url(), cluster, json!({"token": "stored"})));
    let flags = [
        "context",
        "cluster",
        "user",
        "namespace",
        "server",
        "token",
        "as",
        "as-uid",
        "kubeconfig",
        "certificate-authority",
        "client-certificate",
        "client-key",
        "tls-server-name",
    ];
    let flags: Vec<String> = flags.iter().map(|flag| format!("--{flag}=")).collect();
    let typed: Vec<&str> = ["explain", "web"].into_iter().chain(flags.iter().map(String::as_str)).collect();
    succeeds(&kubectl_hpa(&typed, &[("KUBECONFIG", &file)]));
    assert_eq!(asked(&server).header("authorization"), ["Bearer stored"]);
}

#[test]
fn a_client_certificate_is_shown_and_a_token_beside_it() {
    let (server, folder) = (shop(), Folder::of("certificate"));
    let (certificate, key, ca) = (tls::path("client.pem"), tls::path("client.key"), tls::path("ca.pem"));
    let file = folder.file(
        "config",
        &kubeconfig(&server.url(), json!({"certificate-authority": ca}), json!({"token": "stored"})),
    );
    let typed = ["--kubeconfig", &file, "--client-certificate", &certificate, "--client-key", &key];
    succeeds(&kubectl_hpa(&[&["explain", "web"][..], &typed].concat(), &[]));
    let request = asked(&server);
    assert_eq!(request.header("x-client-certificate"), ["1"]);
    assert_eq!(request.header("authorization"), ["Bearer stored"]);
}

#[test]
fn who_may_sign_is_checked_unless_told_otherwise() {
    let (server, folder) = (shop(), Folder::of("signers"));
    let (url, ca) = (server.url(), tls::path("ca.pem"));
    let explain =
        |more: &[&str]| kubectl_hpa(&[&["explain", "web", "-n", "shop", "-s", &url], more].concat(), &[]);
    let output = explain(&[]);
    assert_eq!(output.status.code(), Some(1));
    let words = stderr(&output);
    assert!(words.starts_with(&format!("error: {url} does not answer: ")), "{words}");
    assert!(words.contains("certificate"), "{words}");
    assert!(words.contains("\nhint: certificate-authority-data of the kubeconfig or --certificate-authority says who may sign it"), "{words}");

    succeeds(&explain(&["--insecure-skip-tls-verify"]));
    succeeds(&explain(&["--insecure-skip-tls-verify=true"]));
    succeeds(&explain(&["--certificate-authority", &ca, "--tls-server-name", "api.shop"]));
    let output = explain(&["--certificate-authority", &ca, "--tls-server-name", "api.bank"]);
    assert!(stderr(&output).contains("api.bank"), "{}", stderr(&output));
    let both = explain(&["--certificate-authority", &ca, "--insecure-skip-tls-verify"]);
    assert!(stderr(&both).contains("with the insecure flag is not allowed"), "{}", stderr(&both));

    // Of a kubeconfig that names other signers, the flag takes them away.
    let cluster = json!({"certificate-authority": tls::path("client.pem")});
    let file = folder.file("config", &kubeconfig(&url, cluster, json!({})));
    let explain =
        |more: &[&str]| kubectl_hpa(&[&["explain", "web", "--kubeconfig", &file], more].concat(), &[]);
    assert_eq!(explain(&[]).status.code(), Some(1));
    succeeds(&explain(&["--insecure-skip-tls-verify"]));
    succeeds(&explain(&["--certificate-authority", &ca]));
}

#[test]
fn several_kubeconfigs_are_one() {
    let (server, folder) = (shop(), Folder::of("several"));
    let ca = std::fs::read_to_string(tls::path("ca.pem")).expect("an authority");
    folder.file("one/ca.pem", &ca);
    folder.file("two/token", "of-a-file");
    let one = json!({"apiVersion": "v1", "kind": "Config", "current-context": "",
        "clusters": [{"name": "test", "cluster": {"server": server.url(), "certificate-authority": "ca.pem"}}]});
    let two = json!({"current-context": "two",
        "contexts": [{"name": "two", "context": {"cluster": "test", "user": "test", "namespace": "shop"}}],
        "clusters": [{"name": "test", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "test", "user": {"tokenFile": "token"}}]});
    let (one, two) =
        (folder.file("one/config", &one.to_string()), folder.file("two/config", &two.to_string()));
    let list = format!("{one}:/no/such/file::{two}");
    succeeds(&kubectl_hpa(&["explain", "web"], &[("KUBECONFIG", &list)]));
    assert_eq!(asked(&server).header("authorization"), ["Bearer of-a-file"]);
}

#[test]
#[cfg(unix)]
fn a_credential_plugin_is_asked_and_a_typed_token_spares_it() {
    let (server, folder) = (shop(), Folder::of("plugin"));
    let asks = folder.file("asks", "");
    folder.script(
        "plugin",
        &format!(
            "#!/bin/sh\necho \"$1 $ENVIRONMENT\" >> {asks}\ncat <<END\n{{\"apiVersion\": \
             \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {{\"token\": \"of-the-plugin\"}}}}\nEND\n"
        ),
    );
    let exec = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin",
        "args": ["get-token"], "env": [{"name": "ENVIRONMENT", "value": "test"}], "interactiveMode": "Never"}});
    let cluster = json!({"certificate-authority": tls::path("ca.pem")});
    let file = folder.file("config", &kubeconfig(&server.url(), cluster, exec));
    succeeds(&kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]));
    assert_eq!(asked(&server).header("authorization"), ["Bearer of-the-plugin"]);
    let log = || std::fs::read_to_string(&asks).expect("a log");
    assert_eq!(log(), "get-token test\n");

    succeeds(&kubectl_hpa(&["explain", "web", "--kubeconfig", &file, "--token", "typed"], &[]));
    assert_eq!(log(), "get-token test\n");
}

#[test]
#[cfg(unix)]
fn a_credential_plugin_that_fails_says_why_and_nothing_secret() {
    let (server, folder) = (shop(), Folder::of("broken-plugin"));
    folder.script("plugin", "#!/bin/sh\necho half-a-secret\necho 'log in first' >&2\nexit 3\n");
    let exec = |command: &str| {
        json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": command,
            "installHint": "get it", "interactiveMode": "Never"}})
    };
    for (command, words) in [
        ("./plugin", "/./plugin ended with exit status: 3\n"),
        (
            "kubectl-hpa-no-such-plugin",
            " kubectl-hpa-no-such-plugin of the kubeconfig is not installed; get it\n",
        ),
    ] {
        let file = folder.file("config", &kubeconfig(&server.url(), json!({}), exec(command)));
        let output = kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]);
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        // What it says itself on standard error is for the person.
        let own = told.strip_prefix("log in first\n").unwrap_or(told);
        assert!(
            own.starts_with("error: cannot connect: the credential plugin ") && own.ends_with(words),
            "{told}"
        );
        assert!(!told.contains("secret"), "{told}");
    }
}

/// ID tokens that end in 2100, and that ended in 2000; and the one that takes its place.
const GOOD: &str = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.signed";
const EXPIRED: &str = "eyJhbGciOiJub25lIn0.eyJleHAiOjk0NjY4NDgwMH0.signed";
const RENEWED: &str = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDF9.signed";

/// A kubeconfig whose user logs in at an identity provider.
fn of_provider(server: &str, mut config: Value, id_token: &str) -> String {
    config["id-token"] = json!(id_token);
    let user = json!({"auth-provider": {"name": "oidc", "config": config}});
    kubeconfig(server, json!({"certificate-authority": tls::path("ca.pem")}), user)
}

#[test]
fn an_id_token_is_shown_and_a_new_one_asked_for_when_it_has_expired() {
    let (server, folder) = (shop(), Folder::of("oidc"));
    let provider = Server::start_tls(|request| match request.path() {
        "/.well-known/openid-configuration" => {
            let issuer = request.header("host").concat();
            Reply::json(
                json!({"issuer": format!("https://{issuer}"), "token_endpoint": format!("https://{issuer}/token")}),
            )
        }
        "/token" => Reply::json(json!({"id_token": RENEWED, "token_type": "Bearer"})),
        _ => Reply::unserved(),
    });
    // Without a client-secret, as programs have it that could not keep one.
    let login = json!({"idp-issuer-url": provider.url(), "client-id": "shop", "refresh-token": "again"});
    let explain = |id_token: &str| {
        let file = folder.file("config", &of_provider(&server.url(), login.clone(), id_token));
        let trust = [("SSL_CERT_FILE", &*tls::path("ca.pem"))];
        kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &trust)
    };
    succeeds(&explain(GOOD));
    assert_eq!(asked(&server).header("authorization"), [format!("Bearer {GOOD}")]);
    assert!(provider.requests().is_empty());

    succeeds(&explain(EXPIRED));
    let last = server.requests().pop().expect("a request");
    assert_eq!(last.header("authorization"), [format!("Bearer {RENEWED}")]);
    let body = provider.requests().pop().expect("a request for a token").body;
    let body = String::from_utf8(body).expect("a form");
    assert!(body.contains("grant_type=refresh_token") && body.contains("refresh_token=again"), "{body}");
}

#[test]
fn an_id_token_that_cannot_be_renewed_is_told_of() {
    let (server, folder) = (shop(), Folder::of("oidc-broken"));
    let closed =
        json!({"idp-issuer-url": "https://127.0.0.1:1", "client-id": "shop", "refresh-token": "again"});
    for (login, words) in [(json!({}), "missing field idp-issuer-url"), (closed, "refreshing failed")] {
        let file = folder.file("config", &of_provider(&server.url(), login, EXPIRED));
        let output = kubectl_hpa(&["explain", "web", "--kubeconfig", &file], &[]);
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        assert!(told.starts_with("error: ") && told.contains(words) && !told.contains(EXPIRED), "{told}");
    }
}

/// A proxy that tells of what it was asked for, and takes one connection through.
fn proxy() -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let told = std::thread::spawn(move || {
        let (client, _) = listener.accept().expect("a client");
        let mut reader = BufReader::new(client.try_clone().expect("the client"));
        let mut first = String::new();
        reader.read_line(&mut first).expect("a line");
        let mut line = String::from("-");
        while !line.trim().is_empty() {
            line.clear();
            reader.read_line(&mut line).expect("a line");
        }
        (&client).write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n").expect("to answer");
        first.trim().to_owned()
    });
    (url, told)
}

#[test]
fn proxies_of_the_environment_and_of_the_kubeconfig_are_asked() {
    let folder = Folder::of("proxy");
    for of_kubeconfig in [false, true] {
        let (url, told) = proxy();
        let cluster = if of_kubeconfig { json!({"proxy-url": url}) } else { json!({}) };
        let file = folder.file("config", &kubeconfig("https://api.shop.invalid:6443", cluster, json!({})));
        let variable = [("HTTPS_PROXY", url.as_str())];
        let variables = if of_kubeconfig { &[][..] } else { &variable };
        let output = kubectl_hpa(&["explain", "web", "--kubeconfig", &file], variables);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(told.join().expect("a line"), "CONNECT api.shop.invalid:6443 HTTP/1.1");
    }
}

#[test]
fn this_machine_is_asked_without_a_proxy() {
    let (server, (url, told)) = (shop(), proxy());
    let ca = tls::path("ca.pem");
    let typed = ["explain", "web", "-n", "shop", "-s", &server.url(), "--certificate-authority", &ca];
    succeeds(&kubectl_hpa(&typed, &[("HTTPS_PROXY", &url)]));
    assert!(!told.is_finished());
    let mut end = TcpStream::connect(url.trim_start_matches("http://")).expect("the proxy");
    end.write_all(b"END\r\n\r\n").expect("to end it");
    assert_eq!(told.join().expect("a line"), "END");
}

#[test]
fn requests_are_told_of_from_level_six_on_without_secrets() {
    let server = shop();
    let (url, ca) = (server.url(), tls::path("ca.pem"));
    let typed =
        ["explain", "web", "-n", "shop", "-s", &url, "--certificate-authority", &ca, "--token", "secret"];
    let output = kubectl_hpa(&[&typed[..], &["-v=6"]].concat(), &[]);
    succeeds(&output);
    let told = stderr(&output);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), server.requests().len(), "{told}");
    let begins = format!("GET {url}{HPA} 200 OK in ");
    assert!(lines.iter().any(|line| line.starts_with(&begins) && line.ends_with(" milliseconds")), "{told}");
    assert!(!told.contains("secret"), "{told}");
    // Several are read by several threads.
    let listed = kubectl_hpa(&[&["list"], &typed[1..], &["-v=6"]].concat(), &[]);
    succeeds(&listed);
    assert!(stderr(&listed).lines().all(|line| line.starts_with("GET ")), "{}", stderr(&listed));
    for quiet in [&[][..], &["-v", "5"], &["--v=0"]] {
        assert_eq!(stderr(&kubectl_hpa(&[&typed[..], quiet].concat(), &[])), "");
    }
}
