//! Completion in real shells: lines are typed into a terminal, the tab key is pressed, and the shell says what the line
//! has become. `kubectl hpa` goes through the real kubectl.
//!
//! What is not on the machine is not tried, and that is said; with KUBECTL_HPA_REQUIRED=1 it is a failure.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::{Cluster, kubeconfig_file};
use crate::completion::{HOSTILE, beside, shop};
use crate::server::Server;

/// What is typed before the tab, after `kubectl hpa` or `kubectl-hpa`, and what it becomes.
const LINES: &[(&str, &str)] = &[
    (" expl", " explain "),
    (" explain w", " explain web "),
    (" explain -n elsewhere f", " explain -n elsewhere far "),
    (" explain -n els", " explain -n elsewhere "),
    (" explain --context oth", " explain --context other "),
    (" explain --outp", " explain --output "),
    (" explain --output=ya", " explain --output=yaml "),
    (" explain --output js", " explain --output json"),
    (" explain -f some", " explain -f some-case.yaml "),
    (" explain --file=some", " explain --file=some-case.yaml "),
    (" simulate web --target q", " simulate web --target queue="),
    (" simulate web --pods w", " simulate web --pods web-"),
    (" simulate web --container pr", " simulate web --container proxy "),
    (" simulate 'web' --rem", " simulate 'web' --remove-metric "),
];

/// kubectl's own scripts for zsh and fish would take `-1=` for a flag, so through kubectl nothing is offered here.
const PAIR: (&str, &str) = (" simulate web --pods web-1=not", " simulate web --pods web-1=not-ready ");

/// What is typed where a cluster and a kubeconfig have names beside the good ones that a shell would run.
const BESIDE_HOSTILE: &[(&str, &str)] = &[
    (" simulate web --metric ", " simulate web --metric queue="),
    (" simulate web --target q", " simulate web --target queue="),
    (" simulate web --remove-metric q", " simulate web --remove-metric queue "),
    (" simulate web --sweep metric.q", " simulate web --sweep metric.queue="),
    (" simulate web --usage ", " simulate web --usage cpu="),
    (" simulate web --container ", " simulate web --container app "),
    (" simulate web --request ", " simulate web --request app/"),
    (" simulate web --pods ", " simulate web --pods web-1="),
    (" explain ", " explain web "),
    (" explain deploy/w", " explain deploy/web "),
    (" explain -n ", " explain -n shop "),
    (" explain --context ", " explain --context test "),
    (" explain --context=", " explain --context=test "),
    (" explain -f host", r" explain -f hostile\$\(touch\ PWNED\).yaml "),
];

/// Stands in for a command that offers what ours does not: its scripts run nothing of it either.
const CARELESS: &str = r#"#!/bin/sh
[ "$1" = __complete ] || exec "$REAL" "$@"
cat "$OFFERS"
"#;

const BASH: &str = r#"
source /usr/share/bash-completion/bash_completion
source <(kubectl completion bash)
source <(kubectl-hpa completion bash)
tell() { printf '%s|\n' "$READLINE_LINE" >>"$TOLD"; READLINE_LINE='' READLINE_POINT=0; }
bind -x '"\C-xt": tell'
bind 'set bell-style none'
PS1='at your service> '
"#;

const ZSH: &str = r#"
autoload -U compinit
compinit -u -D
source <(kubectl completion zsh)
source <(kubectl-hpa completion zsh)
tell() { print -r -- "$BUFFER|" >>$TOLD; BUFFER='' }
zle -N tell
bindkey '^Xt' tell
setopt no_beep
PS1='at your service> '
"#;

const FISH: &str = r"
function fish_prompt; echo 'at your service> '; end
kubectl completion fish | source
kubectl-hpa completion fish | source
function tell; echo (commandline)'|' >>$TOLD; commandline ''; end
bind \cxt tell
";

#[test]
fn in_bash() {
    typed_in(&BASHES, typed);
}

#[test]
fn in_zsh() {
    typed_in(&ZSHES, typed);
}

#[test]
fn in_fish() {
    typed_in(&FISHES, typed);
}

#[test]
fn beside_hostile_names_in_bash() {
    typed_in(&BASHES, typed_beside_hostile);
}

#[test]
fn beside_hostile_names_in_zsh() {
    typed_in(&ZSHES, typed_beside_hostile);
}

#[test]
fn beside_hostile_names_in_fish() {
    typed_in(&FISHES, typed_beside_hostile);
}

