//! The check characters at the end of a message: a sequence number (`AY`) and a checksum (`AZ`).

/// The number that, added to the sum of all bytes, gives zero in 16 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u16 {
    let sum = bytes.iter().fold(0_u16, |sum, byte| sum.wrapping_add(u16::from(*byte)));
    sum.wrapping_neg()
}

/// The sequence number and checksum at the end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trailer {
    /// `None` in messages that ask to send something again, which have none.
    pub(crate) sequence: Option<u8>,
    pub(crate) is_right: bool,
    /// How many bytes of the message come before it.
    pub(crate) begins: usize,
}

impl Trailer {
    /// The trailer, if the message has one: `AY3AZEDB7`, or `AZFEF6` alone.
    pub(crate) fn find(message: &[u8]) -> Option<Trailer> {
        let digits = message.len().checked_sub(4)?;
        let sum = std::str::from_utf8(&message[digits..]).ok()?;
        if !sum.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let sum = u16::from_str_radix(sum, 16).ok()?;
        let before = message[..digits].strip_suffix(b"AZ")?;
        let is_right = checksum(&message[..digits]) == sum;
        if let [rest @ .., b'A', b'Y', sequence @ b'0'..=b'9'] = before {
            return Some(Trailer { sequence: Some(sequence - b'0'), is_right, begins: rest.len() });
        }
        // Without a sequence number only where nothing but the code comes before: a field may end in `AZ` and four digits.
        (before.len() == 2).then_some(Trailer { sequence: None, is_right, begins: before.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums_are_right() {
        for (message, sequence) in [
            ("941AY3AZFDFA", Some(3)),
            ("9300CNuser_id|COpassw0rd|AY1AZF594", Some(1)),
            ("97AZFEF5", None),
            ("96AZFEF6", None),
        ] {
            let trailer = Trailer::find(message.as_bytes()).unwrap();
            assert_eq!((trailer.is_right, trailer.sequence), (true, sequence), "{message}");
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_and_other_ends_are_no_trailer() {
        assert!(!Trailer::find(b"942AY3AZFDFA").unwrap().is_right);
        for message in
            ["", "97", "9900302.00", "ABAZFEF5", "3520260101    000000AOx|AAAZ1234", "97AZFEG5", "97AZ+EF5"]
        {
            assert_eq!(
                Trailer::find(message.as_bytes()).filter(|trailer| trailer.is_right),
                None,
                "{message}"
            );
        }
    }
}
