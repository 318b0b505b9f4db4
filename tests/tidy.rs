//! The walls between the rooms, as the front pages of both crates draw them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "tidy/archives.rs"]
mod archives;
#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/errors.rs"]
mod errors;

/// The rooms of the core, and the other rooms that each uses: no more, and no fewer.
const CORE: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("api", &["model"]),
    ("rules", &["model"]),
    ("snapshot", &["api", "model", "rules"]),
    ("assembly", &["api", "model", "snapshot"]),
    ("trace", &["model", "snapshot"]),
    ("engine", &["model", "rules", "snapshot", "trace"]),
    ("status", &["api", "model", "rules", "snapshot", "trace"]),
    ("attested", &["api", "model", "rules", "snapshot", "status"]),
    ("memory_bounds", &["api", "attested", "engine", "model", "rules", "snapshot", "status", "trace"]),
    ("play", &["engine", "model", "rules", "snapshot", "status", "trace"]),
    ("whatif", &["api", "engine", "model", "memory_bounds", "play", "rules", "snapshot", "status", "trace"]),
    ("causes", &["attested", "memory_bounds", "model", "rules", "snapshot", "trace", "whatif"]),
    ("run", &["causes", "memory_bounds", "model", "play", "rules", "snapshot", "trace"]),
    ("advice", &["attested", "causes", "model", "memory_bounds", "rules", "snapshot", "trace", "whatif"]),
    ("edit", &["api", "model"]),
    ("record", &["edit", "model", "snapshot"]),
    ("lint", &["api", "edit", "engine", "model", "rules", "snapshot", "trace"]),
    (
        "explanation",
        &[
            "advice",
            "api",
            "attested",
            "causes",
            "model",
            "memory_bounds",
            "play",
            "rules",
            "snapshot",
            "status",
            "trace",
            "whatif",
        ],
    ),
    (
        "comparison",
        &[
            "api",
            "edit",
            "explanation",
            "model",
            "play",
            "rules",
            "run",
            "snapshot",
            "status",
            "trace",
            "whatif",
        ],
    ),
    ("past", &["comparison", "memory_bounds", "model", "snapshot"]),
];

/// The rooms of the plugin, and what each uses of the others and of the core; [`commands`](kubectl_hpa::commands) stands
/// above all of them.
const PLUGIN: &[(&str, &[&str])] = &[
    ("examples", &[]),
    (
        "render",
        &[
            "advice",
            "api",
            "attested",
            "causes",
            "comparison",
            "edit",
            "explanation",
            "lint",
            "model",
            "memory_bounds",
            "past",
            "play",
            "rules",
            "run",
            "snapshot",
            "status",
            "trace",
            "whatif",
        ],
    ),
    ("cluster", &["api", "model", "snapshot"]),
    ("cli", &["edit", "lint", "model", "play", "whatif"]),
];

/// The rooms of the cluster, and what each uses of the others, as far as paths show it.
const CLUSTER: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("client", &["error"]),
    ("wire", &["client"]),
    ("discovery", &["client", "wire"]),
    ("lists", &["client", "wire"]),
    ("connection", &["client", "discovery", "error", "lists", "wire"]),
    ("lookup", &["client", "connection", "discovery", "error", "wire"]),
    ("read", &["connection", "discovery", "error", "lists", "lookup", "wire"]),
    ("write", &["connection", "error", "wire"]),
];

/// What clippy cannot keep out of a room: macros that print, and what render must not know.
const IMPURE: &[&str] = &[
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
    "dbg!",
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
];

/// What has no place where decisions are made: neither words nor panics, and no floats but Go's.
const SILENT: &[&str] = &["format!", "panic!", "unreachable!", ".unwrap()", ".expect(", "f32"];

/// The files below a folder; what a build or a run left there is not ours.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    if ["target", "build", ".build", ".run"].iter().any(|left| path.ends_with(left)) {
        return Vec::new();
    }
    let entries = fs::read_dir(path).expect("the folder is there");
    entries.flat_map(|entry| files(&entry.expect("an entry").path())).collect()
}

/// A source file of a room: how deep it lies in it, its path, its code without comments and tests.
struct Source {
    depth: usize,
    path: PathBuf,
    code: String,
}

fn room(folder: &str, name: &str) -> Vec<Source> {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let single = parent.join(format!("{name}.rs"));
    let root = if single.exists() { single } else { parent.join(name) };
    let rust = files(&root).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let source = |path: PathBuf| {
        let inside = path.strip_prefix(&parent).expect("inside of the folder");
        // The module of `a/mod.rs` is `a`, that of `a/b.rs` lies in it.
        let depth = inside.components().count() - usize::from(inside.ends_with("mod.rs"));
        let code = code(&fs::read_to_string(&path).expect("readable"));
        Source { depth, path, code }
    };
    let found: Vec<Source> = rust.map(source).collect();
    assert!(!found.is_empty(), "no room {name} in {folder}");
    found
}

