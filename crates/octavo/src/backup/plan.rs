//! What is decided about backups, without touching any: when one is due, which are kept, and from which one a moment is restored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// A place in PostgreSQL's log of changes, as it writes one: `0/3000028`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Place(pub(crate) u64);

impl std::str::FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let halves = text.split_once('/').map(|(high, low)| (half(high), half(low)));
        match halves {
            Some((Some(high), Some(low))) => Ok(Place(u64::from(high) << 32 | u64::from(low))),
            _ => Err(format!("{text} is no place in the log of changes")),
        }
    }
}

fn half(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(text: String) -> Result<Place, String> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> String {
        place.to_string()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

/// The bytes of a file of the log; PostgreSQL's own number where nobody asked initdb for another.
pub(crate) const SEGMENT: u64 = 16 << 20;

/// The number of the file of the log that a place is in.
pub(crate) fn segment_of(place: Place) -> u64 {
    place.0 / SEGMENT
}

/// The name of a file of the log.
pub(crate) fn segment_name(timeline: u32, number: u64) -> String {
    format!("{timeline:08X}{:08X}{:08X}", number >> 8, number & 0xFF)
}

/// Timeline and number of a file of the log, and whether it is still being filled. `None` for the name of something else.
pub(crate) fn segment_named(name: &str) -> Option<(u32, u64, bool)> {
    let (name, partial) = match name.strip_suffix(".partial") {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.len() != 24 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u64::from(half(&name[8..16])?) << 8 | u64::from(half(&name[16..])?);
    Some((half(&name[..8])?, number, partial))
}

/// What of a whole backup counts for the decisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Whole {
    pub(crate) name: String,
    /// The backup that this one holds the changes since; a full one has none.
    pub(crate) parent: Option<String>,
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// From where on the log is needed to restore it.
    pub(crate) from: Place,
    /// Up to where it is needed at least.
    pub(crate) to: Place,
}

/// The files of the log that are there, by number; `true` for one that is still being filled.
pub(crate) type Log = BTreeMap<u64, bool>;

/// What to restore from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    pub(crate) whole: &'a Whole,
    /// First and last number of the files of the log.
    pub(crate) log: (u64, u64),
    /// Whether the log that is used ends because the archive does, and not because a file is missing.
    pub(crate) goes_to_the_end: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoChoice {
    /// There is no whole backup.
    Empty,
    /// All backups ended after the moment; the first one then.
    TooEarly(Timestamp),
    /// A file of the log is missing without which the backup is of no use.
    Missing { backup: String, number: u64 },
}

impl NoChoice {
    pub(crate) fn words(&self, timeline: u32) -> String {
        match self {
            NoChoice::Empty => "it holds no whole backup".to_owned(),
            NoChoice::TooEarly(first) => {
                format!("its first backup ended at {first}, and nothing before that can be restored")
            }
            NoChoice::Missing { backup, number } => format!(
                "the file wal/{} is missing, without which the backup {backup} cannot be restored",
                segment_name(timeline, *number)
            ),
        }
    }
}

/// The last backup that ended by the moment, and the log behind it: up to the next backup, or to the archive's end.
pub(crate) fn choose<'a>(all: &'a [Whole], log: &Log, to: Option<Timestamp>) -> Result<Choice<'a>, NoChoice> {
    let ended_by = |whole: &&Whole| to.is_none_or(|to| whole.ended <= to);
    let Some(whole) = all.iter().filter(ended_by).max_by_key(|whole| whole.ended) else {
        let first = all.iter().map(|whole| whole.ended).min();
        return Err(first.map_or(NoChoice::Empty, NoChoice::TooEarly));
    };
    let first = segment_of(whole.from);
    let missing = (first..).find(|number| !log.contains_key(number)).unwrap_or(first);
    if missing <= segment_of(whole.to) {
        return Err(NoChoice::Missing { backup: whole.name.clone(), number: missing });
    }
    let next = all.iter().filter(|other| other.ended > whole.ended).min_by_key(|other| other.ended);
    let end = missing - 1;
    // What was committed by the moment stands before the end of the backup that ended after it.
    let last = next.map_or(end, |next| end.min(segment_of(next.to)));
    let goes_to_the_end = log.keys().next_back() == Some(&end);
    Ok(Choice { whole, log: (first, last), goes_to_the_end })
}

/// The backups that a backup is made from, itself first and the full one last.
pub(crate) fn chain<'a>(all: &'a [Whole], name: &str) -> Vec<&'a Whole> {
    let mut chain: Vec<&Whole> = Vec::new();
    let mut wanted = Some(name);
    while let Some(found) = wanted.and_then(|name| all.iter().find(|whole| whole.name == name)) {
        if chain.iter().any(|known| known.name == found.name) {
            break;
        }
        chain.push(found);
        wanted = found.parent.as_deref();
    }
    chain
}

/// What may go: names of backups, and the number of the first file of the log that is still needed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outdated {
    pub(crate) names: Vec<String>,
    pub(crate) log_before: Option<u64>,
}

/// Every moment of the last `days` can be restored from what stays; 0 keeps everything.
pub(crate) fn outdated(all: &[Whole], days: u32, now: Timestamp) -> Outdated {
    let nothing = Outdated { names: Vec::new(), log_before: None };
    let since = now.checked_sub(SignedDuration::from_hours(24 * i64::from(days)));
    let (Ok(since), true) = (since, days > 0) else { return nothing };
    let Some(oldest) = all.iter().filter(|whole| whole.ended <= since).max_by_key(|whole| whole.ended) else {
        return nothing;
    };
    let kept: BTreeSet<&str> = all
        .iter()
        .filter(|whole| whole.ended >= oldest.ended)
        .flat_map(|whole| chain(all, &whole.name))
        .map(|whole| whole.name.as_str())
        .collect();
    let names = all
        .iter()
        .filter(|whole| !kept.contains(whole.name.as_str()))
        .map(|whole| whole.name.clone())
        .collect();
    let needed = all.iter().filter(|whole| whole.ended >= oldest.ended);
    Outdated { names, log_before: needed.map(|whole| segment_of(whole.from)).min() }
}

/// The moment since which a backup has been due, if one is. `at` are times of day in UTC; `last` is when the last one began, and
/// `running` since when this server makes backups.
pub(crate) fn due_since(
    at: &[Time],
    last: Option<Timestamp>,
    running: Timestamp,
    now: Timestamp,
) -> Option<Timestamp> {
    let Some(last) = last else { return Some(running) };
    let today = now.to_zoned(TimeZone::UTC).date();
    let days = [today.yesterday().ok(), Some(today)];
    let moments = days.into_iter().flatten().flat_map(|day| {
        at.iter()
            .filter_map(move |time| Some(day.to_datetime(*time).to_zoned(TimeZone::UTC).ok()?.timestamp()))
    });
    // Missed for longer than these two days, it has been due since the day after the last one.
    let long = last.checked_add(SignedDuration::from_hours(48)).ok().filter(|moment| *moment <= now);
    long.or_else(|| moments.filter(|moment| *moment > last && *moment <= now).min())
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
