//! `--save`: where the case goes, what is there before and after, and who may read it.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use kubectl_hpa_core::snapshot::Cases;
use serde_json::json;

use crate::cluster::{Cluster, hpa, kubeconfig_file};
use crate::server::Server;

/// A folder of its own, and a cluster to save something of.
struct Folder {
    path: PathBuf,
    kubeconfig: PathBuf,
    _server: Server,
}

impl Folder {
    fn new() -> Self {
        Self::of(Cluster::shop())
    }

    fn of(cluster: Cluster) -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let server = cluster.serve();
        let kubeconfig = kubeconfig_file(&server.url());
        let name = format!("saved-{}-{}", std::process::id(), FOLDERS.fetch_add(1, Ordering::SeqCst));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder");
        Self { path, kubeconfig, _server: server }
    }

    /// A command line for a shell in the folder, in which `save` stands for the command that saves.
    fn shell(&self, line: &str) -> Output {
        let save = format!("{} explain web -o name --save", env!("CARGO_BIN_EXE_kubectl-hpa"));
        Command::new("sh")
            .args(["-c", &line.replace("save", &save)])
            .current_dir(&self.path)
            .env("KUBECONFIG", &self.kubeconfig)
            .output()
            .expect("a shell")
    }

    /// Saves to a path, which has to succeed.
    fn save(&self, path: &str) {
        let output = self.shell(&format!("save {path}"));
        assert!(output.status.success() && output.stderr.is_empty(), "{path}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), NAME, "{path}");
    }

    /// Fails to save to a path.
    fn fails(&self, line: &str, words: &str) {
        let output = self.shell(line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("error: cannot save {words}\n"));
    }

    fn mode(&self, file: &str) -> u32 {
        fs::metadata(self.path.join(file)).expect(file).mode() & 0o7777
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path.join(file)).expect(file)
    }

    fn is_case(&self, file: &str) -> bool {
        self.read(file).starts_with(CASE) && self.read(file).ends_with('\n')
    }

    /// All that is in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        let _ = fs::remove_file(&self.kubeconfig);
    }
}

/// What `-o name` prints besides.
const NAME: &str = "horizontalpodautoscaler.autoscaling/web\n";
/// How a case begins.
const CASE: &str = "apiVersion: kubectl-hpa/v1\nkind: Case\n";

#[test]
fn a_new_case_is_its_owners_and_one_that_was_there_keeps_its_mode() {
    let folder = Folder::new();
    folder.save("case.yaml");
    assert!(folder.is_case("case.yaml"));
    assert_eq!((folder.mode("case.yaml"), folder.names()), (0o600, vec!["case.yaml".to_owned()]));
    for mode in [0o640, 0o666, 0o755] {
        fs::write(folder.path.join("case.yaml"), "x".repeat(100_000)).expect("a file");
        fs::set_permissions(folder.path.join("case.yaml"), fs::Permissions::from_mode(mode)).expect("a mode");
        folder.save("case.yaml");
        assert!(folder.is_case("case.yaml"));
        assert_eq!((folder.mode("case.yaml"), folder.names().len()), (mode, 1));
    }
}

/// A saved case goes to a terminal with `--save -`, and to an editor.
#[test]
fn what_a_terminal_obeys_is_spelled_out_in_a_saved_case_and_means_the_same() {
    let message = "turned\u{202e}around \u{9b}2J";
    let mut web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    web["status"]["conditions"] =
        json!([{"type": "AbleToScale", "status": "True", "reason": "Odd\u{200b}One", "message": message}]);
    let folder = Folder::of(Cluster::shop().with_hpas(&[web]));
    folder.save("case.yaml");
    let saved = folder.read("case.yaml");
    assert!(saved.contains("reason: \"Odd\\u200bOne\"\n"), "{saved}");
    assert!(saved.contains("message: \"turned\\u202earound \\u009b2J\"\n"), "{saved}");
    let case = Cases::new("case.yaml", saved.as_bytes()).next().expect("a case").expect("a good case");
    assert_eq!(case.hpa.0.status.conditions[0].message, message);
}

