//! The questions that the plan asks the caller while it handles a record, and the answers.

use std::sync::Arc;

use octavo_marc::Record;
use serde_json::Value;
use uuid::Uuid;

use crate::journal::Entity;
use crate::matching::Lookup;

/// A question to the caller, who answers those of many records together.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// Answered with documents, or with MARC records if the entity is one of them: no more than `Lookup::limit`.
    Lookup(Lookup),
    /// Order lines with a number. Answered with documents that have `instanceId` and `locations[].holdingId`.
    OrderLines(Lookup),
    /// The MARC record that describes an instance, holdings or authority. Answered with MARC records: one or none.
    MarcOf { entity: Entity, id: Uuid },
    /// Records of the inventory by id. Answered with documents.
    Records { entity: Entity, ids: Vec<Uuid> },
    /// The holdings of an instance, two at most. Answered with documents.
    HoldingsOf { instance: Uuid },
    /// The instance with a number. Answered with documents: one or none.
    InstanceNumbered(String),
    /// Which of these barcodes items already have, other than the item named with each. Answered with texts.
    Barcodes(Vec<(String, Option<Uuid>)>),
    /// New human-readable ids. Answered with as many texts.
    Hrids { entity: Entity, count: usize },
    /// Links of an instance's MARC record to authorities. Answered with links.
    Links { instance: Uuid },
}

#[derive(Debug, Clone)]
pub enum Answer {
    Documents(Vec<Arc<Value>>),
    Marc(Vec<Arc<StoredMarc>>),
    Texts(Vec<String>),
    Links(Arc<Vec<crate::marc::Link>>),
}

/// A MARC record as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMarc {
    /// The id of this generation.
    pub id: Uuid,
    /// FOLIO's `matchedId`: the id that all generations of the MARC record share.
    pub matched: Uuid,
    pub generation: i32,
    /// The id of the instance, holdings or authority that the MARC record describes.
    pub describes: Option<Uuid>,
    /// The hrid of the instance or holdings, or the number of the authority.
    pub number: Option<String>,
    pub suppressed: bool,
    pub record: Record,
}
