//! A job profile, read once: matches with their two branches, and actions with what they map.

mod act;
mod asks;
mod compile;

use serde_json::Value;

pub(crate) use act::{Act, MarcUpdate};

use crate::marc::has_id;
use crate::matching::Matching;
use crate::run::Format;

/// What is done with each record of a job.
#[derive(Debug, Clone)]
pub struct Plan {
    nodes: Vec<Node>,
    first: Option<usize>,
    /// $9 of fields that can be linked is taken out of incoming records.
    removes_ninths: bool,
    supports: Vec<Format>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// What comes after an action, or after a match that found nothing.
    pub(crate) next: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Match {
        matching: Box<Matching>,
        matched: Option<usize>,
        /// Several matches are left to the next match profile.
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

    /// Whether the profile is one for records of this kind; if not, the job ends before its first record.
    pub fn supports(&self, format: Format) -> bool {
        self.supports.contains(&format)
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.first
    }

    pub(crate) fn node(&self, place: usize) -> Option<&Node> {
        self.nodes.get(place)
    }

    /// Whether $9 of fields that can be linked to authorities is taken out of records before anything else.
    pub fn removes_ninths(&self) -> bool {
        self.removes_ninths
    }

    /// Why a record that already names records of FOLIO is refused before the plan begins.
    pub fn refuses_ids(&self, record: &octavo_marc::Record) -> Option<&'static str> {
        if has_id(record, 's').is_none() && has_id(record, 'i').is_none() {
            return None;
        }
        self.nodes.iter().find_map(|node| match &node.kind {
            Kind::Act(act) => act.refuses_ids(),
            Kind::Match { .. } => None,
        })
    }

    /// What of the plan is refused for every record: actions on orders and invoices.
    pub fn not_built(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Act(act) => act.not_built(),
            Kind::Match { .. } => None,
        })
    }
}
