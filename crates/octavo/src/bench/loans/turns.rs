//! The desk lends to a patron with a history and to new ones, and renews.

use anyhow::Result;

use super::past::Past;
use crate::bench::desk::{Desk, WARM_UP};
use crate::bench::figures::Latencies;
use crate::bench::stock;
use crate::bench::trips::RENEW;

/// To a new patron each, and to the one with a history, in turns.
pub(super) async fn patrons(desk: &Desk, past: Past, calls: u32) -> Result<[Latencies; 2]> {
    let mut connection = desk.open().await?;
    let (mut new, mut old) = (Latencies::default(), Latencies::default());
    for number in 0..calls {
        let one = desk.lend(&mut connection, past.new_patrons() + number).await?;
        let other = desk.lend(&mut connection, 0).await?;
        if number >= WARM_UP {
            new.push(one);
            old.push(other);
        }
    }
    Ok([new, old])
}

/// Of what new patrons have just borrowed.
pub(super) async fn renewals(desk: &Desk, past: Past, calls: u32) -> Result<Latencies> {
    let mut connection = desk.open().await?;
    let mut latencies = Latencies::default();
    for number in 0..calls {
        let item = past.lendable() + 2 * number;
        let body = stock::renewing(item.into(), (past.new_patrons() + number).into());
        let (elapsed, _) = desk.timed(&mut connection, ("POST", RENEW, &body), 200).await?;
        if number >= WARM_UP {
            latencies.push(elapsed);
        }
    }
    Ok(latencies)
}
