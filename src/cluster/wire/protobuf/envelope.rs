//! What stands around an object: `runtime.Unknown`, and `metav1.ListMeta` of a list.

use super::fields::{Fields, Malformed, Value};

/// What every answer begins with.
///
/// Source: `protoEncodingPrefix` of apimachinery's `pkg/runtime/serializer/protobuf`.
pub(super) const PREFIX: &[u8] = b"k8s\0";
/// The field of `runtime.Unknown` that is the object itself.
pub(super) const RAW: u32 = 2;

/// What an answer says of itself.
#[derive(Debug, Default)]
pub(in crate::cluster) struct Envelope {
    pub kind: String,
    pub version: String,
    /// Where the next part of a list begins; `None` until the list has said so, empty where there is no other.
    pub token: Option<String>,
}

impl Envelope {
    /// Takes a field of the answer other than the object.
    pub(super) fn outer(&mut self, number: u32, bytes: &[u8]) -> Result<(), Malformed> {
        match number {
            1 => self.typed(bytes),
            3 if !bytes.is_empty() => Err(Malformed::Encoded(String::from_utf8_lossy(bytes).into())),
            _ => Ok(()),
        }
    }

    fn typed(&mut self, type_meta: &[u8]) -> Result<(), Malformed> {
        for field in Fields::of(type_meta) {
            match field? {
                (1, version) => self.version = version.text()?,
                (2, kind) => self.kind = kind.text()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes a field of the list other than an item.
    pub(super) fn of_list(&mut self, number: u32, bytes: &[u8]) -> Result<(), Malformed> {
        if number == 1 {
            let token = Fields::of(bytes).filter(|field| matches!(field, Ok((3, _)) | Err(_))).last();
            let token = token.transpose()?.map(|(_, token)| token.text());
            self.token = Some(token.transpose()?.unwrap_or_default());
        }
        Ok(())
    }
}

/// A whole answer: what it says of itself, and the bytes of its object.
pub(in crate::cluster::wire) fn whole(answer: &[u8]) -> Result<(Envelope, &[u8]), Malformed> {
    let message = answer.strip_prefix(PREFIX).ok_or(Malformed::Unprefixed)?;
    let (mut envelope, mut raw) = (Envelope::default(), None);
    for field in Fields::of(message) {
        match field? {
            (RAW, object) => raw = Some(object),
            (number, value) => envelope.outer(number, value.bytes()?)?,
        }
    }
    let object = raw.map(Value::bytes).transpose()?;
    Ok((envelope, object.unwrap_or_default()))
}
