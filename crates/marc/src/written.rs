//! A record written as MARCXML.

use octavo_kernel::Xml;

use crate::{Field, Record};

/// The namespace of MARCXML.
pub const NAMESPACE: &str = "http://www.loc.gov/MARC21/slim";

/// Writes the record as an element of MARCXML. Only this element has a prefix, so that programs that ignore namespaces do not confuse it
/// with the `record` elements of a protocol around it.
pub fn write_marcxml(xml: &mut Xml, record: &Record) {
    xml.element("marc:record", &[("xmlns:marc", NAMESPACE), ("xmlns", NAMESPACE)], |xml| {
        xml.leaf("leader", &record.leader.as_text());
        for field in &record.fields {
            write_field(xml, field);
        }
    });
}

fn write_field(xml: &mut Xml, field: &Field) {
    match field {
        Field::Control { tag, value } => {
            xml.element("controlfield", &[("tag", tag)], |xml| xml.text(value));
        }
        Field::Data { tag, indicators, subfields } => {
            let (mut first, mut second, mut third) = ([0; 4], [0; 4], [0; 4]);
            let (ind1, ind2) =
                (indicators[0].encode_utf8(&mut first), indicators[1].encode_utf8(&mut second));
            xml.element("datafield", &[("tag", tag), ("ind1", ind1), ("ind2", ind2)], |xml| {
                for subfield in subfields {
                    let code = &*subfield.code.encode_utf8(&mut third);
                    xml.element("subfield", &[("code", code)], |xml| xml.text(&subfield.value));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, Format, Leader, Subfield, decode};

    #[test]
    fn a_record_is_written_as_it_is_read_again() {
        let subfields = vec![
            Subfield { code: 'a', value: "Cats & <dogs>".to_owned() },
            Subfield { code: '"', value: "\u{e9}".to_owned() },
        ];
        let record = Record {
            leader: Leader::read(b"00000cam a2200000   4500"),
            fields: vec![
                Field::Control { tag: "001".to_owned(), value: "in1".to_owned() },
                Field::Data { tag: "245".to_owned(), indicators: ['1', ' '], subfields },
            ],
        };
        let mut xml = Xml::default();
        write_marcxml(&mut xml, &record);
        let text = xml.into_text();
        let begin = "<marc:record xmlns:marc=\"http://www.loc.gov/MARC21/slim\" xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>";
        assert!(text.starts_with(begin), "{text}");
        assert_eq!(decode(Format::Xml, Encoding::Declared, text.as_bytes()).unwrap().record, record);
    }
}
