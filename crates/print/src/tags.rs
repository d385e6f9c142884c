//! Tags of HTML and their attributes.

use crate::blocks::Align;

pub(crate) struct Tag<'t> {
    pub(crate) name: String,
    pub(crate) closing: bool,
    attributes: &'t str,
}

/// The tag or comment that the text begins with, and what comes after it.
pub(crate) fn tag(text: &str) -> Option<(Tag<'_>, &str)> {
    let inner = text.strip_prefix('<')?;
    if let Some(comment) = inner.strip_prefix("!--") {
        let after = comment.split_once("-->").map_or("", |(_, after)| after);
        return Some((Tag { name: String::new(), closing: false, attributes: "" }, after));
    }
    let (closing, named) = inner.strip_prefix('/').map_or((false, inner), |named| (true, named));
    if !named.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '!' || letter == '?') {
        return None;
    }
    let name = named.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(named.len());
    let end = end_of_tag(&named[name..]);
    let attributes = &named[name..name + end];
    let after = named.get(name + end + 1..).unwrap_or("");
    Some((Tag { name: named[..name].to_ascii_lowercase(), closing, attributes }, after))
}

/// The place of the `>` that ends a tag; those in quotes do not count.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    text.len()
}

impl Tag<'_> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '/');
            let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace())?;
            let (known, after) = rest.split_at(end);
            let Some(value) = after.trim_start().strip_prefix('=') else {
                rest = after;
                continue;
            };
            let value = value.trim_start();
            let (value, after) = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            if known.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        }
    }

    pub(crate) fn align(&self) -> Option<Align> {
        let said = |name: &str| self.attribute(name).unwrap_or_default().to_ascii_lowercase();
        let all = [said("align"), said("class"), said("style").replace(' ', "")].join(" ");
        if all.starts_with("center") || all.contains("align-center") || all.contains("text-align:center") {
            Some(Align::Center)
        } else if all.starts_with("right") || all.contains("align-right") || all.contains("text-align:right")
        {
            Some(Align::Right)
        } else {
            None
        }
    }

    /// `ql-indent-2`, as the editor of FOLIO's templates has it.
    pub(crate) fn indent(&self) -> u8 {
        let class = self.attribute("class").unwrap_or_default();
        let steps = class.split("indent-").nth(1).and_then(|steps| steps.chars().next()?.to_digit(10));
        steps.and_then(|steps| u8::try_from(steps).ok()).unwrap_or(0)
    }
}
