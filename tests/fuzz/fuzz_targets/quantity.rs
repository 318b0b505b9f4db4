//! Any text is a quantity or is none; a quantity is printed as one, which is equal to it unless it is huge.
#![no_main]

use kubectl_hpa::model::Quantity;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(quantity) = Quantity::parse(text) else { return };
    let printed = quantity.to_string();
    let again = Quantity::parse(&printed).expect("what is printed is a quantity");
    // Above this Go runs out of suffixes and prints 9e29 as 9.
    let most = Quantity::parse("1E").expect("a quantity");
    if quantity < most {
        assert_eq!(again, quantity, "{printed}");
    }
    assert_eq!(again.to_string(), printed);
    // Not compared: as in Go, these can differ for equal quantities, and be NaN.
    let _ = (quantity.milli_value(), quantity.as_approximate_f64());
    let mut sum = quantity.clone();
    sum.add(&again);
    let _ = (sum.to_string(), sum.cmp(&quantity));
});
