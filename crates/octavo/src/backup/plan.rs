//! Decides when a backup is due, which backups are kept, and which backup a moment is restored from. These functions touch no files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// A position in PostgreSQL's write-ahead log (log sequence number, LSN), written as PostgreSQL writes it: `0/3000028`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Lsn(pub(crate) u64);

impl std::str::FromStr for Lsn {
    type Err = String;

    fn from_str(text: &str) -> Result<Lsn, String> {
        let halves = text.split_once('/').map(|(high, low)| (parse_hex(high), parse_hex(low)));
        match halves {
            Some((Some(high), Some(low))) => Ok(Lsn(u64::from(high) << 32 | u64::from(low))),
            _ => Err(format!("{text} is no place in the log of changes")),
        }
    }
}

fn parse_hex(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

impl TryFrom<String> for Lsn {
    type Error = String;

    fn try_from(text: String) -> Result<Lsn, String> {
        text.parse()
    }
}

impl From<Lsn> for String {
    fn from(place: Lsn) -> String {
        place.to_string()
    }
}

impl fmt::Display for Lsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

/// The number of bytes of a log file. 16 MiB is PostgreSQL's default, unless initdb was told another size.
pub(crate) const SEGMENT_BYTES: u64 = 16 << 20;

/// The number of the log file that contains a log position.
pub(crate) fn segment_of(place: Lsn) -> u64 {
    place.0 / SEGMENT_BYTES
}

/// PostgreSQL's name of a log file.
pub(crate) fn segment_name(timeline: u32, number: u64) -> String {
    format!("{timeline:08X}{:08X}{:08X}", number >> 8, number & 0xFF)
}

/// Timeline and number of a log file, and whether it is still being filled; `None` if the name is not that of a log file.
pub(crate) fn parse_segment_name(name: &str) -> Option<(u32, u64, bool)> {
    let (name, partial) = match name.strip_suffix(".partial") {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.len() != 24 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u64::from(parse_hex(&name[8..16])?) << 8 | u64::from(parse_hex(&name[16..])?);
    Some((parse_hex(&name[..8])?, number, partial))
}

/// The members of a complete backup's manifest that decisions depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackupSummary {
    pub(crate) name: String,
    /// The name of the earlier backup that this incremental backup refers to; a full backup has none.
    pub(crate) parent: Option<String>,
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// The log position from which the log is needed to restore the backup.
    pub(crate) from_lsn: Lsn,
    /// The log position up to which the log is needed at least.
    pub(crate) to_lsn: Lsn,
}

/// The log files that exist, by number; the value is `true` for a file that is still being filled.
pub(crate) type LogSegments = BTreeMap<u64, bool>;

/// The backup and the log files to restore from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RestoreChoice<'a> {
    pub(crate) backup: &'a BackupSummary,
    /// The numbers of the first and the last log file.
    pub(crate) log: (u64, u64),
    /// Whether no log file is missing between the beginning of the backup and the end of the archive.
    pub(crate) reaches_archive_end: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CannotRestore {
    /// There is no whole backup.
    NoBackup,
    /// All backups ended after the wanted moment; this is the time at which the first one ended.
    TooEarly(Timestamp),
    /// A log file is missing without which the backup cannot be restored.
    MissingSegment { backup: String, number: u64 },
}

impl CannotRestore {
    pub(crate) fn message(&self, timeline: u32) -> String {
        match self {
            CannotRestore::NoBackup => "it holds no whole backup".to_owned(),
            CannotRestore::TooEarly(first) => {
                format!("its first backup ended at {first}, and nothing before that can be restored")
            }
            CannotRestore::MissingSegment { backup, number } => format!(
                "the file wal/{} is missing, without which the backup {backup} cannot be restored",
                segment_name(timeline, *number)
            ),
        }
    }
}

/// Chooses the last backup that ended by the wanted moment, and the log files from its `from_lsn` on: up to the `to_lsn` of the next
/// backup, or to the first missing file or the end of the archive.
pub(crate) fn choose<'a>(
    all: &'a [BackupSummary],
    log: &LogSegments,
    to: Option<Timestamp>,
) -> Result<RestoreChoice<'a>, CannotRestore> {
    let ended_by = |whole: &&BackupSummary| to.is_none_or(|to| whole.ended <= to);
    let Some(whole) = all.iter().filter(ended_by).max_by_key(|whole| whole.ended) else {
        let first = all.iter().map(|whole| whole.ended).min();
        return Err(first.map_or(CannotRestore::NoBackup, CannotRestore::TooEarly));
    };
    let first = segment_of(whole.from_lsn);
    let missing = (first..).find(|number| !log.contains_key(number)).unwrap_or(first);
    if missing <= segment_of(whole.to_lsn) {
        return Err(CannotRestore::MissingSegment { backup: whole.name.clone(), number: missing });
    }
    let next = all.iter().filter(|other| other.ended > whole.ended).min_by_key(|other| other.ended);
    let end = missing - 1;
    // Whatever was committed before the wanted moment is in the log before the end of the first backup that ended after that moment.
    let last = next.map_or(end, |next| end.min(segment_of(next.to_lsn)));
    let goes_to_the_end = log.keys().next_back() == Some(&end);
    Ok(RestoreChoice { backup: whole, log: (first, last), reaches_archive_end: goes_to_the_end })
}

