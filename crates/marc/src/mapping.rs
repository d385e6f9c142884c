//! From a MARC record to FOLIO's instance, holdings or authority, by FOLIO's mapping rules.
//!
//! The rules are data (`marc_bib_rules.json`, `marc_holdings_rules.json` and `marc_authority_rules.json` of mod-source-record-manager);
//! their keywords are defined in data-import-processing-core. A table of the caller ([`Lookups`]) gives the ids of the types that the
//! rules name.

mod build;
mod field;
mod function;
mod lookups;
mod prepare;
mod rules;
mod settle;

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::Value;
use sha1::{Digest, Sha1};
use uuid::Uuid;

pub use lookups::Lookups;

use crate::{Field, Record};
use build::Building;
use rules::{Mapping, Rules};

/// Which of FOLIO's records a MARC record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Bibliographic,
    Holdings,
    Authority,
}

/// The mapping rules of one tenant for one kind of record, parsed.
pub struct Mapper {
    kind: Kind,
    rules: Rules,
    lookups: Arc<Lookups>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The instance, holdings or authority record, without `id` and `hrid`.
    pub record: Value,
    /// Titles that came before and after, in records of their own; without the id of the instance.
    pub preceding: Vec<Value>,
    pub succeeding: Vec<Value>,
}

impl Mapper {
    /// Parses the rules. [`Mapper::rule_errors`] reports the rules of a tag that cannot be parsed; mapping a record with that tag is an
    /// error.
    pub fn new(kind: Kind, rules: &str, lookups: impl Into<Arc<Lookups>>) -> Result<Mapper, String> {
        let lookups = lookups.into();
        Ok(Mapper { kind, rules: rules::read(rules, &lookups)?, lookups })
    }

    /// Why the rules of some tags cannot be read.
    pub fn rule_errors(&self) -> impl Iterator<Item = &str> {
        self.rules.errors.values().map(String::as_str)
    }

    /// Maps a record of another system: the number of a bibliographic record in 001 becomes one of its identifiers. The error says which
    /// of the rules that the record needs cannot be parsed.
    pub fn map(&self, record: &Record) -> Result<Mapped, String> {
        match self.kind {
            Kind::Bibliographic => self.map_with_own_number(&prepare::with_former_number(record)),
            Kind::Holdings | Kind::Authority => self.map_with_own_number(record),
        }
    }

    /// Maps a record whose number in 001 is its hrid.
    pub fn map_with_own_number(&self, record: &Record) -> Result<Mapped, String> {
        let mut building = Building::default();
        // The rules take control fields before the others, wherever they stand.
        for field in &record.fields {
            if let Field::Control { tag, value } = field {
                field::map_control(self.mappings_of_tag(tag)?, record, value, &self.lookups, &mut building);
            }
        }
        for field in &record.fields {
            if let Field::Data { tag, indicators, subfields } = field {
                let stands_for = prepare::linked_tag(self.rules.mappings.get(tag), subfields);
                let tag = stands_for.unwrap_or(tag);
                let source = function::DataField {
                    tag,
                    indicators: *indicators,
                    subfields,
                    cache: RefCell::default(),
                };
                field::map_data(self.mappings_of_tag(tag)?, record, &source, &self.lookups, &mut building);
            }
        }
        Ok(settle::finish(self.kind, record, building, &self.lookups))
    }

    fn mappings_of_tag(&self, tag: &str) -> Result<&[Mapping], String> {
        match self.rules.errors.get(tag) {
            Some(reason) => Err(reason.clone()),
            None => Ok(self.rules.mappings.get(tag).map_or(&[][..], Vec::as_slice)),
        }
    }
}

/// An id that is the same whenever the same thing is loaded into the same tenant.
pub fn derived_id(tenant: &str, thing: &str) -> Uuid {
    const NAMESPACE: Uuid = Uuid::from_u128(0x6f2a_91c4_1d0e_5b7a_9c3e_8a54_0b7d_21f6);
    let mut hash = Sha1::new();
    hash.update(NAMESPACE.as_bytes());
    hash.update(tenant.as_bytes());
    hash.update([0]);
    hash.update(thing.as_bytes());
    let mut first = [0; 16];
    first.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_sha1_bytes(first).into_uuid()
}
