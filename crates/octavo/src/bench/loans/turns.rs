//! The desk lends to a patron with a history and to new ones, and renews.

use anyhow::Result;
use octavo_lab::statistics::Latencies;

use super::past::PastLoans;
use crate::bench::call::{Call, RENEW};
use crate::bench::desk::{Desk, WARM_UP};
use crate::bench::stock;

/// Checks an item out to a new patron and one to the patron with a history, in turns.
pub(super) async fn measure_check_outs(desk: &Desk, past: PastLoans, calls: u32) -> Result<[Latencies; 2]> {
    let mut staff = desk.another_member_of_staff();
    let (mut new, mut old) = (Latencies::default(), Latencies::default());
    for number in 0..calls {
        let one = desk.check_out_to(&mut staff, past.first_new_patron() + number).await?;
        let other = desk.check_out_to(&mut staff, 0).await?;
        if number >= WARM_UP {
            new.push(one);
            old.push(other);
        }
    }
    Ok([new, old])
}

/// Renews the items that new patrons have just borrowed.
pub(super) async fn measure_renewals(desk: &Desk, past: PastLoans, calls: u32) -> Result<Latencies> {
    let mut staff = desk.another_member_of_staff();
    let mut latencies = Latencies::default();
    for number in 0..calls {
        let item = stock::item_barcode((past.first_lendable_item() + 2 * number).into());
        let body =
            stock::renew_body(&item, &stock::patron_barcode((past.first_new_patron() + number).into()));
        let renewed = Call::post(RENEW, body).send(&mut staff, 200).await?;
        if number >= WARM_UP {
            latencies.push(renewed.time.as_micros());
        }
    }
    Ok(latencies)
}
