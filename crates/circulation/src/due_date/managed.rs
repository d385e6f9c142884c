//! Adapts the policy's due date to opening hours, to the schedule's limit again, and to the patron's expiration.

use jiff::Timestamp;
use octavo_kernel::Refusal;

use super::renewal::{fixed_schedule, limiting_schedule};
use crate::closed_library::{
    Circumstances, ServicePointHours, SurroundingOpenings, apply_closed_library,
    truncate_to_patron_expiration,
};
use crate::moment::utc;
use crate::policy::{ClosedLibraryStrategy, GoverningLoanPolicy, Profile};
use crate::trace::Step;

#[derive(Debug, Clone)]
pub struct Management<'a> {
    pub governing: &'a GoverningLoanPolicy<'a>,
    /// The service point of the check-out.
    pub hours: ServicePointHours<'a>,
    /// The loan date at check-out, now at renewal.
    pub current_time: Timestamp,
    pub loan_date: Timestamp,
    pub is_renewal: bool,
    pub patron_expires: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManagedDueDate {
    pub due: Timestamp,
    pub changed_by_patron_expiration: bool,
}

pub fn managed_due_date(
    due: Timestamp,
    management: &Management<'_>,
    trace: &mut Vec<Step>,
) -> Result<ManagedDueDate, Refusal> {
    let strategy = management.governing.policy.closed_library_strategy();
    let day = due.to_zoned(management.hours.zone.clone()).date();
    let openings = management.hours.openings(day);
    let moved = management.apply(strategy, due, openings.as_ref())?;
    trace.push(Step::ClosedLibrary { strategy, before: due, after: moved });
    let due = management.within_schedule(moved, openings.as_ref(), trace)?;

    let Some(expires) = management.patron_expires.filter(|expires| *expires < due) else {
        return Ok(ManagedDueDate { due, changed_by_patron_expiration: false });
    };
    // FOLIO takes the day of the expiration as it is stored, in UTC.
    let openings = management.hours.openings(utc(expires).date());
    let truncated =
        truncate_to_patron_expiration(strategy, expires, management.hours.zone, openings.as_ref())?;
    trace.push(Step::PatronExpires { expires, before: due, after: truncated });
    Ok(ManagedDueDate { due: truncated, changed_by_patron_expiration: true })
}

impl Management<'_> {
    fn apply(
        &self,
        strategy: ClosedLibraryStrategy,
        due: Timestamp,
        openings: Option<&SurroundingOpenings>,
    ) -> Result<Timestamp, Refusal> {
        let offset = self.governing.policy.opening_time_offset();
        let circumstances = Circumstances {
            zone: self.hours.zone,
            current_time: self.current_time,
            opening_time_offset: &offset,
        };
        apply_closed_library(strategy, due, &circumstances, openings)
    }

    /// Limits a moved due date to the day of the schedule's due date.
    fn within_schedule(
        &self,
        due: Timestamp,
        openings: Option<&SurroundingOpenings>,
        trace: &mut Vec<Step>,
    ) -> Result<Timestamp, Refusal> {
        let day = |at: Timestamp| at.to_zoned(self.hours.zone.clone()).date();
        let Some(limit) = self.schedule_limit().filter(|limit| day(due) > day(*limit)) else {
            return Ok(due);
        };
        let backward = if self.governing.policy.loan_period().is_short_term() {
            ClosedLibraryStrategy::EndOfTheCurrentServicePointHours
        } else {
            ClosedLibraryStrategy::EndOfThePreviousOpenDay
        };
        let after = self.apply(backward, limit, openings)?;
        trace.push(Step::MovedBackToSchedule { limit, after });
        Ok(after)
    }

    fn schedule_limit(&self) -> Option<Timestamp> {
        let (schedule, date) = match (self.governing.policy.profile(), self.is_renewal) {
            (Profile::Unknown(_), _) => return None,
            (_, false) => (self.governing.schedule, self.loan_date),
            (Profile::Rolling, true) => (limiting_schedule(self.governing), self.current_time),
            (Profile::Fixed, true) => (fixed_schedule(self.governing), self.current_time),
        };
        schedule?.due_date_for(date)
    }
}
