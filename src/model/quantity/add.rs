//! Adding quantities, as pods' requests are added up.
use super::Quantity;
impl Quantity {
    /// Go's `Quantity.Add`.
    pub fn add(&mut self, _other: &Self) {}
}