#[test]
fn offered_by_another_in_bash() {
    typed_in(&BASHES, offered_by_another);
}

#[test]
fn offered_by_another_in_zsh() {
    typed_in(&ZSHES, offered_by_another);
}

#[test]
fn offered_by_another_in_fish() {
    typed_in(&FISHES, offered_by_another);
}

/// A shell: what has to be here for it, the file of its settings, and its command line.
struct Shell {
    name: &'static str,
    needs: &'static [&'static str],
    settings: (&'static str, &'static str),
    command: &'static str,
}

const BASHES: Shell = Shell {
    name: "bash, bash-completion and kubectl",
    needs: &["bash", "kubectl", "/usr/share/bash-completion/bash_completion"],
    settings: ("rc", BASH),
    command: "bash --noprofile --rcfile ./rc -i",
};

const ZSHES: Shell = Shell {
    name: "zsh and kubectl",
    needs: &["zsh", "kubectl"],
    settings: (".zshrc", ZSH),
    command: "zsh -d -i",
};

const FISHES: Shell = Shell {
    name: "fish and kubectl",
    needs: &["fish", "kubectl"],
    settings: ("rc", FISH),
    command: "fish --no-config -i -C 'source ./rc'",
};

/// Tries a shell, where it is here.
#[expect(clippy::print_stderr, reason = "the one who runs the tests is to know")]
fn typed_in(shell: &Shell, check: impl Fn(&Shell)) {
    if shell.needs.iter().chain(&["script"]).all(|program| is_here(program)) {
        return check(shell);
    }
    assert!(std::env::var_os("KUBECTL_HPA_REQUIRED").is_none(), "{} must be here", shell.name);
    eprintln!("NOT RUN: {} are not here", shell.name);
}

/// Every line becomes what it should.
fn typed(shell: &Shell) {
    let unchanged = (PAIR.0, PAIR.0);
    for (command, pair) in [("kubectl hpa", unchanged), ("kubectl-hpa", PAIR)] {
        let lines: Vec<_> = LINES.iter().copied().chain([pair]).collect();
        Folder::of(shop()).check(shell, command, &lines);
    }
}

/// Of hostile names none is run, and none is inserted: neither of those that bash runs wherever it expands a word, nor of
/// all together, of which some would keep it from expanding the others.
fn typed_beside_hostile(shell: &Shell) {
    for names in [&HOSTILE[..2], &HOSTILE] {
        for command in ["kubectl hpa", "kubectl-hpa"] {
            let folder = Folder::of(beside(names));
            folder.add_contexts(names);
            fs::write(folder.path.join("hostile$(touch PWNED).yaml"), "").expect("a file");
            folder.check(shell, command, BESIDE_HOSTILE);
        }
    }
}

/// Also where another command stands in the place of ours, our scripts run nothing of what it offers.
fn offered_by_another(shell: &Shell) {
    for names in [&HOSTILE[..2], &HOSTILE] {
        let folder = Folder::of(Cluster::default());
        let of_one_line = names.iter().filter(|name| !name.contains(['\n', '\t']));
        let offers: Vec<&str> = of_one_line.copied().collect();
        // Shells reckon with the number at the end, and some would run what stands in brackets there.
        let ends: Vec<String> = names.iter().map(|name| format!(":a[{name}]")).collect();
        folder.take_the_place(&format!("good=\n{}\n:6\n{}\n", offers.join("\n"), ends.join("\n")));
        folder.check(shell, "kubectl-hpa", &[(" simulate --metric ", " simulate --metric good=")]);
    }
}

