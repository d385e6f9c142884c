//! What the rules language accepts, and what it says of the rest.

use proptest::prelude::*;

use super::{PolicyKind, Rules, RulesError};

const POLICIES: &str = "l lp r rp n np o op i ip";

/// A file with the usual first two lines.
fn after_header(rules: &str) -> String {
    format!("priority: last-line\nfallback-policy: {POLICIES}\n{rules}")
}

fn error(text: &str) -> (String, u32, u32) {
    let RulesError { message, line, column } = Rules::parse(text).expect_err(text);
    (message, line, column)
}

fn assert_error(text: &str, message: &str, line: u32, column: u32) {
    assert_eq!(error(text), (message.to_owned(), line, column), "{text}");
}

#[test]
fn what_a_librarian_may_write() {
    for rules in [
        "",
        "\n\n",
        "# a remark",
        "m book: l l1 r r1 n n1 o o1 i i1",
        "m book cd + g all : i i1 l l1 r r1 n n1 o o1 # in any order",
        "m !book !cd: l l1 r r1 n n1 o o1 i i1",
        "g staff\n  m book: l l1 r r1 n n1 o o1 i i1\n\n  # remark\n  t short: l l1 r r1 n n1 o o1 i i1\ng xx: l l1 r r1 n n1 o o1 i i1",
        "g staff: l l1 r r1 n n1 o o1 i i1\n    m book\n        t short: l l1 r r1 n n1 o o1 i i1",
        "m book: l l1 r r1 n n1 o o1 i i1\r\nm cd: l l1 r r1 n n1 o o1 i i1\r\n",
        "m book;: l l1 r r1 n n1 o o1 i i1",
    ] {
        let text = after_header(rules);
        assert!(Rules::parse(&text).is_ok(), "{text}: {:?}", Rules::parse(&text));
    }
    for priority in [
        "last-line",
        "t, s, c, b, a, m, g",
        "t s c b a m g",
        "number-of-criteria, first-line",
        "criterium(t, s, c, b, a, m, g), last-line",
        "criterium (t s c b a m g), number-of-criteria, first-line",
        "number-of-criteria, criterium(t, s, c, b, a, m, g), last-line",
    ] {
        let text = format!("\n# top\npriority: {priority}\n\nfallback-policy: {POLICIES}");
        assert!(Rules::parse(&text).is_ok(), "{text}: {:?}", Rules::parse(&text));
    }
    let text = format!("priority: first-line\nm book: {POLICIES}\nfallback-policy: {POLICIES}\n\n");
    assert!(Rules::parse(&text).is_ok(), "{:?}", Rules::parse(&text));
}

#[test]
fn faults_of_the_priority_line() {
    let fallback = format!("\nfallback-policy: {POLICIES}");
    for (priority, message, column) in [
        ("t g m a b c", "7 letters expected, found only 6", 11),
        ("t g m a b c s s", "Only 7 letters expected, found 8", 11),
        ("t g m a b s s", "Duplicate letter s", 23),
        ("number-of-criteria, number-of-criteria, last-line", "Duplicate priority type", 31),
        ("criterium(t s c b a m g), criterium(t s c b a m g), last-line", "Duplicate letter t", 47),
        ("lastline", "no viable alternative at input 'priority: lastline'", 11),
        ("t, s, last-line", "mismatched input 'last-line' expecting CRITERIUM_LETTER", 17),
    ] {
        assert_error(&format!("priority: {priority}{fallback}"), message, 1, column);
    }
    assert_error("foo", "extraneous input 'foo' expecting {'priority', NEWLINE}", 1, 1);
    assert_error(&fallback[1..], "mismatched input 'fallback-policy' expecting {'priority', NEWLINE}", 1, 1);
    assert_error("", "mismatched input '<EOF>' expecting {'priority', NEWLINE}", 1, 1);
}

