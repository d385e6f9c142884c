//! The page: a table for each record, with the names of members as words.

use octavo_kernel::escape_text;
use serde_json::Value;
use uuid::Uuid;

/// The browser loads nothing and runs no script, whatever the records contain.
pub(super) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; \
    base-uri 'none'; form-action 'none'";

const STYLE: &str = "\
body { font: 11pt/1.4 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; } \
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; border-bottom: 1px solid; break-after: avoid; } \
table { width: 100%; border-collapse: collapse; margin: 0 0 1em; } \
th, td { text-align: start; vertical-align: top; padding: .15em .5em .15em 0; border-bottom: 1px dotted; } \
th { width: 35%; font-weight: normal; } td { overflow-wrap: anywhere; white-space: pre-wrap; } \
tr { break-inside: avoid; }";

pub(super) fn head(id: Uuid, at: &str) -> String {
    let day = at.get(..10).unwrap_or(at);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>What is kept about a person</title>\n<style>{STYLE}</style>\n\
         <h1>What this library keeps about you</h1>\n<p>User {id}, {day}</p>\n"
    )
}

pub(super) fn begin_kind(page: &mut String, name: &str) {
    page.push_str("<section>\n<h2>");
    escape_text(page, &capitalize(name));
    page.push_str("</h2>\n");
}

/// Appends a record, which is JSON text. Text that is not JSON is shown as it is.
pub(super) fn append_record(page: &mut String, document: &str) {
    page.push_str("<table>\n");
    match serde_json::from_str(document) {
        Ok(value) => rows(page, "", &value),
        Err(_) => row(page, "", document),
    }
    page.push_str("</table>\n");
}

pub(super) fn end(page: &mut String, not_given: &[(&str, &str)]) {
    page.push_str("<section>\n<h2>Kept and not shown here</h2>\n<ul>\n");
    for (kind, why) in not_given {
        page.push_str("<li><b>");
        escape_text(page, &capitalize(kind));
        page.push_str("</b>: ");
        escape_text(page, why);
        page.push_str(".</li>\n");
    }
    page.push_str("</ul>\n</section>\n</html>\n");
}

fn rows(page: &mut String, name: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(members) => {
            for (member, value) in members {
                let word = member_label(member);
                match name {
                    "" => rows(page, &word, value),
                    above => rows(page, &format!("{above}: {word}"), value),
                }
            }
        }
        Value::Array(values) => {
            for (place, value) in values.iter().enumerate() {
                rows(page, &format!("{name} {}", place + 1), value);
            }
        }
        Value::String(text) => row(page, name, text),
        other => row(page, name, &other.to_string()),
    }
}

fn row(page: &mut String, name: &str, text: &str) {
    page.push_str("<tr><th>");
    escape_text(page, &capitalize(name));
    page.push_str("</th><td>");
    escape_text(page, text);
    page.push_str("</td></tr>\n");
}

/// The label of a member: `preferredFirstName` becomes `preferred first name`.
fn member_label(member: &str) -> String {
    let mut words = String::with_capacity(member.len() + 4);
    for letter in member.chars() {
        match letter {
            '_' => words.push(' '),
            'A'..='Z' => {
                words.push(' ');
                words.push(letter.to_ascii_lowercase());
            }
            other => words.push(other),
        }
    }
    words.trim().to_owned()
}

fn capitalize(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
