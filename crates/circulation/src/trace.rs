//! The explanation of a decision: typed steps, and the sentence for each.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use octavo_kernel::folio_time;
use serde::{Deserialize, Serialize, Serializer};

use crate::policy::ClosedLibraryStrategy;
use crate::rules::{AppliedConditions, PolicyKind};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Step {
    RuleMatched { line: u32, conditions: AppliedConditions },
    PolicyChosen { kind: PolicyKind, id: String, name: String },
    PeriodAdded { from: Timestamp, period: String, because_of_hold: bool, due: Timestamp },
    ScheduleDueDate { date: Timestamp, due: Timestamp },
    ScheduleLimit { before: Timestamp, limit: Timestamp },
    ClosedLibrary { strategy: ClosedLibraryStrategy, before: Timestamp, after: Timestamp },
    MovedBackToSchedule { limit: Timestamp, after: Timestamp },
    PatronExpires { expires: Timestamp, before: Timestamp, after: Timestamp },
    Overridden { block: Cow<'static, str> },
    DueDateGiven { due: Timestamp },
    LoanOpened { loan_id: String },
    LoanRenewed { loan_id: String, renewals: i64 },
    LoanClosed { loan_id: String, action: Cow<'static, str> },
    ItemStatusChanged { from: String, to: String },
    SentInTransit { service_point_id: Option<String> },
    DueDateChanged { from: Option<Timestamp>, to: Timestamp },
    LostFeeCharged { kind: Cow<'static, str>, account_id: String, amount: String },
    LostFeesStand { until: Timestamp },
    ActualCostAsked { record_id: String, expires: Option<Timestamp> },
    ActualCostChanged { record_id: String, status: Cow<'static, str> },
    LostItemPaid,
    NothingToPayForLostItem,
    NoteWritten { text: String },
    AgedToLost { due: Timestamp, lost: Timestamp, recalled: bool, billed: Timestamp },
    RequestChanged { request_id: String, from: String, to: String },
    RequestMade { request_id: String, position: i64 },
    RequestMoved { request_id: String, from: Option<String>, to: String },
    InHouseUse,
    Undone { decision: String, at: String },
    FinePolicy { id: String, name: String },
    Overdue { due: Timestamp, until: Timestamp, minutes: i64, recalled: bool },
    ClosedTimeLeftOut { service_point_id: String, minutes: i64, open: Vec<Date>, closed: Vec<Date> },
    GracePeriod { minutes: i64, passed: bool },
    FineReckoned(FineReckoned),
    OverdueFineCharged { account_id: String, amount: String },
    Reminded { number: i64, of: usize, due: Option<Timestamp> },
    ReminderFeeCharged { account_id: String, amount: String },
    NextReminder { at: Option<Timestamp> },
    FeeFineAction { account_id: String, action: String, amount: String, balance: String },
}

/// An overdue fine: the amount for each interval that has begun, and the maximum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FineReckoned {
    pub quantity: String,
    pub interval_minutes: i64,
    pub intervals: i64,
    pub amount: String,
    pub most: Option<String>,
}

pub(crate) struct Sentences<'a>(pub(crate) &'a [Step]);

impl Serialize for Sentences<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Sentence))
    }
}

struct Sentence<'a>(&'a Step);

