//! Check-outs while the index of titles is made anew, beside check-outs before.

use std::time::Duration;

use anyhow::{Result, ensure};
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::statistics::{Latencies, Percentiles};
use octavo_lab::table::format_number;
use tokio::time::sleep;

use super::indexing::{is_title_index_building, rebuild_title_index};
use super::{Run, compare_with_goal};
use crate::bench::calls::asked::{MOST_REQUESTS, MeasuredCall, check_out};
use crate::bench::calls::keys::Keys;
use crate::bench::print_progress;

/// The first check-outs of each side let the server prepare its statements.
const WARM_UP_CHECK_OUTS: usize = 20;
/// The pause before each.
const PAUSE: Duration = Duration::from_millis(20);
/// The time of 95 in 100 check-outs may become at most so many times as long.
const MOST_SLOWDOWN: f64 = 1.5;

/// The same check-outs on each side, and once before them, so that what they read from the disk is in memory on both sides. Everything that
/// is checked out is checked in again.
pub(super) async fn measure(run: &Run<'_>, keys: &Keys, calls: usize) -> Result<String> {
    let asked = check_out(keys);
    let mut staff = run.session();
    print_progress("check-outs that are not counted");
    turn(&mut staff, &asked, calls).await?;
    print_progress("check-outs with nothing else to do");
    let before = turn(&mut staff, &asked, calls).await?;
    print_progress("check-outs while the index is made anew");
    rebuild_title_index(run).await?;
    let beside_index = turn(&mut staff, &asked, calls).await?;
    let until = if is_title_index_building(run).await? { "" } else { ", which was done before they were" };
    let ratio = beside_index.p95 / before.p95;
    Ok(format!(
        "A check-out took {} ms (p50; p95 {}), and {} ms (p95 {}) while the index of titles was made anew{until}: p95 {}.",
        format_number(before.p50, 2),
        format_number(before.p95, 2),
        format_number(beside_index.p50, 2),
        format_number(beside_index.p95, 2),
        compare_with_goal(ratio, MOST_SLOWDOWN, 2, "times"),
    ))
}

async fn turn(staff: &mut Session, asked: &MeasuredCall, calls: usize) -> Result<Percentiles> {
    let mut numbers = 0..MOST_REQUESTS;
    let (mut latencies, mut made) = (Latencies::default(), Vec::new());
    while made.len() < WARM_UP_CHECK_OUTS + calls {
        let Some((number, call)) = numbers.next().and_then(|number| Some((number, (asked.call)(number)?)))
        else {
            break;
        };
        sleep(PAUSE).await;
        staff.connect().await?;
        let sent = clock::now();
        let answer = staff.send(call.method, &call.path, "", Some(&call.body)).await?;
        let time = sent.elapsed();
        // An item that is not loanable by the rules does not count.
        if answer.status == 422 {
            continue;
        }
        ensure!(answer.status == asked.status, "{} {}: {}", call.method, call.path, answer.summary());
        made.push(number);
        if made.len() > WARM_UP_CHECK_OUTS {
            latencies.push(time.as_micros());
        }
    }
    ensure!(latencies.count() > 0, "nothing could be checked out");
    for undo in made.iter().filter_map(|number| asked.undo.as_ref()?(*number)) {
        undo.send(staff, 200).await?;
    }
    Ok(latencies.percentiles())
}
