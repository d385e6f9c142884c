//! MARCXML, one `record` element: a small reader of the XML that such files hold. It knows elements, attributes, texts,
//! CDATA, comments and the references that need no document type.

use crate::text::clean;
use crate::{Field, Leader, Record, Subfield};

pub(crate) fn decode(text: &str) -> Result<Record, String> {
    let mut record = Record::default();
    let mut leader = false;
    let mut building = Building::default();
    for piece in Pieces(text) {
        match piece? {
            Piece::Open { name, attributes, closed } => {
                building.open(name, &attributes)?;
                if closed {
                    leader |= building.close(name, &mut record)?;
                }
            }
            Piece::Text(text) => building.text.push_str(&text),
            Piece::Close { name } => leader |= building.close(name, &mut record)?,
        }
    }
    if !leader && record.fields.is_empty() {
        return Err("it has neither a leader nor fields".to_owned());
    }
    Ok(record)
}

/// The field that is being read.
#[derive(Default)]
struct Building {
    tag: String,
    indicators: [char; 2],
    subfields: Vec<Subfield>,
    code: char,
    text: String,
}

impl Building {
    fn open(&mut self, name: &str, attributes: &[(&str, String)]) -> Result<(), String> {
        let attribute = |wanted: &str| {
            attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
        };
        let first = |wanted| attribute(wanted).and_then(|value| value.chars().next()).unwrap_or(' ');
        self.text.clear();
        match name {
            "controlfield" | "datafield" => {
                let tag = attribute("tag").ok_or_else(|| format!("a {name} has no tag"))?;
                self.tag = clean(tag.to_owned());
                self.indicators = [first("ind1"), first("ind2")];
                self.subfields.clear();
            }
            "subfield" => self.code = first("code"),
            _ => {}
        }
        Ok(())
    }

    /// Whether it was the leader that ended.
    fn close(&mut self, name: &str, record: &mut Record) -> Result<bool, String> {
        let text = std::mem::take(&mut self.text);
        if matches!(name, "controlfield" | "datafield") && self.tag.is_empty() {
            return Err(format!("a {name} has no tag"));
        }
        match name {
            "leader" => record.leader = Leader::read(text.as_bytes()),
            "controlfield" => {
                record.fields.push(Field::Control { tag: std::mem::take(&mut self.tag), value: clean(text) });
            }
            "subfield" => self.subfields.push(Subfield { code: self.code, value: clean(text) }),
            "datafield" => record.fields.push(Field::Data {
                tag: std::mem::take(&mut self.tag),
                indicators: self.indicators,
                subfields: std::mem::take(&mut self.subfields),
            }),
            _ => {}
        }
        Ok(name == "leader")
    }
}

enum Piece<'a> {
    Open { name: &'a str, attributes: Vec<(&'a str, String)>, closed: bool },
    Close { name: &'a str },
    Text(String),
}

struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.0.is_empty() {
                return None;
            }
            let Some(markup) = self.0.strip_prefix('<') else {
                let (text, rest) = self.0.split_at(self.0.find('<').unwrap_or(self.0.len()));
                self.0 = rest;
                return Some(unescape(text).map(Piece::Text));
            };
            let piece = if let Some(comment) = markup.strip_prefix("!--") {
                self.take_until(comment, "-->").map(|_| None)
            } else if let Some(data) = markup.strip_prefix("![CDATA[") {
                self.take_until(data, "]]>").map(|text| Some(Piece::Text(text.to_owned())))
            } else if markup.starts_with(['?', '!']) {
                self.take_until(markup, ">").map(|_| None)
            } else {
                self.element(markup).map(Some)
            };
            match piece {
                Ok(None) => {}
                Ok(Some(piece)) => return Some(Ok(piece)),
                Err(reason) => {
                    self.0 = "";
                    return Some(Err(reason));
                }
            }
        }
    }
}

impl<'a> Pieces<'a> {
    /// The text up to `end`, which is passed over.
    fn take_until(&mut self, text: &'a str, end: &str) -> Result<&'a str, String> {
        let (before, after) = text.split_once(end).ok_or_else(|| format!("{end} is missing"))?;
        self.0 = after;
        Ok(before)
    }

    fn element(&mut self, markup: &'a str) -> Result<Piece<'a>, String> {
        if let Some(closing) = markup.strip_prefix('/') {
            let name = self.take_until(closing, ">")?;
            return Ok(Piece::Close { name: local_name(name.trim()) });
        }
        let end = markup.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(markup.len());
        let (name, mut rest) = markup.split_at(end);
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix("/>") {
                self.0 = after;
                return Ok(Piece::Open { name: local_name(name), attributes, closed: true });
            }
            if let Some(after) = rest.strip_prefix('>') {
                self.0 = after;
                return Ok(Piece::Open { name: local_name(name), attributes, closed: false });
            }
            let wrong = || format!("the element {name} is not well-formed");
            let (attribute, after) = rest.split_once('=').ok_or_else(wrong)?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'')).ok_or_else(wrong)?;
            let (value, after) = after[1..].split_once(quote).ok_or_else(wrong)?;
            attributes.push((local_name(attribute.trim()), unescape(value)?));
            rest = after;
        }
    }
}

/// A name without its prefix.
fn local_name(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn unescape(text: &str) -> Result<String, String> {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let wrong =
            || format!("&{} is no reference that XML knows", part.chars().take(12).collect::<String>());
        let (reference, rest) = part.split_once(';').ok_or_else(wrong)?;
        let character = match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = reference.strip_prefix('#').ok_or_else(wrong)?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                code.ok().and_then(char::from_u32).ok_or_else(wrong)?
            }
        };
        plain.push(character);
        plain.push_str(rest);
    }
    Ok(plain)
}
