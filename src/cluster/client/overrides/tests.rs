//! Kubeconfig files and flags against a table of what client-go makes of them (`tests/cluster/regenerate.sh` writes it
//! anew).

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use http::Uri;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Effective, effective};
use crate::cluster::client::args::ConnectArgs;
use crate::cluster::client::kubeconfig::read_all;
use crate::cluster::client::proxy::proxy;

#[derive(Deserialize)]
struct Row {
    files: Option<Vec<String>>,
    flags: Vec<String>,
    #[serde(default)]
    error: String,
    config: Option<Map<String, Value>>,
}

/// The flags of the table, as the command line has them.
#[derive(Parser)]
struct Typed {
    #[arg(short, long)]
    namespace: Option<String>,
    #[arg(long)]
    context: Option<String>,
    #[arg(long)]
    cluster: Option<String>,
    #[arg(long)]
    user: Option<String>,
    #[arg(short, long)]
    server: Option<String>,
    #[arg(long)]
    token: Option<SecretString>,
    #[arg(long = "as")]
    as_user: Option<String>,
    #[arg(long = "as-group")]
    as_groups: Vec<String>,
    #[arg(long)]
    as_uid: Option<String>,
    #[arg(long)]
    certificate_authority: Option<PathBuf>,
    #[arg(long)]
    client_certificate: Option<PathBuf>,
    #[arg(long)]
    client_key: Option<PathBuf>,
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    insecure_skip_tls_verify: Option<bool>,
    #[arg(long)]
    tls_server_name: Option<String>,
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    disable_compression: Option<bool>,
}

fn typed(flags: &[String], folder: &str) -> ConnectArgs {
    let flags = flags.iter().map(|flag| flag.replace("DIR", folder));
    let typed = Typed::parse_from(std::iter::once("kubectl".to_owned()).chain(flags));
    ConnectArgs {
        context: typed.context,
        cluster: typed.cluster,
        user: typed.user,
        namespace: typed.namespace,
        server: typed.server,
        token: typed.token,
        as_user: typed.as_user,
        as_groups: typed.as_groups,
        as_uid: typed.as_uid,
        certificate_authority: typed.certificate_authority,
        client_certificate: typed.client_certificate,
        client_key: typed.client_key,
        insecure_skip_tls_verify: typed.insecure_skip_tls_verify == Some(true),
        tls_server_name: typed.tls_server_name,
        disable_compression: typed.disable_compression == Some(true),
        ..ConnectArgs::default()
    }
}

/// Writes the files each into a folder of its own, with one that is absent before it.
fn written(files: &[String], folder: &Path) -> Vec<PathBuf> {
    let place = |(index, text): (usize, &String)| {
        let place = folder.join(index.to_string());
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join("config"), text).expect("a kubeconfig");
        [place.join("absent"), place.join("config")]
    };
    files.iter().enumerate().flat_map(place).collect()
}

