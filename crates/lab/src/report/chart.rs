//! Charts as SVG, drawn with the colours of the page they stand in (`style.css`), so that they follow its light and dark.

use std::fmt::Write;

use crate::table::group_thousands;

use super::table::{format_duration, format_millis};

pub(super) const WIDTH: f64 = 860.0;
pub(super) const HEIGHT: f64 = 240.0;
pub(super) const LEFT: f64 = 58.0;
pub(super) const RIGHT: f64 = 14.0;
pub(super) const TOP: f64 = 14.0;
pub(super) const BOTTOM: f64 = 30.0;

/// One line of a chart over time: its name and its values, in milliseconds, at even steps.
pub(super) struct ChartLine {
    pub(super) name: String,
    pub(super) values: Vec<Option<f64>>,
}

/// Values over time; all lines have the same steps.
pub(super) fn time_chart(lines: &[ChartLine], step: f64) -> String {
    let points = lines.iter().map(|line| line.values.len()).max().unwrap_or(0);
    let most = lines
        .iter()
        .flat_map(|line| line.values.iter().flatten())
        .fold(0.0f64, |most, value| most.max(*value));
    if points < 2 || most <= 0.0 {
        return String::new();
    }
    let top = round_axis_up(most);
    let x = |at: f64| LEFT + at / (points - 1) as f64 * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| value_to_y(value, top);
    let mut svg = open_svg(&format!("Time line: {}", line_names(lines)), top, 4, format_millis);
    let whole = (points - 1) as f64 * step;
    for seconds in time_ticks(whole) {
        let anchor = match seconds / whole {
            0.0 => "start",
            share if share > 0.96 => "end",
            _ => "middle",
        };
        write_label_below(&mut svg, x(seconds / step), anchor, &format_duration(seconds));
    }
    for (number, line) in lines.iter().enumerate() {
        let _ = write!(svg, "<path class='line c{}' d='", number % 6);
        let mut drawing = false;
        for (at, value) in line.values.iter().enumerate() {
            match value {
                Some(value) => {
                    let verb = if drawing { 'L' } else { 'M' };
                    let _ = write!(svg, "{verb}{:.1} {:.1}", x(at as f64), y(*value));
                    drawing = true;
                }
                None => drawing = false,
            }
        }
        svg.push_str("'/>");
        for at in isolated_points(&line.values) {
            let value = line.values[at].unwrap_or(0.0);
            let _ = write!(
                svg,
                "<circle class='line c{}' cx='{:.1}' cy='{:.1}' r='1.5'/>",
                number % 6,
                x(at as f64),
                y(value)
            );
        }
    }
    svg.push_str("</svg>");
    svg + &legend(lines.iter().map(|line| line.name.as_str()))
}

/// A chart of distributions: for each row a line from the least to the most, on a logarithmic axis, with marks at the percentiles.
pub(super) fn distribution_chart(rows: &[(String, [f64; 6])]) -> String {
    let least = rows.iter().map(|(_, marks)| marks[0]).fold(f64::MAX, f64::min).max(0.001);
    let most = rows.iter().map(|(_, marks)| marks[5]).fold(0.0, f64::max);
    if rows.is_empty() || most <= least {
        return String::new();
    }
    let (from, to) = (least.log10().floor(), most.log10().ceil());
    let left = 330.0;
    let x = |value: f64| left + (value.max(least).log10() - from) / (to - from) * (WIDTH - left - RIGHT);
    let height = rows.len() as f64 * 22.0 + 34.0;
    let mut svg =
        format!("<svg viewBox='0 0 {WIDTH} {height}' role='img' aria-label='Distribution of the calls'>");
    for power in from as i32..=to as i32 {
        let share = (f64::from(power) - from) / (to - from);
        let at = left + share * (WIDTH - left - RIGHT);
        let _ = write!(svg, "<line class='grid' x1='{at:.1}' x2='{at:.1}' y1='4' y2='{}'/>", height - 26.0);
        let label = if power < 0 {
            format!("{} ms", 10f64.powi(power))
        } else {
            format!("{} ms", group_thousands(10u64.pow(power as u32)))
        };
        let anchor = if power == to as i32 { "end" } else { "middle" };
        let _ = write!(svg, "<text x='{at:.1}' y='{}' text-anchor='{anchor}'>{label}</text>", height - 8.0);
    }
    for (number, (name, [min, p50, p75, p95, p99, max])) in rows.iter().enumerate() {
        let middle = 16.0 + number as f64 * 22.0;
        write_row_name(&mut svg, name, left - 12.0, middle + 4.0);
        let _ = write!(
            svg,
            "<line class='whisker' x1='{:.1}' x2='{:.1}' y1='{middle}' y2='{middle}'/>",
            x(*min),
            x(*max)
        );
        let wide = (x(*p95) - x(*p50)).max(1.5);
        let _ = write!(
            svg,
            "<rect class='box' x='{:.1}' y='{}' width='{wide:.1}' height='11' rx='2'>",
            x(*p50),
            middle - 5.5
        );
        let told = format!(
            "50th {} · 75th {} · 95th {} · 99th {} ms",
            format_millis(*p50),
            format_millis(*p75),
            format_millis(*p95),
            format_millis(*p99)
        );
        let _ = write!(svg, "<title>{}: {told}</title></rect>", escape_html(name));
        let _ = write!(svg, "<circle class='dot' cx='{:.1}' cy='{middle}' r='3'/>", x(*p99));
    }
    svg + "</svg>"
}

