//! A finished message that goes through Go's formatting a second time, without arguments (`fmt.Sprintf(message)`).

/// What Go's `fmt` prints for a text without arguments: `%%` becomes `%`, and every other verb an error mark.
pub(super) fn format_again(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, directive)) = rest.split_once('%') {
        out.push_str(plain);
        rest = Directive { rest: directive, bad_index: false, after_index: false }.print(&mut out);
    }
    out + rest
}

/// What stands after a percent sign, as far as it is not read yet.
struct Directive<'a> {
    rest: &'a str,
    bad_index: bool,
    /// Whether the last part was an index in brackets that could be read.
    after_index: bool,
}

impl<'a> Directive<'a> {
    /// Reads flags, width, precision and verb, and prints what Go prints; returns the text behind.
    fn print(mut self, out: &mut String) -> &'a str {
        self.rest = self.rest.trim_start_matches(['#', '0', '+', '-', ' ']);
        self.index();
        if self.star(out, "%!(BADWIDTH)") {
            self.after_index = false;
        } else if self.number() && self.after_index {
            self.bad_index = true;
        }
        if let Some(precision) = self.rest.strip_prefix('.').filter(|behind| !behind.is_empty()) {
            self.rest = precision;
            self.bad_index |= self.after_index;
            self.index();
            if self.star(out, "%!(BADPREC)") {
                self.after_index = false;
            } else {
                self.number();
            }
        }
        if !self.after_index {
            self.index();
        }
        self.verb(out)
    }

    fn verb(self, out: &mut String) -> &'a str {
        let mut letters = self.rest.chars();
        match letters.next() {
            None => out.push_str("%!(NOVERB)"),
            Some('%') => out.push('%'),
            Some(verb) => {
                let complaint = if self.bad_index { "(BADINDEX)" } else { "(MISSING)" };
                out.push_str("%!");
                out.push(verb);
                out.push_str(complaint);
            }
        }
        letters.as_str()
    }

    /// An index of an argument in brackets: none is good, as there is no argument.
    fn index(&mut self) {
        self.after_index = false;
        let Some(inside) = self.rest.strip_prefix('[') else { return };
        self.bad_index = true;
        match inside.split_once(']') {
            Some((number, behind)) if self.rest.len() >= "[n]".len() => {
                self.after_index = is_index(number);
                self.rest = behind;
            }
            _ => self.rest = inside,
        }
    }

    /// A width or precision that is to be read from an argument.
    fn star(&mut self, out: &mut String, complaint: &str) -> bool {
        let star = self.rest.strip_prefix('*');
        if let Some(behind) = star {
            out.push_str(complaint);
            self.rest = behind;
        }
        star.is_some()
    }

    /// A width or precision; one beyond a million ends the directive and all that follows.
    fn number(&mut self) -> bool {
        let digits = digits(self.rest);
        let is_too_large = too_large(digits);
        self.rest = if is_too_large { "" } else { &self.rest[digits.len()..] };
        !digits.is_empty() && !is_too_large
    }
}

fn digits(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

fn is_index(text: &str) -> bool {
    !text.is_empty() && digits(text) == text && !too_large(text)
}

/// Go gives up at the digit that follows a number above a million.
fn too_large(digits: &str) -> bool {
    let mut number = 0_u32;
    for digit in digits.bytes() {
        if number > 1_000_000 {
            return true;
        }
        // Cannot overflow: the check above runs before each digit, so at most one digit is added to a number up to a
        // million.
        number = number * 10 + u32::from(digit - b'0');
    }
    false
}

#[cfg(test)]
mod tests {
    use super::format_again;

    /// What `go1.26 linux/amd64` prints for `fmt.Sprintf(text)`.
    #[test]
    fn verbs_without_arguments_are_printed_as_go_complains_of_them() {
        let cases =
            include_str!("format_again.tsv").lines().map(|line| line.split_once('\t').expect("two columns"));
        let mut number = 0;
        for (text, printed) in cases {
            assert_eq!(format_again(text), printed, "{text}");
            number += 1;
        }
        assert!(number > 60, "{number}");
    }
}
