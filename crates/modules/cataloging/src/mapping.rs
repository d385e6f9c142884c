//! The mapping of a library's MARC records to instances, holdings and authorities: its mapping rules and the names and codes that they look
//! up, parsed once and cached in memory until one of them changes.

use std::sync::{Arc, Mutex, PoisonError};

use octavo_engine::Context;
use octavo_import::Reference;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Kind, Lookups, Mapper};
use octavo_modules_inventory::inventory_storage;
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;

/// Parsed mapping rules, at one version.
pub struct Mappers {
    pub version: i64,
    bibliographic: Mapper,
    holdings: Mapper,
    authority: Mapper,
    /// Types and locations by their names and codes, for the matches and mappings of job profiles.
    pub reference: Reference,
}

/// The cached mappers of one tenant in this process.
#[derive(Default)]
struct MapperCache(Mutex<Option<Arc<Mappers>>>);

impl Mappers {
    pub fn for_kind(&self, kind: Kind) -> &Mapper {
        match kind {
            Kind::Bibliographic => &self.bibliographic,
            Kind::Holdings => &self.holdings,
            Kind::Authority => &self.authority,
        }
    }
}

/// The name of a kind of record in the paths of the interface and in the table of rules.
pub fn rules_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "marc-bib",
        Kind::Holdings => "marc-holdings",
        Kind::Authority => "marc-authority",
    }
}

/// The mapping rules of a library that has none of its own.
pub fn default_rules(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => {
            include_str!("../../../../data/reference/mod-source-record-manager/marc-bib-rules.json")
        }
        Kind::Holdings => {
            include_str!("../../../../data/reference/mod-source-record-manager/marc-holdings-rules.json")
        }
        Kind::Authority => {
            include_str!("../../../../data/reference/mod-source-record-manager/marc-authority-rules.json")
        }
    }
}

/// The current mappers of the caller's tenant. Takes one round trip if the rules have not changed since they were cached.
pub async fn mappers(context: &Context, session: &mut Session) -> Outcome<Arc<Mappers>> {
    let version: Option<i64> = session.read(Statement::new(VERSION)).await?;
    match cached_mappers(context) {
        Some(mappers) if Some(mappers.version) == version => Ok(mappers),
        _ => load_mappers(context, session).await,
    }
}

/// The cached mappers. They are current if their version is the one that [`VERSION`] reads in the transaction of the change.
pub fn cached_mappers(context: &Context) -> Option<Arc<Mappers>> {
    cache(context).0.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Reads and parses the rules, names and codes. The version is read first: it may be too old, but never too new.
pub async fn load_mappers(context: &Context, session: &mut Session) -> Outcome<Arc<Mappers>> {
    let types = looked_up_types();
    let mut statements = vec![Statement::new(VERSION), Statement::new(OWN_RULES)];
    statements.extend(types.iter().map(|record| Statement::new(select_all_sql(record))));
    let answers = session.batch(statements).await?;
    let [version, own, lists @ ..] = answers.as_slice() else {
        return Err(Fault::internal("the mapping rules were not answered"));
    };
    let version = version.first().map(Row::read::<i64>);
    let own: Vec<(&str, &str)> = own.iter().map(Row::read).collect();
    let (mut lookups, mut reference) = (Lookups::default(), Reference::default());
    for (record, rows) in types.iter().zip(lists) {
        let list = listed_as(record);
        for document in rows.iter().filter_map(|row| record.parse_stored(row.read())) {
            if Lookups::COLLECTIONS.contains(&list) {
                lookups.add(list, &document);
            }
            if Reference::LISTS.contains(&list) {
                reference.add(list, &document);
            }
        }
    }
    let lookups = Arc::new(lookups);
    let mapper = |kind: Kind| {
        let own = own.iter().find(|(of, _)| *of == rules_name(kind));
        let rules = own.map_or(default_rules(kind), |(_, rules)| *rules);
        let mapper = Mapper::new(kind, rules, Arc::clone(&lookups)).map_err(Fault::internal)?;
        for reason in mapper.rule_errors() {
            tracing::warn!(
                tenant = context.tenant.id.as_str(),
                rules = rules_name(kind),
                reason,
                "records with this field cannot be mapped"
            );
        }
        Ok::<Mapper, Fault>(mapper)
    };
    let mappers = Arc::new(Mappers {
        version: version.unwrap_or(0),
        bibliographic: mapper(Kind::Bibliographic)?,
        holdings: mapper(Kind::Holdings)?,
        authority: mapper(Kind::Authority)?,
        reference,
    });
    *cache(context).0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&mappers));
    Ok(mappers)
}

fn cache(context: &Context) -> Arc<MapperCache> {
    context.tenant.module_state.get_or_create(MapperCache::default)
}

/// The record types whose names and codes mapping rules and job profiles look up.
fn looked_up_types() -> Vec<&'static RecordType> {
    let records = inventory_storage::MODULE.records.iter().chain(crate::authorities::MODULE.records);
    let is_looked_up = |record: &&RecordType| {
        let list = listed_as(record);
        Lookups::COLLECTIONS.contains(&list) || Reference::LISTS.contains(&list)
    };
    records.copied().filter(is_looked_up).collect()
}

/// FOLIO's name of a list of reference records among the parameters of a job.
fn listed_as(record: &RecordType) -> &'static str {
    match record.collection {
        "mtypes" => "materialTypes",
        collection => collection,
    }
}

fn select_all_sql(record: &RecordType) -> String {
    format!("select doc::text from {}", octavo_record::table_name(record))
}

/// Reads the version of the mapping, which differs after each change of rules, names or codes.
pub const VERSION: &str = "select sum(version)::bigint from mapping_count";

const OWN_RULES: &str = "select record_type, rules::text from mapping_rules";

octavo_pg::statements!(hot = [VERSION], other = [OWN_RULES]);
