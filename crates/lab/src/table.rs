//! Pages of paragraphs and tables, as a terminal shows them or as Markdown.

/// The largest width of a column in characters. A longer cell exceeds its column to the right.
const WIDEST: usize = 60;

#[derive(Debug)]
pub struct Table {
    pub title: String,
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

/// A column of a table: its heading, and the function that formats the cell of a row's item.
pub type Column<'a, T> = (&'static str, &'a dyn Fn(&T) -> String);

impl Table {
    /// Makes a table with a row for each item.
    pub fn from_items<T>(
        title: impl Into<String>,
        things: impl IntoIterator<Item = T>,
        columns: &[Column<'_, T>],
    ) -> Table {
        let row = |thing: T| columns.iter().map(|(_, shown)| shown(&thing)).collect();
        let head = columns.iter().map(|(heading, _)| *heading).collect();
        Table { title: title.into(), head, rows: things.into_iter().map(row).collect() }
    }

    pub fn new(head: &[&'static str], rows: Vec<Vec<String>>) -> Table {
        Table { title: String::new(), head: head.to_vec(), rows }
    }

    pub fn to_text(&self) -> String {
        let lines = self.lines();
        let widths = column_widths(&lines);
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let line = pad_cells(&widths, line, "  ");
            let rule = if at == 0 { "-".repeat(line.chars().count()) + "\n" } else { String::new() };
            text.extend([line.trim_end(), "\n", &rule]);
        }
        text
    }

    pub fn to_markdown(&self) -> String {
        let cell = |cell: &String| cell.replace('\n', " ").replace('|', "\\|");
        let lines: Vec<Vec<String>> =
            self.lines().iter().map(|line| line.iter().map(cell).collect()).collect();
        let widths = column_widths(&lines);
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let rule = if at == 0 { format!("|{}\n", "---|".repeat(widths.len())) } else { String::new() };
            text.extend(["| ", &pad_cells(&widths, line, " | "), " |\n", &rule]);
        }
        text
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let head = self.head.iter().map(|&cell| cell.to_owned()).collect();
        [vec![head], self.rows.clone()].concat()
    }
}

fn column_widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    let width =
        |at: usize| lines.iter().filter_map(|line| line.get(at)).map(|cell| cell.chars().count()).max();
    (0..columns).map(|at| width(at).unwrap_or(0).min(WIDEST)).collect()
}

fn pad_cells(widths: &[usize], line: &[String], between: &str) -> String {
    let cells: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
    cells.join(between)
}

#[derive(Debug, Default)]
pub struct Page(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(String),
    Table(Table),
}

impl Page {
    pub fn add_text(&mut self, text: impl Into<String>) {
        self.0.push(Part::Text(text.into()));
    }

    pub fn add_table(&mut self, head: &[&'static str], rows: Vec<Vec<String>>) {
        self.add(Table::new(head, rows));
    }

    /// Adds a table, whose title is not shown.
    pub fn add(&mut self, table: Table) {
        self.0.push(Part::Table(table));
    }

    pub fn to_text(&self) -> String {
        self.render(Table::to_text)
    }

    pub fn to_markdown(&self) -> String {
        self.render(Table::to_markdown)
    }

    fn render(&self, table: impl Fn(&Table) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => format!("{text}\n"),
            Part::Table(rows) => table(rows),
        };
        self.0.iter().map(part).collect::<Vec<String>>().join("\n")
    }
}

/// A number with commas between thousands.
pub fn format_number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let fraction = fraction.map_or(String::new(), |fraction| format!(".{fraction}"));
    format!("{sign}{}{fraction}", group_digits(digits))
}

/// Formats a whole number with commas between thousands: `12,345`.
pub fn group_thousands(number: u64) -> String {
    group_digits(&number.to_string())
}

fn group_digits(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut page = Page::default();
        page.add_text("Loans");
        page.add_table(&["what", "n"], vec![["check-out", "12"].map(str::to_owned).to_vec()]);
        page
    }

    #[test]
    fn columns_line_up_in_a_terminal() {
        assert_eq!(page().to_text(), "Loans\n\nwhat       n\n-------------\ncheck-out  12\n");
    }

    #[test]
    fn markdown_has_a_rule_under_the_head() {
        assert_eq!(page().to_markdown(), "Loans\n\n| what      | n  |\n|---|---|\n| check-out | 12 |\n");
    }

    #[test]
    fn a_long_cell_does_not_widen_the_others_and_bars_stay_within_their_cell() {
        let row = |cell: &str| vec![cell.to_owned()];
        let table = Table::new(&["sql"], vec![row(&"x".repeat(200)), row("a|b\nc")]);
        let text = table.to_markdown();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("| a\\|b c  ") && last.len() < 70, "{text}");
    }

    #[test]
    fn thousands_are_set_apart() {
        let cases = [
            (0.0, 0, "0"),
            (999.4, 0, "999"),
            (1234.56, 1, "1,234.6"),
            (1_000_000.0, 0, "1,000,000"),
            (-1234.0, 0, "-1,234"),
        ];
        for (value, decimals, expected) in cases {
            assert_eq!(format_number(value, decimals), expected);
        }
        assert_eq!([0, 999, 1000, 1_234_567].map(group_thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
