//! Our own sentences; the controller's are in `status`. Every match over our own enums is
//! exhaustive, so a new branch cannot be left without words.

pub(in crate::render) mod advice;
pub(in crate::render) mod answer;
pub(in crate::render) mod arithmetic;
pub(in crate::render) mod ask_api;
pub(in crate::render) mod attested;
pub(in crate::render) mod backtest;
pub(in crate::render) mod basis;
pub(in crate::render) mod doubt;
pub(in crate::render) mod effect;
pub(in crate::render) mod failure;
pub(in crate::render) mod figure;
pub(in crate::render) mod future;
pub(in crate::render) mod gaps;
pub(in crate::render) mod group;
pub(in crate::render) mod later;
pub(in crate::render) mod limit;
pub(in crate::render) mod listed;
pub(in crate::render) mod memory_source;
pub(in crate::render) mod metric;
pub(in crate::render) mod notes;
pub(in crate::render) mod origin;
pub(in crate::render) mod outlook;
pub(in crate::render) mod overflow;
pub(in crate::render) mod owner;
pub(in crate::render) mod ratios;
pub(in crate::render) mod reason;
pub(in crate::render) mod removal;
pub(in crate::render) mod rescales;
pub(in crate::render) mod self_check;
pub(in crate::render) mod step;
pub(in crate::render) mod unread;
pub(in crate::render) mod why;
pub(in crate::render) mod why_metric;
pub(in crate::render) mod why_normal;
pub(in crate::render) mod written;
