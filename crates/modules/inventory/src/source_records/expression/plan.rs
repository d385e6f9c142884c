//! Plans how the records of an expression are found: by conditions that are looked up one by one.
//!
//! A record matches if, for each tag in the expression, one of the record's values can be chosen so that the expression holds. Choices for
//! different tags are independent. So the parts of an `and` are looked up separately if they share no tag. If they do, tests of the same
//! value stay together, and an `or` among them is multiplied out.

use std::collections::BTreeSet;

use super::Node;
use super::condition::Condition;
use super::operand::Operand;

/// The most conditions of a plan after multiplying out.
const MAX_CONDITIONS: usize = 500;

#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Plan {
    pub(super) condition: Condition,
}

impl Plan {
    pub(super) fn from_expression(node: &Node) -> Result<Plan, String> {
        let mut room = MAX_CONDITIONS;
        let condition = plan_node(node, &mut room)?;
        // As in FOLIO, which joins the tables of fields: a record that lacks one of the tested tags is not found, even if an `or` would not
        // need that tag.
        let missing = tested_tags(node).into_iter().filter(|tag| !requires_tag(&condition, tag));
        let mut all: Vec<Condition> = missing.map(|tag| Condition::Row { tag, tests: Vec::new() }).collect();
        match condition {
            Condition::All(several) => all.splice(0..0, several).for_each(drop),
            one => all.insert(0, one),
        }
        Ok(Plan { condition: only_or_several(all, Condition::All) })
    }
}

/// Whether every record that meets the condition has a field with this tag.
fn requires_tag(condition: &Condition, tag: &str) -> bool {
    match condition {
        Condition::All(all) => all.iter().any(|one| requires_tag(one, tag)),
        Condition::Any(any) => any.iter().all(|one| requires_tag(one, tag)),
        Condition::Row { tag: of, .. } => of == tag,
        Condition::Leader { .. } | Condition::Presence { .. } => false,
    }
}

fn only_or_several(mut conditions: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => several(conditions),
    }
}

/// The tags whose values are tested.
fn tested_tags(node: &Node) -> BTreeSet<String> {
    match node {
        Node::And(nodes) | Node::Or(nodes) => nodes.iter().flat_map(tested_tags).collect(),
        Node::Is(Operand::Row { tag, .. }) => BTreeSet::from([tag.clone()]),
        Node::Is(_) => BTreeSet::new(),
    }
}

fn plan_node(node: &Node, room: &mut usize) -> Result<Condition, String> {
    match node {
        Node::Is(operand) => {
            *room = room.checked_sub(1).ok_or("The expression has too many combinations of conditions")?;
            Ok(Condition::from(operand))
        }
        Node::Or(nodes) => {
            let any: Result<_, _> = nodes.iter().map(|node| plan_node(node, room)).collect();
            Ok(only_or_several(any?, Condition::Any))
        }
        Node::And(nodes) => {
            let groups = group_by_tag(flatten_and(nodes));
            let all: Result<_, _> = groups.into_iter().map(|group| plan_same_tags(&group, room)).collect();
            Ok(only_or_several(all?, Condition::All))
        }
    }
}

fn flatten_and(nodes: &[Node]) -> Vec<Node> {
    let parts = |node: &Node| match node {
        Node::And(nodes) => flatten_and(nodes),
        one => vec![one.clone()],
    };
    nodes.iter().flat_map(parts).collect()
}

/// Groups the parts of an `and`: parts with a tag in common belong to one group.
fn group_by_tag(nodes: Vec<Node>) -> Vec<Vec<Node>> {
    let mut groups: Vec<(BTreeSet<String>, Vec<Node>)> = Vec::new();
    for node in nodes {
        let (mut of, mut members) = (tested_tags(&node), vec![node]);
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

/// Plans the parts of an `and` that test values of the same tags.
fn plan_same_tags(nodes: &[Node], room: &mut usize) -> Result<Condition, String> {
    if let [node] = nodes {
        return plan_node(node, room);
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
            plan_node(&Node::And(all), room)
        })
        .collect();
    Ok(only_or_several(any?, Condition::Any))
}

#[cfg(test)]
mod tests {
    use super::super::operand::{Comparison, Test};
    use super::super::{Language, read};
    use super::*;

    fn row(tag: &str, tests: &[(char, &str)]) -> Condition {
        let test =
            |(code, value): &(char, &str)| Test::Subfield(*code, Comparison::Equal, (*value).to_owned());
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
