//! Completion in real shells: lines are typed into a terminal, the tab key is pressed, and the shell says what the line
//! has become. `kubectl hpa` goes through the real kubectl.
//!
//! What is not on the machine is not tried, and that is said; with KUBECTL_HPA_REQUIRED=1 it is a failure.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cluster::kubeconfig_file;
use crate::completion::shop;
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
    let has = ["bash", "kubectl"].into_iter().all(is_here)
        && Path::new("/usr/share/bash-completion/bash_completion").exists();
    typed_in("bash, bash-completion and kubectl", has, |folder| {
        fs::write(folder.join("rc"), BASH).expect("a file");
        "bash --noprofile --rcfile ./rc -i".to_owned()
    });
}

#[test]
fn in_zsh() {
    typed_in("zsh and kubectl", ["zsh", "kubectl"].into_iter().all(is_here), |folder| {
        fs::write(folder.join(".zshrc"), ZSH).expect("a file");
        "zsh -d -i".to_owned()
    });
}

#[test]
fn in_fish() {
    typed_in("fish and kubectl", ["fish", "kubectl"].into_iter().all(is_here), |folder| {
        fs::write(folder.join("rc"), FISH).expect("a file");
        "fish --no-config -i -C 'source ./rc'".to_owned()
    });
}

/// Types every line into a shell, whose settings `shell` has put into the folder that it starts in.
#[expect(clippy::print_stderr, reason = "the one who runs the tests is to know")]
fn typed_in(what: &str, has: bool, shell: impl Fn(&Path) -> String) {
    if !has || !is_here("script") {
        assert!(std::env::var_os("KUBECTL_HPA_REQUIRED").is_none(), "{what} must be here");
        eprintln!("NOT RUN: {what} are not here");
        return;
    }
    let unchanged = (PAIR.0, PAIR.0);
    for (command, pair) in [("kubectl hpa", unchanged), ("kubectl-hpa", PAIR)] {
        let folder = Folder::new();
        let lines: Vec<_> = LINES.iter().copied().chain([pair]).collect();
        // The line, the tab key, and the key that makes the shell tell the line.
        let keys: Vec<_> = lines.iter().map(|line| format!("{command}{}\t\u{18}t", line.0)).collect();
        let expected: Vec<_> = lines.iter().map(|line| format!("{command}{}|", line.1)).collect();
        assert_eq!(folder.told(&shell(&folder.path), &keys), expected, "{command} in {what}");
    }
}

fn is_here(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A home and working folder of a shell, with the command and its completion on the PATH, and a cluster.
struct Folder {
    path: PathBuf,
    kubeconfig: PathBuf,
    _server: Server,
}

impl Folder {
    fn new() -> Self {
        let server = shop().serve();
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