impl Serialize for Sentence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |instant: &Timestamp| folio_time(*instant);
        match self {
            Step::RuleMatched { line, conditions } => {
                write!(f, "The circulation rule on line {line} applies")?;
                write_conditions(f, *conditions)
            }
            Step::PolicyChosen { kind, id, name } => {
                write!(f, "It sets the {} \"{name}\" ({id}).", policy_label(*kind))
            }
            Step::PeriodAdded { from, period, because_of_hold: false, due } => {
                write!(f, "{} plus the period of {period} is {}.", at(from), at(due))
            }
            Step::PeriodAdded { from, period, due, .. } => {
                write!(f, "A hold waits, so {} plus the alternate period of {period}: {}.", at(from), at(due))
            }
            Step::ScheduleDueDate { date, due } => {
                write!(f, "The schedule's range around {} is due at {}.", at(date), at(due))
            }
            Step::ScheduleLimit { before, limit } => {
                write!(f, "The schedule allows no due date after {}; {} is cut to it.", at(limit), at(before))
            }
            Step::ClosedLibrary { strategy, before, after } if before == after => {
                write!(f, "Closed-library management ({}) leaves {}.", strategy_label(*strategy), at(after))
            }
            Step::ClosedLibrary { strategy, before, after } => {
                let strategy = strategy_label(*strategy);
                write!(f, "Closed-library management ({strategy}) moves {} to {}.", at(before), at(after))
            }
            Step::MovedBackToSchedule { limit, after } => {
                write!(f, "That is past the schedule's {}, so it is moved back to {}.", at(limit), at(after))
            }
            Step::PatronExpires { expires, before, after } => {
                write!(
                    f,
                    "The patron expires at {}, before {}; due at {}.",
                    at(expires),
                    at(before),
                    at(after)
                )
            }
            Step::Overridden { block } => write!(f, "The {block} was overridden."),
            Step::DueDateGiven { due } => write!(f, "The override names the due date {}.", at(due)),
            Step::LoanOpened { loan_id } => write!(f, "Loan {loan_id} is opened."),
            Step::LoanRenewed { loan_id, renewals } => {
                write!(f, "Loan {loan_id} is renewed, now {renewals} times.")
            }
            Step::LoanClosed { loan_id, action } => write!(f, "Loan {loan_id} is closed ({action})."),
            Step::ItemStatusChanged { from, to } if from == to => write!(f, "The item stays {to}."),
            Step::ItemStatusChanged { from, to } => write!(f, "The item was {from} and is {to}."),
            Step::SentInTransit { service_point_id: Some(id) } => write!(f, "It goes to service point {id}."),
            Step::SentInTransit { service_point_id: None } => {
                f.write_str("Its location has no primary service point to send it to.")
            }
            Step::RequestChanged { request_id, from, to } => {
                write!(f, "Request {request_id} was \"{from}\" and is \"{to}\".")
            }
            Step::RequestMade { request_id, position } => {
                write!(f, "Request {request_id} stands at position {position}.")
            }
            Step::RequestMoved { request_id, from: Some(from), to } => {
                write!(f, "Request {request_id} was for item {from} and is for item {to}.")
            }
            Step::RequestMoved { request_id, from: None, to } => {
                write!(f, "Request {request_id} is for item {to}.")
            }
            Step::Undone { decision, at } => write!(f, "The {decision} of {at} is undone."),
            Step::InHouseUse => f.write_str("It was used in house."),
            Step::DueDateChanged { from: Some(from), to } => {
                write!(f, "The due date was {} and is {}.", at(from), at(to))
            }
            Step::DueDateChanged { from: None, to } => write!(f, "The due date is {}.", at(to)),
            other => write_money(other, f),
        }
    }
}

fn write_money(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let at = |instant: &Timestamp| folio_time(*instant);
    match step {
        Step::LostFeeCharged { kind, account_id, amount } => {
            write!(f, "{kind}: {amount} are charged (account {account_id}).")
        }
        Step::LostFeesStand { until } => {
            write!(f, "The fees of the lost item would have been given back until {}.", at(until))
        }
        Step::ActualCostAsked { record_id, expires: Some(expires) } => {
            write!(f, "Staff may bill what it costs until {} (actual cost record {record_id}).", at(expires))
        }
        Step::ActualCostAsked { record_id, expires: None } => {
            write!(f, "Staff may bill what it costs (actual cost record {record_id}).")
        }
        Step::ActualCostChanged { record_id, status } => {
            write!(f, "Actual cost record {record_id} is {status}.")
        }
        Step::LostItemPaid => f.write_str("Everything that was charged for the lost item is closed."),
        Step::NothingToPayForLostItem => f.write_str("The lost item fee policy charges nothing for it."),
        Step::NoteWritten { text } => write!(f, "A note on the patron says: {text}."),
        Step::AgedToLost { due, lost, recalled, billed } => {
            let recalled = if *recalled { "recalled, " } else { "" };
            let (due, lost, billed) = (at(due), at(lost), at(billed));
            write!(
                f,
                "The item was {recalled}due at {due} and counts as lost from {lost}; billed at {billed}."
            )
        }
        Step::OverdueFineCharged { account_id, amount } => {
            write!(f, "An overdue fine of {amount} is charged as fee/fine {account_id}.")
        }
        Step::FeeFineAction { account_id, action, amount, balance } => {
            write!(f, "{action}: {amount} of fee/fine {account_id}, of which {balance} remains.")
        }
        Step::FinePolicy { id, name } => {
            write!(f, "The loan's overdue fine policy is \"{name}\" ({id}).")
        }
        Step::Overdue { due, until, minutes, recalled } => {
            let recalled = if *recalled { "recalled, " } else { "" };
            let (due, until) = (at(due), at(until));
            write!(
                f,
                "The item was {recalled}due at {due}; until {until} these are {}.",
                duration_as_text(*minutes)
            )
        }
        Step::ClosedTimeLeftOut { minutes, open, closed, .. } => {
            let minutes = duration_as_text(*minutes);
            write!(f, "Only opening hours count: {minutes}, on {}", dates_as_text(open))?;
            if closed.is_empty() {
                f.write_str(".")
            } else {
                write!(f, "; closed on {}.", dates_as_text(closed))
            }
        }
        Step::GracePeriod { minutes: 0, .. } => f.write_str("Nothing of that counts, so nothing is charged."),
        Step::GracePeriod { minutes, passed: false } => {
            write!(
                f,
                "That is within the grace period of {}, so nothing is charged.",
                duration_as_text(*minutes)
            )
        }
        Step::GracePeriod { minutes, .. } => {
            write!(
                f,
                "That is more than the grace period of {}, so all of it counts.",
                duration_as_text(*minutes)
            )
        }
        Step::Reminded { number, of, due } => {
            write!(f, "This is reminder {number} of {of}")?;
            match due {
                Some(due) => write!(f, "; the item was due at {}.", at(due)),
                None => f.write_str("."),
            }
        }
        Step::ReminderFeeCharged { account_id, amount } => {
            write!(f, "A reminder fee of {amount} is charged as fee/fine {account_id}.")
        }
        Step::NextReminder { at: Some(next) } => write!(f, "The next reminder is due at {}.", at(next)),
        Step::NextReminder { at: None } => f.write_str("No further reminder follows."),
        Step::FineReckoned(FineReckoned { quantity, interval_minutes, intervals, amount, most }) => {
            let interval = duration_as_text(*interval_minutes);
            write!(f, "Each {interval} that has begun costs {quantity}; {intervals} of them are {amount}")?;
            match most {
                Some(most) => write!(f, ", at most {most}."),
                None => f.write_str("."),
            }
        }
        _ => Ok(()),
    }
}

