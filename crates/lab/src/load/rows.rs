//! The rows of a feeder, which virtual users take during a run.

use std::cell::RefCell;
use std::collections::VecDeque;

pub(crate) struct Rows {
    pub(crate) name: String,
    /// The rows that are left, the next one first.
    rows: RefCell<VecDeque<Vec<String>>>,
    initial_count: usize,
    once: bool,
}

impl Rows {
    pub(super) fn new(name: &str, rows: Vec<Vec<String>>, once: bool) -> Rows {
        Rows { name: name.to_owned(), initial_count: rows.len(), rows: RefCell::new(rows.into()), once }
    }

    /// The next row. None if each row is used once and none is left.
    pub(crate) fn next_row(&self) -> Option<Vec<String>> {
        let mut rows = self.rows.borrow_mut();
        let next = rows.pop_front()?;
        if !self.once {
            rows.push_back(next.clone());
        }
        Some(next)
    }

    /// Appends a row that another feeder gave away.
    pub(super) fn push_row(&self, row: Vec<String>) {
        self.rows.borrow_mut().push_back(row);
    }

    /// The number of rows before the run.
    pub(crate) fn len(&self) -> usize {
        self.initial_count
    }

    #[cfg(test)]
    pub(super) fn from_texts(rows: &[&str], once: bool) -> Rows {
        Rows::new("x", rows.iter().map(|row| vec![(*row).to_owned()]).collect(), once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::SeededRandom;
    use crate::workflow::{Action, Feeder, Transaction};

    #[test]
    fn rows_go_round_or_come_to_an_end() {
        let (ring, once) = (Rows::from_texts(&["a", "b"], false), Rows::from_texts(&["a", "b"], true));
        let three = |rows: &Rows| -> Vec<Option<String>> {
            (0..3).map(|_| rows.next_row().map(|row| row[0].clone())).collect()
        };
        assert_eq!(three(&ring), [Some("a".into()), Some("b".into()), Some("a".into())]);
        assert_eq!(three(&once), [Some("a".into()), Some("b".into()), None]);
    }

    #[test]
    fn a_row_that_another_feeder_gives_away_comes_last() {
        let once = Rows::from_texts(&["a"], true);
        once.push_row(vec!["b".to_owned()]);
        let taken: Vec<Option<String>> = (0..3).map(|_| once.next_row().map(|row| row[0].clone())).collect();
        assert_eq!(taken, [Some("a".into()), Some("b".into()), None]);
    }

    /// As many loops as 30 users made in the 45 minutes of report 004, for the 24 hours of `longevity`.
    #[test]
    fn a_day_of_thirty_users_runs_out_of_neither_items_nor_loans() {
        let workflows = crate::shelf::Shelf::new(None).workflows().unwrap();
        let desk = workflows.iter().find(|workflow| workflow.name == "check-in-check-out").unwrap();
        let rows = |feeder: &Feeder, count: usize| {
            Rows::new(&feeder.name, vec![vec![String::new()]; count], feeder.once)
        };
        // A library with as many open loans as circulation starts from in the reports, and 60,000 items on its shelves.
        let count = |feeder: &Feeder| if feeder.name == "on-loan" { 5_000 } else { 60_000 };
        let feeders: Vec<Rows> = desk.feeders.iter().map(|feeder| rows(feeder, count(feeder))).collect();
        let moved = |transaction: &Transaction| {
            transaction.steps.iter().find_map(|step| match step.action {
                Action::Move { to, .. } => Some(to),
                _ => None,
            })
        };
        let mut chance = SeededRandom::new(1);
        for _ in 0..(256.5 * 60.0 * 24.0) as u64 {
            let shares = desk.transactions.iter().map(|transaction| transaction.share);
            let transaction = &desk.transactions[chance.weighted_index(shares)];
            for feeder in &transaction.feeders {
                let row = feeders[*feeder].next_row();
                assert!(row.is_some(), "{} ran out", feeders[*feeder].name);
            }
            feeders[moved(transaction).expect("each moves its item")].push_row(vec![String::new()]);
        }
    }
}
