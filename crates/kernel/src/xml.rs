//! XML as text: elements, attributes and texts, escaped in one place.

/// XML that is being written.
#[derive(Debug, Default)]
pub struct Xml(String);

impl Xml {
    /// Begins a document.
    pub fn document() -> Xml {
        Xml("<?xml version='1.0' encoding='UTF-8'?>\n".to_owned())
    }

    /// An element with what `inside` writes into it. Without that it is written as an empty one.
    pub fn element(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Xml)) {
        self.0.push('<');
        self.0.push_str(name);
        for (attribute, value) in attributes {
            self.0.push(' ');
            self.0.push_str(attribute);
            self.0.push_str("=\"");
            escape(&mut self.0, value, true);
            self.0.push('"');
        }
        let start = self.0.len();
        self.0.push('>');
        inside(self);
        if self.0.len() == start + 1 {
            self.0.truncate(start);
            self.0.push_str("/>");
            return;
        }
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// An element with a text and no attributes.
    pub fn leaf(&mut self, name: &str, text: &str) {
        self.element(name, &[], |xml| xml.text(text));
    }

    pub fn text(&mut self, text: &str) {
        escape_text(&mut self.0, text);
    }

    /// Appends XML that was written into another `Xml`.
    pub fn append(&mut self, written: &Xml) {
        self.0.push_str(&written.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_text(self) -> String {
        self.0
    }
}

/// Adds a text between tags of XML or HTML.
pub fn escape_text(out: &mut String, text: &str) {
    escape(out, text, false);
}

/// Characters that XML cannot contain are left out. Line ends and tabs in attributes are written as references: a reader would make
/// blanks of them.
fn escape(out: &mut String, text: &str, in_attribute: bool) {
    let mut plain = 0;
    for (at, letter) in text.char_indices() {
        let written = match letter {
            '<' => "&lt;",
            '>' => "&gt;",
            '&' => "&amp;",
            '"' if in_attribute => "&quot;",
            '\t' if in_attribute => "&#9;",
            '\n' if in_attribute => "&#10;",
            '\r' => "&#13;",
            '\t' | '\n' => continue,
            control if control.is_control() => "",
            '\u{fffe}' | '\u{ffff}' => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        out.push_str(written);
        plain = at + letter.len_utf8();
    }
    out.push_str(&text[plain..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_reads_as_markup_is_escaped_and_what_it_cannot_hold_left_out() {
        let mut xml = Xml::default();
        xml.element("a", &[("b", "\"<é\n>\u{1}")], |xml| {
            xml.leaf("c", "A & <B>\u{0}\u{ffff}\r\n\t\"");
            xml.leaf("d", "");
            xml.element("e", &[("f", "")], |_| ());
        });
        assert_eq!(
            xml.into_text(),
            "<a b=\"&quot;&lt;é&#10;&gt;\"><c>A &amp; &lt;B&gt;&#13;\n\t\"</c><d/><e f=\"\"/></a>"
        );
    }
}
