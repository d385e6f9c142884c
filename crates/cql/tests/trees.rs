//! Which tree a text is: queries as FOLIO's clients send them, and the corners of the grammar.

use octavo_cql::{Modifier, parse};

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let query = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let sort: Vec<String> = query.sort.iter().map(ToString::to_string).collect();
        let mut found = format!("{:?}", query.root);
        if !sort.is_empty() {
            found += &format!(" by {}", sort.join(", "));
        }
        assert_eq!(&found, expected, "{text}");
        assert_eq!(parse(&query.to_string()), Ok(query), "{text}: not the same when written again");
    }
}

#[test]
fn queries_of_real_clients() {
    check(&[
        (r#"barcode=="123""#, r#"barcode == "123""#),
        ("id=*", r#"id = "*""#),
        ("name=abc*", r#"name = "abc*""#),
        ("childOf == []", r#"childOf == "[]""#),
        ("(status.name<>Closed)", r#"status.name <> "Closed""#),
        ("id==6b1a1d3e-0c3f-4d0b-9a39-0b1f4d5e6c7a", r#"id == "6b1a1d3e-0c3f-4d0b-9a39-0b1f4d5e6c7a""#),
        ("dueDate<2024-01-01T00:00:00.000+00:00", r#"dueDate < "2024-01-01T00:00:00.000+00:00""#),
        (r#"barcode=="B" sortby id"#, r#"barcode == "B" by id"#),
        (
            "cql.allRecords=1 sortby personal.lastName personal.firstName/sort.descending",
            r#"cql.allRecords = "1" by personal.lastName, personal.firstName/sort.descending"#,
        ),
        (r#"contributors =/@name "x""#, r#"contributors =/@name "x""#),
        (
            r#"identifiers=/@value/@identifierTypeId="abc" "123""#,
            r#"identifiers =/@value/@identifierTypeId="abc" "123""#,
        ),
        ("price >/number 5", r#"price >/number "5""#),
        (
            "(module=CHECKOUT and configName=other_settings)",
            r#"and(module = "CHECKOUT", configName = "other_settings")"#,
        ),
        (r#"tags.tagList=="*\"urgent\"*""#, r#"tags.tagList == "*\"urgent\"*""#),
    ]);
}

#[test]
fn operators_have_equal_precedence_and_group_to_the_left() {
    check(&[
        ("a=1 or b=2 and c=3", r#"and(or(a = "1", b = "2"), c = "3")"#),
        ("a=1 or (b=2 and c=3)", r#"or(a = "1", and(b = "2", c = "3"))"#),
        ("a=1 NOT b=2 Or c=3", r#"or(not(a = "1", b = "2"), c = "3")"#),
        ("((a=1) and ((b=2)))", r#"and(a = "1", b = "2")"#),
        (
            "(a=1 or b=2) not (c=3 not d=4) and e=5",
            r#"and(not(or(a = "1", b = "2"), not(c = "3", d = "4")), e = "5")"#,
        ),
    ]);
}

#[test]
fn all_relations() {
    check(&[
        ("a=x", r#"a = "x""#),
        ("a==x", r#"a == "x""#),
        ("a<>x", r#"a <> "x""#),
        ("a<x", r#"a < "x""#),
        ("a<=x", r#"a <= "x""#),
        ("a>x", r#"a > "x""#),
        ("a>=x", r#"a >= "x""#),
        ("a all x", r#"a all "x""#),
        ("a ANY \"x y\"", r#"a any "x y""#),
        ("a adj/respectCase x", r#"a adj/respectCase "x""#),
        ("a within \"1 2\"", r#"a within "1 2""#),
        ("a cql.exact x", r#"a cql.exact "x""#),
        ("a == /string/respectAccents x", r#"a ==/string/respectAccents "x""#),
        ("a=/relevant>=5 x", r#"a =/relevant>="5" "x""#),
    ]);
}

#[test]
fn terms() {
    check(&[
        ("moby", r#"cql.serverChoice = "moby""#),
        ("moby dick", r#"cql.serverChoice = "moby dick""#),
        ("title=moby  \t\r\n dick", r#"title = "moby dick""#),
        (r#"title="moby" "dick""#, r#"title = "moby dick""#),
        (r#"title="moby  dick""#, r#"title = "moby  dick""#),
        (r#"title="""#, r#"title = """#),
        ("title=Müßiggang", r#"title = "Müßiggang""#),
        ("title=東京\u{a0}都", "title = \"東京\u{a0}都\""),
        (r#"title="a/b (c) <d> = e""#, r#"title = "a/b (c) <d> = e""#),
        (r#"title="\*\?\^\\\"\x""#, r#"title = "\*\?\^\\\"\x""#),
        (r"title=a\*b", r#"title = "a\*b""#),
        (r"title=a\ b", r#"title = "a\ b""#),
        (r#"title=5"x\"y"#, r#"title = "5\"x\"y""#),
        ("title='moby'", r#"title = "'moby'""#),
        (r#""full title"=x"#, r#""full title" = "x""#),
        (r#""and"=x"#, r#""and" = "x""#),
        ("a=and", r#"a = "and""#),
        ("a=or and b=sortby", r#"and(a = "or", b = "sortby")"#),
        ("a=b all all", r#"b all "all""#),
        ("a=x sortby \"b c\" sortby", r#"a = "x" by "b c", "sortby""#),
    ]);
}

#[test]
fn what_stands_before_a_parenthesis_holds_for_bare_terms_inside() {
    check(&[
        (r#"id==(a or "b" or c)"#, r#"or(or(id == "a", id == "b"), id == "c")"#),
        (
            "x=1 and name=/respectCase (a or b=2 or (c d)) and e",
            r#"and(and(x = "1", or(or(name =/respectCase "a", b = "2"), name =/respectCase "c d")), cql.serverChoice = "e")"#,
        ),
    ]);
}

#[test]
fn the_last_index_and_relation_count() {
    check(&[
        ("query=userId==U", r#"userId == "U""#),
        ("query=(userId==U)", r#"userId == "U""#),
        (
            "query=(module=CHECKOUT and configName=other_settings)",
            r#"and(module = "CHECKOUT", configName = "other_settings")"#,
        ),
    ]);
}

#[test]
fn a_clause_knows_its_place_and_a_modifier_its_name_in_any_case() {
    let query = parse("ä=1 and x==/respectCase ( b or \"ü\" = c )").expect("a query");
    let places: Vec<usize> = query.root.clauses().iter().map(|clause| clause.position).collect();
    assert_eq!(places, [0, 26, 31]);
    let modifiers: &[Modifier] = &query.root.clauses()[1].relation.modifiers;
    assert!(modifiers[0].is("respectcase") && !modifiers[0].is("respect"));
}
