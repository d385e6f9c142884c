//! How many of everything there are: holdings per instance as in the library of the performance reports (7,183,552
//! instances), the rest in proportion.

use super::chance::{Chance, Purpose};

/// How many instances of the reports' library have more than so many holdings records.
const INSTANCES_WITH_MORE_HOLDINGS: [(u64, f64); 14] = [
    (0, 7_183_552.0),
    (1, 407_467.0),
    (2, 69_890.0),
    (3, 22_241.0),
    (4, 10_201.0),
    (5, 5_635.0),
    (10, 1_060.0),
    (15, 516.0),
    (20, 331.0),
    (25, 240.0),
    (40, 115.0),
    (100, 23.0),
    (300, 7.0),
    // The reports say nothing of the few with more.
    (400, 0.0),
];

#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) seed: u64,
    pub(super) instances: u64,
    /// Open loans, of as many instances.
    pub(super) loans: u64,
    /// A step that is prime to the number of instances. It spreads the ranks over the instances.
    stride: u64,
}

/// Holdings of an instance, and items of all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) instances: u64,
    pub(super) holdings: u64,
    pub(super) items: u64,
}

impl Shape {
    pub(super) fn new(seed: u64, instances: u64, loans: Option<u64>) -> Shape {
        let mut chance = Chance::new(seed, Purpose::Order, 0);
        let mut stride = chance.below(instances).max(1);
        while common_divisor(stride, instances) != 1 {
            stride += 1;
        }
        // There is one loan for ten instances, if the command line does not say otherwise.
        let loans = loans.unwrap_or((instances / 10).min(5_000)).clamp(1, instances);
        Shape { seed, instances, loans, stride }
    }

    pub(super) fn holdings(&self, instance: u64) -> u64 {
        // Every rank once: the shares are kept to the last instance, for any number of instances.
        let rank = u128::from(instance) * u128::from(self.stride) % u128::from(self.instances);
        self.holdings_by_rank(rank as u64)
    }

    fn holdings_by_rank(&self, rank: u64) -> u64 {
        let place = (rank as f64 + 0.5) / self.instances as f64 * INSTANCES_WITH_MORE_HOLDINGS[0].1;
        let above = INSTANCES_WITH_MORE_HOLDINGS.iter().rposition(|(_, count)| place < *count).unwrap_or(0);
        let (least, many) = INSTANCES_WITH_MORE_HOLDINGS[above];
        let (most, few) = INSTANCES_WITH_MORE_HOLDINGS.get(above + 1).copied().unwrap_or((least + 1, 0.0));
        // Between two figures of the reports the number of instances falls evenly by its logarithm.
        let share = (many / place).ln() / (many / few.max(0.5)).ln();
        least + 1 + ((share * (most - least) as f64) as u64).min(most - least - 1)
    }

    /// The number of items of a holdings record: one or two.
    pub(super) fn items(&self, instance: u64, holdings: u64) -> u64 {
        1 + u64::from(Chance::new(self.seed, Purpose::Copies, (instance << 9) | holdings).percent(35))
    }

    pub(super) fn totals(&self, instances: std::ops::Range<u64>) -> Totals {
        let mut totals = Totals::default();
        for instance in instances {
            let holdings = self.holdings(instance);
            totals.instances += 1;
            totals.holdings += holdings;
            totals.items += (0..holdings).map(|at| self.items(instance, at)).sum::<u64>();
        }
        totals
    }

    /// The number of patrons: one for fifty instances.
    pub(super) fn patrons(&self) -> u64 {
        (self.instances / 50).clamp(10, 100_000)
    }

    /// Requests wait for items that are lent.
    pub(super) fn requests(&self) -> u64 {
        self.loans * 3 / 5
    }

    /// The loan of an instance's first item, if it is lent.
    pub(super) fn loan_of(&self, instance: u64) -> Option<u64> {
        let every = self.instances / self.loans;
        (instance.is_multiple_of(every) && instance / every < self.loans).then_some(instance / every)
    }

    pub(super) fn lent_instance(&self, loan: u64) -> u64 {
        loan * (self.instances / self.loans)
    }
}

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holdings_are_distributed_as_in_the_reports() {
        let shape = Shape::new(1, 7_183_552, None);
        assert_eq!(common_divisor(shape.stride, shape.instances), 1, "every rank is taken once");
        for (bound, count) in INSTANCES_WITH_MORE_HOLDINGS.into_iter().filter(|(_, count)| *count > 0.0) {
            let last = count as u64 - 1;
            assert!(shape.holdings_by_rank(last) > bound, "{count} instances have more than {bound}");
            assert!(
                last + 1 == shape.instances || shape.holdings_by_rank(last + 1) <= bound,
                "and no others"
            );
        }
        assert!((0..10_000).all(|rank| shape.holdings_by_rank(rank) >= shape.holdings_by_rank(rank + 1)));
    }

    #[test]
    fn small_libraries_have_the_same_shares() {
        for (instances, loans) in
            [(1, None), (2, None), (50, None), (9_999, None), (50, Some(50)), (100, Some(33))]
        {
            let shape = Shape::new(7, instances, loans);
            let several = (0..instances).filter(|at| shape.holdings(*at) > 1).count() as f64;
            let expected = instances as f64 * 407_467.0 / 7_183_552.0;
            assert!((several - expected).abs() <= 1.0, "{instances}: {several}");
            let lent: Vec<u64> = (0..instances).filter_map(|at| shape.loan_of(at)).collect();
            assert_eq!(lent, (0..shape.loans).collect::<Vec<u64>>());
            assert!(lent.iter().all(|loan| shape.loan_of(shape.lent_instance(*loan)) == Some(*loan)));
        }
    }
}
