//! The terminal, looked at once.

use std::io::IsTerminal;
use std::path::Path;

use crate::cli::ColorWhen;

/// Columns of sentences where nobody says how many there are.
const WIDTH: usize = 100;

/// Those of a table of HPAs: kubectl's tables have one line for each object and whole names, too.
const TABLE_WIDTH: usize = 65_535;

/// What standard output is, and whether there is somebody to ask.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Screen {
    /// Columns, if it is a terminal or `COLUMNS` is set.
    pub width: Option<usize>,
    /// Rows of a terminal that can be drawn on; `None` where lines are written one below the other.
    pub height: Option<usize>,
    /// Whether it is a terminal that wants color.
    pub wants_color: bool,
    /// Whether it shows more than ASCII.
    pub is_unicode: bool,
    /// Whether a question can be asked: standard input and standard error are terminals.
    pub can_ask: bool,
    /// Whether standard error is a terminal that can be drawn on.
    pub can_tell: bool,
    /// True if standard error was closed before the start.
    pub is_err_closed: bool,
}

impl Screen {
    /// Looks at the standard streams and the environment: `COLUMNS`, `NO_COLOR`, `TERM`, and the locale.
    #[must_use]
    pub fn of_stdout() -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let columns =
            variable("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
        let size = terminal_size::terminal_size().filter(|_| is_terminal);
        let locale = variable("LC_ALL").or_else(|| variable("LC_CTYPE")).or_else(|| variable("LANG"));
        let is_ascii = locale.is_some_and(|locale| matches!(locale.as_str(), "C" | "POSIX"));
        let is_dumb = variable("TERM").is_some_and(|terminal| terminal == "dumb");
        Self {
            width: columns.or_else(|| size.map(|(width, _)| usize::from(width.0))),
            height: size.map(|(_, height)| usize::from(height.0)).filter(|_| !is_dumb),
            wants_color: is_terminal && !is_dumb && variable("NO_COLOR").is_none(),
            is_unicode: !(is_terminal && is_ascii),
            can_tell: std::io::stderr().is_terminal() && !is_dumb,
            can_ask: std::io::stdin().is_terminal() && std::io::stderr().is_terminal(),
            is_err_closed: is_err_closed(),
        }
    }

    /// Columns to write in.
    #[must_use]
    pub fn columns(self) -> usize {
        self.width.unwrap_or(WIDTH)
    }

    /// This screen for a table of HPAs.
    #[must_use]
    pub fn for_table(self) -> Self {
        Self { width: self.width.or(Some(TABLE_WIDTH)), ..self }
    }

    /// Whether to color.
    #[must_use]
    pub fn is_colored(self, when: ColorWhen) -> bool {
        match when {
            ColorWhen::Auto => self.wants_color,
            ColorWhen::Always => true,
            ColorWhen::Never => false,
        }
    }
}

/// Rust opens /dev/null in the place of a closed stream before anything else runs, for reading and writing. A shell's
/// `2>/dev/null` opens it for writing alone; a parent that opens it for both is taken for one that closed the stream. Linux
/// alone tells.
fn is_err_closed() -> bool {
    // `O_ACCMODE` and `O_RDWR`.
    const ACCESS: u32 = 0o3;
    const BOTH: u32 = 0o2;
    let flags = std::fs::read_to_string("/proc/self/fdinfo/2").unwrap_or_default();
    let flags =
        flags.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
    let is_null =
        std::fs::read_link("/proc/self/fd/2").is_ok_and(|file| file.as_path() == Path::new("/dev/null"));
    is_null && flags.is_some_and(|flags| flags & ACCESS == BOTH)
}
