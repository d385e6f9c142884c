//! What is to be stored of a record, and what the log says of it.

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
        /// The stored record that was changed; its `_version` is the one that is expected.
        before: Value,
        document: Value,
    },
    Delete {
        entity: Entity,
        id: Uuid,
    },
    /// Titles that came before and after an instance, in place of those that are stored; without the id of the instance.
    Titles {
        instance: Uuid,
        preceding: Vec<Value>,
        succeeding: Vec<Value>,
    },
    Marc(Box<MarcWrite>),
    /// Links of an instance's fields to authorities that stay; the others end.
    KeepLinks {
        instance: Uuid,
        links: Vec<Link>,
    },
}

/// A MARC record as a new generation.
#[derive(Debug, Clone, PartialEq)]
pub struct MarcWrite {
    pub entity: Entity,
    /// The id of this generation: that of the incoming record.
    pub id: Uuid,
    /// The id that all generations share.
    pub matched: Uuid,
    pub generation: i32,
    /// The instance, holdings or authority, with its number.
    pub describes: Option<Uuid>,
    pub number: Option<String>,
    pub suppressed: bool,
    pub record: Record,
    /// What was stored.
    pub before: Option<Record>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// In the order in which they are to be stored. One for each record.
    pub writes: Vec<Write>,
    pub journal: Vec<JournalEntry>,
    /// The MARC record at the end, also if nothing of it is stored.
    pub record: Record,
}

impl Outcome {
    pub fn failed(&self) -> bool {
        self.journal.iter().any(|entry| entry.error.is_some())
    }
}

/// Which records of a chunk are to be planned anew once those before them are stored: they change the same record, or want the
/// same barcode, as an earlier one.
pub fn planned_too_early(outcomes: &[Outcome]) -> Vec<usize> {
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
