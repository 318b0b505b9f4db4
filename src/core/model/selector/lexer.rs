/// A token of a selector's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    End,
    ClosedParenthesis,
    Comma,
    DoesNotExist,
    DoubleEquals,
    Equals,
    GreaterThan,
    Identifier,
    In,
    LessThan,
    NotEquals,
    NotIn,
    OpenParenthesis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
}

/// Splits a selector into tokens. A NUL right behind a token is skipped, any other ends the text.
///
/// Source: `labels.Lexer`.
pub(super) struct Lexer<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Lexer<'a> {
    pub(super) fn next(&mut self) -> Token<'a> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
        if self.rest.is_empty() || self.rest.starts_with('\0') {
            return Token { kind: Kind::End, text: "" };
        }
        let token = match symbol(self.rest) {
            Some((kind, length)) => Token { kind, text: self.take(length) },
            None => self.identifier(),
        };
        self.rest = self.rest.strip_prefix('\0').unwrap_or(self.rest);
        token
    }

    fn identifier(&mut self) -> Token<'a> {
        let ends = |letter: char| " \t\r\n=!(),><\0".contains(letter);
        let text = self.take(self.rest.find(ends).unwrap_or(self.rest.len()));
        let kind = match text {
            "in" => Kind::In,
            "notin" => Kind::NotIn,
            _ => Kind::Identifier,
        };
        Token { kind, text }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}

/// The longest symbol in front.
fn symbol(text: &str) -> Option<(Kind, usize)> {
    match text.as_bytes() {
        [b'=', b'=', ..] => Some((Kind::DoubleEquals, 2)),
        [b'!', b'=', ..] => Some((Kind::NotEquals, 2)),
        [b'=', ..] => Some((Kind::Equals, 1)),
        [b'!', ..] => Some((Kind::DoesNotExist, 1)),
        [b'(', ..] => Some((Kind::OpenParenthesis, 1)),
        [b')', ..] => Some((Kind::ClosedParenthesis, 1)),
        [b',', ..] => Some((Kind::Comma, 1)),
        [b'>', ..] => Some((Kind::GreaterThan, 1)),
        [b'<', ..] => Some((Kind::LessThan, 1)),
        _ => None,
    }
}
