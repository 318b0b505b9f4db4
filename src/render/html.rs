//! A page for a browser: screens as they are on a terminal, but with headings, tables and drawings.

use std::io::{self, Write};

use super::page::{Glyphs, Line, Paint, Role};
use kubectl_hpa_core::explanation::Explanation;

/// Nothing is loaded, nothing runs; only the styles of the page itself count.
const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
const STYLE: &str = include_str!("html.css");

/// What a page is about: the browser's tab and the name of a saved file say it.
#[derive(Clone, Debug)]
pub struct Title<'a> {
    /// The kind of screen.
    pub what: String,
    /// The HPA and the instant; `None` where it is about many.
    pub of: Option<&'a Explanation>,
}

impl Title<'_> {
    /// The HPA is named where it is the only one.
    fn text(&self, is_list: bool) -> String {
        let what = &self.what;
        let Some(of) = self.of else { return format!("{what} – kubectl hpa") };
        let key = &of.snapshot().hpa.key;
        let now = of.now().to_string().replace('T', " ").replace('Z', " UTC");
        let hpa = if is_list { String::new() } else { format!(" of {}/{}", key.namespace, key.name) };
        format!("{what}{hpa}, {now} – kubectl hpa")
    }
}

/// Begins a page. One that is a list is not called after its first screen's HPA.
///
/// # Errors
/// Those of the writer.
pub fn html_head(out: &mut dyn Write, title: &Title<'_>, is_list: bool) -> io::Result<()> {
    let title = Line::of(Glyphs::Unicode, Role::Plain, &title.text(is_list)).paint(Paint::Html);
    write!(out, "{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n")
}

/// Writes one screen of it.
///
/// # Errors
/// Those of the writer, and of the screen.
pub fn html_screen(
    out: &mut dyn Write,
    screen: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(out, "<article>")?;
    screen(out)?;
    writeln!(out, "</article>")
}

/// Ends a page.
///
/// # Errors
/// Those of the writer.
pub fn html_end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</main>\n</body>\n</html>")
}
