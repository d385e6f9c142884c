//! Draws a file of figures that were measured over months: a chart for each column.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::chart::{LEFT, RIGHT, WIDTH, escape_html, open_svg, round_axis_up, value_to_y, write_label_below};
use super::html::STYLE;
use super::table::format_millis;

/// A figure of one run, with its least and most value in that run.
struct HistoryPoint {
    when: String,
    value: f64,
    range: Option<(f64, f64)>,
}

/// Makes the HTML page. `text` is CSV with the names of the columns in its first line.
pub(crate) fn page(name: &str, text: &str) -> Result<String> {
    let cells = |line: &str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    let mut lines = text.lines().map(cells);
    let head = lines.next().context("there is nothing in it")?;
    let times: Vec<Vec<String>> = lines.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    for (row, number) in times.iter().zip(1..) {
        ensure!(
            row.len() == head.len(),
            "row {number} has {} values, and there are {} names",
            row.len(),
            head.len()
        );
    }
    let name = escape_html(name);
    let mut html = format!(
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='color-scheme' content='light dark'>\
         <title>{name}</title><style>{STYLE}</style></head><body><main><header><h1>{name}</h1></header><section>"
    );
    for column in &head {
        let marks = column_points(&head, &times, column);
        if marks.len() > 1 {
            let _ =
                write!(html, "<h3>{}</h3><figure>{}</figure>", escape_html(column), chart(column, &marks));
        }
    }
    html.push_str("<div class='wide'><table><thead>");
    write_row(&mut html, "th", &head);
    html.push_str("</thead><tbody>");
    times.iter().for_each(|cells| write_row(&mut html, "td", cells));
    Ok(html + "</tbody></table></div></section></main></body></html>\n")
}

fn write_row(html: &mut String, kind: &str, cells: &[String]) {
    let cells = cells.iter().map(|cell| format!("<{kind}>{}</{kind}>", escape_html(cell)));
    let _ = write!(html, "<tr>{}</tr>", cells.collect::<String>());
}

/// The points of a column that holds figures. Columns "NAME least" and "NAME most" are drawn with the column NAME only.
fn column_points(head: &[String], times: &[Vec<String>], column: &str) -> Vec<HistoryPoint> {
    let at = |name: &str| head.iter().position(|known| known == name);
    let number = |row: &[String], name: &str| row.get(at(name)?)?.parse::<f64>().ok();
    let of_another = [" least", " most"].iter().any(|end| column.strip_suffix(end).and_then(at).is_some());
    if of_another || at(column) == Some(0) {
        return Vec::new();
    }
    let mark = |row: &Vec<String>| {
        let span = number(row, &format!("{column} least")).zip(number(row, &format!("{column} most")));
        Some(HistoryPoint { when: row[0].clone(), value: number(row, column)?, range: span })
    };
    times.iter().filter_map(mark).collect()
}

fn chart(title: &str, marks: &[HistoryPoint]) -> String {
    let most = marks.iter().map(|mark| mark.range.map_or(mark.value, |(_, most)| most)).fold(0.0, f64::max);
    let top = round_axis_up(most.max(f64::MIN_POSITIVE));
    let x = |at: usize| LEFT + (at as f64 + 0.5) / marks.len() as f64 * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| value_to_y(value, top);
    let mut svg = open_svg(title, top, 4, format_millis);
    for (at, HistoryPoint { when, value, range: span }) in marks.iter().enumerate() {
        let (x, when) = (x(at), escape_html(when));
        if let Some((least, most)) = span {
            let (least, most) = (y(*least), y(*most));
            let _ =
                write!(svg, "<line class='whisker' x1='{x:.1}' x2='{x:.1}' y1='{least:.1}' y2='{most:.1}'/>");
        }
        let _ = write!(
            svg,
            "<circle class='dot' cx='{x:.1}' cy='{:.1}' r='3'><title>{when}: {}</title></circle>",
            y(*value),
            format_millis(*value)
        );
        write_label_below(&mut svg, x, "middle", &(at + 1).to_string());
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "when,what,ratio,ratio least,ratio most\nMay,a <b>,0.5,0.4,0.6\nJune,,0.25,,\n";

    #[test]
    fn each_column_of_figures_has_a_chart_and_all_rows_stand_below() {
        let page = page("bench", FILE).unwrap();
        assert_eq!((page.matches("<svg").count(), page.matches("class='dot'").count()), (1, 2));
        assert_eq!(page.matches("class='whisker'").count(), 1);
        assert!(page.contains("a &lt;b&gt;") && page.contains("<title>June: 0.25</title>"), "{page}");
    }

    #[test]
    fn a_row_that_lacks_values_is_named() {
        assert_eq!(
            page("x", "when,ratio\nMay").unwrap_err().to_string(),
            "row 1 has 1 values, and there are 2 names"
        );
        assert!(page("x", "").is_err());
    }
}
