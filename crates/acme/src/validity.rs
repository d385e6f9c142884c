//! From when until when a certificate is good, and whether somebody else has signed it. Facts: X.509 in DER (RFC 5280).

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// From when on a certificate (DER) is to be replaced: when a third of its time is left. `None` if nobody else has signed it, or it cannot be
/// read: then at once.
pub(crate) fn renewal_time(certificate: &[u8]) -> Option<Timestamp> {
    let read = parse_validity(certificate).filter(|read| !read.is_own)?;
    let third = (read.until.as_second() - read.from.as_second()) / 3;
    Timestamp::from_second(read.until.as_second() - third).ok()
}

#[derive(Debug)]
struct Validity {
    from: Timestamp,
    until: Timestamp,
    /// The subject has signed it itself.
    is_own: bool,
}

fn parse_validity(certificate: &[u8]) -> Option<Validity> {
    let (certificate, _) = expect_element(certificate, SEQUENCE)?;
    let (mut fields, _) = expect_element(certificate, SEQUENCE)?;
    if let Some((_, behind)) = expect_element(fields, VERSION) {
        fields = behind;
    }
    let (_, _, fields) = parse_element(fields)?; // number
    let (_, _, fields) = parse_element(fields)?; // how it is signed
    let (issuer, fields) = expect_element(fields, SEQUENCE)?;
    let (validity, fields) = expect_element(fields, SEQUENCE)?;
    let (subject, _) = expect_element(fields, SEQUENCE)?;
    let (from, until) = parse_time(validity)?;
    Some(Validity { from, until: parse_time(until)?.0, is_own: issuer == subject })
}

/// The content of the element that the bytes begin with, if it is of this kind, and what is behind it.
fn expect_element(bytes: &[u8], kind: u8) -> Option<(&[u8], &[u8])> {
    let (found, content, behind) = parse_element(bytes)?;
    (found == kind).then_some((content, behind))
}

fn parse_element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&kind, bytes) = bytes.split_first()?;
    let (&first, bytes) = bytes.split_first()?;
    let (length, bytes) = match first {
        0..=0x7f => (usize::from(first), bytes),
        // The length in so many bytes.
        0x81..=0x84 => {
            let (length, bytes) = bytes.split_at_checked(usize::from(first & 0x7f))?;
            (length.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)), bytes)
        }
        _ => return None,
    };
    let (content, behind) = bytes.split_at_checked(length)?;
    Some((kind, content, behind))
}

/// `261128120000Z` or `20261128120000Z`.
fn parse_time(bytes: &[u8]) -> Option<(Timestamp, &[u8])> {
    let (kind, content, behind) = parse_element(bytes)?;
    let text = std::str::from_utf8(content).ok()?.strip_suffix('Z')?;
    let text = match kind {
        UTC_TIME if text.get(..2)? < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let read = DateTime::strptime("%Y%m%d%H%M%S", text).ok()?;
    Some((read.to_zoned(TimeZone::UTC).ok()?.timestamp(), behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};

    fn params(name: &str, from: i32, until: i32) -> CertificateParams {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        params
    }

    #[test]
    fn a_certificate_is_replaced_when_a_third_of_its_time_is_left() {
        let mut authority = params("authority", 2020, 2060);
        authority.distinguished_name.push(rcgen::DnType::CommonName, "an authority");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let (authority_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let issuer = Issuer::new(authority, authority_key);
        // Times from 2050 on are written in another way.
        for (from, until, due) in [(2026, 2029, "2028-01-01T16:00:00Z"), (2046, 2052, "2049-12-31T16:00:00Z")]
        {
            let certificate = params("here", from, until).signed_by(&key, &issuer).unwrap();
            assert_eq!(renewal_time(certificate.der()), Some(due.parse().unwrap()), "{from} {until}");
        }
    }

    #[test]
    fn what_nobody_else_has_signed_or_cannot_be_read_is_replaced() {
        let own = rcgen::generate_simple_self_signed(vec!["here".to_owned()]).unwrap();
        assert!(parse_validity(own.cert.der()).is_some_and(|read| read.is_own));
        for length in 0..=own.cert.der().len() {
            assert_eq!(renewal_time(&own.cert.der()[..length]), None);
        }
        assert_eq!(renewal_time(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
