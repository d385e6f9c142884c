//! A library's settings for links to new passwords: entries of mod-configuration with the module `USERSBL`, found by their codes.

use jiff::{SignedDuration, Timestamp};
use octavo_kernel::{Outcome, Refusal};
use octavo_pg::{Session, Statement};

pub(super) struct Settings(Vec<(Option<String>, Option<String>)>);

/// A link is valid for four weeks at most.
const MAX_VALIDITY: SignedDuration = SignedDuration::from_hours(4 * 7 * 24);

/// How long a link is valid, as number and unit for the e-mail.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Validity {
    pub(super) number: String,
    pub(super) unit: String,
    duration: SignedDuration,
}

impl Settings {
    pub(super) async fn read(session: &mut Session) -> Outcome<Settings> {
        Ok(Settings(session.read(Statement::new(ENTRIES)).await?))
    }

    fn value(&self, wanted: &str) -> Option<&str> {
        let entry = self.0.iter().find(|(code, value)| code.as_deref() == Some(wanted) && value.is_some());
        entry.and_then(|(_, value)| value.as_deref())
    }

    /// The address of the page on which the user sets the new password.
    pub(super) fn page(&self) -> String {
        let host = self.value("FOLIO_HOST").unwrap_or("http://localhost:3000");
        format!("{host}{}", self.value("RESET_PASSWORD_UI_PATH").unwrap_or("/reset-password"))
    }

    pub(super) fn validity(&self) -> Outcome<Validity> {
        let number = self.value("RESET_PASSWORD_LINK_EXPIRATION_TIME").unwrap_or("24");
        let unit = self.value("RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME").unwrap_or("hours");
        let unreadable = || Refusal::new("Can't convert time period to milliseconds").code("link.invalid");
        Ok(Validity::parse(number, unit).ok_or_else(unreadable)?)
    }

    /// The members of a user by which people who have forgotten something are found.
    pub(super) fn members(&self, codes: &[&str]) -> Vec<String> {
        let configured = codes.iter().filter_map(|code| self.value(code));
        let names =
            configured.flat_map(|value| value.split(|c: char| !c.is_alphanumeric() && !"_.".contains(c)));
        let members: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        match members.is_empty() {
            true => DEFAULT_MEMBERS.map(str::to_owned).to_vec(),
            false => members,
        }
    }
}

const DEFAULT_MEMBERS: [&str; 4] = ["personal.email", "personal.phone", "personal.mobilePhone", "username"];

impl Validity {
    fn parse(number: &str, unit: &str) -> Option<Validity> {
        let count: i64 = number.parse().ok()?;
        let minutes = match unit.to_ascii_lowercase().as_str() {
            "minutes" => 1,
            "hours" => 60,
            "days" => 24 * 60,
            "weeks" => 7 * 24 * 60,
            _ => return None,
        };
        let seconds = count.saturating_mul(minutes).saturating_mul(60);
        Some(match SignedDuration::from_secs(seconds) {
            duration if duration > MAX_VALIDITY => {
                Validity { number: "4".to_owned(), unit: "weeks".to_owned(), duration: MAX_VALIDITY }
            }
            duration => Validity { number: number.to_owned(), unit: unit.to_owned(), duration },
        })
    }

    pub(super) fn end(&self, now: Timestamp) -> Timestamp {
        now.checked_add(self.duration).unwrap_or(now)
    }
}

const ENTRIES: &str = "\
select doc ->> 'code', doc ->> 'value'
from config_data
where module = octavo.fold('USERSBL') and doc ->> 'enabled' = 'true'
order by id";

octavo_pg::statements!(hot = [ENTRIES]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_valid_as_long_as_is_set_and_four_weeks_at_most() {
        let hours = |number: &str, unit: &str| {
            Validity::parse(number, unit).map(|validity| validity.duration.as_hours())
        };
        assert_eq!(hours("24", "hours"), Some(24));
        assert_eq!(hours("120", "MINUTES"), Some(2));
        assert_eq!(hours("4", "weeks"), Some(4 * 7 * 24));
        let cut = Validity::parse("29", "days").unwrap();
        assert_eq!((cut.number.as_str(), cut.unit.as_str()), ("4", "weeks"));
        assert_eq!(hours("9223372036854775807", "weeks"), Some(4 * 7 * 24));
        assert_eq!(hours("-1", "hours"), Some(-1));
        assert_eq!(hours("soon", "hours"), None);
        assert_eq!(hours("1", "years"), None);
    }

    #[test]
    fn people_are_found_by_what_is_set_otherwise_by_the_usual() {
        let of = |entries: &[(&str, &str)]| {
            let entry = |(code, value): &(&str, &str)| (Some((*code).to_owned()), Some((*value).to_owned()));
            Settings(entries.iter().map(entry).collect())
        };
        let set = of(&[("phoneNumber", "personal.phone, personal.mobilePhone"), ("email", "personal.email")]);
        assert_eq!(set.members(&["email"]), ["personal.email"]);
        assert_eq!(set.members(&["phoneNumber"]), ["personal.phone", "personal.mobilePhone"]);
        assert_eq!(of(&[]).members(&["email"]), DEFAULT_MEMBERS);
    }
}
