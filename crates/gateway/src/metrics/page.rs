//! The text format: a family's name, kind and meaning, then its values, each with its labels.

use std::fmt::{Display, Write};

#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    family: &'static str,
}

impl Page {
    pub(super) fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.family = name;
        let _ = writeln!(self.text, "# HELP {name} {help}.\n# TYPE {name} {kind}");
    }

    pub(super) fn value(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.part("", labels, value);
    }

    /// One of the several values that a histogram is: `_bucket`, `_sum`, `_count`.
    pub(super) fn part(&mut self, ending: &str, labels: &[(&str, &str)], value: impl Display) {
        let _ = write!(self.text, "{}{ending}", self.family);
        for (number, (name, value)) in labels.iter().enumerate() {
            let opening = if number == 0 { '{' } else { ',' };
            let _ = write!(self.text, "{opening}{name}=\"{}\"", escaped(value));
        }
        let closing = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.text, "{closing} {value}");
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stays_a_label() {
        let mut page = Page::default();
        page.family("x_total", "counter", "What it is");
        page.value(&[("a", "b\"} 7\nc\\"), ("d", "e")], 1);
        page.value(&[], 0.25);
        let expected = "# HELP x_total What it is.\n# TYPE x_total counter\n\
                        x_total{a=\"b\\\"} 7\\nc\\\\\",d=\"e\"} 1\nx_total 0.25\n";
        assert_eq!(page.text(), expected);
    }
}
