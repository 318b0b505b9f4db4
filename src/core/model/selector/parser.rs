use std::collections::BTreeSet;

use super::error::SelectorError;
use super::lexer::{Kind, Lexer, Token};
use super::requirement::{Operator, Requirement};
use super::validate::check_key;

const BINARY: &str = "in, notin, =, ==, !=, gt, lt";

/// Source: `labels.Parse`.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, SelectorError> {
    let mut lexer = Lexer { rest: text };
    let next = lexer.next();
    Parser { lexer, next }.requirements()
}

/// Where `in` and `notin` are operators and where they are ordinary words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    KeyAndOperator,
    Values,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Token<'a>,
}

type Parsed<T> = Result<T, SelectorError>;

fn unexpected<T>(found: Token<'_>, expected: &'static str) -> Parsed<T> {
    Err(SelectorError::Unexpected { found: found.text.into(), expected })
}

impl<'a> Parser<'a> {
    fn requirements(&mut self) -> Parsed<Vec<Requirement>> {
        let mut requirements = Vec::new();
        loop {
            let ahead = self.peek(Context::Values);
            match ahead.kind {
                Kind::Identifier | Kind::DoesNotExist => {}
                Kind::End => return Ok(requirements),
                _ => return unexpected(ahead, "!, identifier, or 'end of string'"),
            }
            let requirement =
                self.requirement().map_err(|error| SelectorError::Requirement(Box::new(error)))?;
            requirements.push(requirement);
            let token = self.take(Context::Values);
            match token.kind {
                Kind::End => return Ok(requirements),
                Kind::Comma => self.check_after_comma()?,
                _ => return unexpected(token, "',' or 'end of string'"),
            }
        }
    }

    fn check_after_comma(&self) -> Parsed<()> {
        let ahead = self.peek(Context::Values);
        match ahead.kind {
            Kind::Identifier | Kind::DoesNotExist => Ok(()),
            _ => unexpected(ahead, "identifier after ','"),
        }
    }

    fn requirement(&mut self) -> Parsed<Requirement> {
        let (key, inferred) = self.key()?;
        if let Some(operator) = inferred {
            return Requirement::new(key, operator, Vec::new());
        }
        let operator = self.operator()?;
        let values = match operator {
            Operator::In | Operator::NotIn => self.values()?,
            _ => BTreeSet::from([self.exact_value()?]),
        };
        let values = values.into_iter().map(Into::into).collect();
        Requirement::new(key, operator, values)
    }

    /// The key, and the operator if it has no values.
    fn key(&mut self) -> Parsed<(&'a str, Option<Operator>)> {
        let mut token = self.take(Context::Values);
        let negated = token.kind == Kind::DoesNotExist;
        if negated {
            token = self.take(Context::Values);
        }
        if token.kind != Kind::Identifier {
            return unexpected(token, "identifier");
        }
        // Upstream has no path to name here and prints an absent one.
        check_key(token.text, "<nil>")?;
        let alone = matches!(self.peek(Context::Values).kind, Kind::End | Kind::Comma);
        let operator = match (negated, alone) {
            (true, _) => Some(Operator::DoesNotExist),
            (false, true) => Some(Operator::Exists),
            (false, false) => None,
        };
        Ok((token.text, operator))
    }

    fn operator(&mut self) -> Parsed<Operator> {
        let token = self.take(Context::KeyAndOperator);
        match token.kind {
            Kind::In => Ok(Operator::In),
            Kind::Equals => Ok(Operator::Equals),
            Kind::DoubleEquals => Ok(Operator::DoubleEquals),
            Kind::GreaterThan => Ok(Operator::GreaterThan),
            Kind::LessThan => Ok(Operator::LessThan),
            Kind::NotIn => Ok(Operator::NotIn),
            Kind::NotEquals => Ok(Operator::NotEquals),
            _ => unexpected(token, BINARY),
        }
    }

    fn values(&mut self) -> Parsed<BTreeSet<&'a str>> {
        let open = self.take(Context::Values);
        if open.kind != Kind::OpenParenthesis {
            return Err(SelectorError::NoList(open.text.into()));
        }
        let ahead = self.peek(Context::Values);
        let values = match ahead.kind {
            Kind::Identifier | Kind::Comma => self.list()?,
            Kind::ClosedParenthesis => BTreeSet::from([""]),
            _ => return unexpected(ahead, "',', ')' or identifier"),
        };
        // The list ends in front of its parenthesis.
        self.take(Context::Values);
        Ok(values)
    }

    /// Values between commas, any of which may be empty.
    fn list(&mut self) -> Parsed<BTreeSet<&'a str>> {
        let mut values = BTreeSet::new();
        loop {
            let token = self.take(Context::Values);
            let ahead = self.peek(Context::Values);
            match (token.kind, ahead.kind) {
                (Kind::Identifier, Kind::Comma) => _ = values.insert(token.text),
                (Kind::Identifier, Kind::ClosedParenthesis) => {
                    values.insert(token.text);
                    return Ok(values);
                }
                (Kind::Identifier, _) => return unexpected(ahead, "',' or ')'"),
                (Kind::Comma, after) => {
                    if values.is_empty() || matches!(after, Kind::Comma | Kind::ClosedParenthesis) {
                        values.insert("");
                    }
                    if after == Kind::ClosedParenthesis {
                        return Ok(values);
                    }
                }
                _ => return unexpected(token, "',', or identifier"),
            }
        }
    }

    fn exact_value(&mut self) -> Parsed<&'a str> {
        if matches!(self.peek(Context::Values).kind, Kind::End | Kind::Comma) {
            return Ok("");
        }
        let token = self.take(Context::Values);
        match token.kind {
            Kind::Identifier => Ok(token.text),
            _ => unexpected(token, "identifier"),
        }
    }

    fn peek(&self, context: Context) -> Token<'a> {
        match self.next.kind {
            Kind::In | Kind::NotIn if context == Context::Values => {
                Token { kind: Kind::Identifier, ..self.next }
            }
            _ => self.next,
        }
    }

    fn take(&mut self, context: Context) -> Token<'a> {
        let token = self.peek(context);
        // Nothing follows the end, even if there is text behind a NUL.
        if token.kind != Kind::End {
            self.next = self.lexer.next();
        }
        token
    }
}
