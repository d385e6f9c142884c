//! The same call with a token and without: the difference is the check of the token and of the user's permissions.

use std::time::Duration;

use anyhow::{Context, Result};
use octavo_lab::load::Session;
use octavo_lab::process::Stat;
use octavo_lab::statistics::Spread;
use octavo_lab::table::Page;

use super::{Size, change_modules};
use crate::bench::call::Call;
use crate::bench::library::TENANT;
use crate::bench::load::{Load, Work};
use crate::bench::server::Server;

/// The server refuses this request before it asks the database, because `1` is not a valid item id.
const REFUSED_PATH: &str = "/item-storage/items/1";
const STATUS: u16 = 404;
const CLIENTS: u32 = 8;

pub(super) async fn measure(
    size: Size,
    server: &Server,
    operator: &mut Session,
    staff: &Session,
    page: &mut Page,
) -> Result<()> {
    change_modules(operator, TENANT, "disable", &["mod-authtoken"]).await?;
    let nobody = Session::new(&server.address, TENANT, None);
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..=size.rounds {
        for (costs, user) in costs.iter_mut().zip([&nobody, staff]) {
            costs.push(measure_processor_time(user, server, size.turn_time).await?);
        }
    }
    // The first round makes memory warm.
    let [without, with] = costs.map(|costs| costs[1..].to_vec());
    let check = Spread::from_rounds(with.iter().zip(&without).map(|(with, without)| with - without));
    page.add_text(format!(
        "A refused call takes {} µs of the server's processor time with a token and {} µs without: reading and checking the token and \
         the permissions takes {} µs.",
        Spread::from_rounds(with).with_range(1),
        Spread::from_rounds(without).with_range(1),
        check.with_range(1),
    ));
    Ok(())
}

/// Measures the server's processor time for one call, in microseconds.
async fn measure_processor_time(user: &Session, server: &Server, turn: Duration) -> Result<f64> {
    let spent =
        || Stat::read(server.pid).map(|stat| stat.own_cpu_seconds).context("the server under test ended");
    let work = Work::new(STATUS, |_| Some(Call::get(REFUSED_PATH)));
    let before = spent()?;
    let load = Load::begin(user, CLIENTS, Duration::ZERO, &work).await?;
    let calls = load.end_after(turn).await?.expect_no_failure()?.count();
    Ok((spent()? - before) * 1e6 / calls.max(1) as f64)
}
