//! Translates queries from the CQL context sets that SRU clients use into mod-search's names. Pure.

use octavo_cql::{Clause, Comparator, Modifier, Node, Operator, Query, Relation, SERVER_CHOICE, SortKey};

use super::diagnostics::{Diagnostic, diagnostic};

/// A context set: its prefix, its identifier, and its indexes with the names that mod-search has for them.
pub(super) struct ContextSet {
    pub(super) prefix: &'static str,
    pub(super) identifier: &'static str,
    pub(super) indexes: &'static [(&'static str, &'static str)],
}

pub(super) const SETS: &[ContextSet] = &[
    ContextSet {
        prefix: "cql",
        identifier: "info:srw/cql-context-set/1/cql-v1.2",
        indexes: &[
            ("serverChoice", "keyword"),
            ("anywhere", "keyword"),
            ("keywords", "keyword"),
            ("allIndexes", "keyword"),
            ("anyIndexes", "keyword"),
            ("allRecords", "cql.allRecords"),
        ],
    },
    ContextSet {
        prefix: "dc",
        identifier: "info:srw/cql-context-set/1/dc-v1.1",
        indexes: &[
            ("title", "title"),
            ("creator", "contributors"),
            ("contributor", "contributors"),
            ("author", "contributors"),
            ("subject", "subjects"),
            ("publisher", "publisher"),
            ("identifier", "identifiers.value"),
            ("language", "languages"),
            ("description", "notes.note"),
            ("anywhere", "keyword"),
        ],
    },
    ContextSet {
        prefix: "bath",
        identifier: "http://zing.z3950.org/cql/bath/2.0/",
        indexes: &[
            ("any", "keyword"),
            ("title", "title"),
            ("keyTitle", "title"),
            ("uniformTitle", "title"),
            ("author", "contributors"),
            ("name", "contributors"),
            ("personalName", "contributors"),
            ("corporateName", "contributors"),
            ("conferenceName", "contributors"),
            ("subject", "subjects"),
            ("topicalSubject", "subjects"),
            ("publisher", "publisher"),
            ("seriesTitle", "series"),
            ("notes", "notes.note"),
            ("isbn", "isbn"),
            ("issn", "issn"),
            ("lccn", "lccn"),
            ("standardIdentifier", "identifiers.value"),
        ],
    },
    ContextSet {
        prefix: "rec",
        identifier: "info:srw/cql-context-set/2/rec-1.1",
        indexes: &[("identifier", "id"), ("id", "id"), ("controlNumber", "hrid")],
    },
];

/// mod-search's name for a CQL index. An index without a prefix is looked up in all context sets.
fn search_name(index: &str) -> Result<&'static str, Diagnostic> {
    let of = |set: &ContextSet, wanted: &str| {
        set.indexes.iter().find(|(known, _)| known.eq_ignore_ascii_case(wanted)).map(|(_, name)| *name)
    };
    let found = match index.split_once('.') {
        Some((prefix, wanted)) => {
            let set = SETS.iter().find(|set| set.prefix.eq_ignore_ascii_case(prefix));
            of(set.ok_or_else(|| diagnostic(15, prefix))?, wanted)
        }
        None => SETS.iter().find_map(|set| of(set, index)),
    };
    found.ok_or_else(|| diagnostic(16, index))
}

/// Translates a query into mod-search's names.
pub(super) fn translate_query(text: &str, sort_keys: Option<&str>) -> Result<Query, Diagnostic> {
    let query = octavo_cql::parse(text).map_err(|error| diagnostic(10, error.to_string()))?;
    let root = query.root.fold(translate_clause, |operator, left, right| {
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(match operator {
            Operator::And => Node::And(left, right),
            Operator::Or => Node::Or(left, right),
            Operator::Not => Node::Not(left, right),
        })
    })?;
    let mut sort = query.sort.iter().map(sort_key).collect::<Result<Vec<SortKey>, Diagnostic>>()?;
    for key in sort_keys.into_iter().flat_map(str::split_whitespace) {
        sort.push(parse_sort_key(key)?);
    }
    Ok(Query { root, sort })
}

