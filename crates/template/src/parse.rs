//! Mustache text to a tree: variables, sections, inverted sections, comments and other delimiters.
//!
//! What mustache.java has beyond that reads files (partials, inheritance); a template is one text here, so such a tag is a
//! defect of it.

use crate::limits::{DEEPEST_SECTION, LONGEST_NAME, LONGEST_TEXT, MOST_TOKENS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Variable { name: Name, raw: bool },
    Section { name: Name, inverted: bool, parts: Vec<Part> },
}

/// `item.title` as its two words; `.` is no word at all.
pub(crate) type Name = Vec<String>;

/// Where a template cannot be read, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Defect {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl Template {
    pub fn parse(text: &str) -> Result<Template, Defect> {
        if text.len() > LONGEST_TEXT {
            return Err(defect(text, 0, &format!("a template is not longer than {} MB", LONGEST_TEXT >> 20)));
        }
        let mut tokens = 0;
        let mut reader = Reader { text, at: 0, open: "{{".to_owned(), close: "}}".to_owned() };
        let mut sections: Vec<OpenSection> = Vec::new();
        let mut parts = Vec::new();
        loop {
            let (before, tag) = reader.next()?;
            let (mut before, Some(tag)) = (before, tag) else {
                push_text(&mut parts, before);
                break;
            };
            tokens += 1;
            if tokens > MOST_TOKENS {
                return Err(defect(text, tag.start, &format!("a template has at most {MOST_TOKENS} tokens")));
            }
            if tag.kind != TagKind::Variable && tag.kind != TagKind::Raw {
                before = reader.trim_standalone_tag(before, tag.start);
            }
            push_text(&mut parts, before);
            match tag.kind {
                TagKind::Variable => parts.push(Part::Variable { name: tag.name(text)?, raw: false }),
                TagKind::Raw => parts.push(Part::Variable { name: tag.name(text)?, raw: true }),
                TagKind::Section | TagKind::Inverted => {
                    if sections.len() == DEEPEST_SECTION {
                        return Err(defect(text, tag.start, "sections are nested too deep"));
                    }
                    let name = tag.name(text)?;
                    let inverted = tag.kind == TagKind::Inverted;
                    sections.push(OpenSection {
                        name,
                        inverted,
                        start: tag.start,
                        before: std::mem::take(&mut parts),
                    });
                }
                TagKind::End => {
                    let name = tag.name(text)?;
                    let Some(open) = sections.pop() else {
                        let message = format!("{{{{/{}}}}} closes nothing", name.join("."));
                        return Err(defect(text, tag.start, &message));
                    };
                    if open.name != name {
                        let (end, begun) = (name.join("."), open.name.join("."));
                        let message = format!("{{{{/{end}}}}} stands where {{{{/{begun}}}}} is expected");
                        return Err(defect(text, tag.start, &message));
                    }
                    let inner = std::mem::replace(&mut parts, open.before);
                    parts.push(Part::Section { name, inverted: open.inverted, parts: inner });
                }
                TagKind::Ignored => {}
            }
        }
        match sections.pop() {
            Some(open) => {
                let message = format!("{{{{#{}}}}} is not closed", open.name.join("."));
                Err(defect(text, open.start, &message))
            }
            None => Ok(Template { parts }),
        }
    }
}

/// A section that has begun, and what stood before it.
struct OpenSection {
    name: Name,
    inverted: bool,
    start: usize,
    before: Vec<Part>,
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Variable,
    Raw,
    Section,
    Inverted,
    End,
    /// Comments and new delimiters.
    Ignored,
}

struct Tag<'a> {
    kind: TagKind,
    content: &'a str,
    start: usize,
}

