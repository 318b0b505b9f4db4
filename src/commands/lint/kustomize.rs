//! What kustomizations build, as `kubectl kustomize` builds it.
//!
//! A kustomization changes what it names, so its parts are not what is applied. Each that no other one builds upon is built
//! and looked at for itself. Nothing is fetched: the program that builds gets no path to git and no way to the network.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use kubectl_hpa_core::lint::is_subject;
use kubectl_hpa_core::snapshot::{Objects, Written};

/// What came of all kustomizations.
#[derive(Default)]
pub struct Outcomes {
    /// The objects of each that was built.
    pub built: Vec<Vec<Written>>,
    /// The others, and why.
    pub notes: Vec<String>,
}

/// How long all of them may take together.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most that one of them may print.
const LONGEST: u64 = 256 << 20;

/// Builds the kustomizations among the objects, and takes the parts of those that were built out of these.
pub fn build(objects: &mut Vec<Written>) -> Outcomes {
    let all = Kustomizations::of(objects);
    let roots = all.roots();
    let mut outcomes = Outcomes::default();
    if roots.is_empty() {
        return outcomes;
    }
    let Some(kubectl) = program("kubectl") else {
        outcomes.notes.push(format!("{} not built: there is no kubectl", number(roots.len())));
        return outcomes;
    };
    let end = Instant::now() + PATIENCE;
    let mut parts = BTreeSet::new();
    let mut failed = Vec::new();
    for root in roots {
        match built(&kubectl, &root.shown, end) {
            Ok(text) => {
                outcomes.built.push(read(&root.file, &text));
                all.collect_parts(&root.real, &mut parts);
            }
            Err(why) => failed.push((root.shown.display().to_string(), why)),
        }
    }
    if let Some((first, why)) = failed.first() {
        outcomes.notes.push(format!("{} not built; {first}: {why}", number(failed.len())));
    }
    // The workloads stay beside the HPAs that no kustomization names.
    objects.retain(|object| {
        !is_subject(object) || !fs::canonicalize(&object.source).is_ok_and(|real| parts.contains(&real))
    });
    outcomes
}

fn number(kustomizations: usize) -> String {
    if kustomizations == 1 {
        "1 kustomization".to_owned()
    } else {
        format!("{kustomizations} kustomizations")
    }
}

/// A folder with a kustomization.
struct Folder {
    /// As it was named.
    shown: PathBuf,
    /// Its own file, as it was named.
    file: String,
    /// Without links.
    real: PathBuf,
    /// The files and folders that it names and that are there, without links; its own file among them.
    names: Vec<PathBuf>,
    /// Whether it is made to be a part of others only.
    is_component: bool,
}

struct Kustomizations {
    by_folder: BTreeMap<PathBuf, Folder>,
}

/// The lists of paths of a kustomization, and the lists of objects with a path.
const LISTS: [&str; 8] = [
    "resources",
    "bases",
    "components",
    "patchesStrategicMerge",
    "crds",
    "configurations",
    "generators",
    "transformers",
];
const WITH_PATH: [&str; 3] = ["patches", "patchesJson6902", "replacements"];

impl Kustomizations {
    fn of(objects: &[Written]) -> Self {
        let all = objects.iter().filter(|object| object.is_kustomization());
        let folders = all.filter_map(|object| {
            let file = fs::canonicalize(&object.source).ok()?;
            let real = file.parent()?.to_owned();
            let shown = match Path::new(&object.source).parent()? {
                here if here.as_os_str().is_empty() => PathBuf::from("."),
                folder => folder.to_owned(),
            };
            let names = paths(&object.value).filter_map(|path| fs::canonicalize(real.join(path)).ok());
            let names = names.chain([file]).collect();
            let is_component = object.text("/kind") == "Component";
            Some(Folder { shown, file: object.source.clone(), real, names, is_component })
        });
        Self { by_folder: folders.map(|folder| (folder.real.clone(), folder)).collect() }
    }

