//! The desk lends to a patron with a history and to new ones, and renews.

use anyhow::Result;
use octavo_lab::statistics::Latencies;

use super::past::Past;
use crate::bench::call::{Call, RENEW};
use crate::bench::desk::{Desk, WARM_UP};
use crate::bench::stock;

/// Checks an item out to a new patron and one to the patron with a history, in turns.
pub(super) async fn patrons(desk: &Desk, past: Past, calls: u32) -> Result<[Latencies; 2]> {
    let mut staff = desk.staff();
    let (mut new, mut old) = (Latencies::default(), Latencies::default());
    for number in 0..calls {
        let one = desk.lend(&mut staff, past.new_patrons() + number).await?;
        let other = desk.lend(&mut staff, 0).await?;
        if number >= WARM_UP {
            new.push(one);
            old.push(other);
        }
    }
    Ok([new, old])
}

/// Renews the items that new patrons have just borrowed.
pub(super) async fn renewals(desk: &Desk, past: Past, calls: u32) -> Result<Latencies> {
    let mut staff = desk.staff();
    let mut latencies = Latencies::default();
    for number in 0..calls {
        let item = stock::item((past.lendable() + 2 * number).into());
        let body = stock::renewing(&item, &stock::patron((past.new_patrons() + number).into()));
        let renewed = Call::post(RENEW, body).by(&mut staff, 200).await?;
        if number >= WARM_UP {
            latencies.push(renewed.time.as_micros());
        }
    }
    Ok(latencies)
}
