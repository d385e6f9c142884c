//! Resumption tokens. A token contains everything that the next page needs, so the server stores no state of a harvest, and a token stays
//! valid when the server restarts. Names and values are those of FOLIO's tokens, in URL-safe base64 without padding; only `lastAt` is
//! Octavo's own. Pure.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::dates::format_second;

/// How long a token is valid.
const TOKEN_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The highest number that is accepted in a token. No list has so many records. Tokens are not signed, so clients may write any number into
/// them.
const MOST: i64 = 1 << 53;

/// The state of a harvest between two pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Harvest {
    pub(super) prefix: String,
    pub(super) from: Option<String>,
    pub(super) until: Option<String>,
    pub(super) set: Option<String>,
    /// The harvest's own id, under which its figures are kept.
    pub(super) id: Uuid,
    /// How many records the earlier pages had.
    pub(super) offset: i64,
    /// The place of the last record that came before: its datestamp in microseconds since 1970, and its id.
    pub(super) last: Option<(i64, Uuid)>,
    /// The number of all records of the harvest, if they were counted.
    pub(super) size: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    Invalid,
    Expired,
}

pub(super) fn expiry(now: Timestamp) -> Timestamp {
    now.checked_add(TOKEN_LIFETIME).unwrap_or(now)
}

impl Harvest {
    /// Writes the token of the next page. `next` is the id of that page's first record.
    pub(super) fn to_token(&self, tenant: &str, next: Uuid, now: Timestamp) -> String {
        let mut text = String::new();
        let mut add = |name: &str, value: &str| {
            if !text.is_empty() {
                text.push('&');
            }
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        };
        add("metadataPrefix", &self.prefix);
        for (name, value) in [("from", &self.from), ("until", &self.until), ("set", &self.set)] {
            if let Some(value) = value {
                add(name, value);
            }
        }
        add("tenantId", tenant);
        add("offset", &self.offset.to_string());
        add("requestId", &self.id.to_string());
        add("nextRecordId", &next.to_string());
        add("expirationDate", &format_second(expiry(now)));
        if let Some((at, id)) = self.last {
            add("lastInstanceId", &id.to_string());
            add("lastAt", &at.to_string());
        }
        if let Some(size) = self.size {
            add("completeListSize", &size.to_string());
        }
        URL_SAFE_NO_PAD.encode(text)
    }

    pub(super) fn parse_token(token: &str, tenant: &str, now: Timestamp) -> Result<Harvest, Unusable> {
        let text = URL_SAFE_NO_PAD.decode(token.trim_end_matches('=')).map_err(|_| Unusable::Invalid)?;
        let text = String::from_utf8(text).map_err(|_| Unusable::Invalid)?;
        let pairs: Vec<(&str, &str)> = text.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let value = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let number = |name: &str| value(name).and_then(|text| text.parse::<i64>().ok());
        let id = |name: &str| value(name).and_then(|text| Uuid::parse_str(text).ok());
        let read = || {
            let expires = value("expirationDate")?.parse::<Timestamp>().ok()?;
            let harvest = Harvest {
                prefix: value("metadataPrefix")?.to_owned(),
                from: value("from").map(str::to_owned),
                until: value("until").map(str::to_owned),
                set: value("set").map(str::to_owned),
                id: id("requestId")?,
                offset: number("offset").filter(|offset| (0..=MOST).contains(offset))?,
                last: Some((number("lastAt")?, id("lastInstanceId")?)),
                size: number("completeListSize"),
            };
            (value("tenantId")? == tenant).then_some((expires, harvest))
        };
        match read() {
            Some((expires, harvest)) if expires >= now => Ok(harvest),
            Some(_) => Err(Unusable::Expired),
            None => Err(Unusable::Invalid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harvest() -> Harvest {
        Harvest {
            prefix: "oai_dc".to_owned(),
            from: Some("2024-01-01".to_owned()),
            until: Some("2024-01-31".to_owned()),
            set: Some("all".to_owned()),
            id: Uuid::from_u128(1),
            offset: 50,
            last: Some((-5, Uuid::from_u128(2))),
            size: Some(120),
        }
    }

    #[test]
    fn a_token_says_all_that_the_next_page_needs() {
        let now: Timestamp = "2024-02-01T00:00:00Z".parse().unwrap();
        for harvest in [harvest(), Harvest { from: None, until: None, set: None, size: None, ..harvest() }] {
            let token = harvest.to_token("diku", Uuid::from_u128(3), now);
            assert_eq!(Harvest::parse_token(&token, "diku", now), Ok(harvest.clone()));
            assert_eq!(Harvest::parse_token(&token, "other", now), Err(Unusable::Invalid));
            let later = |hours| now + SignedDuration::from_hours(hours);
            assert_eq!(Harvest::parse_token(&token, "diku", later(24)), Ok(harvest));
            assert_eq!(Harvest::parse_token(&token, "diku", later(25)), Err(Unusable::Expired));
        }
        let forged = Harvest { offset: i64::MAX, ..harvest() }.to_token("diku", Uuid::from_u128(3), now);
        for token in [forged.as_str(), "", "junk", "bWV0YWRhdGFQcmVmaXg9bWFyYzIx", "\u{e9}"] {
            assert_eq!(Harvest::parse_token(token, "diku", now), Err(Unusable::Invalid), "{token}");
        }
    }
}
