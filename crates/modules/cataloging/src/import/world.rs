//! What a tenant has and does when records are imported.

use std::sync::Arc;

use jiff::civil::Date;
use octavo_engine::Context;
use octavo_import::marc::Protection;
use octavo_import::{Defaulted, Defaults, Format, Plan, Progress, World, marc};
use octavo_kernel::Outcome;
use octavo_marc::{Kind, Record};
use octavo_modules_base::template_engine::locale;
use octavo_pg::{Session, Statement};
use serde_json::Value;

use super::{Incoming, Job};
use crate::authorities::rules::rules;
use crate::mapping::{Mappers, mappers};

pub(super) struct Gathered {
    mappers: Arc<Mappers>,
    protections: Vec<Protection>,
    /// Tags of bibliographic fields that can be linked to authorities.
    linkable: Vec<String>,
    today: Date,
}

impl Gathered {
    pub(super) async fn read(context: &Context, session: &mut Session) -> Outcome<Gathered> {
        let mappers = mappers(context, session).await?;
        let snapshot = context.platform.snapshots.with(&context.tenant.id, session).await?;
        let today = context.now.to_zoned(locale(&snapshot).zone).date();
        let protections: Vec<Value> = session.read(Statement::new(PROTECTIONS)).await?;
        let protections = protections.iter().map(Protection::read).collect();
        let linkable = rules().iter().map(|rule| rule.bib_field.to_owned()).collect();
        Ok(Gathered { mappers, protections, linkable, today })
    }

    pub(super) fn world(&self, context: &Context) -> World<'_> {
        World {
            now: context.now,
            today: self.today,
            defaults: self,
            reference: &self.mappers.reference,
            protections: &self.protections,
            linkable: &self.linkable,
            holdings_sources: World::usual_holdings_sources(),
        }
    }

    /// A record at the beginning of the plan; nothing if it could not be read.
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
            format: format(&record),
            record,
            accepts_instance_id: false,
        }))
    }
}

/// What the record says in its leader that it describes.
fn format(record: &Record) -> Format {
    match record.leader.at(6) {
        'u' | 'v' | 'x' | 'y' => Format::Holdings,
        'z' => Format::Authority,
        _ => Format::Bibliographic,
    }
}

impl Defaults for Gathered {
    fn map(&self, format: Format, record: &Record) -> Result<Defaulted, String> {
        let kind = match format {
            Format::Bibliographic => Kind::Bibliographic,
            Format::Holdings => Kind::Holdings,
            Format::Authority => Kind::Authority,
        };
        // Numbers from elsewhere stand in 035 by now; what is in 001 is the record's own.
        let mapped = self.mappers.of(kind).map_own(record)?;
        Ok(Defaulted { record: mapped.record, preceding: mapped.preceding, succeeding: mapped.succeeding })
    }
}

/// What a library protects of its MARC records from being overlaid.
pub(crate) const PROTECTIONS: &str = "select doc::text from marc_field_protection_settings";

octavo_pg::statements!(other = [PROTECTIONS]);
