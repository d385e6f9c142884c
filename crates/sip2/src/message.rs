//! A message, in either direction, as its parts.

use crate::{Kind, MAX_FIELD_CHARACTERS, kind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub kind: &'static Kind,
    /// The values of the fixed fields, in order.
    pub(crate) fixed: Vec<String>,
    /// The code and value of each variable field, in the order of the message.
    pub(crate) fields: Vec<(String, String)>,
    /// The sequence number, by which an answer is matched to its message; only with error detection.
    pub sequence: Option<u8>,
}

impl Message {
    /// A message with its fixed fields, in order. Each is cut, or filled with spaces, to its width.
    ///
    /// # Panics
    ///
    /// If no message has this code, or the message has another number of fixed fields: a mistake in the program.
    #[expect(clippy::expect_used, reason = "the codes and their fields are written in the program")]
    pub fn new(code: &str, fixed: &[&str]) -> Message {
        let kind = kind(code).expect("a code of the table");
        assert_eq!(fixed.len(), kind.fixed.len(), "the fixed fields of message {code}");
        let fixed =
            fixed.iter().zip(kind.fixed).map(|(value, (_, width))| fit_to_width(value, *width)).collect();
        Message { kind, fixed, fields: Vec::new(), sequence: None }
    }

    /// The value of a fixed field, or nothing if the message has none of this name.
    pub fn fixed(&self, name: &str) -> &str {
        let at = self.kind.fixed.iter().position(|(known, _)| *known == name);
        at.and_then(|at| self.fixed.get(at)).map_or("", String::as_str)
    }

    /// Whether a fixed field of one character says yes.
    pub fn says_yes(&self, name: &str) -> bool {
        self.fixed(name) == "Y"
    }

    /// The value of the first variable field with this code, without spaces around it; nothing if it is missing.
    pub fn text(&self, code: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == code).map_or("", |(_, value)| value.trim())
    }

    /// The values of all variable fields with this code.
    pub fn all<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(known, _)| known == code).map(|(_, value)| value.trim())
    }

    /// Adds a variable field, empty or not: what the standard requires.
    pub fn with(mut self, code: &str, value: &str) -> Message {
        self.push(code, value);
        self
    }

    /// Adds a variable field unless it is empty.
    pub fn with_some(self, code: &str, value: Option<&str>) -> Message {
        match value {
            Some(value) if !value.is_empty() => self.with(code, value),
            _ => self,
        }
    }

    /// Adds a field with each of the values.
    pub fn with_each<S: AsRef<str>>(mut self, code: &str, values: impl IntoIterator<Item = S>) -> Message {
        for value in values {
            self.push(code, value.as_ref());
        }
        self
    }

    /// Gives the first field with this code another value.
    pub fn with_replaced_field(mut self, code: &str, value: &str) -> Message {
        if let Some((_, old)) = self.fields.iter_mut().find(|(known, _)| known == code) {
            *old = value.chars().take(MAX_FIELD_CHARACTERS).collect();
        }
        self
    }

    /// Adds a long text as several fields of `width` characters each.
    pub fn with_lines(mut self, code: &str, text: &str, width: usize) -> Message {
        let letters: Vec<char> = text.chars().take(MAX_FIELD_CHARACTERS * 8).collect();
        for line in letters.chunks(width.clamp(1, MAX_FIELD_CHARACTERS)) {
            self.push(code, &line.iter().collect::<String>());
        }
        self
    }

    fn push(&mut self, code: &str, value: &str) {
        let value = value.chars().take(MAX_FIELD_CHARACTERS).collect();
        self.fields.push((code.to_owned(), value));
    }
}

fn fit_to_width(value: &str, width: usize) -> String {
    let cut: String = value.chars().take(width).collect();
    format!("{cut:width$}")
}
