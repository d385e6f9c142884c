//! Which partition a key stands for.

/// The partition of a key among so many, as Kafka's Java client finds it: messages of one key follow each other there, whichever program
/// has published them.
pub(crate) fn partition(key: &str, partitions: usize) -> usize {
    (murmur2(key.as_bytes()) & 0x7fff_ffff) as usize % partitions
}

/// The 32-bit hash MurmurHash2, with the seed that Kafka takes.
fn murmur2(bytes: &[u8]) -> u32 {
    const SEED: u32 = 0x9747_b28c;
    const MULTIPLIER: u32 = 0x5bd1_e995;
    let mixed = |word: u32| {
        let word = word.wrapping_mul(MULTIPLIER);
        (word ^ (word >> 24)).wrapping_mul(MULTIPLIER)
    };
    let mut hash = SEED ^ bytes.len() as u32;
    let (words, rest) = bytes.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_mul(MULTIPLIER) ^ mixed(u32::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        hash = (hash ^ u32::from_le_bytes(last)).wrapping_mul(MULTIPLIER);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(MULTIPLIER);
    hash ^ (hash >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the tests of Kafka's Java client.
    #[test]
    fn hashes_are_those_of_kafka() {
        for (text, hash) in [
            ("21", -973_932_308),
            ("foobar", -790_332_482),
            ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            ("abc", 479_470_107),
        ] {
            assert_eq!(murmur2(text.as_bytes()).cast_signed(), hash, "{text}");
        }
    }

    #[test]
    fn a_key_stands_for_one_of_the_partitions() {
        for partitions in 1..20 {
            assert!((0..100).all(|key| partition(&key.to_string(), partitions) < partitions));
        }
        assert_eq!(partition("abc", 10), 7);
    }
}
