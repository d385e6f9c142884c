//! Translates the extractors and assertions of a sampler: values that are taken from the answer, and expected statuses.
//!
//! If the answer lacks a value, JMeter uses the extractor's default (an empty text if none is written), and still makes the calls after it.

use crate::workflow::JsonPath;

use super::names::Names;
use super::plan::Element;
use super::write::{Call, TakenValue};

pub(super) fn read_json_paths(element: &Element<'_>, call: &mut Call, names: &mut Names) {
    let of = |name: &str| -> Vec<&str> { element.text(name).split(';').map(str::trim).collect() };
    let (variables, paths) = (of("JSONPostProcessor.referenceNames"), of("JSONPostProcessor.jsonPathExprs"));
    let (numbers, defaults) = (of("JSONPostProcessor.match_numbers"), of("JSONPostProcessor.defaultValues"));
    for (at, name) in variables.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let path = paths.get(at).copied().unwrap_or_default();
        // Without a number JMeter takes any.
        let number = numbers.get(at).and_then(|text| text.parse().ok()).unwrap_or(0);
        match translate_path(path, number) {
            Some((path, key)) => {
                let many = number < 0;
                let default = defaults.get(at).copied().unwrap_or_default();
                let otherwise = (!many).then(|| default.to_owned());
                add_taken_value(call, name, path, key, otherwise, names);
            }
            None => note_unread_value(element, name, format!("the path {path} was not read"), names),
        }
    }
}

pub(super) fn read_pattern(element: &Element<'_>, call: &mut Call, names: &mut Names) {
    let (name, pattern) = (element.text("RegexExtractor.refname"), element.text("RegexExtractor.regex"));
    // Tokens are the laboratory's own affair.
    if pattern.to_ascii_lowercase().contains("token: ") || pattern.contains("Token=") {
        return;
    }
    let body = matches!(element.text("RegexExtractor.useHeaders"), "" | "false");
    let simple = matches!(element.text("RegexExtractor.template"), "" | "$1$");
    let known = regex_lite::Regex::new(pattern).is_ok_and(|pattern| pattern.captures_len() > 1);
    let number = element.text("RegexExtractor.match_number");
    if !(body && simple && known && matches!(number, "" | "0" | "1")) {
        note_unread_value(element, name, format!("the expression {pattern} was not read"), names);
        return;
    }
    if number != "1" {
        names.note(element.line, format!("{name}: the first match is taken, not any of them"));
    }
    let otherwise = element.text("RegexExtractor.default").to_owned();
    add_taken_value(call, name, pattern.to_owned(), "find", Some(otherwise), names);
}

pub(super) fn take_whole_answer(call: &mut Call, name: &str, names: &mut Names) {
    add_taken_value(call, name, "$".to_owned(), "take", Some(String::new()), names);
}

fn add_taken_value(
    call: &mut Call,
    name: &str,
    from: String,
    key: &'static str,
    otherwise: Option<String>,
    names: &mut Names,
) {
    let number = names.add_taken(name, otherwise.is_none());
    call.taken.push(TakenValue { number, key, name: name.to_owned(), from, default_text: otherwise });
}

/// Notes a value whose extractor was not translated. It is missing only where it is used.
fn note_unread_value(element: &Element<'_>, name: &str, what: String, names: &mut Names) {
    names.note(element.line, format!("{name}: {what}"));
    names.unread_sources.insert(name.to_owned(), (element.line, what));
}

pub(super) fn read_statuses(element: &Element<'_>, call: &mut Call, names: &mut Names) {
    let kind: u32 = element.text("Assertion.test_type").parse().unwrap_or(0);
    let wanted = element.parts("Asserion.test_strings");
    let codes: Option<Vec<u16>> = wanted.iter().map(|part| part.value().parse().ok()).collect();
    let codes =
        codes.filter(|codes| kind & NEGATED_BIT == 0 && codes.iter().all(|code| (100..600).contains(code)));
    match codes {
        Some(codes) => call.expect = codes,
        None => names.note(element.line, "ResponseAssertion: the statuses were not read"),
    }
}

/// The bit of an assertion's type that negates the assertion in JMeter.
const NEGATED_BIT: u32 = 4;

/// Translates a JSON path of JMeter. Returns the path and the key of the call (`take` or `any`). JMeter's match number -1 means all
/// matches, 0 any of them.
fn translate_path(path: &str, number: i64) -> Option<(String, &'static str)> {
    let path = if path.starts_with('$') { path.to_owned() } else { format!("$.{path}") };
    // `$..[` is `$.` with what JMeter's reader puts in front of a path that begins with a dot.
    let path = path.replace(".[", "[").replace(".*", "[*]");
    let many = JsonPath::parse(&path).ok()?.is_many();
    let deep = path.contains("..");
    match number {
        _ if number < 0 => many.then_some((path, "take")),
        0 if many || deep => Some((path, "any")),
        1 if deep && !many => Some((path, "take")),
        _ if !many && !deep => Some((path, "take")),
        _ => {
            // JMeter counts from 1.
            let at = format!("[{}]", (number - 1).max(0));
            (!deep && path.matches("[*]").count() == 1).then(|| (path.replace("[*]", &at), "take"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_the_laboratory_reads_them() {
        for (path, number, expected) in [
            ("$.id", 1, Some(("$.id", "take"))),
            ("$.id", 0, Some(("$.id", "take"))),
            ("invoices.*.id", 0, Some(("$.invoices[*].id", "any"))),
            ("$.loans[*].id", 2, Some(("$.loans[1].id", "take"))),
            ("$.loans[*].id", -1, Some(("$.loans[*].id", "take"))),
            // JMeter puts "$." in front, and looks however deep.
            (".loans[*].id", -1, Some(("$..loans[*].id", "take"))),
            ("$.users.[0].id", 0, Some(("$.users[0].id", "take"))),
            ("$..id", 1, Some(("$..id", "take"))),
            ("$..id", 0, Some(("$..id", "any"))),
            ("$..id", -1, None),
            ("$.id", -1, None),
            ("$.a[?(@.id == 'x')].b", 1, None),
        ] {
            let read = translate_path(path, number);
            assert_eq!(read.as_ref().map(|(path, key)| (path.as_str(), *key)), expected, "{path} {number}");
        }
    }
}
