//! What the calls ask for: chosen from the whole library, the same at each run.

use std::sync::Arc;

use anyhow::{Result, ensure};
use octavo_kernel::TenantId;
use octavo_pg::{Database, Session, Statement, Usage};

pub(super) struct Keys {
    /// Instances, holdings and items, as PostgreSQL estimates them.
    pub(super) sizes: [f64; 3],
    pub(super) bytes: f64,
    pub(super) items: Vec<String>,
    pub(super) barcodes: Vec<String>,
    /// Barcodes of items on the shelf.
    pub(super) available: Vec<String>,
    pub(super) instances: Vec<String>,
    /// A few instances by the number of their holdings, least first.
    pub(super) with_holdings: Vec<(i64, String)>,
    /// Barcodes.
    pub(super) patrons: Vec<String>,
    /// Ids of users who have loans.
    pub(super) borrowers: Vec<String>,
    pub(super) service_point: String,
}

impl Keys {
    pub(super) async fn choose(database: &Database, tenant: &TenantId) -> Result<Keys> {
        let mut session = database.session(tenant, Arc::<Usage>::default()).await?;
        let sizes = session.rows(Statement::new(SIZES)).await?;
        let sizes: Vec<f64> = sizes.iter().map(|row| row.long(0) as f64).collect();
        let items = session.rows(Statement::new(ITEMS)).await?;
        let column = |at: usize| items.iter().map(|row| row.text(at).to_owned()).collect::<Vec<_>>();
        let on_shelf = |row: &&octavo_pg::Row| row.truth(2);
        let with_holdings = session.rows(Statement::new(WITH_HOLDINGS)).await?;
        let mut with_holdings: Vec<(i64, String)> =
            with_holdings.iter().map(|row| (row.long(0), row.text(1).to_owned())).collect();
        with_holdings.dedup();
        let keys = Keys {
            sizes: [sizes[0], sizes[1], sizes[2]],
            bytes: sizes[3],
            items: column(0),
            barcodes: column(1),
            available: items.iter().filter(on_shelf).map(|row| row.text(1).to_owned()).collect(),
            instances: texts(&mut session, INSTANCES).await?,
            with_holdings,
            patrons: texts(&mut session, PATRONS).await?,
            borrowers: texts(&mut session, BORROWERS).await?,
            service_point: texts(&mut session, SERVICE_POINT).await?.pop().unwrap_or_default(),
        };
        let enough = !keys.available.is_empty() && !keys.patrons.is_empty() && !keys.instances.is_empty();
        ensure!(enough, "{tenant} has no items on the shelf, or nobody to lend them to");
        Ok(keys)
    }
}

async fn texts(session: &mut Session, sql: &'static str) -> Result<Vec<String>> {
    Ok(session.rows(Statement::new(sql)).await?.iter().map(|row| row.text(0).to_owned()).collect())
}

const SIZES: &str = "\
select reltuples::int8 from pg_class where oid = 'instance'::regclass
union all
select reltuples::int8 from pg_class where oid = 'holdings_record'::regclass
union all
select reltuples::int8 from pg_class where oid = 'item'::regclass
union all
select pg_database_size(current_database())";

/// Ids are random: those that follow a few points of their order lie anywhere in the tables.
const ITEMS: &str = "\
select found.*
from generate_series(0, 2999) n
cross join lateral (
  select i.id::text, i.doc ->> 'barcode',
    i.doc #>> '{status,name}' = 'Available'
  from item i
  where i.id >= md5('item' || n)::uuid
  order by i.id
  limit 1
) found";
const INSTANCES: &str = "\
select distinct found.id
from generate_series(0, 7999) n
cross join lateral (
  select i.id::text
  from instance i
  where i.id >= md5('instance' || n)::uuid
  order by i.id
  limit 1
) found
order by found.id
limit 5325";
const WITH_HOLDINGS: &str = "\
with counted as (
  select h.\"instanceId\", count(*) as holdings
  from holdings_record h
  group by h.\"instanceId\"
  having count(*) >= 4
)
select distinct on (wanted) c.holdings, c.\"instanceId\"::text
from unnest(array[5, 300, 333]) wanted
cross join counted c
order by wanted, abs(c.holdings - wanted), c.\"instanceId\"";
const PATRONS: &str = "\
select u.doc ->> 'barcode'
from users u
where u.doc ->> 'barcode' is not null
order by u.id
limit 3000";
const BORROWERS: &str = "\
select distinct l.\"userId\"::text
from loan l
where l.\"status.name\" = 'open'
order by 1
limit 3000";
const SERVICE_POINT: &str = "\
select s.id::text
from service_point s
order by s.id
limit 1";
