//! A compiled job profile: matches with their two branches, and actions with their mappings.

mod act;
mod asks;
mod compile;

use serde_json::Value;

pub(crate) use act::{Act, JOB_ID, MarcUpdate, RECORD_ID};

use crate::marc::folio_id;
use crate::matching::Matching;
use crate::run::Format;

/// The matches and actions for the records of a job.
#[derive(Debug, Clone)]
pub struct Plan {
    nodes: Vec<Node>,
    first: Option<usize>,
    /// Whether $9 of fields that can be linked is removed from incoming records.
    removes_ninths: bool,
    supports: Vec<Format>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The position of the node that follows an action, or a match that has found nothing.
    pub(crate) next: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Match {
        matching: Box<Matching>,
        matched: Option<usize>,
        /// Whether several matches are allowed, because the next match profile narrows them down.
        narrowed: bool,
    },
    Act(Box<Act>),
}

impl Plan {
    /// Reads the snapshot of a job profile. The error names the profile and the field.
    pub fn compile(snapshot: &Value) -> Result<Plan, String> {
        compile::compile(snapshot)
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Whether the job profile is for records of this kind; if not, the job ends before its first record.
    pub fn supports(&self, format: Format) -> bool {
        self.supports.contains(&format)
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.first
    }

    pub(crate) fn node(&self, place: usize) -> Option<&Node> {
        self.nodes.get(place)
    }

    /// Whether $9 of fields that can be linked to authorities is removed from records before anything else.
    pub fn removes_ninths(&self) -> bool {
        self.removes_ninths
    }

    /// The error for a record that already has ids of FOLIO in 999 ff, if the plan does not accept such records.
    pub fn refuses_ids(&self, record: &octavo_marc::Record) -> Option<&'static str> {
        if folio_id(record, 's').is_none() && folio_id(record, 'i').is_none() {
            return None;
        }
        self.nodes.iter().find_map(|node| match &node.kind {
            Kind::Act(act) => act.refuses_ids(),
            Kind::Match { .. } => None,
        })
    }

    /// The actions of the plan that Octavo does not carry out: those on orders and invoices.
    pub fn not_built(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Act(act) => act.not_built(),
            Kind::Match { .. } => None,
        })
    }
}
