//! Colors by role. Meaning never hangs on them: without color the text says the same.

use owo_colors::{OwoColorize, Style};

/// Whether a screen is colored. The caller resolves `auto` from the terminal and `NO_COLOR`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// No escape sequence at all.
    #[default]
    Plain,
    /// Escape sequences of the sixteen basic colors.
    Colored,
    /// Elements of a page for a browser, with everything escaped.
    Html,
}

/// What a piece of text is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::render) enum Role {
    /// Text.
    #[default]
    Plain,
    /// What a screen is about.
    Subject,
    /// The title of a section.
    Title,
    /// The answer, when nothing is wrong.
    Answer,
    /// The answer, or a word of it, when something holds the HPA.
    Holds,
    /// The answer, or a word of it, when something stops it.
    Stops,
    /// A line that a change takes away.
    Removed,
    /// A line that a change brings.
    Added,
    /// Column heads, codes, and what is only there for the record.
    Quiet,
    /// A drawing or a table for a browser, which is escaped already.
    Figure,
}

impl Paint {
    /// The text as it is sent to the terminal.
    pub(in crate::render) fn brush(self, role: Role, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colored if text.is_empty() => String::new(),
            Self::Colored => match style(role) {
                Some(style) => text.style(style).to_string(),
                None => text.to_owned(),
            },
            Self::Html => html(role, text),
        }
    }
}

fn html(role: Role, text: &str) -> String {
    let class = match role {
        Role::Figure => return text.to_owned(),
        Role::Plain => return escaped(text),
        Role::Subject => return format!("<h1>{}</h1>", escaped(text)),
        Role::Title => return format!("<h2>{}</h2>", escaped(text)),
        Role::Answer => "answer",
        Role::Holds => "holds",
        Role::Stops => "stops",
        Role::Removed => "removed",
        Role::Added => "added",
        Role::Quiet => "quiet",
    };
    format!("<span class=\"{class}\">{}</span>", escaped(text))
}

/// A text in an element or an attribute of HTML.
pub(in crate::render) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

fn style(role: Role) -> Option<Style> {
    match role {
        Role::Plain | Role::Figure => None,
        Role::Subject | Role::Title | Role::Answer => Some(Style::new().bold()),
        Role::Holds => Some(Style::new().yellow()),
        Role::Stops => Some(Style::new().red().bold()),
        Role::Removed => Some(Style::new().red()),
        Role::Added => Some(Style::new().green()),
        Role::Quiet => Some(Style::new().dimmed()),
    }
}
