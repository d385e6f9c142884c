use serde_json::Value;

use super::act::Act;
use super::{Kind, Node, Plan};
use crate::journal::Entity;
use crate::matching::Matching;
use crate::run::Format;

const MOST_NODES: usize = 1_000;
const MAX_DEPTH: usize = 50;

pub(super) fn compile(snapshot: &Value) -> Result<Plan, String> {
    let supports = vec![Format::Bibliographic, Format::Holdings, Format::Authority];
    let mut compiling = Compiling { nodes: Vec::new(), removes_ninths: false, supports };
    let children = sorted_children(snapshot, |_| true);
    let first = compiling.compile_chain(&children, None, 0)?;
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
    /// Compiles profiles that follow one another. Returns the position of the first one, or `after` if there are none.
    fn compile_chain(
        &mut self,
        wrappers: &[&Value],
        after: Option<usize>,
        depth: usize,
    ) -> Result<Option<usize>, String> {
        wrappers
            .iter()
            .rev()
            .try_fold(after, |after, wrapper| self.compile_node(wrapper, after, depth).map(Some))
    }

    fn compile_node(&mut self, wrapper: &Value, after: Option<usize>, depth: usize) -> Result<usize, String> {
        if depth > MAX_DEPTH || self.nodes.len() >= MOST_NODES {
            return Err(format!("the job profile has more than {MAX_DEPTH} levels or {MOST_NODES} profiles"));
        }
        let content = &wrapper["content"];
        let name = content["name"].as_str().unwrap_or_default();
        let node = match wrapper["contentType"].as_str() {
            Some("MATCH_PROFILE") => {
                let matching =
                    Matching::compile(content).map_err(|error| format!("Match profile {name}: {error}"))?;
                let on_match = sorted_children(wrapper, |branch| branch == Some(Branch::Match));
                let on_other = sorted_children(wrapper, |branch| branch == Some(Branch::NonMatch));
                let narrowed = on_match
                    .first()
                    .is_some_and(|child| child["contentType"].as_str() == Some("MATCH_PROFILE"));
                let matched = self.compile_chain(&on_match, after, depth + 1)?;
                let next = self.compile_chain(&on_other, after, depth + 1)?;
                Node { kind: Kind::Match { matching: Box::new(matching), matched, narrowed }, next }
            }
            Some("ACTION_PROFILE") => {
                self.removes_ninths |= content["remove9Subfields"].as_bool() == Some(true);
                let children = sorted_children(wrapper, |_| true);
                let mapping =
                    children.iter().find(|child| child["contentType"].as_str() == Some("MAPPING_PROFILE"));
                let record = content["folioRecord"].as_str().and_then(Entity::from_name);
                let incoming = mapping.and_then(|wrapper| wrapper["content"]["incomingRecordType"].as_str());
                self.supports.retain(|format| {
                    record.is_some_and(|record| can_come_from(record, *format))
                        && incoming.is_none_or(|incoming| incoming == format.marc_entity().name())
                });
                let act = Act::compile(content, mapping.map(|wrapper| &wrapper["content"]))?;
                let below: Vec<&Value> = children
                    .into_iter()
                    .filter(|child| child["contentType"].as_str() != Some("MAPPING_PROFILE"))
                    .collect();
                let next = self.compile_chain(&below, after, depth + 1)?;
                Node { kind: Kind::Act(Box::new(act)), next }
            }
            other => return Err(format!("a profile of the type {} is in the way", other.unwrap_or("null"))),
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }
}

fn can_come_from(record: Entity, format: Format) -> bool {
    match format {
        Format::Bibliographic => matches!(
            record,
            Entity::MarcBibliographic | Entity::Instance | Entity::Holdings | Entity::Item | Entity::Order
        ),
        Format::Holdings => matches!(record, Entity::MarcHoldings | Entity::Holdings),
        Format::Authority => matches!(record, Entity::MarcAuthority | Entity::Authority),
    }
}

fn sorted_children(wrapper: &Value, wanted: impl Fn(Option<Branch>) -> bool) -> Vec<&Value> {
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
