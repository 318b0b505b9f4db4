//! A page that is drawn again and again on one terminal.

use std::io::{self, Write};

/// Another screen, as `less` and `top` take it, so that what stood on the terminal is there again afterwards; without a
/// cursor, and cutting lines off where it ends.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";
const HOME: &str = "\x1b[H";
/// To the end of the line, and of the screen.
const REST_OF_LINE: &str = "\x1b[K";
const REST: &str = "\x1b[J";

/// A terminal while it is drawn on.
#[derive(Debug, Default)]
pub struct Frame {
    is_entered: bool,
}

impl Frame {
    /// Draws a page over the one before, cut to the height; the last `kept` lines stay. Nothing is cleared before it is
    /// written over, so that nothing flickers.
    pub fn draw(&mut self, out: &mut dyn Write, page: &str, height: usize, kept: usize) -> io::Result<()> {
        if !self.is_entered {
            out.write_all(ENTER.as_bytes())?;
            self.is_entered = true;
        }
        let mut lines: Vec<&str> = page.lines().collect();
        let more = lines.len().saturating_sub(height.max(1));
        let cut = format!("({} more lines: the terminal is too small)", more + 1);
        if more > 0 {
            let end = lines.len() - kept.min(lines.len()).min(height.saturating_sub(1));
            lines.splice(end - more - 1..end, [cut.as_str()]);
        }
        let text = lines.join(&format!("{REST_OF_LINE}\r\n"));
        write!(out, "{HOME}{text}{REST_OF_LINE}{REST}")?;
        out.flush()
    }

    /// Gives the terminal back; what was drawn last stays on it.
    pub fn leave(&mut self, out: &mut dyn Write, page: &str) -> io::Result<()> {
        if self.is_entered {
            self.is_entered = false;
            write!(out, "{LEAVE}{page}")?;
            out.flush()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    fn drawn(page: &str, height: usize) -> String {
        kept(page, height, 0)
    }

    fn kept(page: &str, height: usize, lines: usize) -> String {
        let (mut frame, mut out) = (Frame { is_entered: true }, Vec::new());
        frame.draw(&mut out, page, height, lines).expect("a vector takes everything");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn what_fits_is_drawn_and_what_does_not_is_told_of() {
        assert_eq!(drawn("a\nb\n", 2), "\x1b[Ha\x1b[K\r\nb\x1b[K\x1b[J");
        let cut = drawn("a\nb\nc\nd\n", 3);
        assert!(cut.starts_with("\x1b[Ha\x1b[K\r\nb\x1b[K\r\n(2 more lines"), "{cut:?}");
        assert_eq!(cut.lines().count(), 3);
        assert!(drawn("a\nb\n", 0).starts_with("\x1b[H(2 more lines"));
    }

    #[test]
    fn what_is_kept_stays_below_what_is_cut() {
        let lines = |height| -> Vec<String> {
            let drawn = kept("a\nb\nc\nd\ntotal\n", height, 1);
            drawn
                .trim_start_matches("\x1b[H")
                .replace("\x1b[J", "")
                .replace("\x1b[K", "")
                .lines()
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(lines(5), ["a", "b", "c", "d", "total"]);
        let cut = |number: usize| format!("({number} more lines: the terminal is too small)");
        assert_eq!(lines(4), ["a".to_owned(), "b".to_owned(), cut(2), "total".to_owned()]);
        assert_eq!(lines(2), [cut(4), "total".to_owned()]);
        assert_eq!(lines(1), [cut(5)]);
    }
}
