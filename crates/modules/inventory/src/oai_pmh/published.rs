//! Records for other protocols than OAI-PMH, such as SRU.

use std::collections::HashMap;

use octavo_engine::Context;
use octavo_kernel::{Outcome, Xml};
use octavo_marc::Record;
use octavo_pg::Statement;
use uuid::Uuid;

use super::names::Names;
use super::page::current_marc;
use super::{dublin_core, record};

/// The record of a title: its MARC record, or one that is made from the instance.
pub struct PublishedRecord(Record);

impl PublishedRecord {
    pub fn marcxml(&self, xml: &mut Xml) {
        octavo_marc::write_marcxml(xml, &self.0);
    }

    pub fn dublin_core(&self, xml: &mut Xml) {
        dublin_core::write(xml, &self.0);
    }
}

/// The records of instances, in the order of the ids, in one round trip. Instances that are suppressed from discovery are left out.
pub async fn load_published_records(context: &Context, instances: &[Uuid]) -> Outcome<Vec<PublishedRecord>> {
    let names = context.snapshot().await?.derive_once(Names::new);
    let mut session = context.session().await?;
    let rows: Vec<(Uuid, Option<String>, Option<String>)> =
        session.read(Statement::new(DOCUMENTS).uuids(instances.to_vec())).await?;
    drop(session);
    let records = rows.iter().filter_map(|(id, marc, instance)| {
        Some((*id, record::marc_from_documents(marc.as_deref(), instance.as_deref(), &names)?))
    });
    let mut records: HashMap<Uuid, Record> = records.collect();
    Ok(instances.iter().filter_map(|id| records.remove(id)).map(PublishedRecord).collect())
}

const DOCUMENTS: &str = concat!(
    "\
select i.id, m.doc, case when m.doc is null then i.doc end
from instance i
",
    current_marc!("i.id"),
    "true
where i.id = any($1)
and i.\"discoverySuppress\" is distinct from 'true'"
);

octavo_pg::statements!(hot = [DOCUMENTS]);
