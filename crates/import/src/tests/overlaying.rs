use serde_json::json;

use super::text::{assert_lines, marc};
use crate::marc::{Link, Operation, Overlay, Pattern, Protection, overlay, overlay_selected};

/// FOLIO's own: 001 and 999 ff are protected.
fn protections(more: &[(&str, &str, &str, &str)]) -> Vec<Protection> {
    let own = [("001", "", "", "*"), ("999", "ff", "*", "*")];
    let read = |(field, indicators, subfield, data): &(&str, &str, &str, &str)| {
        let indicator = |place: usize| indicators.get(place..=place).unwrap_or("");
        Protection::read(
            &json!({"id": field, "field": field, "indicator1": indicator(0), "indicator2": indicator(1),
            "subfield": subfield, "data": data}),
        )
    };
    own.iter().chain(more).map(read).collect()
}

fn overlay_texts(incoming: &str, stored: &str, more: &[(&str, &str, &str, &str)]) -> octavo_marc::Record {
    let protections = protections(more);
    let by = Overlay { protections: protections.iter().collect(), links: &[], linkable: &[] };
    overlay(&marc(incoming), &marc(stored), &by).0
}

#[test]
fn an_incoming_record_replaces_a_stored_one() {
    for (why, stored, incoming, more, after) in [
        (
            "all but what is protected",
            "001 in1\n005 t1\n008 old\n245 10 $aOld\n500 __ $aOwn\n650 _0 $aX\n999 ff $ii$ss",
            "LDR 00000cas a2200000   4500\n001 ocn\n008 new\n245 00 $aNew\n650 _0 $aY\n650 _0 $aZ",
            &[][..],
            "LDR 00000cas a2200000   4500\n001 in1\n008 new\n245 00 $aNew\n650 _0 $aY\n650 _0 $aZ\n999 ff $ii$ss",
        ),
        (
            "a protected tag stays, incoming fields come to it",
            "001 in1\n500 __ $aOwn\n999 ff $ii",
            "001 ocn\n245 00 $aNew\n500 __ $aTheirs",
            &[("500", "**", "*", "*")][..],
            "001 in1\n245 00 $aNew\n500 __ $aOwn\n500 __ $aTheirs\n999 ff $ii",
        ),
        (
            "only the field with the text is protected",
            "500 __ $aOwn$5Us\n500 __ $aOther",
            "500 __ $aTheirs",
            &[("500", "  ", "5", "Us")][..],
            "500 __ $aOwn$5Us\n500 __ $aTheirs",
        ),
        (
            "of a field that is there once the protected one stays alone",
            "245 10 $aOurs",
            "245 00 $aTheirs\n246 __ $ax",
            &[("245", "**", "*", "*")][..],
            "245 10 $aOurs\n246 __ $ax",
        ),
        (
            "the same field does not come twice",
            "500 __ $aA\n500 __ $aB",
            "500 __ $aA\n500 __ $aA",
            &[("500", "**", "*", "*")][..],
            "500 __ $aA\n500 __ $aB",
        ),
        (
            "fields apart from each other are one group",
            "650 _0 $aX\n650 _7 $aV",
            "650 _0 $aA\n650 _7 $aB\n650 _0 $aC",
            &[][..],
            "650 _0 $aA\n650 _7 $aB\n650 _0 $aC",
        ),
        ("007 repeats", "007 a\n007 b", "007 b\n007 c", &[][..], "007 b\n007 c"),
        (
            "a protected control field",
            "003 Us",
            "003 Them\n008 x",
            &[("003", "", "", "Us")][..],
            "003 Us\n008 x",
        ),
    ] {
        assert_lines(&overlay_texts(incoming, stored, more), after, why);
    }
}

