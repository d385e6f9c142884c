//! Writes the report's section on where the time of one transaction goes: its calls in order, each divided into network, server and
//! database.

use std::fmt::Write;

use crate::load::{CallTrace, ServerTrace, TransactionTrace};
use crate::table::{Table, group_thousands};

use super::chart::{WIDTH, escape_html, write_row_name};
use super::table::format_millis;

const ROW_HEIGHT: f64 = 22.0;
const NAMES_WIDTH: f64 = 330.0;

/// Milliseconds of a call on the network, in the server itself, and in the database. If the server reports nothing, all of the time counts
/// as network.
fn time_parts(link: &CallTrace) -> [f64; 3] {
    match link.told {
        None => [link.millis, 0.0, 0.0],
        Some(told) => {
            let server = told.server_millis.min(link.millis);
            let database = told.database_millis.min(server);
            [link.millis - server, server - database, database]
        }
    }
}

pub(super) fn table(traced: &TransactionTrace) -> Table {
    let percent = |part: f64| format!("{:.1} %", 100.0 * part / traced.millis().max(1e-9));
    let told = |link: &CallTrace, value: &dyn Fn(&ServerTrace) -> String| {
        link.told.as_ref().map_or(String::new(), value)
    };
    let part = |link: &CallTrace, at: usize| told(link, &|_| percent(time_parts(link)[at]));
    let TransactionTrace { transaction, loops, .. } = traced;
    let millis_in_all = format_millis(traced.millis());
    let title =
        format!("Where the time of one \"{transaction}\" goes: one user, {loops} loops, {millis_in_all} ms");
    Table::from_items(
        title,
        &traced.calls,
        &[
            ("", &|link| link.name.clone()),
            ("times", &|link| number_text(link.times)),
            ("ms", &|link| format_millis(link.millis)),
            ("share", &|link| percent(link.millis)),
            ("on the way", &|link| part(link, 0)),
            ("server", &|link| part(link, 1)),
            ("database", &|link| part(link, 2)),
            ("round trips", &|link| told(link, &|told| number_text(told.round_trips))),
            ("statements", &|link| told(link, &|told| number_text(told.statements))),
            ("rows", &|link| told(link, &|told| number_text(told.rows))),
        ],
    )
}

fn number_text(value: f64) -> String {
    if value >= 1000.0 {
        return group_thousands(value.round() as u64);
    }
    if (value - value.round()).abs() < 0.05 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// The calls as bars, each where the one before it ends.
pub(super) fn chart(traced: &TransactionTrace) -> String {
    let whole = traced.millis();
    if whole <= 0.0 {
        return String::new();
    }
    let height = traced.calls.len() as f64 * ROW_HEIGHT + 8.0;
    let title = escape_html(&traced.transaction);
    let mut svg = format!(
        "<svg viewBox='0 0 {WIDTH} {height}' role='img' aria-label='Where the time of {title} goes'>"
    );
    let scale = (WIDTH - NAMES_WIDTH - 14.0) / whole;
    let mut from = 0.0;
    for (number, link) in traced.calls.iter().enumerate() {
        let middle = 14.0 + number as f64 * ROW_HEIGHT;
        write_row_name(&mut svg, &link.name, NAMES_WIDTH - 12.0, middle + 4.0);
        let mut at = from;
        for (part, class) in time_parts(link).into_iter().zip(["p0", "p1", "p2"]) {
            let wide = (part * scale).max(if part > 0.0 { 0.5 } else { 0.0 });
            let _ = write!(
                svg,
                "<rect class='{class}' x='{:.1}' y='{}' width='{wide:.1}' height='13'><title>{}: {} ms</title></rect>",
                NAMES_WIDTH + at * scale,
                middle - 6.5,
                escape_html(&link.name),
                format_millis(part)
            );
            at += part;
        }
        from += link.millis;
    }
    svg + "</svg><p class='legend'><span class='key'><i class='k0'></i>on the way (HTTP, network)</span><span class='key'><i class='k3'></i>server</span>\
           <span class='key'><i class='k1'></i>database</span></p>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_way_server_and_database_add_up() {
        let told = ServerTrace {
            server_millis: 3.0,
            database_millis: 2.0,
            round_trips: 2.0,
            statements: 9.0,
            ..ServerTrace::default()
        };
        let renew = CallTrace { name: "POST /renew".to_owned(), times: 1.0, millis: 4.0, told: Some(told) };
        let other = CallTrace { name: "GET /other".to_owned(), times: 3.0, millis: 12.0, told: None };
        let traced = TransactionTrace {
            transaction: "Renew".to_owned(),
            loops: 5,
            failed: 0,
            calls: vec![renew, other],
        };
        let rows = table(&traced).rows;
        assert_eq!(rows[0][1..], ["1", "4.00", "25.0 %", "6.2 %", "6.2 %", "12.5 %", "2", "9", "0"]);
        assert_eq!(rows[1][1..], ["3", "12.0", "75.0 %", "", "", "", "", "", ""]);
        assert_eq!(chart(&traced).matches("<rect").count(), 6);
    }
}
