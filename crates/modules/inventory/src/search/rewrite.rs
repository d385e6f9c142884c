//! Rewrites a query of mod-search as a query over instances. Unlike in storage, `=` means all these words in any order.

use octavo_cql::term::{Part, parts};
use octavo_cql::{Clause, Comparator, Node, Query, Relation};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session};
use uuid::Uuid;

use super::copies;
use super::fields::{Target, target};

pub(super) async fn rewritten(session: &mut Session, asked: &Query) -> Outcome<Query> {
    let mut lookups = Vec::new();
    let noted = |clause: &Clause| -> Outcome<()> {
        if let Some(Target::Copies(kind)) = target(&clause.index) {
            lookups.push(copies::instances(kind, &clause.term)?);
        }
        Ok(())
    };
    asked.root.fold(noted, |_, (), ()| Ok(()))?;
    let answers = if lookups.is_empty() { Vec::new() } else { session.batch(lookups).await? };
    let found = answers.iter().map(|rows| rows.iter().map(Row::read).collect::<Vec<Uuid>>());
    rewrite(asked, &mut found.into_iter())
}

/// `found` are the instances of the clauses about copies, in their order.
fn rewrite(asked: &Query, found: &mut dyn Iterator<Item = Vec<Uuid>>) -> Outcome<Query> {
    let root = asked
        .root
        .fold(|clause| node(clause, found), |operator, left, right| Ok(operator.join(left, right)))?;
    let mut sort = asked.sort.clone();
    sort.retain(|key| !key.index.eq_ignore_ascii_case("relevance"));
    for key in &mut sort {
        key.index = match key.index.as_str() {
            "title" => "title",
            "contributors" => "contributorNames",
            "items.status.name" | "item.status.name" => "itemStatus",
            _ => return Err(Fault::bad_request("Sort field not found or cannot be used.")),
        }
        .to_owned();
    }
    Ok(Query { root, sort })
}

fn node(asked: &Clause, found: &mut dyn Iterator<Item = Vec<Uuid>>) -> Outcome<Node> {
    if asked.index.eq_ignore_ascii_case("cql.allRecords") {
        return Ok(all());
    }
    let Some(target) = target(&asked.index) else {
        let message = "Invalid search field provided in the CQL query";
        return Err(Fault::bad_request(format!("{message}: {}", asked.index)));
    };
    let anything = matches!(asked.term.trim(), "" | "*");
    let positive = match target {
        Target::Copies(_) => one_of(&found.next().unwrap_or_default()),
        _ if anything => all(),
        Target::Words(part) => words(asked, part)?,
        Target::Identifier => identifier(&asked.term)?,
        Target::Value(field) => match &asked.relation.comparator {
            Comparator::Scr | Comparator::All | Comparator::Any | Comparator::Adj | Comparator::NotEqual => {
                clause(field, Comparator::Exact, &asked.term)
            }
            other => clause(field, other.clone(), &asked.term),
        },
        Target::Listed(field) => clause(field, Comparator::Exact, &format!("*\\\"{}\\\"*", asked.term)),
        Target::Flag(field) => {
            let set = clause(field, Comparator::Exact, "true");
            if asked.term.trim() == "true" { set } else { not(set) }
        }
    };
    Ok(if asked.relation.comparator == Comparator::NotEqual { not(positive) } else { positive })
}

fn words(asked: &Clause, part: Option<&'static str>) -> Outcome<Node> {
    if is_open_within(&asked.term)? {
        return Ok(within_words(asked, part));
    }
    let comparator = match &asked.relation.comparator {
        Comparator::Scr | Comparator::All => Comparator::All,
        Comparator::Any => Comparator::Any,
        Comparator::Adj => Comparator::Adj,
        Comparator::Exact | Comparator::NotEqual if part == Some("titles") => {
            return Ok(clause("title", Comparator::Exact, &asked.term));
        }
        Comparator::Exact | Comparator::NotEqual => Comparator::Adj,
        other => {
            let message = format!("{} cannot be used with {}", other.as_str(), asked.index);
            return Err(Fault::bad_request(message));
        }
    };
    let anywhere = clause("keyword", comparator.clone(), &asked.term);
    // The index finds candidates; the text of the part decides.
    Ok(match part {
        Some(part) => and(anywhere, clause(part, comparator, &asked.term)),
        None => anywhere,
    })
}

/// Whether a wildcard is elsewhere than at the end of a word; then the index of words is of no use.
fn is_open_within(term: &str) -> Outcome<bool> {
    let parts = parts(term).map_err(Fault::bad_request)?;
    let blank =
        |part: Option<&Part>| part.is_none_or(|part| matches!(part, Part::Char(c) if c.is_whitespace()));
    Ok(parts.iter().enumerate().any(|(at, part)| match part {
        Part::AnyOne => true,
        Part::AnyMany => at == 0 || blank(parts.get(at - 1)) || !blank(parts.get(at + 1)),
        _ => false,
    }))
}

