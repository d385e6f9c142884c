//! Octavo's additions to FOLIO's requests, each off until a library switches it on: limits for patron groups, holidays of patrons, and
//! estimates of the waiting time.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Deserialize;

/// From configuration entry OCTAVO/requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestOptions {
    /// How many open requests a patron may have, by the id of the patron group.
    pub limits: HashMap<String, i64>,
    /// Whether requests of absent patrons are skipped.
    pub holidays: bool,
    /// How many days a patron keeps an item, including shelf and transit; without it there are no estimates.
    pub days_per_loan: Option<u32>,
}

/// Estimates in how many days, rounded up, each patron of a queue gets a copy. The copies come back at the times of `free`, and each
/// patron keeps one for `days_per_loan`; without a copy there are no estimates.
pub fn queue_estimates(now: Timestamp, free: &[Timestamp], days_per_loan: u32, waiting: usize) -> Vec<i64> {
    const DAY: i64 = 86_400;
    let turn = i64::from(days_per_loan) * DAY;
    let mut free: Vec<i64> = free.iter().map(|at| at.as_second().max(now.as_second())).collect();
    let mut estimates = Vec::with_capacity(waiting);
    for _ in 0..waiting {
        let Some(next) = free.iter_mut().min() else { break };
        estimates.push((*next - now.as_second() + DAY - 1) / DAY);
        *next += turn;
    }
    estimates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_to_the_next_as_they_come_back() {
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (in_two_days, in_ten, late) =
            (at("2026-03-04T09:00:00Z"), at("2026-03-12T10:00:00Z"), at("2026-02-01T10:00:00Z"));
        assert_eq!(queue_estimates(now, &[in_two_days, in_ten], 14, 4), [2, 10, 16, 24]);
        assert_eq!(queue_estimates(now, &[late], 7, 3), [0, 7, 14], "what is overdue may come at any time");
        assert_eq!(queue_estimates(now, &[], 7, 3), Vec::<i64>::new());
        assert_eq!(queue_estimates(now, &[late], u32::MAX, 2).len(), 2);
    }
}