/// A file without its comments and its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// What follows after each occurrence of a path's beginning.
fn uses<'a>(code: &'a str, crate_name: &'static str) -> impl Iterator<Item = &'a str> {
    code.split(crate_name).skip(1).filter_map(|rest| rest.strip_prefix("::")).map(|rest| {
        let end =
            rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// How many modules a path climbs at most: as many `super` as follow one another.
fn climbs(code: &str) -> usize {
    let runs = code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != ':' && letter != '_');
    runs.map(|path| path.split("::").take_while(|part| *part == "super").count()).max().unwrap_or(0)
}

fn holds(folder: &str, rooms: &[(&str, &[&str])], crates: &[&'static str]) {
    for (name, allowed) in rooms {
        let mut used = BTreeSet::new();
        for Source { depth, path, code } in &room(folder, name) {
            for crate_name in crates {
                let found: Vec<&str> = uses(code, crate_name).collect();
                assert!(!found.contains(&""), "{} takes a whole crate apart", path.display());
                used.extend(found.into_iter().map(ToOwned::to_owned));
            }
            assert!(climbs(code) < *depth, "{} climbs out of its room", path.display());
        }
        used.remove(*name);
        let allowed: BTreeSet<String> = allowed.iter().map(ToString::to_string).collect();
        assert_eq!(used, allowed, "what {name} uses, and what is drawn");
    }
}

#[test]
fn rooms_use_what_is_drawn() {
    holds("src/core", CORE, &["crate"]);
    holds("src", PLUGIN, &["crate", "kubectl_hpa_core"]);
    holds("src/cluster", CLUSTER, &["crate::cluster"]);
}

#[test]
fn every_room_is_drawn() {
    for (folder, rooms, hallway) in [
        ("src/core", CORE, &["lib"][..]),
        ("src", PLUGIN, &["lib", "main", "core", "commands"]),
        ("src/cluster", CLUSTER, &["mod"]),
    ] {
        let entries =
            fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let rust = paths.filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"));
        let names: BTreeSet<String> =
            rust.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        let drawn = rooms.iter().map(|(name, _)| *name).chain(hallway.iter().copied());
        assert_eq!(names, drawn.map(ToOwned::to_owned).collect(), "the rooms of {folder}");
    }
}

#[test]
fn what_thinks_and_what_speaks_touch_nothing() {
    let core = CORE.iter().map(|(name, _)| ("src/core", *name));
    for (folder, name) in core.chain([("src", "render"), ("src", "examples")]) {
        for Source { path, code, .. } in room(folder, name) {
            for word in IMPURE {
                assert!(!code.contains(word), "{} has {word}", path.display());
            }
        }
    }
}

#[test]
fn the_core_includes_nothing_from_outside() {
    for (name, _) in CORE {
        for Source { path, .. } in room("src/core", name) {
            let text = fs::read_to_string(&path).expect("readable");
            let mut included = text.split("include_").skip(1);
            assert!(
                !included.any(|rest| rest.split(')').next().is_some_and(|it| it.contains(".."))),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn what_decides_neither_speaks_nor_panics() {
    for name in ["engine", "trace", "advice"] {
        for Source { path, code, .. } in room("src/core", name) {
            for word in SILENT {
                assert!(!code.contains(word), "{} has {word}", path.display());
            }
        }
    }
}

/// Paths of this repository that a text names.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_of_path = |letter: char| letter.is_ascii_alphanumeric() || "_-./{*".contains(letter);
    let words = text.split(move |letter| !is_of_path(letter));
    words
        .map(|word| word.trim_end_matches(['.', '/', '-']))
        .filter(|word| word.starts_with("src/") || word.starts_with("tests/"))
        // What stands for several is none of them.
        .filter(|word| !word.contains(['{', '*']))
}

#[test]
fn paths_that_comments_and_pages_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = ["src", "tests"].into_iter().flat_map(|folder| files(&root.join(folder)));
    let texts = all.filter(|path| path.extension().is_some_and(|end| end == "rs" || end == "md"));
    let mut missing = Vec::new();
    for path in texts.chain([root.join("README.md")]) {
        let text = fs::read_to_string(&path).expect("readable");
        let absent = named_paths(&text).filter(|named| !root.join(named).exists());
        // A cluster that runs puts its files there.
        let absent = absent.filter(|named| !named.starts_with("tests/e2e/.run"));
        missing.extend(absent.map(|named| format!("{named} in {}", path.display())));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
