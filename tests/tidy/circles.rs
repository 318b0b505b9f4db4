//! Files that import each other: none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

use super::files;

/// The segments of a path.
type Segments = Vec<String>;

/// The paths that a file names, without its tests.
#[derive(Default)]
struct Named {
    /// Where it uses them.
    used: Vec<Segments>,
    /// What it gives on, by the last segment.
    given_on: Vec<Segments>,
}

impl Named {
    fn take(&mut self, tree: &syn::UseTree, mut before: Segments, is_given_on: bool) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.take(&path.tree, before, is_given_on);
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.take(item, before.clone(), is_given_on));
            }
            syn::UseTree::Name(syn::UseName { ident })
            | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                before.extend((*ident != "self").then(|| ident.to_string()));
                if is_given_on { self.given_on.push(before) } else { self.used.push(before) }
            }
            syn::UseTree::Glob(_) => self.used.push(before),
        }
    }
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.take(&item.tree, Segments::new(), !matches!(item.vis, syn::Visibility::Inherited));
    }

    /// `pub(super)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // One segment alone is a variable, or an item that some `use` has brought.
        if path.segments.len() > 1 {
            self.used.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// Both crates, file by file.
struct Sources(BTreeMap<Segments, Named>);

impl Sources {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let module = |path: &Path| {
            let inside = path.strip_prefix(&root).expect("inside of src").with_extension("");
            let mut parts: Segments =
                inside.iter().map(|part| part.to_str().expect("UTF-8").to_owned()).collect();
            parts.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            if parts.first().is_none_or(|first| first != "core") {
                parts.insert(0, "plugin".to_owned());
            }
            parts
        };
        let rust = files(&root).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
        let rust = rust.filter(|path| !path.ends_with("tests.rs"));
        let named = |path: &Path| {
            let mut named = Named::default();
            let text = fs::read_to_string(path).expect("readable");
            named.visit_file(&syn::parse_file(&text).expect("Rust"));
            named
        };
        Self(rust.map(|path| (module(&path), named(&path))).collect())
    }

    /// The file in which what a path of `module` names is written; `None` if that is in another crate or an item of its own.
    fn home(&self, module: &[String], path: &[String]) -> Option<Segments> {
        let (first, mut rest) = path.split_first()?;
        let mut home: Segments = match first.as_str() {
            "crate" => module[..1].to_vec(),
            "kubectl_hpa_core" => vec!["core".to_owned()],
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            _ => {
                rest = path;
                module.to_vec()
            }
        };
        while let [first, more @ ..] = rest {
            if first == "super" {
                home.pop();
            } else {
                home.push(first.clone());
                if !self.0.contains_key(&home) {
                    home.pop();
                    break;
                }
            }
            rest = more;
        }
        let name = rest.first();
        let given_on = self.0[&home].given_on.iter().find(|given| given.last() == name && name.is_some());
        match given_on.and_then(|given| self.home(&home, given)) {
            Some(written) if written != home => Some(written),
            _ => (home != module).then_some(home),
        }
    }

    /// What each file imports.
    fn imports(&self) -> BTreeMap<&Segments, BTreeSet<Segments>> {
        let of = |(module, named): (&'_ Segments, &Named)| {
            named.used.iter().filter_map(|path| self.home(module, path)).collect()
        };
        self.0.iter().map(|entry| (entry.0, of(entry))).collect()
    }
}

/// The files that can be reached from one.
fn reached(from: &Segments, imports: &BTreeMap<&Segments, BTreeSet<Segments>>) -> BTreeSet<Segments> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&Segments> = imports[from].iter().collect();
    while let Some(one) = next.pop() {
        if found.insert(one.clone()) {
            next.extend(&imports[one]);
        }
    }
    found
}

#[test]
fn no_files_import_each_other() {
    let sources = Sources::read();
    let imports = sources.imports();
    let reached: BTreeMap<&Segments, BTreeSet<Segments>> =
        imports.keys().map(|module| (*module, reached(module, &imports))).collect();
    let circles: BTreeSet<Vec<String>> = reached
        .iter()
        .filter(|(module, all)| all.contains(**module))
        .map(|(module, all)| {
            let mates = all.iter().filter(|other| reached[*other].contains(*module));
            mates.map(|mate| mate.join("::")).collect()
        })
        .collect();
    assert!(circles.is_empty(), "{circles:?}");
}
