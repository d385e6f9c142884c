use serde_json::{Value, json};

use super::text::{assert_lines, marc};
use crate::marc::{Operation, modify};

fn field_detail(tag: &str, indicators: &str, subfields: &Value) -> Value {
    json!({"field": tag, "indicator1": &indicators[..1], "indicator2": &indicators[1..], "subfields": subfields})
}

fn modify_record(action: &str, field: &Value, before: &str) -> octavo_marc::Record {
    let operation = Operation::read(&json!({"order": 0, "action": action, "field": field})).unwrap();
    let mut record = marc(before);
    modify(&mut record, &[operation]).unwrap();
    record
}

#[test]
fn fields_are_added_and_deleted() {
    let before = "001 in1\n008 x\n245 10 $aT\n500 __ $aN\n700 1_ $aP";
    for (why, action, field, before, after) in [
        (
            "in the order of tags",
            "ADD",
            field_detail(
                "246",
                "1 ",
                &json!([{"subfield": "a", "data": {"text": "V"}}, {"subfield": "i", "data": {"text": "I"}}]),
            ),
            before,
            "001 in1\n008 x\n245 10 $aT\n246 1_ $aV$iI\n500 __ $aN\n700 1_ $aP",
        ),
        (
            "notes come after the notes that are there",
            "ADD",
            field_detail("504", "  ", &json!([{"subfield": "a", "data": {"text": "B"}}])),
            "245 10 $aT\n500 __ $aN\n590 __ $aL\n700 1_ $aP",
            "245 10 $aT\n500 __ $aN\n590 __ $aL\n504 __ $aB\n700 1_ $aP",
        ),
        (
            "control fields too",
            "ADD",
            json!({"field": "003", "subfields": [{"subfield": "*", "data": {"text": "X"}}]}),
            before,
            "001 in1\n003 X\n008 x\n245 10 $aT\n500 __ $aN\n700 1_ $aP",
        ),
        (
            "a control field goes",
            "DELETE",
            json!({"field": "008", "subfields": [{"subfield": "*"}]}),
            before,
            "001 in1\n245 10 $aT\n500 __ $aN\n700 1_ $aP",
        ),
        (
            "fields with these indicators go",
            "DELETE",
            field_detail("650", " 0", &json!([{"subfield": "*"}])),
            "650 _0 $aA\n650 _7 $aB\n650 _0 $aC",
            "650 _7 $aB",
        ),
        (
            "with any indicators",
            "DELETE",
            field_detail("650", "**", &json!([{"subfield": "*"}])),
            "650 _0 $aA\n650 _7 $aB\n651 _0 $aC",
            "651 _0 $aC",
        ),
        (
            "a subfield goes, and its field if nothing is left",
            "DELETE",
            field_detail("650", " *", &json!([{"subfield": "2"}])),
            "650 _7 $aA$2fast$2x\n650 _7 $2fast",
            "650 _7 $aA$2x",
        ),
    ] {
        assert_lines(&modify_record(action, &field, before), after, why);
    }
}

#[test]
fn subfields_are_edited() {
    let edit = |subaction: &str, subfield: &str, data_of: Value, position: &str| {
        field_detail(
            "500",
            "  ",
            &json!([{"subfield": subfield, "subaction": subaction, "data": data_of, "position": position}]),
        )
    };
    let before = "245 10 $aa\n500 __ $aab$5X\n500 1_ $aab";
    for (why, field, after) in [
        (
            "before",
            edit("INSERT", "a", json!({"text": "x "}), "BEFORE_STRING"),
            "245 10 $aa\n500 __ $ax ab$5X\n500 1_ $aab",
        ),
        (
            "after, in every subfield",
            edit("INSERT", "*", json!({"text": "!"}), "AFTER_STRING"),
            "245 10 $aa\n500 __ $aab!$5X!\n500 1_ $aab",
        ),
        (
            "as a new one",
            edit("INSERT", "3", json!({"text": "m"}), "NEW_SUBFIELD"),
            "245 10 $aa\n500 __ $aab$5X$3m\n500 1_ $aab",
        ),
        (
            "a part replaced",
            edit("REPLACE", "a", json!({"find": "b", "replaceWith": "c"}), ""),
            "245 10 $aa\n500 __ $aac$5X\n500 1_ $aab",
        ),
        (
            "all replaced",
            edit("REPLACE", "a", json!({"find": "*", "replaceWith": "c"}), ""),
            "245 10 $aa\n500 __ $ac$5X\n500 1_ $aab",
        ),
        (
            "a part removed",
            edit("REMOVE", "a", json!({"text": "a"}), ""),
            "245 10 $aa\n500 __ $ab$5X\n500 1_ $aab",
        ),
    ] {
        assert_lines(&modify_record("EDIT", &field, before), after, why);
    }
}

