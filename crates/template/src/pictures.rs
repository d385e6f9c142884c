//! Pictures that a notice shows: barcodes, drawn for the words of one notice, and what else it names by a content id.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::barcode::barcode_png;
use crate::limits::{DEEPEST_SECTION, LONGEST_NAME, MOST_NAMED, MOST_PICTURES};
use crate::render::push_escaped;

/// A picture that the body names by its content id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub name: String,
    pub png: Vec<u8>,
}

impl Picture {
    /// The picture as an attachment in FOLIO's form.
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

/// What names of barcodes' pictures begin with.
const BARCODE: &str = "barcode_";

#[derive(Default)]
pub(crate) struct DrawnBarcodes {
    pub(crate) pictures: Vec<Picture>,
    names: BTreeSet<String>,
    /// Barcodes that cannot be drawn; the first of them, if there are many.
    pub(crate) undrawable: Vec<String>,
}

impl DrawnBarcodes {
    fn add_barcode(&mut self, code: &str) -> bool {
        let name = format!("{BARCODE}{code}");
        if self.names.contains(&name) {
            return true;
        }
        let png = if self.pictures.len() < MOST_PICTURES { barcode_png(code) } else { None };
        match png {
            Some(png) => {
                self.names.insert(name.clone());
                self.pictures.push(Picture { name, png });
                true
            }
            None => {
                if self.undrawable.len() < MOST_NAMED && !self.undrawable.iter().any(|known| known == code) {
                    self.undrawable.push(code.to_owned());
                }
                false
            }
        }
    }
}

/// Draws the barcodes whose pictures a template uses; `names` are the names in the template. Beside each such `barcode` the
/// context gets the member `barcodeImage`, the HTML of the picture.
pub(crate) fn draw_barcodes(context: &mut Value, names: &[String]) -> DrawnBarcodes {
    let mut drawn = DrawnBarcodes::default();
    // In a loop, `user.barcodeImage` is the user outside of it: every end of a name is one.
    let wanted: BTreeSet<&str> = names
        .iter()
        .filter(|name| name.ends_with("barcodeImage"))
        .flat_map(|name| name_suffixes(name))
        .collect();
    if !wanted.is_empty() {
        draw_barcodes_in(context, &wanted, "", &mut drawn);
    }
    drawn
}

fn name_suffixes(name: &str) -> impl Iterator<Item = &str> {
    let after_points = name.match_indices('.').map(|(at, _)| &name[at + 1..]);
    std::iter::once(name).chain(after_points)
}

fn draw_barcodes_in(context: &mut Value, wanted: &BTreeSet<&str>, around: &str, drawn: &mut DrawnBarcodes) {
    // No template has so long a name.
    if around.len() > LONGEST_NAME * DEEPEST_SECTION {
        return;
    }
    match context {
        Value::Array(values) => {
            values.iter_mut().for_each(|value| draw_barcodes_in(value, wanted, around, drawn));
        }
        Value::Object(words) => {
            let within = |name: &str| {
                if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") }
            };
            let barcode = words.get("barcode").and_then(Value::as_str);
            if let Some(code) = barcode.filter(|code| !code.trim().is_empty()).map(str::to_owned)
                && wanted.contains(within("barcodeImage").as_str())
                && drawn.add_barcode(&code)
            {
                words.insert("barcodeImage".to_owned(), image_html(&code));
            }
            let inner = words.iter_mut().filter(|(_, value)| value.is_object() || value.is_array());
            for (name, value) in inner {
                draw_barcodes_in(value, wanted, &within(name), drawn);
            }
        }
        _ => {}
    }
}

/// The HTML of a barcode's picture. The barcode is escaped, because it may contain characters with a meaning in HTML.
fn image_html(code: &str) -> Value {
    let mut name = BARCODE.to_owned();
    push_escaped(&mut name, code);
    format!("<img src='cid:{name}' alt='{name}'>").into()
}

/// Draws again the barcodes whose pictures the text of a notice shows.
pub fn redraw_barcodes(body: &str) -> Vec<Picture> {
    let mut drawn = DrawnBarcodes::default();
    for name in content_ids(body) {
        if let Some(code) = name.strip_prefix(BARCODE) {
            drawn.add_barcode(code);
        }
    }
    drawn.pictures
}

/// The content ids of pictures that a text shows and that are not among the attachments; the first of them, if there are
/// many.
pub fn missing_attachments(body: &str, attachments: &[Value]) -> Vec<String> {
    let id = |attachment: &Value| {
        let id = attachment["contentId"].as_str().filter(|id| !id.is_empty());
        id.or_else(|| attachment["name"].as_str()).unwrap_or_default().trim_matches(['<', '>']).to_owned()
    };
    let mut known: BTreeSet<String> = attachments.iter().map(id).collect();
    content_ids(body).filter(|name| known.insert(name.clone())).take(MOST_NAMED).collect()
}

/// The content ids that a text names, in its order. In quotes they may have blanks and brackets, as barcodes do.
fn content_ids(body: &str) -> impl Iterator<Item = String> {
    let places = body.split("cid:").zip(body.split("cid:").skip(1));
    let names = places.map(|(before, after)| match before.chars().next_back() {
        Some(quote @ ('\'' | '"')) => after.split(quote).next(),
        _ => after.split(['\'', '"', '>', ' ', ')']).next(),
    });
    names.map(|name| unescape(name.unwrap_or_default())).filter(|name| !name.is_empty())
}

/// The text from which [`push_escaped`] has made `text`.
fn unescape(text: &str) -> String {
    let mut text = text.to_owned();
    for (entity, letter) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#61;", "="),
        ("&#96;", "`"),
        ("&amp;", "&"),
    ] {
        if text.contains('&') {
            text = text.replace(entity, letter);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_that_nobody_attached_are_told_once_each() {
        let logo = json!({"contentId": "<logo>", "name": "logo.png"});
        let named = json!({"name": "map"});
        let body = "<img src='cid:logo'><img src=\"cid:seal\"> <img src=cid:seal><img src=cid:map> at <a href='https://x'>";
        assert_eq!(missing_attachments(body, &[logo, named]), ["seal"]);
        assert_eq!(missing_attachments("Acid: none", &[]), Vec::<String>::new());
    }

    #[test]
    fn the_barcodes_of_a_text_are_drawn_once_each() {
        let image = |code: &str| format!("<img src='cid:barcode_{code}' alt='barcode_{code}'>");
        let body = format!("{}{}{}", image("1"), image("2"), image("1"));
        assert_eq!(redraw_barcodes(&body).len(), 2);
        assert!(redraw_barcodes("none").is_empty());
    }

    #[test]
    fn a_barcode_is_never_html() {
        let code = "1'><b>=&";
        let mut context = json!({"user": {"barcode": code}});
        let pictures = draw_barcodes(&mut context, &["user.barcodeImage".to_owned()]).pictures;
        let html = context["user"]["barcodeImage"].as_str().unwrap();
        assert_eq!(html.matches('<').count(), 1, "{html}");
        assert_eq!(html.matches('\'').count(), 4, "{html}");
        assert_eq!(redraw_barcodes(html), pictures);
        assert_eq!(missing_attachments(html, &[pictures[0].attachment()]), Vec::<String>::new());
    }

    #[test]
    fn a_barcode_with_blanks_and_brackets_is_found_again() {
        for code in ["A 30012 B", "(NRL) 7", "b>2"] {
            let mut context = json!({"user": {"barcode": code}});
            let pictures = draw_barcodes(&mut context, &["user.barcodeImage".to_owned()]).pictures;
            let html = context["user"]["barcodeImage"].as_str().unwrap();
            assert_eq!(redraw_barcodes(html), pictures, "{html}");
            assert_eq!(missing_attachments(html, &[pictures[0].attachment()]), Vec::<String>::new());
        }
        assert_eq!(missing_attachments("url(cid:seal) <img src=cid:map >", &[]), ["seal", "map"]);
    }

    #[test]
    fn a_notice_has_as_many_pictures_as_it_can_carry() {
        let item = |code: u32| json!({"item": {"barcode": code.to_string()}});
        let mut context = json!({"loans": (0..2_000).map(item).collect::<Vec<_>>()});
        let drawn = draw_barcodes(&mut context, &["loans.item.barcodeImage".to_owned()]);
        assert_eq!((drawn.pictures.len(), drawn.undrawable.len()), (MOST_PICTURES, MOST_NAMED));
        let body: String = (0..2_000).map(|code| format!("<img src='cid:barcode_{code}'>")).collect();
        assert_eq!(redraw_barcodes(&body).len(), MOST_PICTURES);
        assert_eq!(missing_attachments(&body, &[]).len(), MOST_NAMED);
    }
}
