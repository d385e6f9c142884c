//! Pure: headings, paragraphs and tables, as a terminal shows them or as Markdown.

#[derive(Debug, Default)]
pub(crate) struct Page(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(String),
    Table(Vec<Vec<String>>),
}

impl Page {
    pub(crate) fn text(&mut self, text: impl Into<String>) {
        self.0.push(Part::Text(text.into()));
    }

    /// The first row is the head.
    pub(crate) fn table(&mut self, rows: Vec<Vec<String>>) {
        self.0.push(Part::Table(rows));
    }

    pub(crate) fn plain(&self) -> String {
        self.render(|widths, row, at| {
            let line = padded(widths, row, "  ");
            let rule = if at == 0 { "-".repeat(line.chars().count()) + "\n" } else { String::new() };
            format!("{}\n{rule}", line.trim_end())
        })
    }

    pub(crate) fn markdown(&self) -> String {
        self.render(|widths, row, at| {
            let head =
                if at == 0 { "|".to_owned() + &"---|".repeat(widths.len()) + "\n" } else { String::new() };
            format!("| {} |\n{head}", padded(widths, row, " | "))
        })
    }

    fn render(&self, line: impl Fn(&[usize], &[String], usize) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => format!("{text}\n"),
            Part::Table(rows) => {
                let widths = widths(rows);
                rows.iter().enumerate().map(|(at, row)| line(&widths, row, at)).collect()
            }
        };
        self.0.iter().map(part).collect::<Vec<String>>().join("\n")
    }
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    (0..columns).map(|at| width(at).unwrap_or(0)).collect()
}

fn padded(widths: &[usize], row: &[String], between: &str) -> String {
    let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
    cells.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut page = Page::default();
        page.text("Loans");
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        page.table(vec![row(["what", "n"]), row(["check-out", "12"])]);
        page
    }

    #[test]
    fn columns_line_up_in_a_terminal() {
        assert_eq!(page().plain(), "Loans\n\nwhat       n\n-------------\ncheck-out  12\n");
    }

    #[test]
    fn markdown_has_a_rule_under_the_head() {
        assert_eq!(page().markdown(), "Loans\n\n| what      | n  |\n|---|---|\n| check-out | 12 |\n");
    }
}
