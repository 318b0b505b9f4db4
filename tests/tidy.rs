//! The walls between the rooms, as `src/lib.rs` draws them.

use std::fs;
use std::path::{Path, PathBuf};

/// What each room may use of `crate::`.
const ROOMS: &[(&str, &[&str])] = &[
    ("model", &["model"]),
    ("api", &["api", "model"]),
    ("rules", &["rules", "model"]),
    ("snapshot", &["snapshot", "api", "model", "rules", "status", "trace"]),
    ("trace", &["trace", "model", "snapshot"]),
    ("engine", &["engine", "model", "rules", "snapshot", "trace"]),
    ("status", &["status", "api", "model", "rules", "snapshot", "trace"]),
    ("recall", &["recall", "api", "engine", "model", "rules", "snapshot", "status", "trace"]),
    ("whatif", &["whatif", "api", "engine", "model", "recall", "rules", "snapshot", "status", "trace"]),
    ("advice", &["advice", "model", "recall", "rules", "snapshot", "trace", "whatif"]),
    ("edit", &["edit", "api", "model"]),
    (
        "render",
        &[
            "render", "advice", "api", "edit", "engine", "examples", "model", "recall", "rules", "snapshot",
            "status", "trace", "whatif",
        ],
    ),
    ("cluster", &["cluster", "api", "model", "snapshot"]),
    ("cli", &["cli", "edit", "model"]),
];

/// What has no place in the pure wing.
const IMPURE: &[&str] =
    &["println!", "eprintln!", "std::env", "std::fs", "SystemTime", "Timestamp::now", "tokio", "kube::"];

/// What has no place in the engine and the trace: they neither speak nor panic.
const SILENT: &[&str] = &["format!", "panic!", "unreachable!", ".unwrap()", ".expect(", "HashMap", "f32"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn room(name: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    let rust = files(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    rust.map(|path| (path.clone(), code(&fs::read_to_string(&path).expect("readable")))).collect()
}

/// A file without its comments and its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn uses(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).map(|rest| {
        let end =
            rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn rooms_use_only_what_they_may() {
    for (name, allowed) in ROOMS {
        for (path, code) in room(name) {
            for used in uses(&code).filter(|used| !used.is_empty() && *used != "in") {
                assert!(allowed.contains(&used), "{} uses crate::{used}", path.display());
            }
        }
    }
}

#[test]
fn the_pure_wing_touches_nothing() {
    for name in [
        "model", "api", "rules", "snapshot", "trace", "engine", "status", "recall", "whatif", "advice",
        "edit", "render",
    ] {
        for (path, code) in room(name) {
            for word in IMPURE {
                assert!(!code.contains(word), "{} has {word}", path.display());
            }
        }
    }
}

#[test]
fn the_engine_neither_speaks_nor_panics() {
    for name in ["engine", "trace", "advice"] {
        for (path, code) in room(name) {
            for word in SILENT {
                assert!(!code.contains(word), "{} has {word}", path.display());
            }
        }
    }
}
