//! The records that the calls ask for: chosen from the whole library, the same at each run.

use std::sync::Arc;

use anyhow::{Result, ensure};
use octavo_kernel::TenantId;
use octavo_pg::{Database, Session, Statement, Usage};

pub(in crate::bench) struct Keys {
    /// Instances, holdings and items, as PostgreSQL estimates them.
    pub(in crate::bench) record_counts: [f64; 3],
    pub(in crate::bench) database_bytes: f64,
    pub(in crate::bench) items: Vec<String>,
    pub(in crate::bench) barcodes: Vec<String>,
    /// Barcodes of other items, to be lent.
    pub(in crate::bench) barcodes_to_lend: Vec<String>,
    pub(in crate::bench) instances: Vec<String>,
    /// A few instances by the number of their holdings, least first.
    pub(in crate::bench) with_holdings: Vec<(i64, String)>,
    pub(in crate::bench) patrons: Vec<String>,
    /// Ids of users who have loans.
    pub(in crate::bench) borrowers: Vec<String>,
    pub(in crate::bench) service_point: String,
    /// Words of titles, names and subjects: those that are in the most instances, and those that are in few instances.
    pub(in crate::bench) common_words: Vec<String>,
    pub(in crate::bench) rare_words: Vec<String>,
}

impl Keys {
    pub(in crate::bench) async fn choose(database: &Database, tenant: &TenantId) -> Result<Keys> {
        let mut session = database.session(tenant, Arc::<Usage>::default()).await?;
        read_indexes(&mut session).await?;
        let sizes: Vec<i64> = session.read(Statement::new(SIZES)).await?;
        let mut with_holdings: Vec<(i64, String)> = session.read(Statement::new(WITH_HOLDINGS)).await?;
        with_holdings.dedup();
        let mut listed =
            async |sql: String| -> Result<Vec<String>> { Ok(session.read(Statement::new(sql)).await?) };
        let keys = Keys {
            record_counts: [sizes[0] as f64, sizes[1] as f64, sizes[2] as f64],
            database_bytes: sizes[3] as f64,
            items: listed(ITEMS.into()).await?,
            barcodes: listed(barcodes_sql("item", "read")).await?,
            barcodes_to_lend: listed(barcodes_sql("item", "lent")).await?,
            instances: listed(INSTANCES.into()).await?,
            with_holdings,
            patrons: listed(barcodes_sql("users", "patron")).await?,
            borrowers: listed(BORROWERS.into()).await?,
            service_point: listed(SERVICE_POINT.into()).await?.pop().unwrap_or_default(),
            common_words: listed(COMMON.into()).await?,
            rare_words: listed(RARE.into()).await?,
        };
        let enough =
            !keys.barcodes_to_lend.is_empty() && !keys.patrons.is_empty() && !keys.instances.is_empty();
        ensure!(enough, "{tenant} has no items on the shelf, or nobody to lend them to");
        Ok(keys)
    }
}

/// Reads the indexes of keys into memory. After some hours of work they would be in memory too, even if the records no longer fit into
/// it.
async fn read_indexes(session: &mut Session) -> Result<()> {
    session.script("set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off").await?;
    for sql in session.read::<Vec<String>>(Statement::new(INDEXES)).await? {
        session.rows(Statement::new(sql)).await?;
    }
    session.script("reset enable_seqscan; reset enable_bitmapscan; reset enable_sort").await?;
    Ok(())
}

/// Each reads an index of keys from end to end, and nothing of the records where these have been vacuumed.
const INDEXES: &str = "\
select format('select count(%1$I) from (select %1$I from %2$s order by %1$I) keys', a.attname, i.indrelid::regclass)
from pg_index i
join pg_class c on c.oid = i.indrelid and c.relnamespace = current_schema()::regnamespace
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
where c.relname in ('instance', 'holdings_record', 'item', 'users', 'loan')
  and (i.indisunique or a.atttypid = 'uuid'::regtype)
  and i.indnkeyatts = 1
  and i.indpred is null
order by 1";
/// Three thousand from between the least and the greatest barcode of a table. Like all that is chosen here they come from
/// an index alone: what is measured is to find the records as they lie, not as they were just read.
fn barcodes_sql(table: &str, purpose: &str) -> String {
    format!(
        "\
select found.barcode
from (
  select min(t.barcode)::int8 as least, max(t.barcode)::int8 - min(t.barcode)::int8 + 1 as range
  from {table} t
) between
cross join generate_series(0, 2999) n
cross join lateral (
  select t.barcode
  from {table} t
  where t.barcode >= (least + ('x' || substr(md5('{purpose}' || n), 1, 12))::bit(48)::int8 % range)::text
  order by t.barcode
  limit 1
) found"
    )
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
select found.id
from generate_series(0, 2999) n
cross join lateral (
  select i.id::text
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
/// The most common words, by the statistics of the index of all words.
const COMMON: &str = "\
select words.word
from pg_stats s
cross join unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) words (word, share)
where s.schemaname = current_schema()
  and s.tablename = 'instance_keyword_words'
  and words.word ~ '^[[:alpha:]]{3,}$'
order by words.share desc, words.word
limit 20";
/// Numbers of the synthetic library's instances in a catalogue of others, each of one instance.
const RARE: &str = "\
select '(OCoLC)' || (10000000 + ('x' || substr(md5('rare' || n), 1, 12))::bit(48)::int8 % greatest(c.reltuples::int8, 1))
from pg_class c
cross join generate_series(0, 499) n
where c.oid = 'instance'::regclass";
