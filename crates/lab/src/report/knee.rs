//! Shows the search for the knee (the number of users beyond which throughput stops growing): steps, sentences and a chart.

use std::fmt::Write;

use crate::result::Results;
use crate::statistics::{KneeEnd, LoadStep};
use crate::table::{Table, group_thousands};

use super::chart::{
    BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, open_svg, round_axis_up, value_to_y, write_label_below,
};
use super::table::format_millis;

pub(super) fn sentences(results: &Results) -> Vec<String> {
    let Some(knee) = results.knee() else {
        let most = results.runs.iter().map(|run| run.users).max().unwrap_or(0);
        return vec![format!("No knee up to {most} users: each of them still adds to what the server does.")];
    };
    let why = match knee.end {
        KneeEnd::Full => "beyond, they wait for each other",
        KneeEnd::Slow => "beyond, they wait many times as long for little more",
        KneeEnd::Failing => "beyond, calls fail",
    };
    let mut told = vec![format!(
        "The knee is at about {}: up to there each adds {} transactions a second; {why}. The most was {} a second.",
        users_text(knee.users),
        rate_text(knee.per_second_per_user),
        rate_text(knee.most_per_second)
    )];
    if results.runs.last().is_some_and(|run| !run.generator.spoilt.is_empty()) {
        told.push(
            "The generator itself was spoilt at the end: the knee may be its own, not the server's."
                .to_owned(),
        );
    }
    told
}

pub(super) fn table(results: &Results) -> Table {
    Table::from_items(
        "The knee",
        results.load_steps(),
        &[
            ("users", &|step| format!("{:.0}", step.users)),
            ("transactions a second", &|step| rate_text(step.per_second)),
            ("of each user", &|step| rate_text(step.per_second / step.users)),
            ("a transaction, ms", &|step| format_millis(step.time)),
            ("errors", &|step| format!("{:.2} %", step.errors * 100.0)),
        ],
    )
}

/// Throughput over users, both logarithmic, with the two lines that meet at the knee.
pub(super) fn chart(results: &Results) -> String {
    let steps: Vec<LoadStep> =
        results.load_steps().into_iter().filter(|step| step.per_second > 0.0).collect();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return String::new() };
    if steps.len() < 2 {
        return String::new();
    }
    let top = round_axis_up(steps.iter().map(|step| step.per_second).fold(0.0, f64::max) * 1.1);
    let wide = (last.users / first.users).log2();
    let x = |users: f64| LEFT + (users / first.users).log2() / wide * (WIDTH - LEFT - RIGHT - 20.0);
    let y = |value: f64| value_to_y(value, top);
    let mut svg = open_svg("Transactions a second by users", top, 4, rate_text);
    if let Some(knee) = results.knee() {
        let (at, level) = (x(knee.users.clamp(first.users, last.users)), y(knee.most_per_second));
        let _ = write!(
            svg,
            "<line class='whisker' x1='{at:.1}' x2='{at:.1}' y1='{TOP}' y2='{:.1}'/>",
            HEIGHT - BOTTOM
        );
        let _ = write!(
            svg,
            "<line class='whisker' x1='{LEFT}' x2='{:.1}' y1='{level:.1}' y2='{level:.1}'/>",
            WIDTH - RIGHT
        );
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{}'>knee: {}</text>",
            at + 6.0,
            TOP + 10.0,
            users_text(knee.users)
        );
    }
    for (number, step) in steps.iter().enumerate() {
        let verb = if number == 0 { "<path class='line c0' d='M" } else { "L" };
        let _ = write!(svg, "{verb}{:.1} {:.1}", x(step.users), y(step.per_second));
    }
    svg.push_str("'/>");
    for step in &steps {
        let (at, level) = (x(step.users), y(step.per_second));
        let _ = write!(svg, "<circle class='dot' cx='{at:.1}' cy='{level:.1}' r='3'/>");
        write_label_below(&mut svg, at, "middle", &format!("{:.0}", step.users));
    }
    svg + "</svg>"
}

fn users_text(users: f64) -> String {
    let users = users.round().max(1.0);
    format!("{users:.0} {}", if users > 1.5 { "users" } else { "user" })
}

fn rate_text(value: f64) -> String {
    if value >= 100.0 { group_thousands(value.round() as u64) } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Run, Summary};

    fn results(workers: f64, most: u32) -> Results {
        let runs = (0..).map(|power| 1u32 << power).take_while(|users| *users <= most).map(|users| {
            let per_second = f64::from(users).min(workers) * 100.0;
            let one = Summary {
                name: "T".to_owned(),
                count: 100,
                per_second,
                average: f64::from(users) / per_second * 1000.0,
                ..Summary::default()
            };
            Run { users, transactions: vec![one.clone()], calls: vec![one], ..Run::default() }
        });
        Results { runs: runs.collect(), stepped: true, ..Results::default() }
    }

    #[test]
    fn the_knee_is_named_and_drawn() {
        let results = results(6.0, 16);
        let told = sentences(&results);
        assert!(
            told[0].starts_with("The knee is at about 6 users: up to there each adds 100 transactions"),
            "{told:?}"
        );
        assert!(chart(&results).contains("knee: 6 users"));
        assert_eq!([0.4, 1.4, 6.2].map(users_text), ["1 user", "1 user", "6 users"]);
        assert_eq!(table(&results).rows[4], ["16", "600", "37.5", "26.7", "0.00 %"]);
    }

    #[test]
    fn a_server_that_was_not_filled_has_no_knee() {
        assert!(sentences(&results(100.0, 8))[0].starts_with("No knee up to 8 users"));
        assert!(!chart(&results(100.0, 8)).contains("knee"));
    }
}
