//! Books on the shelves and patrons, by SQL: filling is not what is measured. Their documents are as long, and their
//! fields as many, as those of a library in use.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use octavo_kernel::TenantId;
use octavo_pg::{Database, Options, Session, Statement};
use uuid::Uuid;

use super::library::TENANT;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extent {
    pub(crate) rounds: u32,
    pub(crate) measured_time: Duration,
    pub(crate) clients: u32,
    pub(crate) items: u32,
    pub(crate) patrons: u32,
    /// The number of loans that each patron has at the beginning.
    pub(crate) loans_per_patron: u32,
}

/// Items of one instance and holdings record.
pub(crate) const COPIES: u32 = 10;

pub(crate) struct Stock {
    /// Items in random order: neighbours on a shelf are seldom checked out in the same second.
    items: Vec<Item>,
    patrons: u64,
}

struct Item {
    id: Uuid,
    barcode: Box<str>,
}

impl Stock {
    pub(crate) async fn fill(url: &str, extent: Extent) -> Result<Stock> {
        let database = connect(url)?;
        let mut session = tenant_session(&database).await?;
        let lent = u64::from(extent.loans_per_patron) * u64::from(extent.patrons);
        let items = u64::from(extent.items) + lent;
        let (titles, patrons) = (items.div_ceil(COPIES.into()), extent.patrons.into());
        for (sql, count) in [(INSTANCES, titles), (HOLDINGS, titles), (ITEMS, items), (PATRONS, patrons)] {
            session.rows(Statement::new(sql).long(i64::try_from(count)?)).await?;
        }
        if lent > 0 {
            session.script(PAST_FUNCTIONS).await?;
            for statement in [
                insert_loans_statement(0, i64::try_from(lent)?, extent.patrons.into()),
                Statement::new(MARK_LENT_ITEMS),
                Statement::new(INSERT_BLOCK_CONDITIONS),
                Statement::new(INSERT_BLOCK_LIMITS),
            ] {
                session.rows(statement).await?;
            }
        }
        for (kind, last) in [("instances", titles), ("holdings", titles), ("items", items)] {
            let restart = Statement::new("select restart_hrids($1, $2)");
            session.rows(restart.text(kind).long(i64::try_from(last)? + 1)).await?;
        }
        session.script(VACUUM_ANALYZE).await?;
        let items: Vec<(Uuid, String)> = session.read(Statement::new(IDS)).await?;
        let item = |(id, barcode): (Uuid, String)| Item { id, barcode: barcode.into() };
        Ok(Stock { items: items.into_iter().map(item).collect(), patrons })
    }

    pub(crate) fn item_id(&self, number: u64) -> Uuid {
        self.items[(number % self.items.len() as u64) as usize].id
    }

    pub(crate) fn item_id_by_barcode(&self, barcode: &str) -> Result<Uuid> {
        let found = self.items.iter().find(|item| &*item.barcode == barcode);
        Ok(found.ok_or_else(|| anyhow!("no item has the barcode {barcode}"))?.id)
    }

    /// The body of a check-out of the item with this number, if there is such an item. Patrons borrow in turn.
    pub(crate) fn check_out_body_of(&self, number: u64) -> Option<String> {
        Some(check_out_body(self.barcode_of(number)?, &self.patron_barcode_for(number)))
    }

    pub(crate) fn renew_body_of(&self, number: u64) -> Option<String> {
        Some(renew_body(self.barcode_of(number)?, &self.patron_barcode_for(number)))
    }

    pub(crate) fn check_in_body_of(&self, number: u64, now: &str) -> Option<String> {
        Some(check_in_body(self.barcode_of(number)?, now))
    }

    fn barcode_of(&self, number: u64) -> Option<&str> {
        self.items.get(usize::try_from(number).ok()?).map(|item| &*item.barcode)
    }

    fn patron_barcode_for(&self, number: u64) -> String {
        patron_barcode(number % self.patrons)
    }
}

/// The body that checks an item out to a patron, both by their barcodes.
pub(crate) fn check_out_body(item: &str, user: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","userBarcode":"{user}","servicePointId":"{SERVICE_POINT}"}}"#)
}

pub(crate) fn renew_body(item: &str, user: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","userBarcode":"{user}"}}"#)
}

pub(crate) fn check_in_body(item: &str, now: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","servicePointId":"{SERVICE_POINT}","checkInDate":"{now}"}}"#)
}

/// The barcode of the item with this number, as `items.sql` makes it.
pub(crate) fn item_barcode(number: u64) -> String {
    format!("3{number:013}")
}

/// The barcode of the patron with this number, as `patrons.sql` makes it.
pub(crate) fn patron_barcode(number: u64) -> String {
    format!("2{number:013}")
}

/// Connects to the database behind the server: what is done over this connection is not measured.
pub(crate) fn connect(url: &str) -> Result<Database> {
    Ok(Database::from_url(url, Options::unlimited(1))?)
}

/// A session in the tenant's schema.
pub(crate) async fn tenant_session(database: &Database) -> Result<Session> {
    let tenant = TenantId::parse(TENANT).map_err(|fault| anyhow!(fault))?;
    Ok(database.session(&tenant, Arc::default()).await?)
}

/// Harbour Library's desk, of the demo library.
pub(crate) const SERVICE_POINT: &str = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

/// Inserts `count` loans that are not due yet, of the items from number `first` on, spread over the patrons. Needs the functions of
/// [`PAST_FUNCTIONS`].
pub(crate) fn insert_loans_statement(first: i64, count: i64, patrons: i64) -> Statement {
    Statement::new(LOANS).long(first).long(count).long(patrons)
}

/// SQL functions that write records of the time before a benchmark begins, for one connection only: `pg_temp.loan` and others.
pub(crate) const PAST_FUNCTIONS: &str = include_str!("stock/past.sql");

/// Marks the items with an open loan as checked out.
pub(crate) const MARK_LENT_ITEMS: &str = "\
update item i
set doc = jsonb_set(i.doc::jsonb, '{status,name}', '\"Checked out\"')::json
from loan l
where l.\"itemId\" = i.id and l.\"status.name\" = 'open'";

/// Configures patron blocks with limits that no patron reaches, so that every check-out computes them.
pub(crate) const INSERT_BLOCK_CONDITIONS: &str = "\
update patron_block_conditions
set doc = (doc::jsonb || '{\"blockBorrowing\": true, \"blockRenewals\": true, \"message\": \"Too much\"}')::json";
pub(crate) const INSERT_BLOCK_LIMITS: &str = "\
insert into patron_block_limits (id, doc)
select l.id, json_build_object('id', l.id, 'patronGroupId', 'bdc2b6d4-5ceb-4a12-ab46-249b9a68473e',
  'conditionId', l.condition, 'value', 999999)
from (select pg_temp.id(c.id::text) as id, c.id as condition from patron_block_conditions c) l";

const LOANS: &str = include_str!("stock/loans.sql");
const INSTANCES: &str = include_str!("stock/instances.sql");
const HOLDINGS: &str = include_str!("stock/holdings.sql");
const ITEMS: &str = include_str!("stock/items.sql");
const PATRONS: &str = include_str!("stock/patrons.sql");
/// Only what was filled: PostgreSQL believes an analysed empty table to stay empty.
/// A library in use has been vacuumed, and so knows which pages everybody may see.
pub(crate) const VACUUM_ANALYZE: &str = "vacuum analyze";
/// On the shelf; by a hash, so that who reads one after the other touches pages at random.
const IDS: &str = "\
select id, barcode
from item
where doc -> 'status' ->> 'name' = 'Available'
order by md5(id::text)";
