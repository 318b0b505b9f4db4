//! The fields that an encoder always writes, looked for in a JSON text.
//!
//! Decoding alone takes an absent field for its zero: `{}` would be a scale of 0 replicas.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// An error unless a text is an object with all these fields: `status.replicas`. A dot at the end stands for an object
/// of whatever fields: `spec.`.
pub(super) fn check(json: &[u8], fields: &[&str]) -> serde_json::Result<()> {
    let mut text = serde_json::Deserializer::from_slice(json);
    Fields { within: String::new(), wanted: fields.to_vec() }.deserialize(&mut text)?;
    text.end()
}

/// The fields that one object must have.
struct Fields<'a> {
    /// Where the object is, with a dot at the end.
    within: String,
    wanted: Vec<&'a str>,
}

/// A field's name, where it stands in the text unless that has it escaped.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.within.strip_suffix('.') {
            Some(place) => write!(f, "an object as {place}"),
            None => f.write_str("an object"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut missing = self.wanted.clone();
        while let Some(Key(key)) = map.next_key()? {
            missing.retain(|field| field.split('.').next() != Some(&key));
            match self.below(&key) {
                Some(fields) => map.next_value_seed(fields)?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        match missing.first() {
            Some(field) => {
                let place = format!("{}{field}", self.within);
                Err(A::Error::custom(format_args!("missing field `{}`", place.trim_end_matches('.'))))
            }
            None => Ok(()),
        }
    }
}

impl Fields<'_> {
    /// What a field must have in its turn; `None` where it may be anything.
    fn below(&self, key: &str) -> Option<Self> {
        let below = self.wanted.iter().filter_map(|field| field.strip_prefix(key)?.strip_prefix('.'));
        let below: Vec<&str> = below.collect();
        let wanted = below.iter().copied().filter(|field| !field.is_empty()).collect();
        (!below.is_empty()).then(|| Self { within: format!("{}{key}.", self.within), wanted })
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    const FIELDS: &[&str] = &["kind", "metadata.name", "spec.", "status.replicas"];

    #[test]
    fn what_is_there_is_enough_whatever_it_is() {
        let whole =
            r#"{"status":{"x":1,"replicas":null},"spec":{},"kind":7,"metadata":{"name":""},"more":[]}"#;
        assert_eq!(check(whole.as_bytes(), FIELDS).map_err(|error| error.to_string()), Ok(()));
        assert!(check(b"{}", &[]).is_ok());
    }

    #[test]
    fn what_is_absent_or_of_another_form_is_named() {
        for (text, words) in [
            ("{}", "missing field `kind`"),
            (r#"{"kind":"A","metadata":{"name":"a"},"status":{"replicas":1}}"#, "missing field `spec`"),
            (
                r#"{"kind":"A","metadata":{"name":"a"},"spec":{},"status":{}}"#,
                "missing field `status.replicas`",
            ),
            (
                r#"{"kind":"A","metadata":{"name":"a"},"spec":[2]}"#,
                "invalid type: sequence, expected an object as spec",
            ),
            (r#"{"metadata":null}"#, "invalid type: null, expected an object as metadata"),
            ("[]", "invalid type: sequence, expected an object"),
            ("null", "invalid type: null, expected an object"),
            ("", "EOF while parsing"),
            (r#"{"kind":"A"} more"#, "missing field `metadata.name`"),
        ] {
            let error = check(text.as_bytes(), FIELDS).expect_err(text).to_string();
            assert!(error.starts_with(words), "{text}: {error}");
        }
        assert!(check(br#"{"kind":"A"} more"#, &["kind"]).is_err());
    }
}
