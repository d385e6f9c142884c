use serde_json::{Value, json};

use super::*;
use crate::Money;
use crate::desk::{NOW, policies, three_weeks};

const GROUP: &str = "staff";

fn limits(value: f64, conditions: &[Condition]) -> BlockLimits {
    let condition = |condition: Condition| {
        json!({"id": condition.id(), "blockBorrowing": true, "blockRenewals": true, "blockRequests": true,
            "message": format!("{condition:?}")})
    };
    let all: Vec<Value> = Condition::ALL.into_iter().map(condition).collect();
    let set: Vec<Value> = conditions
        .iter()
        .map(|condition| json!({"patronGroupId": GROUP, "conditionId": condition.id(), "value": value}))
        .collect();
    BlockLimits::read(all.iter(), set.iter())
}

/// Minutes before now.
fn ago(minutes: i64) -> Option<Timestamp> {
    let now: Timestamp = NOW.parse().unwrap();
    Some(now - jiff::SignedDuration::from_mins(minutes))
}

fn loan(id: &str, overdue_minutes: i64) -> OpenLoan {
    OpenLoan {
        id: id.into(),
        due: ago(overdue_minutes),
        item_status: "Checked out".into(),
        loan_policy_id: Some("three-weeks".into()),
        ..OpenLoan::default()
    }
}

fn recalled(id: &str, overdue_minutes: i64) -> OpenLoan {
    OpenLoan { recalled: true, ..loan(id, overdue_minutes) }
}

fn with_status(id: &str, status: &str) -> OpenLoan {
    OpenLoan { item_status: status.into(), ..loan(id, -60) }
}

fn fee(loan_id: Option<&str>, cents: i64) -> OpenFee {
    OpenFee { loan_id: loan_id.map(str::to_owned), balance: Money::from_cents(cents), ..OpenFee::default() }
}

fn blocks(limits: &BlockLimits, loans: Vec<OpenLoan>, fees: Vec<OpenFee>) -> Vec<String> {
    blocks_of(&three_weeks(), limits, loans, fees)
}

/// Each block with the actions that it forbids: `b`orrowing, re`n`ewals, re`q`uests.
fn blocks_of(policy: &Value, limits: &BlockLimits, loans: Vec<OpenLoan>, fees: Vec<OpenFee>) -> Vec<String> {
    let policies = policies(
        "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost",
        policy.clone(),
    );
    let standing = Standing { loans, fees, ..Standing::default() };
    let blocks = automated_blocks(limits, Some(GROUP), &standing, &policies, NOW.parse().unwrap());
    let tell = |block: &AutomatedBlock| {
        let letter = |on: bool, letter: &'static str| if on { letter } else { "" };
        format!(
            "{} {}{}{}",
            block.message,
            letter(block.borrowing, "b"),
            letter(block.renewals, "n"),
            letter(block.requests, "q")
        )
    };
    blocks.iter().map(tell).collect()
}

#[test]
fn each_condition_has_its_own_measure() {
    use Condition as C;
    let day = 24 * 60;
    for (condition, limit, loans, fees, expected) in [
        // as many as allowed: no more, but what is there may be kept
        (C::ItemsChargedOut, 2.0, vec![loan("1", -1)], vec![], ""),
        (C::ItemsChargedOut, 2.0, vec![loan("1", -1), loan("2", -1)], vec![], "b"),
        (C::ItemsChargedOut, 1.0, vec![loan("1", -1), loan("2", -1)], vec![], "bnq"),
        // not even of those who have nothing at all
        (C::ItemsChargedOut, 0.0, vec![], vec![], ""),
        (C::ItemsChargedOut, 0.0, vec![], vec![fee(None, 1)], "b"),
        (C::ItemsChargedOut, 0.0, vec![with_status("1", "Claimed returned")], vec![], "b"),
        (C::ItemsChargedOut, 1.0, vec![with_status("1", "Claimed returned")], vec![], ""),
        (C::LostItems, 1.0, vec![with_status("1", "Declared lost")], vec![], ""),
        (
            C::LostItems,
            1.0,
            vec![with_status("1", "Declared lost"), with_status("2", "aged to lost")],
            vec![],
            "bnq",
        ),
        (C::LostItems, 0.0, vec![with_status("1", "Claimed returned")], vec![], ""),
        (C::OverdueItems, 0.0, vec![loan("1", 1)], vec![], "bnq"),
        (C::OverdueItems, 0.0, vec![loan("1", 0)], vec![], ""),
        (C::OverdueItems, 0.0, vec![loan("1", -1)], vec![], ""),
        (C::OverdueItems, 1.0, vec![loan("1", 1)], vec![], ""),
        (
            C::OverdueItems,
            0.0,
            vec![OpenLoan { item_status: "Claimed returned".into(), ..loan("1", 1) }],
            vec![],
            "",
        ),
        (C::OverdueRecalls, 0.0, vec![loan("1", 1)], vec![], ""),
        (C::OverdueRecalls, 0.0, vec![recalled("1", 1)], vec![], "bnq"),
        (C::OverdueRecalls, 0.0, vec![recalled("1", -1)], vec![], ""),
        // a day that has begun is a day
        (C::RecallOverdueByDays, 1.0, vec![recalled("1", day)], vec![], ""),
        (C::RecallOverdueByDays, 1.0, vec![recalled("1", day + 1)], vec![], "bnq"),
        (C::RecallOverdueByDays, 1.0, vec![recalled("1", 1), recalled("2", 3 * day)], vec![], "bnq"),
        (C::RecallOverdueByDays, 1.0, vec![loan("1", 3 * day)], vec![], ""),
        (C::RecallOverdueByDays, 0.0, vec![], vec![], ""),
        (C::OutstandingBalance, 7.5, vec![], vec![fee(None, 750)], ""),
        (C::OutstandingBalance, 7.5, vec![], vec![fee(None, 700), fee(None, 51)], "bnq"),
        (
            C::OutstandingBalance,
            0.0,
            vec![with_status("1", "Claimed returned")],
            vec![fee(Some("1"), 500)],
            "",
        ),
        (
            C::OutstandingBalance,
            0.0,
            vec![with_status("1", "Declared lost")],
            vec![fee(Some("1"), 500)],
            "bnq",
        ),
        (C::OutstandingBalance, 0.0, vec![], vec![fee(Some("closed-loan"), 1)], "bnq"),
    ] {
        let expected: Vec<String> =
            (!expected.is_empty()).then(|| format!("{condition:?} {expected}")).into_iter().collect();
        let told = format!("{condition:?} {limit} {loans:?} {fees:?}");
        assert_eq!(blocks(&limits(limit, &[condition]), loans, fees), expected, "{told}");
    }
}