#[test]
fn only_selected_fields_are_replaced() {
    let select = |tag: &str, indicators: [&str; 2], code: &str| -> Pattern {
        let field = json!({"field": tag, "indicator1": indicators[0], "indicator2": indicators[1],
            "subfields": [{"subfield": code}]});
        Operation::selection(&json!({"field": field})).unwrap()
    };
    let stored = "001 in1\n008 old\n245 10 $aOld\n650 _0 $aX\n856 40 $uhttp://old$zText\n999 ff $ii";
    let incoming =
        "001 ocn\n008 new\n245 10 $aNew$cC\n650 _0 $aY\n650 _0 $aZ\n856 40 $uhttp://new$3M\n900 __ $ax";
    for (why, selected, after) in [
        (
            "a control field",
            vec![select("008", ["", ""], "*")],
            "001 in1\n008 new\n245 10 $aOld\n650 _0 $aX\n856 40 $uhttp://old$zText\n999 ff $ii",
        ),
        (
            "a whole field",
            vec![select("245", ["*", "*"], "*")],
            "001 in1\n008 old\n245 10 $aNew$cC\n650 _0 $aX\n856 40 $uhttp://old$zText\n999 ff $ii",
        ),
        (
            "fields that repeat",
            vec![select("650", [" ", "0"], "*")],
            "001 in1\n008 old\n245 10 $aOld\n650 _0 $aY\n650 _0 $aZ\n856 40 $uhttp://old$zText\n999 ff $ii",
        ),
        (
            "one subfield",
            vec![select("856", ["4", "0"], "u")],
            "001 in1\n008 old\n245 10 $aOld\n650 _0 $aX\n856 40 $uhttp://new$zText\n999 ff $ii",
        ),
        (
            "a field that was not there",
            vec![select("900", ["*", "*"], "a")],
            "001 in1\n008 old\n245 10 $aOld\n650 _0 $aX\n856 40 $uhttp://old$zText\n900 __ $ax\n999 ff $ii",
        ),
        (
            "nothing that the incoming record does not have",
            vec![select("500", ["*", "*"], "*")],
            "001 in1\n008 old\n245 10 $aOld\n650 _0 $aX\n856 40 $uhttp://old$zText\n999 ff $ii",
        ),
    ] {
        let protections = protections(&[]);
        let by = Overlay { protections: protections.iter().collect(), links: &[], linkable: &[] };
        assert_lines(&overlay_selected(&marc(incoming), &marc(stored), &selected, &by).0, after, why);
    }
}

#[test]
fn linked_fields_keep_what_their_authority_rules() {
    let link = Link {
        rule: 1,
        tag: "700".to_owned(),
        authority: "uuid1".to_owned(),
        natural_id: "n1".to_owned(),
        controlled: vec!['a', 'd'],
    };
    let stored = "700 1_ $aRuled$d1900-$eeditor$0http://id/n1$9uuid1\n700 1_ $aFree$eauthor";
    for (why, incoming, after, kept) in [
        (
            "the same authority",
            "700 1_ $aOther$eillustrator$0http://id/n1",
            "700 1_ $aRuled$d1900-$eillustrator$0http://id/n1$9uuid1",
            vec![0],
        ),
        ("another authority", "700 1_ $aOther$0http://id/n2$9uuid2", "700 1_ $aOther$0http://id/n2", vec![]),
        ("the field is gone", "701 1_ $aOther", "701 1_ $aOther", vec![]),
    ] {
        let protections = protections(&[]);
        let (links, linkable) = ([link.clone()], ["700".to_owned()]);
        let by = Overlay { protections: protections.iter().collect(), links: &links, linkable: &linkable };
        let (record, links) = overlay(&marc(incoming), &marc(stored), &by);
        assert_lines(&record, after, why);
        assert_eq!(links, kept, "{why}");
    }
}

#[test]
fn a_link_to_an_authority_without_a_number_keeps_no_other_field() {
    let link = Link {
        rule: 1,
        tag: "700".to_owned(),
        authority: "uuid1".to_owned(),
        natural_id: String::new(),
        controlled: vec!['a'],
    };
    let stored = "700 1_ $aRuled$0local1$9uuid1\n700 1_ $aFree$0local2";
    let (links, linkable) = ([link], ["700".to_owned()]);
    let protections = protections(&[]);
    let by = Overlay { protections: protections.iter().collect(), links: &links, linkable: &linkable };
    let (record, kept) = overlay(&marc("700 1_ $aOther$0local1"), &marc(stored), &by);
    assert_lines(&record, "700 1_ $aRuled$0local1$9uuid1", "the incoming record has one field");
    assert_eq!(kept, [0]);
}