#[test]
fn positions_are_edited() {
    let edit = |field: &str, find: &str, with: &str| {
        json!({"field": field, "subfields": [{"subfield": "*", "subaction": "REPLACE",
            "data": {"find": find, "replaceWith": with}}]})
    };
    for (field, after) in [
        (edit("008/2-3", "cd", "XY"), "008 abXYef\n009 abcdef"),
        (edit("008/2-3", "xx", "XY"), "008 abcdef\n009 abcdef"),
        (edit("008/4-9", "*", "-"), "008 abcd-\n009 abcdef"),
        (edit("008/9", "*", "-"), "008 abcdef\n009 abcdef"),
        (edit("008", "abcdef", "n"), "008 n\n009 abcdef"),
        (edit("LDR/5", "n", "c"), "LDR 00000cam a2200000   4500\n008 abcdef\n009 abcdef"),
        (edit("LDR/5", "x", "c"), "008 abcdef\n009 abcdef"),
    ] {
        assert_lines(&modify_record("EDIT", &field, "008 abcdef\n009 abcdef"), after, &field.to_string());
    }
}

#[test]
fn data_move_to_other_fields() {
    let to = |subfield: &str, subaction: &str, tag: &str, indicators: [&str; 2], code: Option<&str>| {
        let codes = code.map_or(json!([]), |code| json!([{"subfield": code}]));
        json!([{"subfield": subfield, "subaction": subaction, "data": {"marcField": {"field": tag,
            "indicator1": indicators[0], "indicator2": indicators[1], "subfields": codes}}}])
    };
    for (why, subfields, before, after) in [
        (
            "a whole field under another tag",
            to("*", "CREATE_NEW_FIELD", "590", ["1", "2"], None),
            "500 __ $aA$bB\n600 __ $ax",
            "590 12 $aA$bB\n600 __ $ax",
        ),
        (
            "a subfield, with the indicators that it had",
            to("a", "CREATE_NEW_FIELD", "520", ["", ""], Some("c")),
            "500 __ $aA$bB",
            "500 __ $bB\n520 __ $cA",
        ),
        (
            "a subfield to a field that is there",
            to("a", "ADD_TO_EXISTING_FIELD", "300", [" ", " "], Some("z")),
            "300 __ $ap\n500 __ $aA$bB\n500 __ $aC",
            "300 __ $ap$zA$zC\n500 __ $bB",
        ),
        (
            "a subfield to a field that it comes from",
            to("a", "ADD_TO_EXISTING_FIELD", "500", [" ", " "], Some("z")),
            "500 __ $aA\n500 __ $aC$bB",
            "500 __ $zA$zC\n500 __ $bB$zA$zC",
        ),
        (
            "all subfields of fields to others with the tag",
            to("*", "ADD_TO_EXISTING_FIELD", "500", ["*", " "], None),
            "500 __ $aA\n500 1_ $aB",
            "500 1_ $aB$aA",
        ),
        (
            "nothing of the only field moves to itself",
            to("*", "ADD_TO_EXISTING_FIELD", "500", [" ", " "], None),
            "500 __ $aA",
            "500 __ $aA",
        ),
        (
            "nothing moves where no field takes it",
            to("a", "ADD_TO_EXISTING_FIELD", "301", [" ", " "], Some("z")),
            "300 __ $ap\n500 __ $aA$bB",
            "300 __ $ap\n500 __ $aA$bB",
        ),
    ] {
        assert_lines(&modify_record("MOVE", &field_detail("500", "  ", &subfields), before), after, why);
    }
}

#[test]
fn operations_that_say_nothing_are_refused() {
    for (detail, expected) in [
        (json!({"action": "ADD", "field": {}}), "it names no field"),
        (json!({"action": "X", "field": {"field": "500"}}), "action X is not known"),
        (json!({"action": "ADD", "field": {"field": "500"}}), "it adds nothing"),
        (
            json!({"action": "EDIT", "field": {"field": "LDR/0", "subfields": [{"subaction": "REPLACE", "data": {"find": "*"}}]}}),
            "LDR/0 are positions of the leader that are not edited",
        ),
        (
            json!({"action": "EDIT", "field": {"field": "500", "subfields": [{"subaction": "REPLACE", "data": {}}]}}),
            "it finds nothing",
        ),
    ] {
        assert_eq!(Operation::read(&detail).unwrap_err(), expected, "{detail}");
    }
}

#[test]
fn a_record_does_not_grow_without_end() {
    let subfields = json!([{"subfield": "*", "subaction": "ADD_TO_EXISTING_FIELD", "data": {"marcField": {"field": "500",
        "indicator1": "*", "indicator2": "*", "subfields": [{"subfield": "a"}]}}}]);
    let field = field_detail("500", "  ", &subfields);
    let operation = Operation::read(&json!({"action": "MOVE", "field": field})).unwrap();
    let mut record = marc(&"500 1_ $aA\n500 __ $aA$bB$cC\n".repeat(400));
    let ended = modify(&mut record, &vec![operation; 50]);
    assert!(ended.is_err() || record.fields.len() <= 800);
}
