//! The same call with a token and without: the difference is the check of the token and of the user's permissions.

use std::time::Duration;

use anyhow::{Context, Result};
use octavo_lab::load::Session;
use octavo_lab::process::Stat;
use octavo_lab::statistics::Spread;
use octavo_lab::table::Page;

use super::{Size, install};
use crate::bench::call::Call;
use crate::bench::library::TENANT;
use crate::bench::load::{Load, Work};
use crate::bench::server::Server;

/// Refused before the database is asked, because an item's id has another form.
const REFUSED: &str = "/item-storage/items/1";
const STATUS: u16 = 400;
const CLIENTS: u32 = 8;

pub(super) async fn measure(
    size: Size,
    server: &Server,
    operator: &mut Session,
    staff: &Session,
    page: &mut Page,
) -> Result<()> {
    install(operator, TENANT, "disable", &["mod-authtoken"]).await?;
    let nobody = Session::new(&server.address, TENANT, None);
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..=size.rounds {
        for (costs, user) in costs.iter_mut().zip([&nobody, staff]) {
            costs.push(cost(user, server, size.turn).await?);
        }
    }
    // The first round makes memory warm.
    let [without, with] = costs.map(|costs| costs[1..].to_vec());
    let check = Spread::over(with.iter().zip(&without).map(|(with, without)| with - without));
    page.text(format!(
        "A refused call takes {} µs of the server's processor time with a token and {} µs without: reading and checking the token and \
         the permissions takes {} µs.",
        Spread::over(with).with_range(1),
        Spread::over(without).with_range(1),
        check.with_range(1),
    ));
    Ok(())
}

/// Processor time of the server for one call, in microseconds.
async fn cost(user: &Session, server: &Server, turn: Duration) -> Result<f64> {
    let spent = || Stat::read(server.pid).map(|stat| stat.own).context("the server under test ended");
    let work = Work::new(STATUS, |_| Some(Call::get(REFUSED)));
    let before = spent()?;
    let load = Load::begin(user, CLIENTS, Duration::ZERO, &work).await?;
    let calls = load.end_after(turn).await?.expected()?.count();
    Ok((spent()? - before) * 1e6 / calls.max(1) as f64)
}
