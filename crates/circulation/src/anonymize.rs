//! Which closed loans are anonymised: the tenant's loan history settings, applied to one loan.
//!
//! Facts: configuration entry LOAN_HISTORY/loan_history, mod-circulation 24.2.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::moment::utc;
use crate::policy::Period;

#[derive(Debug, Clone, Default)]
pub struct ClosedLoan {
    pub system_return: Option<Timestamp>,
    /// Accounts that name the loan, and those of them that are not closed.
    pub accounts: usize,
    pub open_accounts: usize,
    pub accounts_closed: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Anonymize,
    /// The loan is kept; this is FOLIO's key for the reason.
    Keep(&'static str),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoanHistory {
    closing_type: ClosingTypes,
    loan: Period,
    fee_fine: Period,
    /// Whether loans with fees have rules of their own.
    treat_enabled: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClosingTypes {
    loan: Option<String>,
    fee_fine: Option<String>,
}

impl LoanHistory {
    /// Reads the value of the configuration entry; an invalid one anonymises nothing.
    pub fn read(value: Value) -> LoanHistory {
        serde_json::from_value(value).unwrap_or_default()
    }

    /// Whether the library has chosen that loans are never anonymised; then FOLIO's job does not look at any.
    pub fn is_switched_off(&self) -> bool {
        self.closing_type.loan.as_deref() == Some("never") && !self.treat_enabled
    }

    /// Whether no loan is ever anonymised, also where nothing is set.
    pub fn keeps_all(&self) -> bool {
        let always_kept =
            |kind: &Option<String>| !matches!(kind.as_deref(), Some("immediately" | "interval"));
        always_kept(&self.closing_type.loan)
            && (!self.treat_enabled || always_kept(&self.closing_type.fee_fine))
    }

    pub fn verdict(&self, loan: &ClosedLoan, now: Timestamp) -> Verdict {
        if loan.accounts > 0 && self.treat_enabled {
            self.with_fees(loan, now)
        } else {
            self.without_fees(loan, now)
        }
    }

    fn without_fees(&self, loan: &ClosedLoan, now: Timestamp) -> Verdict {
        match self.closing_type.loan.as_deref() {
            Some("immediately") => Verdict::Anonymize,
            Some("interval") if has_passed(&self.loan, loan.system_return, now) => Verdict::Anonymize,
            Some("interval") => Verdict::Keep("loanClosedPeriodNotPassed"),
            _ => Verdict::Keep("neverAnonymizeLoans"),
        }
    }

    fn with_fees(&self, loan: &ClosedLoan, now: Timestamp) -> Verdict {
        let all_closed = loan.open_accounts == 0;
        match self.closing_type.fee_fine.as_deref() {
            Some("immediately") if all_closed => Verdict::Anonymize,
            Some("immediately") => Verdict::Keep("feesAndFinesOpen"),
            Some("interval") if all_closed && has_passed(&self.fee_fine, loan.accounts_closed, now) => {
                Verdict::Anonymize
            }
            Some("interval") => Verdict::Keep("intervalAfterFeesAndFinesCloseNotPassed"),
            _ => Verdict::Keep("neverAnonymizeLoansWithFeesAndFines"),
        }
    }
}

/// The verdict when staff anonymise the loans of a patron: every closed loan without open fees.
pub fn anonymize_by_hand(loan: &ClosedLoan) -> Verdict {
    if loan.accounts == 0 { Verdict::Anonymize } else { Verdict::Keep("haveAssociatedFeesAndFines") }
}

fn has_passed(period: &Period, since: Option<Timestamp>, now: Timestamp) -> bool {
    let end = since.and_then(|since| period.add_leniently(&utc(since)));
    end.is_some_and(|end| end.timestamp() < now)
}

#[cfg(test)]
mod tests {
    use octavo_kernel::parse_time;
    use serde_json::json;

    use super::*;

    fn verdict(settings: &Value, loan: &ClosedLoan) -> &'static str {
        let settings = LoanHistory::read(settings.clone());
        match settings.verdict(loan, "2026-03-08T10:00:00Z".parse().unwrap()) {
            Verdict::Anonymize => "anonymize",
            Verdict::Keep(reason) => reason,
        }
    }

    #[test]
    fn when_a_loan_forgets_its_borrower() {
        let week = json!({"duration": 1, "intervalId": "Weeks"});
        let returned = |at: &str| ClosedLoan { system_return: parse_time(at), ..ClosedLoan::default() };
        let charged = |open_accounts: usize, closed: &str| ClosedLoan {
            accounts: 1,
            open_accounts,
            accounts_closed: parse_time(closed),
            ..returned("2026-02-01T10:00:00Z")
        };
        let at_once = json!({"closingType": {"loan": "immediately"}});
        let after = json!({"closingType": {"loan": "interval"}, "loan": week});
        let within = |duration: i64, unit: &str| json!({"closingType": {"loan": "interval"}, "loan": {"duration": duration, "intervalId": unit}});
        let fees = |kind: &str| json!({"closingType": {"loan": "immediately", "feeFine": kind}, "feeFine": week, "treatEnabled": true});
        for (settings, loan, expected) in [
            (&at_once, returned("2026-03-08T09:00:00Z"), "anonymize"),
            (&at_once, charged(1, "2026-03-01T10:00:00Z"), "anonymize"),
            (&after, returned("2026-03-01T09:59:59Z"), "anonymize"),
            (&after, returned("2026-03-01T10:00:00Z"), "loanClosedPeriodNotPassed"),
            (&after, ClosedLoan::default(), "loanClosedPeriodNotPassed"),
            (&within(20, "Minutes"), returned("2026-03-08T09:39:59Z"), "anonymize"),
            (&within(20, "minutes"), returned("2026-03-08T09:39:59Z"), "anonymize"),
            (&within(20, "minutes"), returned("2026-03-08T09:40:00Z"), "loanClosedPeriodNotPassed"),
            (&within(0, "Days"), returned("2026-03-08T09:59:59Z"), "anonymize"),
            (
                &json!({"closingType": {"loan": "never"}}),
                returned("2020-01-01T00:00:00Z"),
                "neverAnonymizeLoans",
            ),
            (&json!({}), returned("2020-01-01T00:00:00Z"), "neverAnonymizeLoans"),
            (&fees("immediately"), charged(0, "2026-03-08T09:00:00Z"), "anonymize"),
            (&fees("immediately"), charged(1, "2026-03-08T09:00:00Z"), "feesAndFinesOpen"),
            (&fees("interval"), charged(0, "2026-03-01T09:00:00Z"), "anonymize"),
            (
                &fees("interval"),
                charged(0, "2026-03-02T09:00:00Z"),
                "intervalAfterFeesAndFinesCloseNotPassed",
            ),
            (&fees("never"), charged(0, "2020-01-01T00:00:00Z"), "neverAnonymizeLoansWithFeesAndFines"),
            (&fees("never"), returned("2026-03-08T09:00:00Z"), "anonymize"),
        ] {
            assert_eq!(verdict(settings, &loan), expected, "{settings} {loan:?}");
        }
    }

    #[test]
    fn settings_under_which_nothing_ever_happens_are_known_beforehand() {
        for (settings, keeps_all, is_switched_off) in [
            (json!({}), true, false),
            (json!({"closingType": {"loan": "never"}}), true, true),
            (json!({"closingType": {"loan": "never", "feeFine": "immediately"}}), true, true),
            (
                json!({"closingType": {"loan": "never", "feeFine": "never"}, "treatEnabled": true}),
                true,
                false,
            ),
            (
                json!({"closingType": {"loan": "never", "feeFine": "immediately"}, "treatEnabled": true}),
                false,
                false,
            ),
            (json!({"closingType": {"loan": "interval"}}), false, false),
            (json!("nonsense"), true, false),
        ] {
            let history = LoanHistory::read(settings.clone());
            assert_eq!(history.keeps_all(), keeps_all, "{settings}");
            assert_eq!(history.is_switched_off(), is_switched_off, "{settings}");
        }
    }
}
