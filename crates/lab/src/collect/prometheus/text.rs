//! Parses the text format of Prometheus, version 0.0.4: lines such as `name{label="value"} 1.5`. Other lines are ignored.

#[derive(Debug, PartialEq)]
pub(super) struct Sample<'a> {
    pub(super) name: &'a str,
    pub(super) labels: Vec<(&'a str, String)>,
    pub(super) value: f64,
}

impl Sample<'_> {
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

pub(super) fn parse(text: &str) -> Vec<Sample<'_>> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Sample<'_>> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c)))?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Vec::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        loop {
            rest = rest.trim_start_matches([',', ' ']);
            if let Some(behind) = rest.strip_prefix('}') {
                rest = behind;
                break;
            }
            let (label, behind) = rest.split_once("=\"")?;
            let (value, behind) = parse_quoted(behind)?;
            labels.push((label.trim(), value));
            rest = behind;
        }
    }
    // A time may follow the value.
    let value = rest.split_whitespace().next()?.parse().ok().filter(|value: &f64| value.is_finite())?;
    (!name.is_empty()).then_some(Sample { name, labels, value })
}

/// A text up to its closing quote, and what is behind that.
fn parse_quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_labels_and_values_are_read_and_the_rest_passed_over() {
        let text = "# HELP a_total What.\n# TYPE a_total counter\na_total 7\n\
                    b{x=\"1\",y=\"a \\\"q\\\" \\\\ }\\n\"} 2.5e-3 1700000000\nc{} NaN\nc{x=\"} 1\n<html>\n\nd{x=\"1\", } 1\n";
        let value = |name, labels: &[(&'static str, &str)], value| Sample {
            name,
            labels: labels.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            value,
        };
        let expected = [
            value("a_total", &[], 7.0),
            value("b", &[("x", "1"), ("y", "a \"q\" \\ }\n")], 0.0025),
            value("d", &[("x", "1")], 1.0),
        ];
        assert_eq!(parse(text), expected);
    }
}