/// Writes the name of a row at its left. A name that had to be shortened is shown in full as a tooltip.
pub(super) fn write_row_name(svg: &mut String, name: &str, x: f64, y: f64) {
    let (short, name) = (escape_html(&shorten_name(name)), escape_html(name));
    let _ = write!(svg, "<text x='{x}' y='{y}' text-anchor='end'><title>{name}</title>{short}</text>");
}

/// Shortens a long name: first by the brackets at its end, then by its middle, because paths differ at their ends.
fn shorten_name(name: &str) -> String {
    const MOST: usize = 48;
    let fits = |text: &str| text.chars().count() <= MOST;
    let bare = name.split(" (").next().unwrap_or(name);
    if fits(name) {
        return name.to_owned();
    }
    if fits(bare) {
        return bare.to_owned();
    }
    let all: Vec<char> = bare.chars().collect();
    let (begin, end) = (&all[..MOST / 2], &all[all.len() - MOST / 2 + 1..]);
    begin.iter().chain(&['…']).chain(end).collect()
}

/// Opens an SVG picture with a scale from 0 to `top` at its left, divided into `parts`. `written` formats the values.
pub(super) fn open_svg(label: &str, top: f64, parts: u32, written: fn(f64) -> String) -> String {
    let mut svg =
        format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{}'>", escape_html(label));
    for part in 0..=parts {
        let value = top * f64::from(part) / f64::from(parts);
        let (y, right, label) = (value_to_y(value, top), WIDTH - RIGHT, trim_zeros(&written(value)));
        let _ = write!(svg, "<line class='grid' x1='{LEFT}' x2='{right}' y1='{y:.1}' y2='{y:.1}'/>");
        let _ = write!(svg, "<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 8.0, y + 4.0);
    }
    svg
}

/// The vertical position of a value on the scale of a picture.
pub(super) fn value_to_y(value: f64, top: f64) -> f64 {
    TOP + (1.0 - value / top) * (HEIGHT - TOP - BOTTOM)
}

/// Writes a text under the picture.
pub(super) fn write_label_below(svg: &mut String, x: f64, anchor: &str, text: &str) {
    let y = HEIGHT - 8.0;
    let _ = write!(svg, "<text x='{x:.1}' y='{y}' text-anchor='{anchor}'>{text}</text>");
}

fn legend<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let keys = names.enumerate().map(|(number, name)| {
        format!("<span class='key'><i class='k{}'></i>{}</span>", number % 6, escape_html(name))
    });
    format!("<p class='legend'>{}</p>", keys.collect::<String>())
}

fn line_names(lines: &[ChartLine]) -> String {
    lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// A number without needless zeros: 40 for 40.0.
pub(super) fn trim_zeros(number: &str) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number.to_owned(),
    }
}

