//! A localised template with the words of one notice: subject, text, and the pictures that the text shows.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::barcode::barcode_png;
use crate::dates::localise;
use crate::locale::Locale;
use crate::parse::{Defect, Template};
use crate::render::Escape;

/// Header and body of a template in one language.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    pub header: &'a str,
    pub body: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub header: String,
    pub body: String,
    pub pictures: Vec<Picture>,
    /// Names in the template that lead nowhere in this context, or to nothing.
    pub empty: Vec<String>,
    /// Barcodes that cannot be drawn.
    pub undrawn: Vec<String>,
}

/// A picture that the body names by its content id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub name: String,
    pub png: Vec<u8>,
}

impl Picture {
    /// As FOLIO's attachments are written.
    pub fn attachment(&self) -> Value {
        json!({
            "contentType": "image/png",
            "name": self.name,
            "data": STANDARD.encode(&self.png),
            "disposition": "inline",
            "contentId": format!("<{}>", self.name),
        })
    }
}

/// What is wrong with header and body, if anything.
pub fn defects(wording: Wording<'_>) -> Vec<(&'static str, Defect)> {
    let parts = [("header", wording.header), ("body", wording.body)];
    parts.into_iter().filter_map(|(name, text)| Some((name, Template::parse(text).err()?))).collect()
}

/// Pictures that a text shows by their content ids, and that are not among the attachments.
pub fn unattached(body: &str, attachments: &[Value]) -> Vec<String> {
    let id = |attachment: &Value| {
        let id = attachment["contentId"].as_str().filter(|id| !id.is_empty());
        id.or_else(|| attachment["name"].as_str()).unwrap_or_default().trim_matches(['<', '>']).to_owned()
    };
    let attached: Vec<String> = attachments.iter().map(id).collect();
    let mut missing: Vec<String> = Vec::new();
    for part in body.split("cid:").skip(1) {
        let name = part.split(['\'', '"', '>', ' ', ')']).next().unwrap_or_default();
        if !name.is_empty() && !attached.iter().chain(&missing).any(|known| known == name) {
            missing.push(name.to_owned());
        }
    }
    missing
}

impl Letter {
    /// `escape` is of the output format: HTML is HTML, plain text shows characters as they are.
    pub fn write(
        wording: Wording<'_>,
        context: &Value,
        locale: &Locale,
        escape: Escape,
    ) -> Result<Letter, (&'static str, Defect)> {
        let header = Template::parse(wording.header).map_err(|defect| ("header", defect))?;
        let body = Template::parse(wording.body).map_err(|defect| ("body", defect))?;
        let mut names = header.names();
        names.extend(body.names());
        names.sort_unstable();
        names.dedup();
        let mut context = context.clone();
        localise(&mut context, locale);
        let (mut pictures, mut undrawn) = (Vec::new(), Vec::new());
        let wanted: Vec<&str> =
            names.iter().filter(|name| name.ends_with("barcodeImage")).map(|name| &**name).collect();
        if !wanted.is_empty() {
            draw(&mut context, &wanted, "", &mut pictures, &mut undrawn);
        }
        let body = body.with_raw(|name| name.ends_with("barcodeImage"));
        Ok(Letter {
            // A subject is never HTML, but FOLIO's templates are escaped alike; only line breaks would break it.
            header: header.render(&context, Escape::Nothing).replace(['\r', '\n'], " "),
            body: body.render(&context, escape),
            pictures,
            empty: names.into_iter().filter(|name| !leads_somewhere(&context, name)).collect(),
            undrawn,
        })
    }
}

/// Beside every `barcode` for which the template wants a picture, the HTML that shows it.
fn draw(
    context: &mut Value,
    wanted: &[&str],
    around: &str,
    pictures: &mut Vec<Picture>,
    undrawn: &mut Vec<String>,
) {
    match context {
        Value::Array(values) => {
            values.iter_mut().for_each(|value| draw(value, wanted, around, pictures, undrawn));
        }
        Value::Object(words) => {
            let image =
                if around.is_empty() { "barcodeImage".to_owned() } else { format!("{around}.barcodeImage") };
            let barcode = words.get("barcode").and_then(Value::as_str).map(str::to_owned);
            // In a loop, `user.barcodeImage` is the user outside of it.
            let is_wanted = wanted.iter().any(|name| *name == image || name.ends_with(&format!(".{image}")));
            if let Some(barcode) = barcode.filter(|barcode| is_wanted && !barcode.trim().is_empty()) {
                let name = format!("barcode_{barcode}");
                if pictures.iter().any(|known| known.name == name) {
                    words.insert("barcodeImage".to_owned(), shown(&name));
                } else if let Some(png) = barcode_png(&barcode) {
                    words.insert("barcodeImage".to_owned(), shown(&name));
                    pictures.push(Picture { name, png });
                } else if !undrawn.contains(&barcode) {
                    undrawn.push(barcode);
                }
            }
            for (name, value) in words {
                let path = if around.is_empty() { name.clone() } else { format!("{around}.{name}") };
                draw(value, wanted, &path, pictures, undrawn);
            }
        }
        _ => {}
    }
}

