//! The settings and reference data of a tenant that an import needs.

use std::sync::Arc;

use jiff::civil::Date;
use octavo_engine::Context;
use octavo_import::marc::Protection;
use octavo_import::{Format, MappedRecord, MappingRules, Plan, Progress, World, marc};
use octavo_kernel::Outcome;
use octavo_marc::{Kind, Record};
use octavo_modules_base::template_engine::locale;
use octavo_pg::{Session, Statement};
use serde_json::Value;

use super::{Incoming, Job};
use crate::authorities::rules::rules;
use crate::mapping::{Mappers, mappers};

pub(super) struct ImportSettings {
    mappers: Arc<Mappers>,
    protections: Vec<Protection>,
    /// Tags of bibliographic fields that can be linked to authorities.
    linkable: Vec<String>,
    today: Date,
}

impl ImportSettings {
    pub(super) async fn load(context: &Context, session: &mut Session) -> Outcome<ImportSettings> {
        let mappers = mappers(context, session).await?;
        let snapshot = context.platform.snapshots.get_over(&context.tenant.id, session).await?;
        let today = context.now.to_zoned(locale(&snapshot).zone).date();
        let protections: Vec<Value> = session.read(Statement::new(PROTECTIONS)).await?;
        let protections = protections.iter().map(Protection::read).collect();
        let linkable = rules().iter().map(|rule| rule.bib_field.to_owned()).collect();
        Ok(ImportSettings { mappers, protections, linkable, today })
    }

    pub(super) fn world(&self, context: &Context) -> World<'_> {
        World {
            now: context.now,
            today: self.today,
            mapping_rules: self,
            reference: &self.mappers.reference,
            protections: &self.protections,
            linkable: &self.linkable,
            holdings_sources: World::default_holdings_sources(),
        }
    }

    /// Begins the plan for a record; `None` if the record could not be parsed.
    pub(super) fn begin(
        &self,
        plan: &Plan,
        job: &Job,
        incoming: &Incoming,
        world: &World<'_>,
    ) -> Option<Progress> {
        let mut record = incoming.parsed.as_ref().ok()?.clone();
        if plan.removes_ninths() {
            marc::clear_linked_ninths(&mut record, world.linkable);
        }
        Some(plan.begin(octavo_import::Incoming {
            id: incoming.id,
            job: job.id,
            chunk: job.id,
            order: incoming.order,
            format: format_of_record(&record),
            record,
            accepts_instance_id: incoming.accepts_instance_id,
        }))
    }
}

/// The kind of record that the leader gives.
fn format_of_record(record: &Record) -> Format {
    match record.leader.char_at(6) {
        'u' | 'v' | 'x' | 'y' => Format::Holdings,
        'z' => Format::Authority,
        _ => Format::Bibliographic,
    }
}

impl MappingRules for ImportSettings {
    fn map(&self, format: Format, record: &Record) -> Result<MappedRecord, String> {
        let kind = match format {
            Format::Bibliographic => Kind::Bibliographic,
            Format::Holdings => Kind::Holdings,
            Format::Authority => Kind::Authority,
        };
        // By now numbers of other systems are in 035, and 001 has the record's own number.
        let mapped = self.mappers.for_kind(kind).map_with_own_number(record)?;
        Ok(MappedRecord { record: mapped.record, preceding: mapped.preceding, succeeding: mapped.succeeding })
    }
}

/// Reads which MARC fields the library protects from being overlaid.
pub(crate) const PROTECTIONS: &str = "select doc::text from marc_field_protection_settings";

octavo_pg::statements!(other = [PROTECTIONS]);
