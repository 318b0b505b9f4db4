//! One rule among [`Rules`](super::Rules): a field of the table as a thing that can be named and exchanged.

use super::Rules;

/// Makes [`Rules`] and [`Rule::ALL`] out of one list, so that what a rule says of itself stands beside it and nowhere
/// else.
macro_rules! rules {
    ($($(#[doc = $text:literal])+ $field:ident: $kind:ty,)+) => {
        /// The rules of one row of versions, with the feature gates as they stand in one controller.
        ///
        /// Each field names the version that changed it, upstream's function and the pull request, where there is one
        /// of its own. Versions between which no field changes share a row.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Rules {
            /// The row, as `1.37` or `1.30-1.32`.
            pub row: &'static str,
            $($(#[doc = $text])+ pub $field: $kind,)+
        }

        impl Rule {
            /// All, in the order of [`Rules`].
            pub const ALL: &'static [Self] = &[$(Self {
                field: stringify!($field),
                lines: concat!($($text,)+),
                differs: |one, other| one.$field != other.$field,
                take: |into, from| into.$field = from.$field,
            },)+];
        }
    };
}

/// One rule in which versions differ.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub(super) field: &'static str,
    pub(super) lines: &'static str,
    pub(super) differs: fn(&Rules, &Rules) -> bool,
    pub(super) take: fn(&mut Rules, &Rules),
}

impl Rule {
    /// Its name, as `tolerance-test`: stable.
    #[must_use]
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// What it is about, with the version that changed it, upstream's function and the pull request.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.trim().replace('`', "")
    }

    /// Whether it is about a target at 0 replicas.
    #[must_use]
    pub fn is_about_zero(&self) -> bool {
        matches!(self.field, "from_zero" | "scale_to_zero")
    }

    /// The rules in which two controllers differ.
    #[must_use]
    pub fn between(one: &Rules, other: &Rules) -> Vec<&'static Self> {
        Self::ALL.iter().filter(|rule| (rule.differs)(one, other)).collect()
    }
}

impl Rules {
    /// These rules, with some taken from another controller.
    #[must_use]
    pub fn with(&self, taken: &[&Rule], from: &Self) -> Self {
        let mut rules = self.clone();
        for rule in taken {
            (rule.take)(&mut rules, from);
        }
        rules
    }
}
