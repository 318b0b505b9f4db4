//! How one request is made, and when its answer is believed.
//!
//! A request is a path (`path`) and what client-go says of it in its errors (`get`); `request` sends it and reads one object
//! or a list. Lists are cut into items (`splitter`) and decoded (`items`) while they arrive, within bounds of time (`body`),
//! size (`size`) and memory (`kept`); long ones are asked for as protobuf, and read as JSON where the server has no
//! protobuf of them (`protobuf`). An answer is believed if it is of the kind, version and name that were asked for
//! (`shape`) and has the fields that every API server writes (`written`). A failure comes in client-go's words
//! (`refusal`), and is the controller's too if the API server itself says so (`author`). Which requests there are is not known here.

mod author;
mod body;
mod dated;
mod get;
mod items;
mod kept;
mod moved;
mod path;
mod protobuf;
mod refusal;
mod request;
mod shape;
mod size;
mod splitter;
mod undecodable;
mod written;

pub(in crate::cluster) use dated::DatedRead;
pub(in crate::cluster) use get::Get;
pub(in crate::cluster) use items::{Decoded, Item, Protobuf, Undecoded};
pub(in crate::cluster) use path::Path;
pub(in crate::cluster) use protobuf::{
    Envelope, Fields, Malformed, label_selector, metadata_and_writes, quantity,
};
pub(in crate::cluster) use request::{JSON, Note, ours, undecodable};
pub(in crate::cluster) use shape::{Object, Shape, Strange};
