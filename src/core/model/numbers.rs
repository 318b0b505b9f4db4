//! Numbers with their units. Integers have the controller's own widths, because its overflows are part of
//! its decisions; the only float is [`Ratio`].

use serde::{Deserialize, Serialize};

/// A count of replicas as the API holds it: `int32`. Proposals may be negative; the API's own counts are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Replicas(pub i32);

/// An amount in thousandths of its unit (millicores, milli-bytes, milli-requests): what Go's
/// `Quantity.MilliValue` returns, `int64`. Sums wrap as the controller's do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Milli(pub i64);

/// A utilization in percent of the request, truncated: `int32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percent(pub i32);

/// Usage over target, the controller's `float64`. May be infinite or not a number when a target is zero
/// after an overflow.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ratio(pub f64);

impl Ratio {
    /// Usage is above the target.
    #[must_use]
    pub fn is_above(self) -> bool {
        self.0 > 1.0
    }

    /// Usage is below the target.
    #[must_use]
    pub fn is_below(self) -> bool {
        self.0 < 1.0
    }
}

impl Milli {
    /// `int64` addition that wraps, as Go's does.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// `request * percentage / 100` of Go's int64, which wraps in the product.
    #[must_use]
    pub fn share(self, percentage: Percent) -> Self {
        Self(self.0.wrapping_mul(i64::from(percentage.0)) / 100)
    }
}
