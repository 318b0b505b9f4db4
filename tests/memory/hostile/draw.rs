//! Chance from a seed: the same plan from the same seed, on every machine.

/// A stream of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.abs_diff(low) + 1;
        low + (self.next() % span).cast_signed()
    }

    pub fn count(&mut self, low: i32, high: i32) -> i32 {
        i32::try_from(self.between(low.into(), high.into())).expect("between two counts")
    }

    pub fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let last = i64::try_from(of.len()).expect("a length") - 1;
        of[usize::try_from(self.between(0, last)).expect("an index")]
    }
}
