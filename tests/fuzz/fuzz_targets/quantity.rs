//! Any text is a quantity or is none, and what is printed of a quantity is one. Unless it is so large or so small that
//! Go, too, prints another one, it is equal.
#![no_main]

use kubectl_hpa_core::model::Quantity;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(quantity) = Quantity::parse(text) else { return };
    let printed = quantity.to_string();
    let again = Quantity::parse(&printed).expect("what is printed is a quantity");
    if is_usual(&quantity) {
        assert_eq!(again, quantity, "{printed}");
    }
    // Not compared: as in Go, these can differ for equal quantities, and be NaN.
    let _ = (quantity.milli_value(), quantity.as_approximate_f64());
    let mut sum = quantity.clone();
    sum.add(&again);
    let _ = (sum.to_string(), sum.cmp(&quantity));
});

/// From 1n to 1E, and zero. Below, an exponent that int32 cannot hold comes out as another one; above, there is no suffix.
fn is_usual(quantity: &Quantity) -> bool {
    let [least, most] = ["1n", "1E"].map(|text| Quantity::parse(text).expect("a quantity"));
    let [negative_least, negative_most] =
        ["-1n", "-1E"].map(|text| Quantity::parse(text).expect("a quantity"));
    *quantity == Quantity::default()
        || (least <= *quantity && *quantity <= most)
        || (negative_most <= *quantity && *quantity <= negative_least)
}