    /// Those that no other one builds upon, and of those that build upon each other in a circle the first.
    fn roots(&self) -> Vec<&Folder> {
        let named: BTreeSet<&PathBuf> = self.by_folder.values().flat_map(|folder| &folder.names).collect();
        let whole = self.by_folder.values().filter(|folder| !folder.is_component);
        let (mut roots, circles): (Vec<_>, Vec<_>) = whole.partition(|folder| !named.contains(&folder.real));
        let mut reached = BTreeSet::new();
        for root in &roots {
            self.collect_parts(&root.real, &mut reached);
        }
        for folder in circles {
            if !reached.contains(&folder.real) {
                self.collect_parts(&folder.real, &mut reached);
                roots.push(folder);
            }
        }
        roots
    }

    /// All files that one of them is made of.
    fn collect_parts(&self, folder: &Path, parts: &mut BTreeSet<PathBuf>) {
        let mut waiting = vec![folder.to_owned()];
        while let Some(next) = waiting.pop() {
            for name in self.by_folder.get(&next).into_iter().flat_map(|folder| &folder.names) {
                if parts.insert(name.clone()) {
                    waiting.push(name.clone());
                }
            }
        }
    }
}

fn paths(kustomization: &Value) -> impl Iterator<Item = &str> {
    let items = |field: &&str| kustomization[*field].as_array().into_iter().flatten();
    let lists = LISTS.iter().flat_map(items).filter_map(Value::as_str);
    let with_path = WITH_PATH.iter().flat_map(items).filter_map(|item| item["path"].as_str());
    lists.chain(with_path)
}

/// Where the shell would find a program.
fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&file))
        .find(|it| it.is_file())
}

/// A proxy that nobody is: what the program would fetch fails at once.
const NOWHERE: &str = "http://127.0.0.1:9";

fn built(kubectl: &Path, folder: &Path, end: Instant) -> Result<Vec<u8>, String> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err("the others took all the time".to_owned());
    }
    let mut command = Command::new(kubectl);
    command.arg("kustomize").arg(folder).env("PATH", "");
    for variable in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        command.env(variable, NOWHERE);
    }
    command.env_remove("NO_PROXY").env_remove("no_proxy");
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|error| super::super::files::words(&error))?;
    let (told, output) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Two pipes are read at the same time, or the program waits for the one that nobody reads.
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = pipe.map(|pipe| pipe.take(LONGEST).read_to_end(&mut bytes));
            if read.is_none_or(|read| read.is_ok()) { bytes } else { Vec::new() }
        })
    };
    let out = reader(stdout.map(|it| Box::new(it) as Box<dyn Read + Send>));
    let complaint = reader(stderr.map(|it| Box::new(it) as Box<dyn Read + Send>));
    thread::spawn(move || told.send((out.join().unwrap_or_default(), complaint.join().unwrap_or_default())));
    let Ok((text, complaint)) = output.recv_timeout(left) else {
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("it takes longer than {} s", PATIENCE.as_secs()));
    };
    match child.wait() {
        Ok(status) if status.success() => Ok(text),
        Ok(_) => Err(reason(&complaint)),
        Err(error) => Err(super::super::files::words(&error)),
    }
}

/// The first line of what a program says of its failure, after its warnings and what its log puts before it.
fn reason(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines = text.lines().map(|line| line.trim().trim_start_matches("error: "));
    let mut lines =
        lines.filter(|line| !line.is_empty() && !line.starts_with("# Warning") && !line.ends_with("err=<"));
    let line = lines.next().unwrap_or("it failed without a word");
    line.split_once(" err=").map_or(line, |(_, words)| words).trim_matches('"').chars().take(200).collect()
}

/// Its lines are in no file, so an object is shown by its name.
fn read(file: &str, text: &[u8]) -> Vec<Written> {
    let source = file.to_owned();
    let objects = Objects::new("-", text).filter_map(Result::ok);
    objects.map(|object| Written { source: source.clone(), ..Written::live(object.value) }).collect()
}
