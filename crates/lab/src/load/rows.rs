//! The rows of a feeder, handed out during a run.

use std::cell::RefCell;
use std::collections::VecDeque;

pub(crate) struct Rows {
    pub(crate) name: String,
    /// The next one first.
    rows: RefCell<VecDeque<Vec<String>>>,
    found: usize,
    once: bool,
}

impl Rows {
    pub(super) fn new(name: &str, rows: Vec<Vec<String>>, once: bool) -> Rows {
        Rows { name: name.to_owned(), found: rows.len(), rows: RefCell::new(rows.into()), once }
    }

    /// None when they were for once and all are used.
    pub(crate) fn take(&self) -> Option<Vec<String>> {
        let mut rows = self.rows.borrow_mut();
        let next = rows.pop_front()?;
        if !self.once {
            rows.push_back(next.clone());
        }
        Some(next)
    }

    /// A row that another feeder has given away, after all that are here.
    pub(super) fn add(&self, row: Vec<String>) {
        self.rows.borrow_mut().push_back(row);
    }

    /// How many there were before the run.
    pub(crate) fn len(&self) -> usize {
        self.found
    }

    #[cfg(test)]
    pub(super) fn from_texts(rows: &[&str], once: bool) -> Rows {
        Rows::new("x", rows.iter().map(|row| vec![(*row).to_owned()]).collect(), once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::workflow::{Act, Feeder, Transaction};

    #[test]
    fn rows_go_round_or_come_to_an_end() {
        let (ring, once) = (Rows::from_texts(&["a", "b"], false), Rows::from_texts(&["a", "b"], true));
        let three = |rows: &Rows| -> Vec<Option<String>> {
            (0..3).map(|_| rows.take().map(|row| row[0].clone())).collect()
        };
        assert_eq!(three(&ring), [Some("a".into()), Some("b".into()), Some("a".into())]);
        assert_eq!(three(&once), [Some("a".into()), Some("b".into()), None]);
    }

    #[test]
    fn a_row_that_another_feeder_gives_away_comes_last() {
        let once = Rows::from_texts(&["a"], true);
        once.add(vec!["b".to_owned()]);
        let taken: Vec<Option<String>> = (0..3).map(|_| once.take().map(|row| row[0].clone())).collect();
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
            transaction.steps.iter().find_map(|step| match step.act {
                Act::Move { to, .. } => Some(to),
                _ => None,
            })
        };
        let mut chance = Chance::new(1);
        for _ in 0..(256.5 * 60.0 * 24.0) as u64 {
            let shares = desk.transactions.iter().map(|transaction| transaction.share);
            let transaction = &desk.transactions[chance.drawn(shares)];
            for feeder in &transaction.feeders {
                let row = feeders[*feeder].take();
                assert!(row.is_some(), "{} ran out", feeders[*feeder].name);
            }
            feeders[moved(transaction).expect("each moves its item")].add(vec![String::new()]);
        }
    }
}
