//! What FOLIO itself writes into the MARC records that it keeps: its ids in a field 999 with the indicators f, and the number of the
//! instance, holdings or authority (hrid) in 001.

use uuid::Uuid;

use crate::{Field, Record, Subfield};

const OWN_TAG: &str = "999";
const OWN_INDICATORS: [char; 2] = ['f', 'f'];

impl Record {
    /// The id in subfield `code` of FOLIO's own field 999: `s` is the source record's, which its generations share; `i` that of the
    /// instance, holdings or authority.
    pub fn own_id(&self, code: char) -> Option<Uuid> {
        let subfields = self.fields.iter().find_map(own_subfields)?;
        Uuid::parse_str(&subfields.iter().find(|subfield| subfield.code == code)?.value).ok()
    }

    /// Writes FOLIO's own field 999 anew, as the record's last field.
    pub fn set_own_ids(&mut self, source: Uuid, described: Uuid) {
        self.fields.retain(|field| own_subfields(field).is_none());
        let subfield = |code, id: Uuid| Subfield { code, value: id.to_string() };
        self.fields.push(Field::Data {
            tag: OWN_TAG.to_owned(),
            indicators: OWN_INDICATORS,
            subfields: vec![subfield('s', source), subfield('i', described)],
        });
    }

    /// Puts the hrid into 001. Another number in 001 is moved to a field 035, with the code of the organization from 003: `(003)001`.
    /// The field 003 is removed.
    pub fn set_hrid(&mut self, hrid: &str) {
        let former = self.control_field("001").map(str::trim).filter(|number| *number != hrid);
        let former = former.and_then(|_| self.control_number());
        if let Some(number) = former
            && !self.values("035", 'a').any(|value| value.trim() == number)
        {
            let subfields = vec![Subfield { code: 'a', value: number }];
            self.insert(Field::Data { tag: "035".to_owned(), indicators: [' ', ' '], subfields });
        }
        self.fields.retain(|field| !["001", "003"].contains(&field.tag()));
        self.fields.insert(0, Field::Control { tag: "001".to_owned(), value: hrid.to_owned() });
    }

    /// Puts a field after the last one whose tag is not greater.
    pub fn insert(&mut self, field: Field) {
        let before = self.fields.iter().rposition(|other| other.tag() <= field.tag());
        self.fields.insert(before.map_or(0, |at| at + 1), field);
    }
}

fn own_subfields(field: &Field) -> Option<&[Subfield]> {
    match field {
        Field::Data { tag, indicators, subfields } if tag == OWN_TAG && *indicators == OWN_INDICATORS => {
            Some(subfields)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::from_json;

    #[test]
    fn the_hrid_takes_the_place_of_another_number() {
        let cases = [
            (json!([{"001": "5"}, {"003": "ABC"}]), json!([{"001": "in1"}, of_035("(ABC)5")])),
            (json!([{"001": "5"}, of_035("5"), {"245": {}}]), json!([{"001": "in1"}, of_035("5"), of_245()])),
            (json!([{"001": "in1"}, {"003": "ABC"}]), json!([{"001": "in1"}])),
            (json!([{"005": "x"}, {"245": {}}]), json!([{"001": "in1"}, {"005": "x"}, of_245()])),
        ];
        for (fields, expected) in cases {
            let mut record = from_json(&json!({"leader": "", "fields": fields})).unwrap();
            record.set_hrid("in1");
            assert_eq!(record.to_json()["fields"], expected, "{fields}");
        }
    }

    #[test]
    fn own_ids_are_written_anew_and_other_fields_999_stay() {
        let [source, described] = [1, 2].map(uuid::Uuid::from_u128);
        let theirs = json!({"999": {"ind1": " ", "ind2": " ", "subfields": [{"i": "x"}]}});
        let mut record = from_json(&json!({"leader": "", "fields": [theirs]})).unwrap();
        assert_eq!(record.own_id('i'), None);
        for _ in 0..2 {
            record.set_own_ids(source, described);
            assert_eq!(
                (record.own_id('s'), record.own_id('i'), record.fields.len()),
                (Some(source), Some(described), 2)
            );
        }
    }

    fn of_035(number: &str) -> serde_json::Value {
        json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": number}]}})
    }

    fn of_245() -> serde_json::Value {
        json!({"245": {"ind1": " ", "ind2": " ", "subfields": []}})
    }
}
