use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::amount::Quantity;

/// By value.
///
/// Source: `resource.Quantity.Cmp`.
impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.magnitude().cmp(&other.magnitude())
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quantity {}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let magnitude = self.magnitude();
        magnitude.digits.hash(state);
        // Zero has no exponent and no sign of its own.
        if !magnitude.is_zero() {
            (magnitude.negative, magnitude.exponent).hash(state);
        }
    }
}
