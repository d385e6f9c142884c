use octavo_marc::Record;
use serde_json::Value;

use super::stop::{StepResult, Stop};
use crate::journal::Entity;
use crate::mapping::MappingInput;
use crate::marc::Protection;
use crate::reference::Reference;
use crate::source::Source;

/// What kind of record a MARC record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Bibliographic,
    Holdings,
    Authority,
}

/// The settings of a tenant that an import depends on.
pub struct World<'a> {
    pub now: jiff::Timestamp,
    /// The current date in the time zone of the tenant.
    pub today: jiff::civil::Date,
    pub mapping_rules: &'a dyn MappingRules,
    pub reference: &'a Reference,
    pub protections: &'a [Protection],
    /// Tags of bibliographic fields that can be linked to authorities.
    pub linkable: &'a [String],
    /// The ids of the holdings sources: of holdings without a MARC record, and of holdings with one.
    pub holdings_sources: [String; 2],
}

/// The tenant's mapping rules.
pub trait MappingRules: Sync {
    /// Maps a record that has its own number in 001; numbers of other systems are in 035. The error says which of the rules that the record
    /// needs cannot be parsed.
    fn map(&self, format: Format, record: &Record) -> Result<MappedRecord, String>;
}

/// The record that the mapping rules make of a MARC record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MappedRecord {
    /// The record without id and hrid.
    pub record: Value,
    /// Preceding and succeeding titles of an instance, without the id of the instance.
    pub preceding: Vec<Value>,
    pub succeeding: Vec<Value>,
}

impl<F: Fn(Format, &Record) -> MappedRecord + Sync> MappingRules for F {
    fn map(&self, format: Format, record: &Record) -> Result<MappedRecord, String> {
        Ok(self(format, record))
    }
}

impl World<'_> {
    /// The ids of the holdings sources `FOLIO` and `MARC` in FOLIO's reference data.
    pub fn default_holdings_sources() -> [String; 2] {
        ["f32d531e-df79-46b3-8932-cdd35f7a2264", "036ee84a-6afd-4c3c-9ad3-4a12ab875f59"].map(str::to_owned)
    }

    /// Maps a record; if the mapping rules cannot be parsed, the record fails.
    pub(super) fn map_record(&self, format: Format, record: &Record) -> StepResult<MappedRecord> {
        self.mapping_rules.map(format, record).map_err(Stop::Failed)
    }

    pub(super) fn mapping_input<'a>(&'a self, record: &'a Record) -> MappingInput<'a> {
        MappingInput { source: Source::from_record(record), reference: self.reference, today: self.today }
    }
}

impl Format {
    pub const fn marc_entity(self) -> Entity {
        match self {
            Format::Bibliographic => Entity::MarcBibliographic,
            Format::Holdings => Entity::MarcHoldings,
            Format::Authority => Entity::MarcAuthority,
        }
    }

    pub const fn described_entity(self) -> Entity {
        match self {
            Format::Bibliographic => Entity::Instance,
            Format::Holdings => Entity::Holdings,
            Format::Authority => Entity::Authority,
        }
    }
}
