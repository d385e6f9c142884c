//! What is to be stored for one record, and the entries that the log gets.

use std::collections::HashSet;

use octavo_marc::Record;
use serde_json::Value;
use uuid::Uuid;

use crate::journal::{Entity, JournalEntry};
use crate::marc::Link;

#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    Create {
        entity: Entity,
        id: Uuid,
        document: Value,
    },
    Update {
        entity: Entity,
        id: Uuid,
        /// The stored record before the change. The update fails if the record does not have this `_version` any more.
        before: Value,
        document: Value,
    },
    Delete {
        entity: Entity,
        id: Uuid,
    },
    /// The preceding and succeeding titles of an instance, which replace the stored ones; without the id of the instance.
    Titles {
        instance: Uuid,
        preceding: Vec<Value>,
        succeeding: Vec<Value>,
    },
    Marc(Box<MarcWrite>),
    /// The links between an instance's fields and authorities that remain; its other links are removed.
    KeepLinks {
        instance: Uuid,
        links: Vec<Link>,
    },
}

/// A new generation of a MARC record.
#[derive(Debug, Clone, PartialEq)]
pub struct MarcWrite {
    pub entity: Entity,
    /// The id of this generation: that of the incoming record.
    pub id: Uuid,
    /// FOLIO's `matchedId`: the id that all generations of the MARC record share.
    pub matched: Uuid,
    pub generation: i32,
    /// The id of the instance, holdings or authority that the MARC record describes; `number` is its hrid.
    pub describes: Option<Uuid>,
    pub number: Option<String>,
    pub suppressed: bool,
    pub record: Record,
    /// The stored record before the change.
    pub before: Option<Record>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The writes, in the order in which they are to be stored. Each record is written at most once.
    pub writes: Vec<Write>,
    pub journal: Vec<JournalEntry>,
    /// The MARC record after all actions, even if it is not stored.
    pub record: Record,
}

impl Outcome {
    pub fn failed(&self) -> bool {
        self.journal.iter().any(|entry| entry.error.is_some())
    }
}

/// The positions of the records of a chunk that change the same record, or claim the same barcode, as an earlier one. They have to be
/// planned again after the earlier ones are stored.
pub fn conflicting_outcomes(outcomes: &[Outcome]) -> Vec<usize> {
    let mut claimed: HashSet<Claim<'_>> = HashSet::new();
    let mut early = Vec::new();
    for (place, outcome) in outcomes.iter().enumerate() {
        let claims: Vec<Claim<'_>> = outcome.writes.iter().flat_map(Write::claims).collect();
        if claims.iter().any(|claim| claimed.contains(claim)) {
            early.push(place);
        }
        claimed.extend(claims);
    }
    early
}

#[derive(PartialEq, Eq, Hash)]
enum Claim<'a> {
    Record(Entity, Uuid),
    Barcode(&'a str),
}

impl Write {
    fn claims(&self) -> impl Iterator<Item = Claim<'_>> {
        let (record, document) = match self {
            Write::Create { entity, id, document } | Write::Update { entity, id, document, .. } => {
                (Some((*entity, *id)), (*entity == Entity::Item).then_some(document))
            }
            Write::Delete { entity, id } => (Some((*entity, *id)), None),
            Write::Marc(marc) => (Some((marc.entity, marc.matched)), None),
            Write::Titles { .. } | Write::KeepLinks { .. } => (None, None),
        };
        let record = record.map(|(entity, id)| Claim::Record(entity, id));
        let barcode = document.and_then(|item| item["barcode"].as_str()).map(Claim::Barcode);
        record.into_iter().chain(barcode)
    }
}
