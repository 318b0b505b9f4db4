//! A page for a browser: screens as they are on a terminal, and drawings in the place of charts.

use std::io::{self, Write};

/// Nothing is loaded, nothing runs; only the styles of the page itself count.
const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>kubectl hpa</title>\n<style>\n";
const STYLE: &str = include_str!("html.css");
const BODY: &str = "</style>\n</head>\n<body>\n<main>\n";

/// Begins a page.
///
/// # Errors
/// Those of the writer.
pub fn html_head(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{HEAD}{STYLE}{BODY}")
}

/// Writes one screen of it.
///
/// # Errors
/// Those of the writer, and of the screen.
pub fn html_screen(
    out: &mut dyn Write,
    screen: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(out, "<pre>")?;
    screen(out)?;
    writeln!(out, "</pre>")
}

/// Ends a page.
///
/// # Errors
/// Those of the writer.
pub fn html_end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</main>\n</body>\n</html>")
}
