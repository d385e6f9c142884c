use octavo_marc::Record;
use serde_json::Value;

use super::stop::{Done, Stop};
use crate::journal::Entity;
use crate::mapping::From;
use crate::marc::Protection;
use crate::reference::Reference;
use crate::source::Source;

/// What a MARC record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Bibliographic,
    Holdings,
    Authority,
}

/// What a tenant has and does when records are imported.
pub struct World<'a> {
    pub now: jiff::Timestamp,
    /// In the time zone of the tenant.
    pub today: jiff::civil::Date,
    pub defaults: &'a dyn Defaults,
    pub reference: &'a Reference,
    pub protections: &'a [Protection],
    /// Tags of bibliographic fields that can be linked to authorities.
    pub linkable: &'a [String],
    /// The source of holdings that have no MARC record, and of those that have one.
    pub holdings_sources: [String; 2],
}

/// The tenant's mapping rules.
pub trait Defaults: Sync {
    /// The number in 001 is the record's own; numbers from elsewhere stand in 035. The error says why the rules that the record needs cannot be
    /// followed.
    fn map(&self, format: Format, record: &Record) -> Result<Defaulted, String>;
}

/// What the mapping rules make of a MARC record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Defaulted {
    /// Without id and hrid.
    pub record: Value,
    /// Titles before and after an instance; without the id of the instance.
    pub preceding: Vec<Value>,
    pub succeeding: Vec<Value>,
}

impl<F: Fn(Format, &Record) -> Defaulted + Sync> Defaults for F {
    fn map(&self, format: Format, record: &Record) -> Result<Defaulted, String> {
        Ok(self(format, record))
    }
}

impl World<'_> {
    /// The source FOLIO and the source MARC of holdings, as FOLIO's reference data have them.
    pub fn usual_holdings_sources() -> [String; 2] {
        ["f32d531e-df79-46b3-8932-cdd35f7a2264", "036ee84a-6afd-4c3c-9ad3-4a12ab875f59"].map(str::to_owned)
    }

    /// What the mapping rules make of a record; where they cannot be read, the record ends here.
    pub(super) fn mapped(&self, format: Format, record: &Record) -> Done<Defaulted> {
        self.defaults.map(format, record).map_err(Stop::Failed)
    }

    pub(super) fn from<'a>(&'a self, record: &'a Record) -> From<'a> {
        From { source: Source::whole(record), reference: self.reference, today: self.today }
    }
}

impl Format {
    pub const fn marc(self) -> Entity {
        match self {
            Format::Bibliographic => Entity::MarcBibliographic,
            Format::Holdings => Entity::MarcHoldings,
            Format::Authority => Entity::MarcAuthority,
        }
    }

    pub const fn described(self) -> Entity {
        match self {
            Format::Bibliographic => Entity::Instance,
            Format::Holdings => Entity::Holdings,
            Format::Authority => Entity::Authority,
        }
    }
}
