//! Checksums: SHA-256 in lower-case hexadecimal, as cargo's registries write them.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The checksum of some bytes.
pub fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// The example of FIPS 180-2, appendix B.1.
    #[test]
    fn it_is_sha_256() {
        assert_eq!(checksum(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
