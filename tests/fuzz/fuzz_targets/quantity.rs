//! Any text is a quantity or is none; a quantity is printed as one that is equal to it.
#![no_main]

use kubectl_hpa::model::Quantity;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(quantity) = Quantity::parse(text) else { return };
    let printed = quantity.to_string();
    let again = Quantity::parse(&printed).expect("what is printed is a quantity");
    assert_eq!(again, quantity, "{printed}");
    assert_eq!(again.to_string(), printed);
    assert_eq!(again.milli_value(), quantity.milli_value(), "{printed}");
    // Not compared: Go has NaN for 0e400 too.
    let _ = quantity.as_approximate_f64();
    let (zero, double) = (Quantity::default(), {
        let mut double = quantity.clone();
        double.add(&quantity);
        double
    });
    assert_eq!(quantity.cmp(&zero), double.cmp(&zero), "{printed}");
});