#[test]
fn nothing_that_lies_beside_is_written_to() {
    let folder = Folder::new();
    fs::write(folder.path.join("victim"), "mine").expect("a file");
    // The names that a file beside had, or could be thought to have.
    for name in ["case.partial", "case.yaml.partial", "case.yaml.tmp", ".case.yaml.tmp"] {
        symlink("victim", folder.path.join(name)).expect("a link");
    }
    let before = folder.names();
    folder.save("case.yaml");
    assert!(folder.is_case("case.yaml"));
    assert_eq!(folder.read("victim"), "mine");
    assert_eq!(folder.names().len(), before.len() + 1, "{:?}", folder.names());
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_written() {
    let folder = Folder::new();
    fs::create_dir(folder.path.join("cases")).expect("a folder");
    fs::write(folder.path.join("cases/web.yaml"), "old").expect("a file");
    symlink("cases/web.yaml", folder.path.join("near")).expect("a link");
    symlink("near", folder.path.join("far")).expect("a link");
    symlink("cases/new.yaml", folder.path.join("nowhere")).expect("a link");
    symlink("circle", folder.path.join("circle")).expect("a link");
    fs::hard_link(folder.path.join("cases/web.yaml"), folder.path.join("second")).expect("a link");
    folder.save("far");
    folder.save("nowhere");
    assert!(folder.is_case("cases/web.yaml") && folder.is_case("second") && folder.is_case("cases/new.yaml"));
    for (link, leads) in [("far", "near"), ("near", "cases/web.yaml"), ("nowhere", "cases/new.yaml")] {
        assert_eq!(fs::read_link(folder.path.join(link)).expect("a link"), Path::new(leads));
    }
    folder.fails("save circle", "circle: too many links, one to the other");
    assert_eq!(fs::read_dir(folder.path.join("cases")).expect("a folder").count(), 2);
}

#[test]
fn what_is_no_file_is_written_to_or_left_alone() {
    let folder = Folder::new();
    let made = folder.shell("mkdir folder && mkfifo pipe && (cat pipe > read & save pipe; wait)");
    assert!(made.status.success(), "{made:?}");
    assert!(folder.is_case("read"));
    let pipe = fs::symlink_metadata(folder.path.join("pipe")).expect("a pipe");
    assert!(pipe.file_type().is_fifo());
    symlink("/dev/null", folder.path.join("nothing")).expect("a link");
    folder.save("nothing");
    folder.save("/dev/null");
    for device in ["/dev/null", "/dev/full"] {
        assert!(fs::symlink_metadata(device).expect(device).file_type().is_char_device());
    }
    folder.fails("save /dev/full", "/dev/full: no space left on device");
    folder.fails("save folder", "folder: is a directory");
    folder.fails("save folder/", "folder/: is a directory");
    folder.fails("save new/", "new/: no such file or directory");
    folder.fails("save none/case.yaml", "none/case.yaml: no such file or directory");
    assert_eq!(folder.names(), ["folder", "nothing", "pipe", "read"]);
}

/// A stream is written to where it is: opened anew it would begin at the front, and be written over.
#[test]
fn standard_streams_are_streams() {
    for stream in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let folder = Folder::new();
        let output = folder.shell(&format!("(echo before; save {stream}; echo after) > out"));
        assert!(output.status.success(), "{output:?}");
        let out = folder.read("out");
        let case = out.strip_prefix("before\n").and_then(|out| out.strip_suffix("after\n"));
        // The case alone, which can be read again.
        assert!(case.is_some_and(|case| case.starts_with(CASE) && !case.contains(NAME)), "{stream}: {out}");
        let cases = Cases::new("out", case.unwrap_or_default().as_bytes());
        assert_eq!(cases.flatten().count(), 1, "{stream}");
        assert_eq!(folder.names(), ["out"]);
        let full = folder.shell(&format!("save {stream} > /dev/full"));
        assert_eq!(full.status.code(), Some(1));
        assert!(
            String::from_utf8_lossy(&full.stderr)
                .contains("cannot write the output: no space left on device\n"),
            "{full:?}"
        );
    }
    let folder = Folder::new();
    let output = folder.shell("(echo before >&2; save /dev/stderr; echo after >&2) 2> err; cat err");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(out.starts_with(&format!("{NAME}before\n{CASE}")) && out.ends_with("\nafter\n"), "{out}");
    folder.shell("save /dev/fd/3 3>> third");
    assert!(folder.is_case("third"));
}

/// What cannot be written whole leaves what was there, and nothing beside it.
#[test]
fn a_full_disk_is_told_and_changes_nothing() {
    let folder = Folder::new();
    fs::write(folder.path.join("case.yaml"), "old").expect("a file");
    // No file may be longer than a block, and what is longer is an error instead of the end.
    folder.fails("trap '' XFSZ; ulimit -f 1; save case.yaml", "case.yaml: file too large");
    assert_eq!((folder.read("case.yaml").as_str(), folder.names().len()), ("old", 1));
}
