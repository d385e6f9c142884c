//! From a MARC record to FOLIO's instance, holdings or authority, by FOLIO's mapping rules.
//!
//! The rules are data (`marc_bib_rules.json`, `marc_holdings_rules.json` and `marc_authority_rules.json` of mod-source-record-manager); what
//! their words mean is told in data-import-processing-core. Names of types in the rules become ids by a table that is given in ([`Lookups`]).

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

/// Rules made ready for one tenant.
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
    /// Reads the rules. Those of a tag that cannot be read are told by [`Mapper::unread`] and are an error of each record with that tag.
    pub fn new(kind: Kind, rules: &str, lookups: impl Into<Arc<Lookups>>) -> Result<Mapper, String> {
        let lookups = lookups.into();
        Ok(Mapper { kind, rules: rules::read(rules, &lookups)?, lookups })
    }

    /// Why the rules of some tags cannot be read.
    pub fn unread(&self) -> impl Iterator<Item = &str> {
        self.rules.unread.values().map(String::as_str)
    }

    /// Maps a record from elsewhere: the number of a bibliographic record in 001 becomes one of its identifiers. The error says which of the
    /// rules that the record needs cannot be read.
    pub fn map(&self, record: &Record) -> Result<Mapped, String> {
        match self.kind {
            Kind::Bibliographic => self.map_own(&prepare::with_former_number(record)),
            Kind::Holdings | Kind::Authority => self.map_own(record),
        }
    }

    /// Maps a record whose number in 001 is its hrid.
    pub fn map_own(&self, record: &Record) -> Result<Mapped, String> {
        let mut building = Building::default();
        // The rules take control fields before the others, wherever they stand.
        for field in &record.fields {
            if let Field::Control { tag, value } = field {
                field::control(self.of(tag)?, record, value, &self.lookups, &mut building);
            }
        }
        for field in &record.fields {
            if let Field::Data { tag, indicators, subfields } = field {
                let stands_for = prepare::stands_for(self.rules.ready.get(tag), subfields);
                let tag = stands_for.unwrap_or(tag);
                let source =
                    function::Source { tag, indicators: *indicators, subfields, known: RefCell::default() };
                field::data(self.of(tag)?, record, &source, &self.lookups, &mut building);
            }
        }
        Ok(settle::settle(self.kind, record, building, &self.lookups))
    }

    fn of(&self, tag: &str) -> Result<&[Mapping], String> {
        match self.rules.unread.get(tag) {
            Some(reason) => Err(reason.clone()),
            None => Ok(self.rules.ready.get(tag).map_or(&[][..], Vec::as_slice)),
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