/// Words with wildcards, searched in the text: for titles by an index of parts of words, otherwise in every record.
fn within_words(asked: &Clause, part: Option<&'static str>) -> Node {
    let field = match part {
        Some("titles") => "title",
        Some(part) => part,
        None => "keyword",
    };
    let any = asked.relation.comparator == Comparator::Any;
    let mut nodes =
        asked.term.split_whitespace().map(|word| clause(field, Comparator::Exact, &format!("*{word}*")));
    let first = nodes.next().unwrap_or_else(all);
    nodes.fold(first, |left, right| match any {
        true => Node::Or(Box::new(left), Box::new(right)),
        false => and(left, right),
    })
}

/// Letters and digits alone, as `octavo.identifiers` keeps them.
fn identifier(term: &str) -> Outcome<Node> {
    let parts = parts(term).map_err(Fault::bad_request)?;
    let first = parts.iter().position(|part| matches!(part, Part::AnyMany | Part::AnyOne));
    let truncated = parts.last() == Some(&Part::AnyMany);
    if first.is_some_and(|first| first + 1 < parts.len()) {
        let sign = |part: &Part| match part {
            Part::Char(letter) if letter.is_alphanumeric() => Some(letter.to_ascii_lowercase()),
            Part::AnyMany => Some('*'),
            Part::AnyOne => Some('?'),
            _ => None,
        };
        let pattern: String = parts.iter().filter_map(sign).collect();
        return Ok(clause("identifierTokens", Comparator::Exact, &format!("*{pattern}*")));
    }
    let letters = parts.iter().filter_map(|part| match part {
        Part::Char(letter) if letter.is_alphanumeric() => Some(*letter),
        _ => None,
    });
    let mut token: String = letters.flat_map(char::to_lowercase).collect();
    if token.is_empty() {
        return Err(Fault::bad_request("An identifier has letters or digits"));
    }
    if truncated {
        token.push('*');
    }
    Ok(and(clause("keyword", Comparator::All, &token), clause("identifierTokens", Comparator::All, &token)))
}

fn clause(index: &str, comparator: Comparator, term: &str) -> Node {
    let relation = Relation { comparator, modifiers: Vec::new() };
    Node::Clause(Clause { index: index.to_owned(), relation, term: term.to_owned(), position: 0 })
}

fn all() -> Node {
    clause("cql.allRecords", Comparator::Scr, "1")
}

fn and(left: Node, right: Node) -> Node {
    Node::And(Box::new(left), Box::new(right))
}

fn not(node: Node) -> Node {
    Node::Not(Box::new(all()), Box::new(node))
}

/// The `and` keeps the list together, so that it is not merged with other alternatives.
fn one_of(ids: &[Uuid]) -> Node {
    let id = |id: &Uuid| clause("id", Comparator::Exact, &id.to_string());
    let mut nodes = ids.iter().map(id);
    let first = nodes.next().unwrap_or_else(|| id(&Uuid::nil()));
    let either = nodes.fold(first, |left, right| Node::Or(Box::new(left), Box::new(right)));
    and(either, all())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        let asked = octavo_cql::parse(text).unwrap();
        let mut found = std::iter::repeat_with(|| vec![Uuid::nil()]);
        rewrite(&asked, &mut found).ok().map(|query| query.to_string())
    }

    #[test]
    fn words_stand_in_any_order_and_parts_narrow_what_the_index_finds() {
        let same = |text: &str, expected: &str| {
            let expected = octavo_cql::parse(expected).unwrap().to_string();
            assert_eq!(told(text), Some(expected), "{text}");
        };
        same("keyword=\"sea old\"", "keyword all \"sea old\"");
        same("title any \"sea old\"", "keyword any \"sea old\" and titles any \"sea old\"");
        same("title==\"the old*\"", "title==\"the old*\"");
        same("isbn=0-8044-2957-X", "keyword all 080442957x and identifierTokens all 080442957x");
        same("isbn=978-0*", "keyword all 9780* and identifierTokens all 9780*");
        same("staffSuppress==false", "cql.allRecords=1 not staffSuppress==true");
        same("keyword=* sortby relevance", "cql.allRecords=1");
        same(
            "title=a sortby title/sort.descending",
            "keyword all a and titles all a sortby title/sort.descending",
        );
        same("title=\"*man sea*\"", "title==\"**man*\" and title==\"*sea**\"");
        same("keyword any \"*a b*\"", "keyword==\"**a*\" or keyword==\"*b**\"");
        same("isbn=\"*8-0?4*\"", "identifierTokens==\"**80?4**\"");
        same("title=a sortby items.status.name", "keyword all a and titles all a sortby itemStatus");
        for wrong in ["colour=red", "title<a", "title=a sortby colour", "isbn=-"] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }
}
