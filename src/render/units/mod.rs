//! Numbers, times and counts as people read them. The exact values are in `-o json`.

mod amount;
mod float;
mod plural;
mod time;

pub(in crate::render) use amount::{Round, Unit, binary, hundredths, thousandths};
pub(in crate::render) use float::{Decimals, beside, decimals, float, product, special};
pub(in crate::render) use plural::{count, few, lacking, list, range, replicas};
pub(in crate::render) use time::{age, ago, clock, moment, on_day, span};
