//! What holds for every text and every tree.

use octavo_cql::{Clause, Comparator, Modifier, Node, Operator, Query, Relation, SortKey, parse, term};
use proptest::prelude::*;

/// What a reader of the tree may rely on: quotation marks escaped, no lone backslash at the end.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-z0-9.@_ ()/<>=*?^\\-\t\n\u{e4}\u{6771}\u{1f4d6}]",
        1 => any::<char>().prop_filter("is escaped below", |c| !matches!(c, '"' | '\\')).prop_map(|c| c.to_string()),
        1 => any::<char>().prop_map(|c| format!("\\{c}")),
        1 => prop::sample::select(vec!["and", "or", "not", "prox", "sortby", "\\\"", "\\\\"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn sign() -> impl Strategy<Value = Comparator> {
    prop::sample::select(vec![
        Comparator::Scr,
        Comparator::Exact,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessEqual,
        Comparator::Greater,
        Comparator::GreaterEqual,
    ])
}

fn comparator() -> impl Strategy<Value = Comparator> {
    let words = vec![
        Comparator::All,
        Comparator::Any,
        Comparator::Adj,
        Comparator::Named("within".to_owned()),
        Comparator::Named("cql.Exact".to_owned()),
    ];
    prop_oneof![sign(), prop::sample::select(words)]
}

fn modifiers() -> impl Strategy<Value = Vec<Modifier>> {
    let modifier = ("[@a-zA-Z][a-z.]{3,9}[x0-9]", prop::option::of((sign(), text())));
    prop::collection::vec(modifier.prop_map(|(name, value)| Modifier { name, value }), 0..3)
}

fn clause() -> impl Strategy<Value = Node> {
    (text(), comparator(), modifiers(), text()).prop_map(|(index, comparator, modifiers, term)| {
        Node::Clause(Clause { index, relation: Relation { comparator, modifiers }, term, position: 0 })
    })
}

fn node() -> impl Strategy<Value = Node> {
    clause().prop_recursive(6, 40, 2, |inner| {
        let operator = prop::sample::select(vec![Operator::And, Operator::Or, Operator::Not]);
        (operator, inner.clone(), inner).prop_map(|(operator, left, right)| operator.join(left, right))
    })
}

fn query() -> impl Strategy<Value = Query> {
    let key = (text(), modifiers()).prop_map(|(index, modifiers)| SortKey { index, modifiers });
    (node(), prop::collection::vec(key, 0..3)).prop_map(|(root, sort)| Query { root, sort })
}

/// Texts made of what means something in CQL, so that many of them parse.
fn nearly_cql() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a", "b.c", "and", "OR", "not", "prox", "sortby", "all", "=", "==", "<", "<>", ">=", "(", ")", "/",
        "\"", "\\", "\"x y\"", "*", "?", "^", " ", " ", "\n", "ü", "[]", "a=1",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..20).prop_map(|pieces| pieces.concat())
}

fn is_stable(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(query) => {
            for clause in query.root.clauses() {
                prop_assert!(term::parts(&clause.term).is_ok());
                prop_assert!(clause.position < text.chars().count());
            }
            let written = query.to_string();
            let again = parse(&written);
            prop_assert_eq!(again.as_ref().map(ToString::to_string), Ok(written));
            prop_assert_eq!(again, Ok(query));
        }
        Err(error) => prop_assert!(error.position <= text.chars().count(), "{}", error),
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_tree_written_as_text_is_read_as_the_same_tree(query in query()) {
        prop_assert_eq!(parse(&query.to_string()), Ok(query));
    }

    #[test]
    fn any_text_is_a_query_or_an_error_inside_it(text in any::<String>()) {
        is_stable(&text)?;
    }

    #[test]
    fn any_text_of_cql_pieces_is_a_query_or_an_error_inside_it(text in nearly_cql()) {
        is_stable(&text)?;
    }

    #[test]
    fn escaped_text_is_literal(text in any::<String>()) {
        let escaped: String = text.chars().flat_map(|c| ['\\', c]).collect();
        prop_assert_eq!(term::literal(&escaped), Some(text));
    }
}
