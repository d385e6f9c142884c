//! The text format: a family's name, kind and meaning, then its values, each with its labels.

use std::fmt::{Display, Write};

#[derive(Debug, Default)]
pub(super) struct Page {
    families: Vec<Family>,
    /// The family that values are added to.
    current: usize,
    /// A label of every value from now on.
    common_label: Option<(&'static str, String)>,
}

#[derive(Debug)]
struct Family {
    name: &'static str,
    text: String,
}

impl Page {
    /// Sets a label with its value that every further value gets, such as the database's name; `None` for no such label.
    pub(super) fn set_common_label(&mut self, standing: Option<(&'static str, String)>) {
        self.common_label = standing;
    }

    /// Begins a family, or goes on with it.
    pub(super) fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        let known = self.families.iter().position(|family| family.name == name);
        self.current = known.unwrap_or_else(|| {
            let text = format!("# HELP {name} {help}.\n# TYPE {name} {kind}\n");
            self.families.push(Family { name, text });
            self.families.len() - 1
        });
    }

    pub(super) fn value(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.value_with_suffix("", labels, value);
    }

    /// One of the several values that a histogram is: `_bucket`, `_sum`, `_count`.
    pub(super) fn value_with_suffix(&mut self, ending: &str, labels: &[(&str, &str)], value: impl Display) {
        let Some(Family { name, text }) = self.families.get_mut(self.current) else { return };
        let standing = self.common_label.as_ref().map(|(label, value)| (*label, value.as_str()));
        let _ = write!(text, "{name}{ending}");
        let mut opening = '{';
        for (label, value) in standing.iter().chain(labels) {
            let _ = write!(text, "{opening}{label}=\"{}\"", escape_label(value));
            opening = ',';
        }
        let closing = if opening == '{' { "" } else { "}" };
        let _ = writeln!(text, "{closing} {value}");
    }

    pub(super) fn into_text(self) -> String {
        self.families.into_iter().map(|family| family.text).collect()
    }
}

fn escape_label(value: &str) -> String {
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
        assert_eq!(page.into_text(), expected);
    }

    #[test]
    fn a_family_that_is_told_of_two_databases_stands_there_once() {
        let mut page = Page::default();
        for name in ["first", "east"] {
            page.set_common_label(Some(("database", name.to_owned())));
            page.family("x", "gauge", "What it is");
            page.value(&[], 1);
            page.family("y", "gauge", "What it is not");
            page.value(&[("a", "b")], 2);
        }
        let expected = "# HELP x What it is.\n# TYPE x gauge\nx{database=\"first\"} 1\nx{database=\"east\"} 1\n\
                        # HELP y What it is not.\n# TYPE y gauge\n\
                        y{database=\"first\",a=\"b\"} 2\ny{database=\"east\",a=\"b\"} 2\n";
        assert_eq!(page.into_text(), expected);
    }
}
