//! Every error text of the program is expected by some test: a text that no test has ever seen may be wrong, or about what
//! cannot happen.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use flate2::read::GzDecoder;
use syn::visit::{self, Visit};

use super::files;

/// Texts that no test has met, each with what it would take. The list gets shorter.
const UNSEEN: &[(&str, &str)] = &[
    ("an empty example", "a guard: the examples are built in"),
    ("the manifest has no case", "a guard: an HPA among the objects is among their cases"),
    ("no such example", "a guard: an example is looked up before"),
    ("no HPA was named", "a guard: a name is asked for before"),
    (
        "lint takes the names of one namespace; -A takes every HPA of all",
        "a guard: -A with names is refused before",
    ),
    (
        "cannot simulate ahead: the sync period must be more than 0",
        "a guard of the library: a case with such a period is refused",
    ),
    (
        "unknown change \"{0}\": expected a flag of simulate with its value, for example --load +50%",
        "a guard of the library: flags are read before",
    ),
    ("expected amd64 or arm64", "a case says it in other words"),
    ("is lost: {0}", "a process that cannot be waited for"),
    ("cannot be told of the cluster: {}", "a cluster that is not JSON"),
    ("has to ask a person, and standard input is not a terminal", "a plugin with interactiveMode: Always"),
    ("cannot be run: {0}{1}", "a plugin that may not be executed"),
    ("answered without a status", "a plugin with half an answer"),
    ("answered with neither a token nor a certificate and its key", "a plugin with an empty status"),
    ("contains no text", "a token file of other bytes"),
    ("it has more than {MOST} objects and lists", "an answer of millions of objects"),
    ("the answer is longer than {0} bytes", "an answer beyond the bound of memory"),
    ("the list is longer than {LONGEST_LIST} bytes", "an answer beyond the bound of memory"),
    (
        "the list is more than is read: what is needed of its first {items} items is {MOST_KEPT} bytes",
        "an answer beyond the bound of memory",
    ),
    ("the answer stopped coming for {0:?}", "a server that stops in the middle of an answer"),
    (
        "no answer of {server} has a Date header: the time of the decision is unknown",
        "a server without a clock",
    ),
    (
        "something between here and {server} answered instead ({code} for {path}): {message}",
        "a proxy that answers a read of an HPA",
    ),
    ("there is no HPA in any namespace", "a cluster without HPAs"),
    ("cannot write: the decision is {decided}, not one number", "explain --apply with an unknown memory"),
    (
        "nothing was written: the decision cannot be repeated",
        "a read that fails between the question and the write",
    ),
    (
        "standard error is closed, and the undo of the write would be lost; nothing was written. Leave it open, or give it away with 2>/dev/null",
        "seen only by its effect: standard error is closed",
    ),
    (
        "{field} is not known here and would be lost; nothing was written. Change it with kubectl edit",
        "a field of a newer API server in a list that is replaced",
    ),
    (
        "{} has no resourceVersion: concurrent writes would go unnoticed",
        "an API server without resource versions",
    ),
    ("no value gives a decision: {problem}", "a sweep of which every value fails"),
    (
        "cannot simulate ahead: no sample of {0:?} counts yet, so today's load is not known",
        "a rollout of which no pod counts",
    ),
    ("the metric could not be read", "a change of a metric that could not be read here"),
    (
        "the pods' owners do not show which pods belong to the {0}",
        "pods without owners beside those of others",
    ),
];

/// The error texts of a file, without its tests.
#[derive(Default)]
struct Texts(BTreeSet<String>);

impl<'ast> Visit<'ast> for Texts {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    /// `#[error("…")]`.
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let Ok(list) = attribute.meta.require_list()
            && list.path.is_ident("error")
        {
            self.take(list.tokens.clone());
        }
    }

    /// `anyhow!("…")`, `bail!("…")` and `ensure!(…, "…")`.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string());
        if name.is_some_and(|name| ["anyhow", "bail", "ensure"].contains(&name.as_str())) {
            self.take(call.tokens.clone());
        }
    }

    /// `.context("…")`.
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) = call.args.first()
            && call.method == "context"
        {
            self.0.insert(text.value());
        }
        visit::visit_expr_method_call(self, call);
    }
}

impl Texts {
    /// The first string among tokens.
    fn take(&mut self, tokens: impl IntoIterator<Item: ToString>) {
        let string = |token: &str| syn::parse_str::<syn::LitStr>(token).ok();
        self.0.extend(tokens.into_iter().find_map(|token| string(&token.to_string())).map(|it| it.value()));
    }
}

/// Without what differs between a text and the page that shows it: spaces, and the edge of lines that go on.
fn run_together(text: &str) -> String {
    let text = text.replace("\\\n", "").replace("\\\"", "\"").replace("\n  | ", "");
    text.chars().filter(|it| !it.is_whitespace() && !"{}".contains(*it)).collect()
}

/// The parts of a text between its placeholders.
fn parts(text: &str) -> Vec<String> {
    let text = text.replace("{{", "").replace("}}", "");
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, fixed)| fixed));
    parts.map(run_together).filter(|part| part.len() > 3).collect()
}

/// All that the tests hold: pages, cases, code (the tests beside the source too), and the recorded errors of Go.
fn expected(root: &Path) -> String {
    let in_source = |text: &str| text.split_once("#[cfg(test)]").map(|(_, tests)| tests.to_owned());
    let of_source = files(&root.join("src")).into_iter().filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        if path.ends_with("tests.rs") { Some(text) } else { in_source(&text) }
    });
    let of_tests = files(&root.join("tests")).into_iter().filter_map(|path| {
        let is_this = path.ends_with("tidy/errors.rs");
        fs::read_to_string(path).ok().filter(|_| !is_this)
    });
    let table =
        fs::File::open(root.join("tests/vocabulary/table.jsonl.gz")).expect("the recorded words of Go");
    let recorded = io::read_to_string(GzDecoder::new(table)).expect("the recorded words of Go");
    run_together(&of_source.chain(of_tests).chain([recorded]).collect::<Vec<_>>().join("\n"))
}

fn texts(root: &Path) -> BTreeSet<String> {
    let mut texts = Texts::default();
    for path in files(&root.join("src")).iter().filter(|path| path.extension().is_some_and(|it| it == "rs")) {
        let code = fs::read_to_string(path).expect("a source file");
        texts.visit_file(&syn::parse_file(&code).expect("Rust"));
    }
    texts.0
}

#[test]
fn every_error_text_is_expected_by_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (texts, expected) = (texts(root), expected(root));
    assert!(texts.len() > 200, "{} texts", texts.len());
    let is_seen = |text: &str| parts(text).iter().all(|part| expected.contains(part));
    let unseen: BTreeSet<&str> = texts.iter().map(String::as_str).filter(|text| !is_seen(text)).collect();
    let known: BTreeSet<&str> = UNSEEN.iter().map(|(text, _)| *text).collect();
    assert_eq!(unseen, known);
}
