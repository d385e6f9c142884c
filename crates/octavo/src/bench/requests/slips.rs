//! The slips of a morning, at the desk of the items' location.

use anyhow::{Result, ensure};
use octavo_lab::statistics::Latencies;

use crate::bench::call::Call;
use crate::bench::desk::Desk;
use crate::bench::stock::SERVICE_POINT;

const REPETITIONS: u32 = 20;
const WARM_UP_REPETITIONS: u32 = 3;

pub(super) async fn measure(desk: &Desk, slips: u32) -> Result<Latencies> {
    let mut staff = desk.another_member_of_staff();
    let call = Call::get(format!("/circulation/pick-slips/{SERVICE_POINT}"));
    let mut times = Latencies::default();
    for turn in 0..REPETITIONS {
        let asked = call.send(&mut staff, 200).await?;
        if turn >= WARM_UP_REPETITIONS {
            times.push(asked.time.as_micros());
        }
        if turn == 0 {
            let total = asked.answer.json()?["totalRecords"].as_u64();
            ensure!(total == Some(slips.into()), "{total:?} slips, not {slips}");
        }
    }
    Ok(times)
}