#[test]
fn within_its_grace_period_a_loan_is_not_overdue_and_after_it_all_of_the_time_counts() {
    let mut policy = three_weeks();
    policy["loansPolicy"]["gracePeriod"] = json!({"duration": 2, "intervalId": "Days"});
    let overdue = limits(0.0, &[Condition::OverdueItems]);
    let days = limits(2.0, &[Condition::RecallOverdueByDays]);
    let grace = 2 * 24 * 60;
    assert!(blocks_of(&policy, &overdue, vec![loan("1", grace)], vec![]).is_empty());
    assert_eq!(blocks_of(&policy, &overdue, vec![loan("1", grace + 1)], vec![]).len(), 1);
    assert_eq!(blocks_of(&policy, &days, vec![recalled("1", grace + 1)], vec![]).len(), 1);
}

#[test]
fn a_condition_blocks_only_what_it_is_set_to_block() {
    let condition = |flags: [bool; 3]| {
        json!({"id": Condition::ItemsChargedOut.id(), "blockBorrowing": flags[0], "blockRenewals": flags[1],
            "blockRequests": flags[2], "message": "Full"})
    };
    let limit = json!({"patronGroupId": GROUP, "conditionId": Condition::ItemsChargedOut.id(), "value": 1});
    for (flags, loans, expected) in [
        ([true, false, false], 1, vec!["Full b"]),
        ([false, true, true], 1, vec![]),
        ([false, true, false], 2, vec!["Full n"]),
        ([false, false, false], 2, vec![]),
    ] {
        let limits = BlockLimits::read([condition(flags)].iter(), [limit.clone()].iter());
        let loans = (0..loans).map(|at| loan(&at.to_string(), -1)).collect();
        assert_eq!(blocks(&limits, loans, vec![]), expected);
        assert_eq!(limits.has_limits(), flags.contains(&true));
    }
}

#[test]
fn loans_that_are_only_counted_count_like_others() {
    let limits = limits(2.0, &Condition::ALL);
    let policies = Policies::default();
    let now = NOW.parse().unwrap();
    let told = |others: usize, others_lost: usize| -> Vec<String> {
        let standing = Standing {
            loans: vec![loan("1", -1)],
            other_loans: others,
            other_lost_loans: others_lost,
            ..Standing::default()
        };
        let blocks = automated_blocks(&limits, Some(GROUP), &standing, &policies, now);
        blocks.into_iter().map(|block| block.message).collect()
    };
    assert_eq!(told(0, 0).len(), 0);
    assert_eq!(told(2, 0).len(), 1);
    assert_eq!(told(2, 2).len(), 1);
    assert_eq!(told(4, 3).len(), 2);
}

#[test]
fn only_the_limits_of_the_patrons_own_group_count() {
    let limits = limits(0.0, &Condition::ALL);
    let standing =
        Standing { loans: vec![recalled("1", 5)], fees: vec![fee(None, 1)], ..Standing::default() };
    let policies = Policies::default();
    let now = NOW.parse().unwrap();
    for (group, count) in [(Some(GROUP), 5), (Some("STAFF"), 5), (Some("students"), 0), (None, 0)] {
        assert_eq!(automated_blocks(&limits, group, &standing, &policies, now).len(), count, "{group:?}");
    }
    assert!(!BlockLimits::default().has_limits());
}