#[test]
fn faults_of_the_fallback() {
    assert_error(
        "priority: last-line\nm book: l l1 r r1 n n1 o o1 i i1",
        "extraneous input 'm' expecting {'fallback-policy', NEWLINE}",
        2,
        1,
    );
    assert_error(
        "priority: first-line\nm book: l l1 r r1 n n1 o o1 i i1",
        "extraneous input '<EOF>' expecting {'fallback-policy', CRITERIUM_LETTER, NEWLINE}",
        2,
        33,
    );
    assert_error("priority: t, s, c, b, a, m, g\nfallback-policy", "Policy missing", 2, 16);
    assert_error(
        "priority: last-line\nfallback-policy: l l1 r r1 o o1 i i1\n",
        "Must have a fallback policy of type n",
        2,
        0,
    );
    assert_error(
        "priority: last-line\nfallback-policy: l l1 r r1 n n1 r xx o o1 i i1",
        "Only one fallback policy of type r is allowed",
        2,
        0,
    );
    assert_error(
        &format!("priority: first-line\nfallback-policy: {POLICIES}\nm book: {POLICIES}"),
        "For 'priority: first-line' the fallback-policy must be after the last rule.",
        3,
        1,
    );
    assert_error(
        &after_header(&format!("m book\n  fallback-policy: {POLICIES}")),
        "mismatched input 'fallback-policy' expecting CRITERIUM_LETTER",
        4,
        3,
    );
}

#[test]
fn faults_of_a_rule() {
    for (rules, message, line, column) in [
        ("m: l l1 r r1 n n1 o o1 i i1", "Name missing.", 3, 2),
        ("m book:", "Policy missing after ':'", 3, 8),
        ("g visitor\n   m book", "Policy missing", 4, 4),
        ("m book: l", "Name missing.", 3, 10),
        ("m book !cd: l l1", "A '!' must precede each name or no name.", 3, 9),
        ("m !book cd: l l1", "A '!' must precede each name or no name.", 3, 11),
        ("m book: l l1 l l2 r r1 n n1 o o1 i i1", "Only one policy of type l allowed", 3, 6),
        ("m book: l l1 n n1 o o1 i i1", "Must contain one of each policy type, missing type r", 3, 6),
        ("  \t m book: l l1", "Tabulator character is not allowed, use spaces instead.", 3, 4),
        ("m book: x l1", "no viable alternative at input 'm book: x'", 3, 9),
        ("m book +: l l1", "no viable alternative at input 'm book +:'", 3, 9),
        ("book", "extraneous input 'book' expecting {<EOF>, CRITERIUM_LETTER, NEWLINE}", 3, 1),
    ] {
        assert_error(&after_header(rules), message, line, column);
    }
}

#[test]
fn a_tabulator_is_reported_before_what_is_missing_where_it_stands() {
    let message = "Tabulator character is not allowed, use spaces instead.";
    for (text, line, column) in [("\t", 1, 2), ("  \t m book", 1, 4), ("# one\n\t", 2, 2)] {
        assert_error(text, message, line, column);
    }
}

#[test]
fn an_error_before_a_tabulator_comes_first() {
    let text = after_header("m book: x\n\tm cd");
    assert!(error(&text).0.starts_with("no viable alternative"), "{:?}", error(&text));
}

#[test]
fn policies_are_looked_up_in_the_order_of_the_text() {
    let text = after_header("m book: l l1 r r1 n n1 o gone i i1");
    let known = |kind: PolicyKind, id: &str| !(kind == PolicyKind::OverdueFine && id == "gone");
    let error = Rules::parse_checked(&text, known).unwrap_err();
    assert_eq!(error, RulesError::new("The policy o does not exist", 3, 6));

    let rules = Rules::parse(&text).unwrap();
    let ids: Vec<(PolicyKind, &str)> = rules.policy_ids().collect();
    assert_eq!(ids.len(), 10);
    assert_eq!(ids[0], (PolicyKind::Loan, "lp"));
    assert_eq!(ids[8], (PolicyKind::OverdueFine, "gone"));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*") {
        let _ = Rules::parse(&text);
    }

    #[test]
    fn no_rules_like_text_makes_the_parser_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "priority", ":", "first-line", "last-line", ",", "criterium", "(", ")", "+", "!", "all",
                "number-of-criteria", "fallback-policy", "t", "m", "g", "l", "r", "n", "o", "i", "book",
                "\n", "\n  ", "\n    ", " ", " ", " ", "# x", "\r", "\t", "ä",
                "priority: last-line\nfallback-policy: l l1 r r1 n n1 o o1 i i1\n", "t s c b a m g",
            ]),
            0..40,
        ),
    ) {
        let _ = Rules::parse(&words.concat());
    }
}