/// The positions of values without a neighbour, which a line does not show.
fn isolated_points(values: &[Option<f64>]) -> impl Iterator<Item = usize> {
    let there = |at: Option<usize>| at.and_then(|at| *values.get(at)?).is_some();
    (0..values.len())
        .filter(move |at| there(Some(*at)) && !there(at.checked_sub(1)) && !there(at.checked_add(1)))
}

/// The times of the ticks on an axis of time: round numbers of seconds, at most six after the start.
fn time_ticks(whole: f64) -> impl Iterator<Item = f64> {
    const UNITS: [f64; 17] = [
        1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0,
        14_400.0, 21_600.0,
    ];
    let unit = UNITS.into_iter().find(|unit| whole / unit <= 6.0).unwrap_or(86_400.0);
    (0..).map(move |at| f64::from(at) * unit).take_while(move |seconds| *seconds <= whole)
}

/// Rounds a value up to the next 1, 2, 4, 6, 8 or 10 times a power of ten.
pub(super) fn round_axis_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let step = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

pub(super) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', "&#39;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_a_round_number() {
        assert_eq!([0.3, 1.0, 3.0, 75.0, 101.0].map(round_axis_up), [0.4, 1.0, 4.0, 80.0, 200.0]);
    }

    #[test]
    fn places_on_axes_are_round() {
        let told = |whole: f64| time_ticks(whole).map(format_duration).collect::<Vec<_>>().join(", ");
        assert_eq!(told(11.0), "0 s, 2 s, 4 s, 6 s, 8 s, 10 s");
        assert_eq!(told(90.0), "0 s, 15 s, 30 s, 45 s, 60 s, 75 s, 90 s");
        assert_eq!(told(1800.0), "0 s, 5 min, 10 min, 15 min, 20 min, 25 min, 30 min");
        assert_eq!(told(86_400.0), "0 s, 4.0 h, 8.0 h, 12.0 h, 16.0 h, 20.0 h, 24.0 h");
        assert_eq!(["40.0", "0.00", "0.15", "4,000"].map(trim_zeros), ["40", "0", "0.15", "4,000"]);
    }

    #[test]
    fn the_axis_of_spans_has_no_two_labels_at_one_place() {
        let svg = distribution_chart(&[("a".to_owned(), [0.06, 0.5, 0.6, 0.7, 0.8, 356.0])]);
        let places: Vec<&str> = svg.split("<line class='grid' x1='").skip(1).collect();
        let mut places: Vec<f64> =
            places.iter().map(|rest| rest.split('\'').next().unwrap().parse().unwrap()).collect();
        assert_eq!(places.len(), 6);
        places.dedup_by(|one, other| (*one - *other).abs() < 40.0);
        assert_eq!(places.len(), 6, "{svg}");
    }

    #[test]
    fn long_names_lose_what_tells_least() {
        for (name, short) in [
            ("GET /users", "GET /users"),
            (
                "POST /circulation/check-in-by-barcode (Submit_barcode_checkin)",
                "POST /circulation/check-in-by-barcode",
            ),
            (
                "GET /note-links/domain/users/type/user/id/{patron.id}",
                "GET /note-links/domain/u…ype/user/id/{patron.id}",
            ),
        ] {
            assert_eq!(shorten_name(name), short);
        }
    }

    #[test]
    fn a_gap_in_the_values_is_a_gap_in_the_line() {
        let values = vec![Some(1.0), Some(2.0), None, Some(1.0), Some(1.5)];
        let svg = time_chart(&[ChartLine { name: "<T>".to_owned(), values }], 1.0);
        let path = svg.split("class='line c0' d='").nth(1).unwrap().split('\'').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 2), "{path}");
        assert!(svg.contains("&lt;T&gt;") && !svg.contains("<T>"));
        let values = [Some(1.0), None, Some(2.0), Some(1.0), None, Some(3.0)];
        assert_eq!(isolated_points(&values).collect::<Vec<_>>(), [0, 5]);
    }

    #[test]
    fn nothing_measured_draws_nothing() {
        assert_eq!(time_chart(&[], 1.0), "");
        assert_eq!(distribution_chart(&[]), "");
    }
}
