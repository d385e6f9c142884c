//! The slips of a morning, at the desk of the items' location.

use anyhow::{Result, ensure};

use crate::bench::desk::Desk;
use crate::bench::figures::Latencies;
use crate::bench::stock::SERVICE_POINT;

const TIMES: u32 = 20;
const UNCOUNTED: u32 = 3;

pub(super) async fn measure(desk: &Desk, slips: u32) -> Result<Latencies> {
    let mut connection = desk.open().await?;
    let path = format!("/circulation/pick-slips/{SERVICE_POINT}");
    let mut times = Latencies::default();
    for turn in 0..TIMES {
        let (elapsed, answer) = desk.timed(&mut connection, ("GET", &path, ""), 200).await?;
        if turn >= UNCOUNTED {
            times.push(elapsed);
        }
        if turn == 0 {
            let total = answer.json()?["totalRecords"].as_u64();
            ensure!(total == Some(slips.into()), "{total:?} slips, not {slips}");
        }
    }
    Ok(times)
}
