//! The title of a record in the log, as mod-source-record-manager 3.8 takes it from the MARC record. Pure.

use octavo_marc::{Field, Record, Subfield};

use super::Format;

/// The codes of the subfields of field 245 that FOLIO's mapping rules make the title of.
const TITLE_CODES: &str = "anpbcfghks";
const UNTITLED: &str = "No content";

/// The title of a bibliographic record, or the heading of an authority; holdings have none. A record that could not be read has the same
/// text as one without a title.
pub fn logged_title(format: Format, record: Option<&Record>) -> Option<String> {
    let fields = || record.into_iter().flat_map(|record| &record.fields);
    let title = match format {
        Format::Bibliographic => join_subfields(fields().filter(|field| field.tag() == "245"), |part| {
            TITLE_CODES.contains(part.code)
        }),
        Format::Authority => {
            let is_heading = |field: &&Field| ("100".."199").contains(&field.tag());
            join_subfields(fields().filter(is_heading).take(1), |_| true)
        }
        Format::Holdings => return None,
    };
    Some(if title.is_empty() { UNTITLED.to_owned() } else { title })
}

fn join_subfields<'a>(fields: impl Iterator<Item = &'a Field>, wanted: impl Fn(&Subfield) -> bool) -> String {
    let parts = fields.flat_map(|field| match field {
        Field::Data { subfields, .. } => subfields.as_slice(),
        Field::Control { .. } => &[],
    });
    let texts: Vec<&str> = parts.filter(|part| wanted(part)).map(|part| part.value.as_str()).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use octavo_marc::from_json;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_title_is_the_whole_245_or_the_first_heading() {
        let field =
            |tag: &str, subfields: Value| json!({tag: {"ind1": "1", "ind2": " ", "subfields": subfields}});
        let title = field(
            "245",
            json!([{"6": "880-01"}, {"a": "Space architecture :"}, {"b": "the work /"}, {"c": "J. Zukowsky."}]),
        );
        let heading = field("100", json!([{"a": "Johnson, W. Brad"}, {"d": "1960-"}]));
        let other = field("400", json!([{"a": "Johnson, Brad"}]));
        let whole = Some("Space architecture : the work / J. Zukowsky.");
        for (format, fields, expected) in [
            (Format::Bibliographic, vec![&heading, &title], whole),
            (Format::Bibliographic, vec![&heading], Some(UNTITLED)),
            (Format::Authority, vec![&other, &heading], Some("Johnson, W. Brad 1960-")),
            (Format::Authority, vec![&other], Some(UNTITLED)),
            (Format::Holdings, vec![&title], None),
        ] {
            let record = json!({"leader": "00000nam a2200000   4500", "fields": fields});
            let record = from_json(&record).unwrap();
            assert_eq!(logged_title(format, Some(&record)).as_deref(), expected, "{format:?}");
        }
        assert_eq!(logged_title(Format::Bibliographic, None).as_deref(), Some(UNTITLED));
    }
}
