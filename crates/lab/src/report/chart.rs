//! Charts as SVG, drawn with the colours of the page they stand in (`style.css`), so that they follow its light and dark.

use std::fmt::Write;

use super::table::{millis, time};

pub(super) const WIDTH: f64 = 860.0;
pub(super) const HEIGHT: f64 = 240.0;
pub(super) const LEFT: f64 = 58.0;
pub(super) const RIGHT: f64 = 14.0;
pub(super) const TOP: f64 = 14.0;
pub(super) const BOTTOM: f64 = 30.0;

/// One line of a time line: its name and its values, in milliseconds, at even steps.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) values: Vec<Option<f64>>,
}

/// Values over time; all lines have the same steps.
pub(super) fn over_time(lines: &[Line], step: f64) -> String {
    let points = lines.iter().map(|line| line.values.len()).max().unwrap_or(0);
    let most = lines
        .iter()
        .flat_map(|line| line.values.iter().flatten())
        .fold(0.0f64, |most, value| most.max(*value));
    if points < 2 || most <= 0.0 {
        return String::new();
    }
    let top = rounded_up(most);
    let x = |at: f64| LEFT + at / (points - 1) as f64 * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| TOP + (1.0 - value / top) * (HEIGHT - TOP - BOTTOM);
    let mut svg = opened(&format!("Time line: {}", names(lines)));
    for part in 0..=4 {
        let value = top * f64::from(part) / 4.0;
        grid(&mut svg, y(value), &millis(value));
    }
    for part in 0..=4 {
        let at = (points - 1) as f64 * f64::from(part) / 4.0;
        let anchor = ["start", "middle", "middle", "middle", "end"][part as usize];
        let label = time(at * step);
        let _ =
            write!(svg, "<text x='{:.1}' y='{}' text-anchor='{anchor}'>{label}</text>", x(at), HEIGHT - 8.0);
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
    }
    svg.push_str("</svg>");
    svg + &legend(lines.iter().map(|line| line.name.as_str()))
}

/// From the least to the most of each row, on a logarithmic axis, with marks at its percentiles.
pub(super) fn spans(rows: &[(String, [f64; 6])]) -> String {
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
        let at = x(10f64.powi(power));
        let _ = write!(svg, "<line class='grid' x1='{at:.1}' x2='{at:.1}' y1='4' y2='{}'/>", height - 26.0);
        let label = if power < 0 {
            format!("{} ms", 10f64.powi(power))
        } else {
            format!("{} ms", 10u64.pow(power as u32))
        };
        let anchor = if power == to as i32 { "end" } else { "middle" };
        let _ = write!(svg, "<text x='{at:.1}' y='{}' text-anchor='{anchor}'>{label}</text>", height - 8.0);
    }
    for (number, (name, [min, p50, p75, p95, p99, max])) in rows.iter().enumerate() {
        let middle = 16.0 + number as f64 * 22.0;
        let short: String = name.chars().take(48).collect();
        let _ = write!(
            svg,
            "<text x='{}' y='{}' text-anchor='end'>{}</text>",
            left - 12.0,
            middle + 4.0,
            escaped(&short)
        );
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
            millis(*p50),
            millis(*p75),
            millis(*p95),
            millis(*p99)
        );
        let _ = write!(svg, "<title>{}: {told}</title></rect>", escaped(name));
        let _ = write!(svg, "<circle class='dot' cx='{:.1}' cy='{middle}' r='3'/>", x(*p99));
    }
    svg + "</svg>"
}

pub(super) fn opened(label: &str) -> String {
    format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{}'>", escaped(label))
}

pub(super) fn grid(svg: &mut String, y: f64, label: &str) {
    let right = WIDTH - RIGHT;
    let _ = write!(svg, "<line class='grid' x1='{LEFT}' x2='{right}' y1='{y:.1}' y2='{y:.1}'/>");
    let _ = write!(svg, "<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 8.0, y + 4.0);
}

fn legend<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let keys = names.enumerate().map(|(number, name)| {
        format!("<span class='key'><i class='k{}'></i>{}</span>", number % 6, escaped(name))
    });
    format!("<p class='legend'>{}</p>", keys.collect::<String>())
}

fn names(lines: &[Line]) -> String {
    lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The next of 1, 2, 5, 10, 20, ...
pub(super) fn rounded_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let step = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

pub(super) fn escaped(text: &str) -> String {
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
        assert_eq!([0.3, 1.0, 3.0, 75.0, 101.0].map(rounded_up), [0.4, 1.0, 4.0, 80.0, 200.0]);
    }

    #[test]
    fn a_gap_in_the_values_is_a_gap_in_the_line() {
        let values = vec![Some(1.0), Some(2.0), None, Some(1.0), Some(1.5)];
        let svg = over_time(&[Line { name: "<T>".to_owned(), values }], 1.0);
        let path = svg.split("class='line c0' d='").nth(1).unwrap().split('\'').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 2), "{path}");
        assert!(svg.contains("&lt;T&gt;") && !svg.contains("<T>"));
    }

    #[test]
    fn nothing_measured_draws_nothing() {
        assert_eq!(over_time(&[], 1.0), "");
        assert_eq!(spans(&[]), "");
    }
}
