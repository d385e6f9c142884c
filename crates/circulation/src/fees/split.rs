//! Spreads an amount over several accounts as evenly as their remaining amounts allow.
//!
//! FOLIO answers 500 if single cents remain for which not every account has room; here the others take them.

use crate::Money;

/// The shares of `amount`, in the order of `rooms`. The smallest rooms are filled first, the rest is spread over the others, and single
/// cents go to one after the other. The whole amount is spread if there is room for it.
pub(super) fn split(amount: Money, rooms: &[Money]) -> Vec<Money> {
    let mut order: Vec<usize> = (0..rooms.len()).collect();
    order.sort_by_key(|at| rooms[*at]);
    let mut shares = vec![Money::ZERO; rooms.len()];
    let mut rest = amount;
    for (served, at) in order.iter().enumerate() {
        let takers = (rooms.len() - served) as i64;
        let even = Money::from_cents(rest.as_cents() / takers);
        shares[*at] = even.min(rooms[*at]).max(Money::ZERO);
        rest = rest - shares[*at];
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shares(amount: i64, rooms: &[i64]) -> Vec<i64> {
        let rooms: Vec<Money> = rooms.iter().copied().map(Money::from_cents).collect();
        split(Money::from_cents(amount), &rooms).into_iter().map(Money::as_cents).collect()
    }

    #[test]
    fn an_amount_is_spread_evenly_over_those_who_can_take_it() {
        for (amount, rooms, expected) in [
            (900, vec![1000, 1000, 1000], vec![300, 300, 300]),
            (3000, vec![1000, 1000, 1000], vec![1000, 1000, 1000]),
            // what the first cannot take goes to the others
            (900, vec![100, 1000, 1000], vec![100, 400, 400]),
            (900, vec![1000, 100, 1000], vec![400, 100, 400]),
            (700, vec![50, 150, 1000], vec![50, 150, 500]),
            // single cents
            (1000, vec![1000, 1000, 1000], vec![333, 333, 334]),
            (1, vec![1000, 1000], vec![0, 1]),
            (23, vec![5, 5, 5, 100], vec![5, 5, 5, 8]),
            (10, vec![0, 10], vec![0, 10]),
            (0, vec![10, 10], vec![0, 0]),
            (10, vec![], vec![]),
        ] {
            assert_eq!(shares(amount, &rooms), expected, "{amount} over {rooms:?}");
        }
    }

    proptest! {
        #[test]
        fn no_cent_is_lost_and_nobody_gets_more_than_they_can_take(
            rooms in prop::collection::vec(0..5000_i64, 1..12),
            percent in 0..=100_i64,
        ) {
            let amount = rooms.iter().sum::<i64>() * percent / 100;
            let shares = shares(amount, &rooms);
            prop_assert_eq!(shares.iter().sum::<i64>(), amount);
            prop_assert!(shares.iter().zip(&rooms).all(|(share, room)| (0..=*room).contains(share)));
        }

        #[test]
        fn those_who_are_not_filled_differ_by_a_cent_at_most(
            rooms in prop::collection::vec(0..5000_i64, 1..12),
            amount in 0..5000_i64,
        ) {
            let amount = amount.min(rooms.iter().sum());
            let shares = shares(amount, &rooms);
            let unfilled = || shares.iter().zip(&rooms).filter(|(share, room)| share < room).map(|(share, _)| *share);
            let (least, most) = (unfilled().min().unwrap_or(0), unfilled().max().unwrap_or(0));
            prop_assert!(most - least <= 1, "{shares:?} of {rooms:?}");
        }
    }
}
