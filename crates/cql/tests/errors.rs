//! What is wrong with a text, and where, in words for the person who typed it.

use octavo_cql::{Limits, parse, parse_with};

#[test]
fn errors_name_the_place_and_what_was_expected() {
    for (text, expected) in [
        ("", "the query is empty: expected an index or a term at position 0"),
        (" \n", "the query is empty: expected an index or a term at position 0"),
        ("barcode==", "expected a term after '==' at position 9"),
        ("ü == )", "expected a term after '==', found ')' at position 5"),
        ("a=1 and", "expected an index or a term after 'and' at position 7"),
        ("a=1 and )", "expected an index or a term after 'and', found ')' at position 8"),
        ("=1", "expected an index or a term, found '=' at position 0"),
        ("a = = b", "expected a term after '=', found '=' at position 4"),
        ("a > > b", "expected a term after '>', found '>' at position 4"),
        ("()", "expected an index or a term after '(', found ')' at position 1"),
        ("(a=1", "unclosed '(' at position 0"),
        ("a=1 or ((b=2) sortby c", "unclosed '(' at position 7"),
        ("a=1)", "unmatched ')' at position 3"),
        ("a=\"x\" and b=\"y", "unclosed quotation mark at position 12"),
        (r#"a="x\""#, "unclosed quotation mark at position 2"),
        ("a=1 \"x", "unclosed quotation mark at position 4"),
        ("a=x/y", "expected 'and', 'or', 'not' or the end after 'x', found '/' at position 3"),
        ("a=1 (b=2)", "expected 'and', 'or', 'not' or the end after '1', found '(' at position 4"),
        (
            "full title=x",
            "unexpected '=': an index is one word, and 'and', 'or' or 'not' stands between comparisons at position 10",
        ),
        (
            "a=1 b=2",
            "unexpected '=': an index is one word, and 'and', 'or' or 'not' stands between comparisons at position 5",
        ),
        ("a=/ x=1", "expected a term after '1' at position 7"),
        ("a=/\"b\" x", "expected the name of a modifier after '/', found 'b' at position 3"),
        ("a=/b= (", "expected the value of the modifier after '=', found '(' at position 6"),
        ("a=1 sortby", "expected an index to sort by after 'sortby' at position 10"),
        ("a=1 sortby b and=c", "expected an index to sort by after 'and', found '=' at position 16"),
        ("a=1 sortby b)", "expected an index to sort by after 'b', found ')' at position 12"),
        ("a=1 prox b=2", "Not implemented yet: org.z3950.zing.cql.CQLProxNode at position 4"),
        ("a=1 and/rel.mean b=2", "Not implemented yet: modifiers of 'and' at position 7"),
        ("a=1 or/ b", "Not implemented yet: modifiers of 'or' at position 6"),
        (
            "> dc = \"info:srw/dc\" dc.title=x",
            "prefix maps ('> name = \"identifier\"') are not supported at position 0",
        ),
        (r"a=b\", r"Unterminated \-character at position 2"),
        (r"a=b c\ and d=1", r"Unterminated \-character at position 4"),
        (r"a\=b", r"Unterminated \-character at position 0"),
        (r"a=1 sortby b\", r"Unterminated \-character at position 11"),
    ] {
        match parse(text) {
            Ok(query) => panic!("{text} is {query:?}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{text}"),
        }
    }
}

#[test]
fn a_long_word_is_shortened_in_a_message() {
    let error = parse(&format!("a={}/", "ü".repeat(500))).expect_err("a slash after a term");
    assert!(error.message.contains(&format!("'{}...'", "ü".repeat(40))), "{error}");
    assert_eq!(error.position, 502);
}

#[test]
fn limits_hold_at_their_edge() {
    let limits = Limits { length: 30, depth: 2, clauses: 3 };
    for (text, expected) in [
        ("((a)) and ((b))", None),
        ("(((a)))", Some("more than 2 parentheses inside each other at position 2")),
        ("a or b or c", None),
        ("a or b or c or d", Some("more than 3 comparisons in one query at position 15")),
        ("a==012345678901234567890123456", None),
        ("a==0123456789012345678901234567", Some("the query is longer than 30 bytes at position 30")),
        ("a==üüüüüüüüüüüüüü", Some("the query is longer than 30 bytes at position 16")),
    ] {
        let error = parse_with(text, limits).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), expected, "{text}");
    }
}

#[test]
fn an_index_before_a_parenthesis_cannot_be_multiplied_without_end() {
    let text = format!("{}=({}a)", "x".repeat(100_000), "a or ".repeat(4_000));
    let error = parse(&text).expect_err("400 MB of index names");
    assert!(error.message.contains("becomes too long"), "{error}");
}
