//! What is to be stored of a record, and what the log says of it.

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
