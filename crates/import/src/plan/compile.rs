use serde_json::Value;

use super::act::Act;
use super::{Kind, Node, Plan};
use crate::journal::Entity;
use crate::matching::Matching;
use crate::run::Format;

const MOST_NODES: usize = 1_000;
const DEEPEST: usize = 50;

pub(super) fn compile(snapshot: &Value) -> Result<Plan, String> {
    let supports = vec![Format::Bibliographic, Format::Holdings, Format::Authority];
    let mut compiling = Compiling { nodes: Vec::new(), removes_ninths: false, supports };
    let children = sorted(snapshot, |_| true);
    let first = compiling.chain(&children, None, 0)?;
    let Compiling { nodes, removes_ninths, supports } = compiling;
    Ok(Plan { nodes, first, removes_ninths, supports })
}

struct Compiling {
    nodes: Vec<Node>,
    removes_ninths: bool,
    supports: Vec<Format>,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Branch {
    Match,
    NonMatch,
}

impl Compiling {
    /// Profiles one after the other; the place of the first, or of what comes after them if there are none.
    fn chain(
        &mut self,
        wrappers: &[&Value],
        after: Option<usize>,
        depth: usize,
    ) -> Result<Option<usize>, String> {
        wrappers.iter().rev().try_fold(after, |after, wrapper| self.node(wrapper, after, depth).map(Some))
    }

    fn node(&mut self, wrapper: &Value, after: Option<usize>, depth: usize) -> Result<usize, String> {
        if depth > DEEPEST || self.nodes.len() >= MOST_NODES {
            return Err(format!("the job profile has more than {DEEPEST} levels or {MOST_NODES} profiles"));
        }
        let content = &wrapper["content"];
        let name = content["name"].as_str().unwrap_or_default();
        let node = match wrapper["contentType"].as_str() {
            Some("MATCH_PROFILE") => {
                let matching =
                    Matching::compile(content).map_err(|error| format!("Match profile {name}: {error}"))?;
                let on_match = sorted(wrapper, |branch| branch == Some(Branch::Match));
                let on_other = sorted(wrapper, |branch| branch == Some(Branch::NonMatch));
                let narrowed = on_match
                    .first()
                    .is_some_and(|child| child["contentType"].as_str() == Some("MATCH_PROFILE"));
                let matched = self.chain(&on_match, after, depth + 1)?;
                let next = self.chain(&on_other, after, depth + 1)?;
                Node { kind: Kind::Match { matching: Box::new(matching), matched, narrowed }, next }
            }
            Some("ACTION_PROFILE") => {
                self.removes_ninths |= content["remove9Subfields"].as_bool() == Some(true);
                let children = sorted(wrapper, |_| true);
                let mapping =
                    children.iter().find(|child| child["contentType"].as_str() == Some("MAPPING_PROFILE"));
                let record = content["folioRecord"].as_str().and_then(Entity::read);
                let incoming = mapping.and_then(|wrapper| wrapper["content"]["incomingRecordType"].as_str());
                self.supports.retain(|format| {
                    record.is_some_and(|record| may_be_made_of(record, *format))
                        && incoming.is_none_or(|incoming| incoming == format.marc().name())
                });
                let act = Act::compile(content, mapping.map(|wrapper| &wrapper["content"]))?;
                let below: Vec<&Value> = children
                    .into_iter()
                    .filter(|child| child["contentType"].as_str() != Some("MAPPING_PROFILE"))
                    .collect();
                let next = self.chain(&below, after, depth + 1)?;
                Node { kind: Kind::Act(Box::new(act)), next }
            }
            other => return Err(format!("a profile of the type {} is in the way", other.unwrap_or("null"))),
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }
}

fn may_be_made_of(record: Entity, format: Format) -> bool {
    match format {
        Format::Bibliographic => matches!(
            record,
            Entity::MarcBibliographic | Entity::Instance | Entity::Holdings | Entity::Item | Entity::Order
        ),
        Format::Holdings => matches!(record, Entity::MarcHoldings | Entity::Holdings),
        Format::Authority => matches!(record, Entity::MarcAuthority | Entity::Authority),
    }
}

fn sorted(wrapper: &Value, wanted: impl Fn(Option<Branch>) -> bool) -> Vec<&Value> {
    let children = wrapper["childSnapshotWrappers"].as_array().map_or(&[][..], Vec::as_slice);
    let mut children: Vec<&Value> = children.iter().filter(|child| wanted(branch(child))).collect();
    children.sort_by_key(|child| child["order"].as_i64().unwrap_or(0));
    children
}

fn branch(wrapper: &Value) -> Option<Branch> {
    match wrapper["reactTo"].as_str() {
        Some("MATCH") => Some(Branch::Match),
        Some("NON_MATCH" | "NON-MATCH") => Some(Branch::NonMatch),
        _ => None,
    }
}
