//! A query in mod-search's words as one over instances. Other than storage, a search takes `=` as: all these words, in
//! whatever order.

use octavo_cql::term::{Part, parts};
use octavo_cql::{Clause, Comparator, Node, Query, Relation};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Session;
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
    let found = answers.iter().map(|rows| rows.iter().map(|row| row.uuid(0)).collect::<Vec<Uuid>>());
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
    // The index finds, the part decides.
    Ok(match part {
        Some(part) => and(anywhere, clause(part, comparator, &asked.term)),
        None => anywhere,
    })
}

/// Letters and digits alone, as `octavo.identifiers` keeps them.
fn identifier(term: &str) -> Outcome<Node> {
    let parts = parts(term).map_err(Fault::bad_request)?;
    let truncated = parts.last() == Some(&Part::AnyMany);
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

/// Kept apart by an `and`, so that the list stays one list among other alternatives.
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
        for wrong in ["colour=red", "title<a", "title=a sortby colour", "isbn=-"] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }
}
