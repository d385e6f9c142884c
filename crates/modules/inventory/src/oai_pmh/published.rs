//! Records for other protocols than the Open Archives Initiative's.

use std::collections::HashMap;

use octavo_engine::Context;
use octavo_kernel::{Outcome, Xml};
use octavo_marc::Record;
use octavo_pg::Statement;
use uuid::Uuid;

use super::names::Names;
use super::page::current_marc;
use super::{dublin_core, record};

/// A title's record: its MARC record, else one that is made of the instance.
pub struct Published(Record);

impl Published {
    pub fn marcxml(&self, xml: &mut Xml) {
        octavo_marc::marcxml(xml, &self.0);
    }

    pub fn dublin_core(&self, xml: &mut Xml) {
        dublin_core::write(xml, &self.0);
    }
}

/// The records of instances, in their order, in one round trip. What is suppressed from discovery is left out.
pub async fn published(context: &Context, instances: &[Uuid]) -> Outcome<Vec<Published>> {
    let names = context.snapshot().await?.derived(Names::new);
    let mut session = context.session().await?;
    let rows: Vec<(Uuid, Option<String>, Option<String>)> =
        session.read(Statement::new(DOCUMENTS).uuids(instances.to_vec())).await?;
    drop(session);
    let records = rows.iter().filter_map(|(id, marc, instance)| {
        Some((*id, record::of_documents(marc.as_deref(), instance.as_deref(), &names)?))
    });
    let mut records: HashMap<Uuid, Record> = records.collect();
    Ok(instances.iter().filter_map(|id| records.remove(id)).map(Published).collect())
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
