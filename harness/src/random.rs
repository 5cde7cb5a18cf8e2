//! Random numbers that are the same on every machine and in every year.

/// The SplitMix64 generator (Steele, Lea and Flood 2014): fixtures must not change with a library's version.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that belongs to this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number, at least 0 and below 1.
    pub const fn unit(&mut self) -> f64 {
        // 53 bits are what a double holds without rounding.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number, at least -1 and below 1.
    pub const fn signed(&mut self) -> f64 {
        self.unit() * 2.0 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // First outputs for seed 1234567, from the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut random = Random::new(7);
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&random.unit())));
        assert!((0..10_000).all(|_| (-1.0..1.0).contains(&random.signed())));
    }
}
