//! From an expression to conditions that can be looked up one by one.
//!
//! A record is found if one value of each tag that the expression tests can be chosen such that it holds. Choices for different tags do
//! not depend on each other, so what is joined by `and` is looked up part by part where parts share no tag; where they do, tests of one
//! value stay together, and an `or` among them is multiplied out.

use std::collections::BTreeSet;

use super::Node;
use super::condition::Condition;
use super::operand::Operand;

/// The most conditions that multiplying out may make.
const MOST: usize = 500;

#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Plan {
    pub(super) condition: Condition,
}

impl Plan {
    pub(super) fn of(node: &Node) -> Result<Plan, String> {
        let mut room = MOST;
        let condition = laid_out(node, &mut room)?;
        // Fields are joined: a record without one of the tags is not found, even where an `or` could do without.
        let missing = tags(node).into_iter().filter(|tag| !ensures(&condition, tag));
        let mut all: Vec<Condition> = missing.map(|tag| Condition::Row { tag, tests: Vec::new() }).collect();
        match condition {
            Condition::All(several) => all.splice(0..0, several).for_each(drop),
            one => all.insert(0, one),
        }
        Ok(Plan { condition: alone(all, Condition::All) })
    }
}

/// Whether what meets the condition has a field with this tag.
fn ensures(condition: &Condition, tag: &str) -> bool {
    match condition {
        Condition::All(all) => all.iter().any(|one| ensures(one, tag)),
        Condition::Any(any) => any.iter().all(|one| ensures(one, tag)),
        Condition::Row { tag: of, .. } => of == tag,
        Condition::Leader { .. } | Condition::Presence { .. } => false,
    }
}

fn alone(mut conditions: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => several(conditions),
    }
}

/// The tags of which a value is tested.
fn tags(node: &Node) -> BTreeSet<String> {
    match node {
        Node::And(nodes) | Node::Or(nodes) => nodes.iter().flat_map(tags).collect(),
        Node::Is(Operand::Row { tag, .. }) => BTreeSet::from([tag.clone()]),
        Node::Is(_) => BTreeSet::new(),
    }
}

fn laid_out(node: &Node, room: &mut usize) -> Result<Condition, String> {
    match node {
        Node::Is(operand) => {
            *room = room.checked_sub(1).ok_or("The expression has too many combinations of conditions")?;
            Ok(Condition::from(operand))
        }
        Node::Or(nodes) => {
            let any: Result<_, _> = nodes.iter().map(|node| laid_out(node, room)).collect();
            Ok(alone(any?, Condition::Any))
        }
        Node::And(nodes) => {
            let groups = groups(flat(nodes));
            let all: Result<_, _> = groups.into_iter().map(|group| together(&group, room)).collect();
            Ok(alone(all?, Condition::All))
        }
    }
}

fn flat(nodes: &[Node]) -> Vec<Node> {
    let parts = |node: &Node| match node {
        Node::And(nodes) => flat(nodes),
        one => vec![one.clone()],
    };
    nodes.iter().flat_map(parts).collect()
}

/// The parts of an `and`, those with a tag in common together.
fn groups(nodes: Vec<Node>) -> Vec<Vec<Node>> {
    let mut groups: Vec<(BTreeSet<String>, Vec<Node>)> = Vec::new();
    for node in nodes {
        let (mut of, mut members) = (tags(&node), vec![node]);
        groups.retain_mut(|(other, others)| {
            let apart = of.is_disjoint(other);
            if !apart {
                of.append(other);
                members.splice(0..0, others.drain(..));
            }
            apart
        });
        groups.push((of, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Parts of an `and` that are about the same values.
fn together(nodes: &[Node], room: &mut usize) -> Result<Condition, String> {
    if let [node] = nodes {
        return laid_out(node, room);
    }
    let or = nodes.iter().enumerate().find_map(|(at, node)| match node {
        Node::Or(options) => Some((at, options)),
        _ => None,
    });
    let Some((at, options)) = or else {
        let mut tag = String::new();
        let mut tests = Vec::new();
        for node in nodes {
            if let Node::Is(Operand::Row { tag: of, test }) = node {
                tag.clone_from(of);
                tests.push(test.clone());
            }
        }
        *room =
            room.checked_sub(tests.len()).ok_or("The expression has too many combinations of conditions")?;
        return Ok(Condition::Row { tag, tests });
    };
    let any: Result<_, _> = options
        .iter()
        .map(|option| {
            let mut all: Vec<Node> = nodes.to_vec();
            all[at] = option.clone();
            laid_out(&Node::And(all), room)
        })
        .collect();
    Ok(alone(any?, Condition::Any))
}

#[cfg(test)]
mod tests {
    use super::super::operand::{Compared, Test};
    use super::super::{Language, read};
    use super::*;

    fn row(tag: &str, tests: &[(char, &str)]) -> Condition {
        let test = |(code, value): &(char, &str)| Test::Subfield(*code, Compared::Equal, (*value).to_owned());
        Condition::Row { tag: tag.to_owned(), tests: tests.iter().map(test).collect() }
    }

    #[test]
    fn conditions_on_one_tag_are_about_one_value() {
        let all = Condition::All;
        let any = Condition::Any;
        for (expression, condition) in [
            ("035.a = '1' and 036.a = '2'", all(vec![row("035", &[('a', "1")]), row("036", &[('a', "2")])])),
            ("035.a = '1' and 035.b = '2'", row("035", &[('a', "1"), ('b', "2")])),
            ("035.a = '1' or 035.b = '2'", any(vec![row("035", &[('a', "1")]), row("035", &[('b', "2")])])),
            (
                "035.a = '1' and (035.b = '2' or 035.b = '3')",
                any(vec![row("035", &[('a', "1"), ('b', "2")]), row("035", &[('a', "1"), ('b', "3")])]),
            ),
            (
                "035.a = '1' or 036.a = '2'",
                all(vec![
                    any(vec![row("035", &[('a', "1")]), row("036", &[('a', "2")])]),
                    row("035", &[]),
                    row("036", &[]),
                ]),
            ),
        ] {
            let plan = read(Language::Fields, expression).unwrap();
            assert_eq!(plan.condition, condition, "{expression}");
        }
    }
}
