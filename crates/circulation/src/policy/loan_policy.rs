//! The loan policy record (mod-circulation-storage 17.2), with the members that decisions read.

use serde::{Deserialize, Serialize};

use super::Period;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoanPolicy {
    pub id: String,
    pub name: String,
    pub loanable: bool,
    pub loans_policy: Option<LoansPolicy>,
    pub renewable: bool,
    pub renewals_policy: RenewalsPolicy,
    pub request_management: RequestManagement,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoansPolicy {
    pub profile_id: Option<String>,
    pub period: Option<Period>,
    pub closed_library_due_date_management_id: Option<String>,
    pub grace_period: Option<Period>,
    pub opening_time_offset: Option<Period>,
    pub fixed_due_date_schedule_id: Option<String>,
    pub item_limit: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenewalsPolicy {
    pub unlimited: bool,
    pub number_allowed: Option<f64>,
    pub renew_from_id: Option<String>,
    pub different_period: bool,
    pub period: Option<Period>,
    pub alternate_fixed_due_date_schedule_id: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestManagement {
    pub recalls: Recalls,
    pub holds: Holds,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recalls {
    pub minimum_guaranteed_loan_period: Option<Period>,
    pub recall_return_interval: Option<Period>,
    pub allow_recalls_to_extend_overdue_loans: bool,
    pub alternate_recall_return_interval: Option<Period>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Holds {
    pub alternate_checkout_loan_period: Option<Period>,
    pub renew_items_with_request: bool,
    pub alternate_renewal_loan_period: Option<Period>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Profile {
    Rolling,
    Fixed,
    Unknown(String),
}

/// The strategy for a due date on which the library is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ClosedLibraryStrategy {
    CurrentDueDate,
    CurrentDueDateTime,
    EndOfThePreviousOpenDay,
    EndOfTheNextOpenDay,
    EndOfTheCurrentServicePointHours,
    BeginningOfTheNextOpenServicePointHours,
}

impl LoanPolicy {
    /// Names are compared without regard to case.
    pub fn profile(&self) -> Profile {
        let name = self.loans_policy.as_ref().map(|loans| loans.profile_id.as_deref());
        match name {
            Some(Some(name)) if name.eq_ignore_ascii_case("Rolling") => Profile::Rolling,
            Some(Some(name)) if name.eq_ignore_ascii_case("Fixed") => Profile::Fixed,
            Some(Some(name)) => Profile::Unknown(name.to_owned()),
            Some(None) => Profile::Unknown("null".to_owned()),
            None => Profile::Unknown(String::new()),
        }
    }

    pub fn loan_period(&self) -> Period {
        self.loans_policy.as_ref().and_then(|loans| loans.period.clone()).unwrap_or_default()
    }

    /// 0 for a policy without a grace period.
    pub(crate) fn grace_minutes(&self) -> i64 {
        let loans = self.loans_policy.as_ref();
        loans.and_then(|loans| loans.grace_period.as_ref()?.minutes()).unwrap_or(0)
    }

    pub fn renewal_period(&self, with_hold: bool) -> Period {
        match &self.request_management.holds.alternate_renewal_loan_period {
            Some(period) if with_hold => period.clone(),
            _ if self.renewals_policy.different_period => {
                self.renewals_policy.period.clone().unwrap_or_default()
            }
            _ => self.loan_period(),
        }
    }

    pub fn has_renewal_period(&self) -> bool {
        self.renewals_policy.different_period && self.renewals_policy.period.is_some()
    }

    pub fn item_limit(&self) -> Option<i64> {
        self.loans_policy.as_ref()?.item_limit
    }

    pub fn schedule_id(&self) -> Option<&str> {
        self.loans_policy.as_ref()?.fixed_due_date_schedule_id.as_deref()
    }

    pub fn alternate_renewal_schedule_id(&self) -> Option<&str> {
        self.renewals_policy.alternate_fixed_due_date_schedule_id.as_deref()
    }

    /// Whether the limit of renewals is reached; a policy without renewals has none.
    pub fn has_reached_renewal_limit(&self, renewals: i64) -> bool {
        let allowed = self.renewals_policy.number_allowed.unwrap_or(0.0) as i64;
        self.renewable && !self.renewals_policy.unlimited && renewals >= allowed
    }

    pub fn closed_library_strategy(&self) -> ClosedLibraryStrategy {
        use ClosedLibraryStrategy as Strategy;
        let Some(loans) = &self.loans_policy else { return Strategy::CurrentDueDateTime };
        match loans.closed_library_due_date_management_id.as_deref() {
            Some("CURRENT_DUE_DATE_TIME") => Strategy::CurrentDueDateTime,
            Some("END_OF_THE_PREVIOUS_OPEN_DAY") => Strategy::EndOfThePreviousOpenDay,
            Some("END_OF_THE_NEXT_OPEN_DAY") => Strategy::EndOfTheNextOpenDay,
            Some("END_OF_THE_CURRENT_SERVICE_POINT_HOURS") => Strategy::EndOfTheCurrentServicePointHours,
            Some("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS") => {
                Strategy::BeginningOfTheNextOpenServicePointHours
            }
            _ => Strategy::CurrentDueDate,
        }
    }

    /// Added to the beginning of the next opening hours.
    pub fn opening_time_offset(&self) -> Period {
        self.loans_policy.as_ref().and_then(|loans| loans.opening_time_offset.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn policy(record: serde_json::Value) -> LoanPolicy {
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_policy_without_details_is_neither_loanable_nor_renewable() {
        let policy = policy(json!({"id": "p", "name": "n"}));
        assert!(!policy.loanable && !policy.renewable);
        assert_eq!(policy.profile(), Profile::Unknown(String::new()));
        assert_eq!(policy.closed_library_strategy(), ClosedLibraryStrategy::CurrentDueDateTime);
        assert!(!policy.has_reached_renewal_limit(5));
    }

    #[test]
    fn the_renewal_limit_counts_when_the_policy_is_renewable() {
        for (renewals_policy, count, reached) in [
            (json!({"unlimited": true}), 1000, false),
            (json!({"unlimited": false, "numberAllowed": 2.0}), 1, false),
            (json!({"unlimited": false, "numberAllowed": 2}), 2, true),
            (json!({}), 0, true),
        ] {
            let policy = policy(json!({"renewable": true, "renewalsPolicy": renewals_policy}));
            assert_eq!(policy.has_reached_renewal_limit(count), reached, "{renewals_policy}");
        }
    }

    #[test]
    fn an_unknown_closed_library_strategy_means_the_end_of_the_due_day() {
        for id in [json!(null), json!("SOMETIME")] {
            let policy = policy(json!({"loansPolicy": {"closedLibraryDueDateManagementId": id}}));
            assert_eq!(policy.closed_library_strategy(), ClosedLibraryStrategy::CurrentDueDate);
        }
    }
}