fn shown(name: &str) -> Value {
    format!("<img src='cid:{name}' alt='{name}'>").into()
}

/// Sections may be left out on purpose; in a list, one element that has the word is enough.
fn leads_somewhere(context: &Value, name: &str) -> bool {
    let words: Vec<&str> = name.split('.').collect();
    // Inside a section, names of what is around it may stand: `loans.user.firstName`.
    (0..words.len()).any(|from| found(context, &words[from..]))
}

fn found(value: &Value, words: &[&str]) -> bool {
    match (value, words.split_first()) {
        (Value::Array(values), _) => values.iter().any(|value| found(value, words)),
        (_, Some((first, rest))) => value.get(first).is_some_and(|value| found(value, rest)),
        (Value::Null, None) => false,
        (Value::String(text), None) => !text.is_empty(),
        (_, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(header: &str, body: &str, context: &Value) -> Letter {
        Letter::write(Wording { header, body }, context, &Locale::default(), Escape::Html).unwrap()
    }

    #[test]
    fn barcodes_become_pictures_once_each() {
        let context = json!({
            "user": {"barcode": "100"},
            "loans": [{"item": {"barcode": "200"}}, {"item": {"barcode": "200"}}, {"item": {"barcode": "ä"}}],
        });
        let letter = write(
            "Loans",
            "{{user.barcode}}{{#loans}}{{item.barcodeImage}}{{user.barcodeImage}};{{/loans}}",
            &context,
        );
        let image = |code: &str| format!("<img src='cid:barcode_{code}' alt='barcode_{code}'>");
        let (item, user) = (image("200"), image("100"));
        assert_eq!(letter.body, format!("100{item}{user};{item}{user};{user};"));
        assert_eq!(letter.pictures.iter().map(|picture| &*picture.name).collect::<Vec<_>>().len(), 2);
        assert_eq!(letter.undrawn, ["ä"]);
        let attachment = letter.pictures[0].attachment();
        assert_eq!(attachment["disposition"], "inline");
        assert!(attachment["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
        // Nobody asked for this one.
        assert_eq!(write("x", "{{user.barcode}}", &context).pictures, []);
    }

    #[test]
    fn pictures_that_nobody_attached_are_told_once_each() {
        let logo = json!({"contentId": "<logo>", "name": "logo.png"});
        let named = json!({"name": "map"});
        let body = "<img src='cid:logo'><img src=\"cid:seal\"> <img src=cid:seal><img src=cid:map> at <a href='https://x'>";
        assert_eq!(unattached(body, &[logo, named]), ["seal"]);
        assert_eq!(unattached("Acid: none", &[]), Vec::<String>::new());
    }

    #[test]
    fn names_that_lead_nowhere_are_told() {
        let context =
            json!({"user": {"firstName": "Ada", "lastName": ""}, "loans": [{"item": {"title": "N"}}]});
        let body = "{{user.firstName}}{{user.lastName}}{{usr.x}}{{#loans}}{{item.title}}{{item.titel}}{{user.firstName}}{{/loans}}";
        assert_eq!(write("{{x}}", body, &context).empty, ["loans.item.titel", "user.lastName", "usr.x", "x"]);
    }

    #[test]
    fn a_subject_is_one_line_and_not_html() {
        let letter = write("{{t}}", "{{t}}", &json!({"t": "a\n& b"}));
        assert_eq!((&*letter.header, &*letter.body), ("a & b", "a&#10;&amp; b"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let found = defects(Wording { header: "{{a", body: "{{#b}}" });
        assert_eq!(found.iter().map(|(part, _)| *part).collect::<Vec<_>>(), ["header", "body"]);
        assert_eq!(defects(Wording { header: "a", body: "{{b}}" }), []);
    }
}