/// What is effective, in the words of the table.
fn told(effective: Effective, folder: &str) -> Map<String, Value> {
    let Effective { cluster, user, namespace, .. } = effective;
    let text =
        |text: Option<String>| text.map(|it| Value::from(it.replace("/./", "/").replace(folder, "DIR")));
    let secret = |text: Option<SecretString>| text.map(|it| Value::from(it.expose_secret()));
    let data = |text: Option<String>| {
        text.map(|it| match it.as_str() {
            "Y2VydA==" => Value::from("cert"),
            "a2V5" => Value::from("key"),
            other => Value::from(other),
        })
    };
    let yes = |it: Option<bool>| it.filter(|it| *it).map(Value::from);
    let is_tls = cluster.server.as_deref().is_some_and(|server| server.starts_with("https://"));
    let of_tls = |value: Option<Value>| value.filter(|_| is_tls);
    let fields = [
        ("host", text(cluster.server)),
        ("namespace", text(namespace.or_else(|| Some("default".into())))),
        ("caFile", of_tls(text(cluster.certificate_authority))),
        ("caData", of_tls(data(cluster.certificate_authority_data))),
        ("insecure", of_tls(yes(cluster.insecure_skip_tls_verify))),
        ("serverName", of_tls(text(cluster.tls_server_name))),
        ("disableCompression", yes(cluster.disable_compression)),
        ("hasProxy", cluster.proxy_url.map(|_| json!(true))),
        ("token", secret(user.token)),
        ("username", text(user.username)),
        ("password", secret(user.password)),
        ("certFile", text(user.client_certificate)),
        ("certData", data(user.client_certificate_data)),
        ("keyFile", text(user.client_key)),
        ("keyData", data(user.client_key_data.map(|key| key.expose_secret().to_owned()))),
        ("as", text(user.impersonate)),
        ("asUid", text(user.impersonate_uid)),
        ("asGroups", user.impersonate_groups.map(Value::from)),
        ("exec", text(user.exec.and_then(|exec| exec.command))),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

#[test]
fn files_and_flags_are_laid_over_each_other_as_kubectl_does() {
    let table = include_str!("../../../../tests/cluster/manners/connections.jsonl");
    let base = std::env::temp_dir().join(format!("kubectl-hpa-connections-{}", std::process::id()));
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for (index, line) in table.lines().enumerate() {
        let row: Row = serde_json::from_str(line).expect("a row");
        let folder = base.join(index.to_string());
        let files = written(row.files.as_deref().unwrap_or_default(), &folder);
        let folder = folder.to_str().expect("UTF-8");
        let merged = read_all(files).expect("readable files");
        let ours = match effective(&merged, &typed(&row.flags, folder)) {
            Ok(Some(effective)) => Ok(told(effective, folder)),
            Ok(None) => Err("no configuration".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        // With a token, client-go keeps the plugin in the config but never runs it.
        let theirs = row.config.map(|mut config| {
            if config.contains_key("token") {
                config.remove("exec");
            }
            config
        });
        rows += 1;
        if ours.as_ref().ok() != theirs.as_ref() {
            wrong.push(format!("{:?}\n  ours   {ours:?}\n  theirs {theirs:?} {}", row.flags, row.error));
        }
    }
    fs::remove_dir_all(base).expect("to remove the folder");
    assert!(rows > 100, "{rows} rows");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProxyRow {
    http: String,
    https: String,
    no_proxy: String,
    url: String,
    proxy: String,
}

#[test]
fn the_proxy_is_the_one_that_go_takes() {
    let table = include_str!("../../../../tests/cluster/manners/proxies.jsonl");
    let mut wrong = Vec::new();
    for line in table.lines() {
        let row: ProxyRow = serde_json::from_str(line).expect("a row");
        let url: Uri = row.url.parse().expect("a URL");
        let variables = |name: &str| match name {
            "HTTP_PROXY" => Some(row.http.clone()),
            "https_proxy" => Some(row.https.clone()),
            "NO_PROXY" => Some(row.no_proxy.clone()),
            _ => None,
        };
        let ours = proxy(None, &url, &variables).expect("a proxy or none");
        let ours = ours.map(|uri| uri.to_string().trim_end_matches('/').to_owned()).unwrap_or_default();
        if ours != row.proxy {
            wrong.push(format!(
                "NO_PROXY={:?} {}: ours {ours:?}, theirs {:?}",
                row.no_proxy, row.url, row.proxy
            ));
        }
    }
    assert!(table.lines().count() > 200);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_proxy_of_the_kubeconfig_comes_before_the_environment() {
    let url: Uri = "https://api.example".parse().expect("a URL");
    let variables = |name: &str| (name == "NO_PROXY" || name == "HTTPS_PROXY").then(|| "*".to_owned());
    let named = proxy(Some("socks5h://there:1080"), &url, &variables).expect("a proxy");
    assert_eq!(named.map(|uri| uri.to_string()).as_deref(), Some("socks5://there:1080/"));
}
