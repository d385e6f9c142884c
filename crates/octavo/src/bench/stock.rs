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
    pub(crate) time: Duration,
    pub(crate) clients: u32,
    pub(crate) items: u32,
    pub(crate) patrons: u32,
    /// That each patron has from the beginning.
    pub(crate) loans: u32,
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
        let mut session = session(&database).await?;
        let lent = u64::from(extent.loans) * u64::from(extent.patrons);
        let items = u64::from(extent.items) + lent;
        let (titles, patrons) = (items.div_ceil(COPIES.into()), extent.patrons.into());
        for (sql, count) in [(INSTANCES, titles), (HOLDINGS, titles), (ITEMS, items), (PATRONS, patrons)] {
            session.rows(Statement::new(sql).long(i64::try_from(count)?)).await?;
        }
        if lent > 0 {
            session.script(PAST).await?;
            for statement in [
                loans(0, i64::try_from(lent)?, extent.patrons.into()),
                Statement::new(LENT),
                Statement::new(CONDITIONS),
                Statement::new(LIMITS),
            ] {
                session.rows(statement).await?;
            }
        }
        for (kind, last) in [("instances", titles), ("holdings", titles), ("items", items)] {
            let restart = Statement::new("select restart_hrids($1, $2)");
            session.rows(restart.text(kind).long(i64::try_from(last)? + 1)).await?;
        }
        session.script(SETTLE).await?;
        let items: Vec<(Uuid, String)> = session.read(Statement::new(IDS)).await?;
        let item = |(id, barcode): (Uuid, String)| Item { id, barcode: barcode.into() };
        Ok(Stock { items: items.into_iter().map(item).collect(), patrons })
    }

    pub(crate) fn id(&self, number: u64) -> Uuid {
        self.items[(number % self.items.len() as u64) as usize].id
    }

    pub(crate) fn id_of(&self, barcode: &str) -> Result<Uuid> {
        let found = self.items.iter().find(|item| &*item.barcode == barcode);
        Ok(found.ok_or_else(|| anyhow!("no item has the barcode {barcode}"))?.id)
    }

    /// The body that lends the item of this number, if there is one. Patrons come in a ring.
    pub(crate) fn check_out(&self, number: u64) -> Option<String> {
        Some(lending(self.barcode(number)?, &self.patron(number)))
    }

    pub(crate) fn renew(&self, number: u64) -> Option<String> {
        Some(renewing(self.barcode(number)?, &self.patron(number)))
    }

    pub(crate) fn check_in(&self, number: u64, now: &str) -> Option<String> {
        Some(returning(self.barcode(number)?, now))
    }

    fn barcode(&self, number: u64) -> Option<&str> {
        self.items.get(usize::try_from(number).ok()?).map(|item| &*item.barcode)
    }

    fn patron(&self, number: u64) -> String {
        patron(number % self.patrons)
    }
}

/// The body that checks an item out to a patron, both by their barcodes.
pub(crate) fn lending(item: &str, user: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","userBarcode":"{user}","servicePointId":"{SERVICE_POINT}"}}"#)
}

pub(crate) fn renewing(item: &str, user: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","userBarcode":"{user}"}}"#)
}

pub(crate) fn returning(item: &str, now: &str) -> String {
    format!(r#"{{"itemBarcode":"{item}","servicePointId":"{SERVICE_POINT}","checkInDate":"{now}"}}"#)
}

/// The barcode, as `items.sql` makes them.
pub(crate) fn item(number: u64) -> String {
    format!("3{number:013}")
}

/// The barcode, as `patrons.sql` makes them.
pub(crate) fn patron(number: u64) -> String {
    format!("2{number:013}")
}

/// Connects to the database behind the server: what is done over this connection is not measured.
pub(crate) fn connect(url: &str) -> Result<Database> {
    Ok(Database::from_url(url, Options::unlimited(1))?)
}

/// A session in the tenant's schema.
pub(crate) async fn session(database: &Database) -> Result<Session> {
    let tenant = TenantId::parse(TENANT).map_err(|fault| anyhow!(fault))?;
    Ok(database.session(&tenant, Arc::default()).await?)
}

/// Harbour Library's desk, of the demo library.
pub(crate) const SERVICE_POINT: &str = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

/// `count` loans that are not due yet, of the items from `first` on, spread over the patrons. Needs the functions of [`PAST`].
pub(crate) fn loans(first: i64, count: i64, patrons: i64) -> Statement {
    Statement::new(LOANS).long(first).long(count).long(patrons)
}

/// Functions for what happened before a benchmark begins, in one connection alone: `pg_temp.loan` and its like.
pub(crate) const PAST: &str = include_str!("stock/past.sql");

/// Items with an open loan are not on the shelf.
pub(crate) const LENT: &str = "\
update item i
set doc = jsonb_set(i.doc::jsonb, '{status,name}', '\"Checked out\"')::json
from loan l
where l.\"itemId\" = i.id and l.\"status.name\" = 'open'";

/// Blocks are configured, so that they are reckoned for every check-out, and nobody comes to a limit.
pub(crate) const CONDITIONS: &str = "\
update patron_block_conditions
set doc = (doc::jsonb || '{\"blockBorrowing\": true, \"blockRenewals\": true, \"message\": \"Too much\"}')::json";
pub(crate) const LIMITS: &str = "\
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
pub(crate) const SETTLE: &str = "vacuum analyze";
/// On the shelf; by a hash, so that who reads one after the other touches pages at random.
const IDS: &str = "\
select id, barcode
from item
where doc -> 'status' ->> 'name' = 'Available'
order by md5(id::text)";
