use super::text::marc;
use crate::expression::{Expression, Reading, Value};
use crate::source::Source;

const RECORD: &str = "
    LDR 01234cam a2200205Ia 4500
    001 in1
    008 120329s2011    sz a    ob    001 0 eng d
    050 _4 $aBR115$b.T66
    245 10 $aTitle$cName
    300 __ $a10 pages
    650 _0 $aA
    650 _0 $aB
    856 40 $uhttp://a$zfirst
    856 40 $uhttp://b$zsecond
    900 __ $a01/31/2024
    901 __ $asame
    901 __ $asame
    945 __ $a1$h Annex $zx
    945 __ $a2$hOnline
    980 __ $b\x20
";

fn evaluate(expression: &str, list: bool, repeatable: bool) -> Value {
    let record = marc(RECORD);
    let today = jiff::civil::date(2024, 5, 17);
    let reading = Reading { source: Source::from_record(&record), list, repeatable, today };
    let accepted = |value: String| if value == "Online" { "id-of-online".to_owned() } else { value };
    Expression::parse(expression)
        .unwrap()
        .map_or(Value::Missing, |expression| expression.evaluate(reading, &accepted))
}

#[test]
fn an_expression_gives_one_text() {
    for (expression, expected) in [
        (r#""text""#, "text"),
        (r#""text with; blanks""#, "text with; blanks"),
        (r#""Online""#, "id-of-online"),
        ("245$a", "Title"),
        (r#"050$a " " 050$b"#, "BR115 .T66"),
        (r#"245$a "-" 300$a"#, "Title-10 pages"),
        ("001", "in1"),
        ("945$a", "1"),
        (r#"999$a; else 245$a; else "x""#, "Title"),
        (r#"999$a; else "x""#, "x"),
        (r#"980$b; else "x""#, "x"),
        ("900$a", "2024-01-31"),
        ("###TODAY###", "2024-05-17"),
        (r#""Checked " ###TODAY###"#, "Checked 2024-05-17"),
        ("LDR/7", "a"),
        ("LDR/6-7", "ca"),
        ("008/36-38", "eng"),
        ("008/8-11", "2011"),
        ("008/40-99", " d"),
        ("008/90; else 245$c", "Name"),
        (r#"945$h "!" "#, " Annex !"),
    ] {
        let expected = if expected == " d" { "d".to_owned() } else { expected.to_owned() };
        match evaluate(expression, false, false) {
            Value::Text(text) => assert_eq!(text.trim(), expected.trim(), "{expression}"),
            other => panic!("{expression}: {other:?}"),
        }
    }
}

#[test]
fn an_expression_gives_a_list() {
    for (expression, list, repeatable, expected) in [
        ("650$a", true, false, vec!["A", "B"]),
        ("650$a", false, true, vec!["A", "B"]),
        ("245$a", true, false, vec!["Title"]),
        (r#""x""#, true, false, vec!["x"]),
        ("901$a", true, false, vec!["same"]),
        ("945$h", true, false, vec![" Annex ", "id-of-online"]),
        (r#"856$u " - " 856$z"#, false, true, vec!["http://a - first", "http://b - second"]),
        (r#""see " 856$u"#, false, true, vec!["see http://a", "see http://b"]),
        (r#"856$u "."  "#, false, true, vec!["http://a.", "http://b."]),
        (r#"650$a " of " 245$a"#, false, true, vec!["A of Title", "B of Title"]),
        ("650$a 945$a", true, false, vec!["A1", "B2"]),
        ("650$a 245$a", true, false, vec!["A", "B", "Title"]),
        ("999$a; else 650$a", true, false, vec!["A", "B"]),
    ] {
        let expected = Value::List(expected.into_iter().map(str::to_owned).collect());
        assert_eq!(evaluate(expression, list, repeatable), expected, "{expression}");
    }
}

#[test]
fn an_expression_gives_nothing_or_takes_away() {
    for expression in [
        "",
        "  ",
        "999$a",
        "245$z",
        "245",
        "no expression",
        "24$a",
        "245$aa",
        "008/0",
        "008/5-3",
        "XYZ/1",
        "\"\"",
    ] {
        assert_eq!(evaluate(expression, false, false), Value::Missing, "{expression}");
    }
    assert_eq!(evaluate("###REMOVE###", false, false), Value::Remove);
    assert_eq!(evaluate("999$a; else ###REMOVE###", false, false), Value::Remove);
    assert!(Expression::parse("\"open").is_err());
    assert!(Expression::parse(&"x".repeat(20_000)).is_err());
}