fn is_here(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A whole path stays itself.
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A home and working folder of a shell, with the command and its completion on the PATH, and a cluster.
struct Folder {
    path: PathBuf,
    kubeconfig: PathBuf,
    _server: Server,
}

impl Folder {
    fn of(cluster: Cluster) -> Self {
        let server = cluster.serve();
        let kubeconfig = kubeconfig_file(&server.url());
        let path = kubeconfig.with_extension("home");
        fs::create_dir_all(path.join("bin")).expect("a folder");
        fs::write(path.join("some-case.yaml"), "").expect("a file");
        let completions = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
        for (link, file) in [
            ("kubectl-hpa", Path::new(env!("CARGO_BIN_EXE_kubectl-hpa")).to_owned()),
            ("kubectl_complete-hpa", completions.join("kubectl_complete-hpa")),
        ] {
            std::os::unix::fs::symlink(file, path.join("bin").join(link)).expect("a link");
        }
        Self { path, kubeconfig, _server: server }
    }

    /// Gives the kubeconfig contexts of hostile names beside a good one.
    fn add_contexts(&self, names: &[&str]) {
        let read = fs::read(&self.kubeconfig).expect("a kubeconfig");
        let mut config: Value = serde_json::from_slice(&read).expect("JSON");
        let context = config["contexts"][0]["context"].clone();
        let entry = |name: &&str| json!({"name": name, "context": context});
        config["contexts"] = ["test"].iter().chain(names).map(entry).collect();
        fs::write(&self.kubeconfig, config.to_string()).expect("a kubeconfig");
    }

    /// Puts a command that offers what it is told to in the place of ours.
    fn take_the_place(&self, offers: &str) {
        let ours = self.path.join("bin/kubectl-hpa");
        fs::remove_file(&ours).expect("a link");
        fs::write(&ours, CARELESS).expect("a script");
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o755)).expect("a script");
        fs::write(self.path.join("offers"), offers).expect("offers");
    }

    /// Types every line into a shell, with the tab key, and compares with what it is to become.
    fn check(&self, shell: &Shell, command: &str, lines: &[(&str, &str)]) {
        fs::write(self.path.join(shell.settings.0), shell.settings.1).expect("a file");
        // The line, the tab key, and the key that makes the shell tell the line.
        let keys: Vec<_> = lines.iter().map(|line| format!("{command}{}\t\u{18}t", line.0)).collect();
        let expected: Vec<_> = lines.iter().map(|line| format!("{command}{}|", line.1)).collect();
        let told = self.told(shell.command, &keys);
        assert!(!self.path.join("PWNED").exists(), "{command} in {} ran a name", shell.name);
        assert_eq!(told, expected, "{command} in {}", shell.name);
    }

    /// What a shell in a terminal of its own tells, line by line.
    fn told(&self, shell: &str, keys: &[String]) -> Vec<String> {
        let told = self.path.join("told");
        let search = std::env::var("PATH").expect("a PATH");
        let mut terminal = Command::new("script")
            .args(["-qfec", shell, "/dev/null"])
            .current_dir(&self.path)
            .env_clear()
            .env("PATH", format!("{}:{search}", self.path.join("bin").display()))
            .envs([
                ("HOME", &self.path),
                ("ZDOTDIR", &self.path),
                ("TOLD", &told),
                ("KUBECONFIG", &self.kubeconfig),
                ("REAL", &PathBuf::from(env!("CARGO_BIN_EXE_kubectl-hpa"))),
                ("OFFERS", &self.path.join("offers")),
            ])
            .envs([("TERM", "xterm"), ("LC_ALL", "C.UTF-8")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a terminal");
        let mut keyboard = terminal.stdin.take().expect("a keyboard");
        let mut screen = terminal.stdout.take().expect("a screen");
        wait_for_prompt(&mut screen);
        // A screen that nobody reads would hold up the shell.
        let reader = std::thread::spawn(move || std::io::copy(&mut screen, &mut std::io::sink()));
        let read =
            || fs::read_to_string(&told).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
        // One line after the other: some shells drop what is typed while they are busy.
        let mut became = Vec::new();
        for key in keys {
            let typed = format!("{}|", key.split('\t').next().unwrap_or_default());
            let mut last = None;
            // On a busy machine a cluster may not have answered in time, and nothing was offered.
            for _ in 0..3 {
                let (before, start) = (read().len(), Instant::now());
                keyboard.write_all(key.as_bytes()).expect("to type");
                while read().len() == before && start.elapsed() < Duration::from_secs(20) {
                    std::thread::sleep(Duration::from_millis(20));
                }
                last = read().pop().filter(|_| read().len() > before);
                if last.as_ref().is_none_or(|line| *line != typed) {
                    break;
                }
            }
            became.push(last.unwrap_or_default());
        }
        drop(keyboard);
        let _ = terminal.kill();
        let _ = terminal.wait();
        let _ = reader.join();
        became
    }
}

fn wait_for_prompt(screen: &mut impl Read) {
    let (mut seen, mut piece) = (String::new(), [0; 4096]);
    while !seen.contains("at your service>") {
        let read = screen.read(&mut piece).expect("a screen");
        assert!(read > 0, "the shell ended: {seen}");
        seen.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        let _ = fs::remove_file(&self.kubeconfig);
    }
}