/// The backups that are needed to restore a backup: the backup itself first, the full backup last.
pub(crate) fn chain<'a>(all: &'a [BackupSummary], name: &str) -> Vec<&'a BackupSummary> {
    let mut chain: Vec<&BackupSummary> = Vec::new();
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

/// The name of the last backup, if the next backup may be an incremental one that refers to it: the full backup on which the last one is
/// based is less than `full_days` days old (0 days is no limit), and no incremental backup that referred to the last one
/// (`failed_parent`) has failed. PostgreSQL may have deleted the summaries of its log that such a backup needs; then each attempt fails.
pub(crate) fn incremental_parent(
    all: &[BackupSummary],
    full_days: u32,
    failed_parent: Option<&str>,
    now: Timestamp,
) -> Option<String> {
    let last = all.iter().max_by_key(|whole| whole.ended)?;
    let chain = chain(all, &last.name);
    let full = chain.last().filter(|whole| whole.parent.is_none())?;
    let limit = SignedDuration::from_hours(24 * i64::from(full_days));
    let is_fresh = full_days == 0 || now.duration_since(full.started) < limit;
    (is_fresh && failed_parent != Some(last.name.as_str())).then(|| last.name.clone())
}

/// What may be deleted: names of backups, and all log files before the given number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outdated {
    pub(crate) names: Vec<String>,
    pub(crate) log_before: Option<u64>,
}

/// Finds what may be deleted so that every moment of the last `days` days can still be restored; with 0 days nothing may be deleted.
pub(crate) fn outdated(all: &[BackupSummary], days: u32, now: Timestamp) -> Outdated {
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
    Outdated { names, log_before: needed.map(|whole| segment_of(whole.from_lsn)).min() }
}

/// The moment since which a backup has been due, if one is. `at` are times of day in UTC; `last` is when the last one began, and
/// `running` since when this server makes backups.
pub(crate) fn due_since(
    at: &[Time],
    last: Option<Timestamp>,
    running: Timestamp,
    now: Timestamp,
) -> Option<Timestamp> {
    // One that began in the future was made while the clock was wrong.
    let Some(last) = last.filter(|last| *last <= now) else { return Some(running) };
    let today = now.to_zoned(TimeZone::UTC).date();
    let days = [today.yesterday().ok(), Some(today)];
    let moments = days.into_iter().flatten().flat_map(|day| {
        at.iter()
            .filter_map(move |time| Some(day.to_datetime(*time).to_zoned(TimeZone::UTC).ok()?.timestamp()))
    });
    // `moments` are only those of yesterday and today. If the last backup began more than 48 hours ago, the next one has been due since
    // 48 hours after it.
    let long = last.checked_add(SignedDuration::from_hours(48)).ok().filter(|moment| *moment <= now);
    long.or_else(|| moments.filter(|moment| *moment > last && *moment <= now).min())
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