fn translate_clause(clause: &Clause) -> Result<Node, Diagnostic> {
    let index = if clause.index == SERVER_CHOICE { "keyword" } else { search_name(&clause.index)? };
    let comparator = match &clause.relation.comparator {
        Comparator::Named(relation) => match relation.to_lowercase().as_str() {
            "cql.exact" => Comparator::Exact,
            "cql.scr" => Comparator::Scr,
            _ => return Err(diagnostic(19, relation)),
        },
        known => known.clone(),
    };
    if let Some(modifier) = clause.relation.modifiers.iter().find(|modifier| !is_known_modifier(modifier)) {
        return Err(diagnostic(20, &modifier.name));
    }
    let relation = Relation { comparator, modifiers: Vec::new() };
    Ok(Node::Clause(Clause { index: index.to_owned(), relation, ..clause.clone() }))
}

/// Whether a modifier asks for what every search does: words, without regard to case and accents, in any order, with wildcards.
fn is_known_modifier(modifier: &Modifier) -> bool {
    [
        "relevant",
        "cql.relevant",
        "word",
        "cql.word",
        "ignoreCase",
        "cql.ignoreCase",
        "ignoreAccents",
        "masked",
        "cql.masked",
    ]
    .into_iter()
    .any(|known| modifier.is(known))
}

/// The names by which results can be sorted.
const SORTABLE: [(&str, &str); 2] = [("title", "title"), ("contributors", "contributors")];

fn sort_name(index: &str) -> Result<String, Diagnostic> {
    let found = search_name(index).map_err(|_| diagnostic(88, index))?;
    let sorted = SORTABLE.into_iter().find(|(known, _)| *known == found).map(|(_, name)| name.to_owned());
    sorted.ok_or_else(|| diagnostic(88, index))
}

fn sort_key(key: &SortKey) -> Result<SortKey, Diagnostic> {
    Ok(SortKey { index: sort_name(&key.index)?, ..key.clone() })
}

/// A key of the parameter `sortKeys` of version 1.1: `title,dc,0`, in which 0 is descending.
fn parse_sort_key(text: &str) -> Result<SortKey, Diagnostic> {
    let mut parts = text.split(',');
    let index = parts.next().unwrap_or_default();
    let descending = parts.nth(1) == Some("0");
    let modifiers = vec![Modifier { name: "sort.descending".to_owned(), value: None }];
    Ok(SortKey { index: sort_name(index)?, modifiers: if descending { modifiers } else { Vec::new() } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_of_context_sets_are_names_of_the_search() {
        for (query, expected) in [
            ("cats", "keyword=cats"),
            ("cql.anywhere=cats", "keyword=cats"),
            ("dc.title=cats and dc.creator=\"le guin\"", "title=cats and contributors=\"le guin\""),
            ("title cql.exact cats", "title==cats"),
            (
                "BATH.ISBN=9780552142352 or dc.subject any \"a b\"",
                "isbn=9780552142352 or subjects any \"a b\"",
            ),
            ("dc.title =/relevant cats not bath.lccn=1", "title=cats not lccn=1"),
            (
                "cql.allRecords=1 sortby dc.title/sort.descending",
                "cql.allRecords=1 sortby title/sort.descending",
            ),
        ] {
            let same = octavo_cql::parse(expected).unwrap();
            assert_eq!(translate_query(query, None).unwrap().to_string(), same.to_string(), "{query}");
        }
        let sorted = translate_query("cats", Some("title,,0 dc.creator")).unwrap();
        assert_eq!(sorted.sort.iter().map(SortKey::is_descending).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn what_is_not_known_is_told_by_number() {
        for (query, number) in [
            ("dc.title=", 10),
            ("(cats", 10),
            ("xyz.title=cats", 15),
            ("dc.shoesize=9", 16),
            ("shoesize=9", 16),
            ("dc.title within \"1 2\"", 19),
            ("dc.title =/stem cats", 20),
            ("cats sortby dc.subject", 88),
        ] {
            assert_eq!(translate_query(query, None).unwrap_err().number, number, "{query}");
        }
    }
}
