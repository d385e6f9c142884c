//! A localised template with the words of one notice: subject, text, and the pictures that the text shows.

use serde_json::Value;

use crate::dates::localise;
use crate::limits::MOST_STEPS;
use crate::locale::Locale;
use crate::parse::{Defect, Template};
use crate::pictures::{Picture, draw_barcodes};
use crate::render::{Escape, TooLong};

/// Header and body of a template in one language.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    pub header: &'a str,
    pub body: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub header: String,
    pub body: String,
    pub pictures: Vec<Picture>,
    /// Names in the template for which the context has no value, or an empty one.
    pub unfilled_names: Vec<String>,
    /// Barcodes that cannot be drawn.
    pub undrawable_barcodes: Vec<String>,
}

/// Why there is no notice: which part of it, the header or the body, and what is wrong with that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    #[error("The {0} of the template cannot be read: {1}")]
    Unreadable(&'static str, Defect),
    #[error("The {0} of the notice cannot be written: {1}")]
    TooLong(&'static str, TooLong),
}

/// What is wrong with header and body, if anything.
pub fn defects(wording: Wording<'_>) -> Vec<(&'static str, Defect)> {
    let parts = [("header", wording.header), ("body", wording.body)];
    parts.into_iter().filter_map(|(name, text)| Some((name, Template::parse(text).err()?))).collect()
}

impl Notice {
    /// `escape` is of the output format: HTML is HTML, plain text shows characters as they are.
    pub fn write(
        wording: Wording<'_>,
        context: &Value,
        locale: &Locale,
        escape: Escape,
    ) -> Result<Notice, NoticeError> {
        let read = |part, text| Template::parse(text).map_err(|defect| NoticeError::Unreadable(part, defect));
        let (header, body) = (read("header", wording.header)?, read("body", wording.body)?);
        let mut names = header.names();
        names.extend(body.names());
        names.sort_unstable();
        names.dedup();
        let mut context = context.clone();
        localise(&mut context, locale);
        let drawn = draw_barcodes(&mut context, &names);
        let body = body.with_raw(|name| name.ends_with("barcodeImage"));
        let write = |part, template: &Template, escape| {
            template.render(&context, escape).map_err(|too_long| NoticeError::TooLong(part, too_long))
        };
        let mut search = NameSearch { steps: MOST_STEPS };
        Ok(Notice {
            // A subject is never HTML, but FOLIO's templates are escaped alike; only line breaks would break it.
            header: write("header", &header, Escape::Nothing)?.replace(['\r', '\n'], " "),
            body: write("body", &body, escape)?,
            pictures: drawn.pictures,
            unfilled_names: names.into_iter().filter(|name| !search.is_filled(&context, name)).collect(),
            undrawable_barcodes: drawn.undrawable,
        })
    }
}

/// Looks for the values of names in a context. After `steps` looked-up values, every further name counts as one with a value.
struct NameSearch {
    steps: usize,
}

impl NameSearch {
    /// Whether the context has a value for a name of the template. `false` is a value, because it leaves a section out on purpose.
    /// In a list, one element with a value is enough.
    fn is_filled(&mut self, context: &Value, name: &str) -> bool {
        let words: Vec<&str> = name.split('.').collect();
        // Inside a section, names of what is around it may stand: `loans.user.firstName`.
        (0..words.len()).any(|from| self.has_value(context, &words[from..]))
    }

    fn has_value(&mut self, value: &Value, words: &[&str]) -> bool {
        self.steps = self.steps.saturating_sub(1);
        match (value, words.split_first()) {
            _ if self.steps == 0 => true,
            (Value::Array(values), _) => values.iter().any(|value| self.has_value(value, words)),
            (_, Some((first, rest))) => value.get(first).is_some_and(|value| self.has_value(value, rest)),
            (Value::Null, None) => false,
            (Value::String(text), None) => !text.is_empty(),
            (_, None) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn write(header: &str, body: &str, context: &Value) -> Notice {
        Notice::write(Wording { header, body }, context, &Locale::default(), Escape::Html).unwrap()
    }

    #[test]
    fn barcodes_become_pictures_once_each() {
        let context = json!({
            "user": {"barcode": "100"},
            "loans": [{"item": {"barcode": "200"}}, {"item": {"barcode": "200"}}, {"item": {"barcode": "ä"}}],
        });
        let notice = write(
            "Loans",
            "{{user.barcode}}{{#loans}}{{item.barcodeImage}}{{user.barcodeImage}};{{/loans}}",
            &context,
        );
        let image = |code: &str| format!("<img src='cid:barcode_{code}' alt='barcode_{code}'>");
        let (item, user) = (image("200"), image("100"));
        assert_eq!(notice.body, format!("100{item}{user};{item}{user};{user};"));
        assert_eq!(notice.pictures.iter().map(|picture| &*picture.name).collect::<Vec<_>>().len(), 2);
        assert_eq!(notice.undrawable_barcodes, ["ä"]);
        let attachment = notice.pictures[0].attachment();
        assert_eq!(attachment["disposition"], "inline");
        assert!(attachment["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
        // Nobody asked for this one.
        assert_eq!(write("x", "{{user.barcode}}", &context).pictures, []);
    }

    #[test]
    fn names_that_lead_nowhere_are_told() {
        let context =
            json!({"user": {"firstName": "Ada", "lastName": ""}, "loans": [{"item": {"title": "N"}}]});
        let body = "{{user.firstName}}{{user.lastName}}{{usr.x}}{{#loans}}{{item.title}}{{item.titel}}{{user.firstName}}{{/loans}}";
        assert_eq!(
            write("{{x}}", body, &context).unfilled_names,
            ["loans.item.titel", "user.lastName", "usr.x", "x"]
        );
    }

    #[test]
    fn a_subject_is_one_line_and_not_html() {
        let notice = write("{{t}}", "{{t}}", &json!({"t": "a\n& b"}));
        assert_eq!((&*notice.header, &*notice.body), ("a & b", "a&#10;&amp; b"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let found = defects(Wording { header: "{{a", body: "{{#b}}" });
        assert_eq!(found.iter().map(|(part, _)| *part).collect::<Vec<_>>(), ["header", "body"]);
        assert_eq!(defects(Wording { header: "a", body: "{{b}}" }), []);
    }
}