impl Tag<'_> {
    fn name(&self, text: &str) -> Result<Name, Defect> {
        if self.content == "." {
            return Ok(Vec::new());
        }
        if self.content.len() > LONGEST_NAME {
            return Err(defect(
                text,
                self.start,
                &format!("a token's name has at most {LONGEST_NAME} letters"),
            ));
        }
        let words: Name = self.content.split('.').map(|word| word.trim().to_owned()).collect();
        let strange = |word: &String| word.is_empty() || word.contains(['{', '}', '<', '>', '\n']);
        match words.iter().any(strange) {
            true if self.content.is_empty() => Err(defect(text, self.start, "a tag without a name")),
            true => Err(defect(text, self.start, &format!("\"{}\" is no name of a token", self.content))),
            false => Ok(words),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    open: String,
    close: String,
}

impl<'a> Reader<'a> {
    /// The text up to the next tag, and the tag; none at the end.
    fn next(&mut self) -> Result<(&'a str, Option<Tag<'a>>), Defect> {
        let rest = &self.text[self.at..];
        let Some(found) = rest.find(&self.open) else {
            self.at = self.text.len();
            return Ok((rest, None));
        };
        let before = &rest[..found];
        let start = self.at + found;
        let inside = &self.text[start + self.open.len()..];
        let triple = self.open == "{{" && inside.starts_with('{');
        let close = if triple { "}}}" } else { self.close.as_str() };
        let Some(length) = inside.find(close) else {
            return Err(defect(self.text, start, &format!("a tag that {close} does not close")));
        };
        let content = &inside[usize::from(triple)..length];
        self.at = start + self.open.len() + length + close.len();
        let (kind, content) = if triple { (TagKind::Raw, content) } else { kind_of(content) };
        if content.starts_with(['>', '<', '$']) && kind == TagKind::Variable {
            return Err(defect(self.text, start, "a template cannot include another one"));
        }
        if kind == TagKind::Ignored && content.starts_with('=') {
            self.change_delimiters(content, start)?;
        }
        Ok((before, Some(Tag { kind, content: content.trim(), start })))
    }

    fn change_delimiters(&mut self, content: &str, start: usize) -> Result<(), Defect> {
        let inner = content.trim_start_matches('=').trim_end_matches('=');
        match inner.split_whitespace().collect::<Vec<_>>()[..] {
            [open, close] => {
                (self.open, self.close) = (open.to_owned(), close.to_owned());
                Ok(())
            }
            _ => Err(defect(self.text, start, "new delimiters are two words between = and =")),
        }
    }

    /// A section tag alone on its line takes the line with it. Returns what is left of the text before it.
    fn trim_standalone_tag(&mut self, before: &'a str, start: usize) -> &'a str {
        // Only as far as there are blanks: a line may be the whole template.
        let left = self.text[..start].trim_end_matches([' ', '\t']);
        let rest = &self.text[self.at..];
        let end = rest.find(|letter: char| letter == '\n' || !letter.is_whitespace());
        let begins_line = left.is_empty() || left.ends_with('\n');
        let ends_line = end.is_none_or(|at| rest[at..].starts_with('\n'));
        let blanks = start - left.len();
        // A second tag in the line has moved `at` beyond the first one's text.
        if !begins_line || !ends_line || before.len() < blanks {
            return before;
        }
        self.at += end.map_or(rest.len(), |at| at + 1);
        &before[..before.len() - blanks]
    }
}

fn kind_of(content: &str) -> (TagKind, &str) {
    let content = content.trim_start();
    match content.chars().next() {
        Some('#') => (TagKind::Section, &content[1..]),
        Some('^') => (TagKind::Inverted, &content[1..]),
        Some('/') => (TagKind::End, &content[1..]),
        Some('&') => (TagKind::Raw, &content[1..]),
        Some('!') => (TagKind::Ignored, ""),
        Some('=') => (TagKind::Ignored, content),
        _ => (TagKind::Variable, content),
    }
}

fn defect(text: &str, at: usize, message: &str) -> Defect {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    Defect { line, column, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_read_is_said_with_its_place() {
        for (text, said) in [
            ("Dear {{user.firstName", "line 1, column 6: a tag that }} does not close"),
            ("a\n{{#loans}}\n{{item.title}}", "line 2, column 1: {{#loans}} is not closed"),
            ("{{/loans}}", "line 1, column 1: {{/loans}} closes nothing"),
            ("{{#loans}}{{/loan}}", "line 1, column 11: {{/loan}} stands where {{/loans}} is expected"),
            ("{{}}", "line 1, column 1: a tag without a name"),
            ("{{a..b}}", "line 1, column 1: \"a..b\" is no name of a token"),
            ("{{> footer}}", "line 1, column 1: a template cannot include another one"),
            ("{{=x=}}", "line 1, column 1: new delimiters are two words between = and ="),
        ] {
            assert_eq!(
                Template::parse(text).map_err(|defect| defect.to_string()),
                Err(said.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_larger_than_any_template_is_refused() {
        let long = "x".repeat(LONGEST_TEXT + 1);
        let name = format!("{{{{{}}}}}", "x".repeat(LONGEST_NAME + 1));
        let deep = "{{#a}}".repeat(DEEPEST_SECTION + 1);
        for (text, said) in [
            (long, "line 1, column 1: a template is not longer than 4 MB"),
            ("{{a}}".repeat(MOST_TOKENS + 1), "line 1, column 50001: a template has at most 10000 tokens"),
            (name, "line 1, column 1: a token's name has at most 100 letters"),
            (deep, "line 1, column 301: sections are nested too deep"),
        ] {
            assert_eq!(Template::parse(&text).unwrap_err().to_string(), said);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_has_a_place(text in "[{}#^/&!=. a-c\n>]{0,60}") {
            if let Err(defect) = Template::parse(&text) {
                prop_assert!(defect.line <= text.matches('\n').count() + 1);
            }
        }

        #[test]
        fn text_without_tags_stays_as_it_is(text in "[^{]{0,60}") {
            let template = Template::parse(&text).unwrap();
            let rendered = template.render(&serde_json::Value::Null, crate::Escape::Html);
            prop_assert_eq!(rendered, Ok(text));
        }
    }
}
