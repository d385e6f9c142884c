//! Writes the instants in the context of a template in the form of the library's locale. The end of a member's name
//! (`Date`, `DateTime` or `DetailedDateTime`, in any case) selects the form.

use octavo_kernel::parse_time;
use serde_json::{Map, Value};

use crate::locale::{Locale, Style};

/// Every `...Date` gets a `...DateTime` beside it, then all are written as the locale does.
pub(crate) fn localise(context: &mut Value, locale: &Locale) {
    match context {
        Value::Array(values) => values.iter_mut().for_each(|value| localise(value, locale)),
        Value::Object(words) => {
            add_times(words);
            for (name, value) in words {
                match (value.as_str().and_then(parse_instant), style_of_name(name)) {
                    (Some(at), Some(style)) => *value = locale.write(at, style).into(),
                    _ => localise(value, locale),
                }
            }
        }
        _ => {}
    }
}

fn add_times(words: &mut Map<String, Value>) {
    let dates = words.iter().filter(|(name, value)| name.ends_with("Date") && value.is_string());
    let times: Vec<(String, Value)> =
        dates.map(|(name, value)| (format!("{name}Time"), value.clone())).collect();
    for (name, value) in times {
        words.entry(name).or_insert(value);
    }
}

fn style_of_name(name: &str) -> Option<Style> {
    let name = name.to_ascii_lowercase();
    if name.ends_with("detaileddatetime") {
        Some(Style::Detailed)
    } else if name.ends_with("date") {
        Some(Style::Date)
    } else if name.ends_with("datetime") {
        Some(Style::DateTime)
    } else {
        None
    }
}

/// A mere date, and a time without an offset, have no instant and stay as they are.
fn parse_instant(text: &str) -> Option<jiff::Timestamp> {
    let (_, time) = text.split_once('T')?;
    time.contains(['Z', '+', '-']).then(|| parse_time(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;
    use serde_json::json;

    #[test]
    fn the_end_of_a_name_says_how_an_instant_is_written() {
        let locale = Locale { tag: "de".into(), zone: TimeZone::get("Europe/Berlin").unwrap() };
        let at = "2026-03-02T22:30:00.000+00:00";
        let mut context = json!({
            "loans": [{"loan": {"dueDate": at, "title": at}}],
            "request": {"requestDate": at, "requestDateTime": "kept"},
            "currentDateTime": at, "dueDetailedDateTime": at, "someDate": "soon", "plainDate": "2026-03-02",
            "briefDateTime": "2026-03-02T22:30:00+0000", "localDateTime": "2026-03-02T22:30:00",
        });
        localise(&mut context, &locale);
        assert_eq!(
            context,
            json!({
                "loans": [{"loan": {"dueDate": "02.03.26", "dueDateTime": "02.03.26, 23:30", "title": at}}],
                "request": {"requestDate": "02.03.26", "requestDateTime": "kept"},
                "currentDateTime": "02.03.26, 23:30", "dueDetailedDateTime": "2. März 2026 um 23:30",
                "someDate": "soon", "someDateTime": "soon",
                "plainDate": "2026-03-02", "plainDateTime": "2026-03-02",
                "briefDateTime": "02.03.26, 23:30", "localDateTime": "2026-03-02T22:30:00",
            })
        );
    }
}