fn dates_as_text(dates: &[Date]) -> String {
    if dates.is_empty() {
        return "no day".to_owned();
    }
    dates.iter().map(Date::to_string).collect::<Vec<_>>().join(", ")
}

/// A length of time in days, hours and minutes.
fn duration_as_text(minutes: i64) -> String {
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let told = |(count, unit): &(i64, &str)| match count {
        0 => None,
        1 => Some(format!("1 {unit}")),
        count => Some(format!("{count} {unit}s")),
    };
    let told: Vec<String> = parts.iter().filter_map(told).collect();
    if told.is_empty() { "no time".to_owned() } else { told.join(", ") }
}

fn write_conditions(f: &mut fmt::Formatter<'_>, conditions: AppliedConditions) -> fmt::Result {
    let named = [
        (conditions.patron_group, "patron group"),
        (conditions.material_type, "material type"),
        (conditions.loan_type, "loan type"),
    ];
    let named: Vec<&str> = named.iter().filter(|(applies, _)| *applies).map(|(_, name)| *name).collect();
    if named.is_empty() { f.write_str(".") } else { write!(f, ", by {}.", named.join(", ")) }
}

fn policy_label(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Loan => "loan policy",
        PolicyKind::Request => "request policy",
        PolicyKind::Notice => "patron notice policy",
        PolicyKind::OverdueFine => "overdue fine policy",
        PolicyKind::LostItemFee => "lost item fee policy",
    }
}

fn strategy_label(strategy: ClosedLibraryStrategy) -> &'static str {
    match strategy {
        ClosedLibraryStrategy::CurrentDueDate => "keep the due date",
        ClosedLibraryStrategy::CurrentDueDateTime => "keep the due date and time",
        ClosedLibraryStrategy::EndOfThePreviousOpenDay => "end of the previous open day",
        ClosedLibraryStrategy::EndOfTheNextOpenDay => "end of the next open day",
        ClosedLibraryStrategy::EndOfTheCurrentServicePointHours => "end of the current service point hours",
        ClosedLibraryStrategy::BeginningOfTheNextOpenServicePointHours => {
            "beginning of the next open service point hours"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_sentences() {
        let applied = AppliedConditions { material_type: true, patron_group: true, loan_type: false };
        let due: Timestamp = "2026-11-21T22:59:59Z".parse().unwrap();
        for (step, sentence) in [
            (
                Step::RuleMatched { line: 7, conditions: applied },
                "The circulation rule on line 7 applies, by patron group, material type.",
            ),
            (
                Step::ClosedLibrary {
                    strategy: ClosedLibraryStrategy::CurrentDueDate,
                    before: "2026-11-21T10:00:00Z".parse().unwrap(),
                    after: due,
                },
                "Closed-library management (keep the due date) moves 2026-11-21T10:00:00.000+00:00 \
                 to 2026-11-21T22:59:59.000+00:00.",
            ),
            (Step::Overridden { block: "itemLimitBlock".into() }, "The itemLimitBlock was overridden."),
        ] {
            assert_eq!(step.to_string(), sentence);
        }
    }
}
