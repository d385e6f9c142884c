//! How far each type of records was brought over, written with each batch in its transaction.

use anyhow::{Result, bail};
use octavo_engine::Context;
use octavo_kernel::TenantId;
use octavo_pg::{Session, Statement};

use crate::load::fault_to_error;

/// The row of one type of records; the row with an empty type is about the tenant itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) place: String,
    /// The number of records after `place` that are already stored or refused.
    pub(super) part: i64,
    pub(super) read: i64,
    pub(super) taken: i64,
    pub(super) refused: i64,
    /// The length in bytes that the file of refused records has after these records.
    pub(super) told: i64,
    pub(super) done: bool,
    pub(super) absent: Option<String>,
}

octavo_pg::columns!(Entry { place, part, read, taken, refused, told, done, absent });

/// The rows of one tenant, all from one source.
#[derive(Debug, Clone)]
pub(super) struct Ledger {
    pub(super) tenant: TenantId,
    pub(super) source: String,
}

/// The name of the tenant's own row.
pub(super) const TENANT: &str = "";

impl Ledger {
    pub(super) async fn read(&self, session: &mut Session, record: &str) -> Result<Option<Entry>> {
        let found: Option<Entry> =
            session.read(Statement::new(READ).text(self.tenant.as_str()).text(record)).await?;
        Ok(found)
    }

    /// Fails if the tenant's records were brought over from another source.
    pub(super) async fn check_source(&self, session: &mut Session) -> Result<()> {
        let found = Statement::new(SOURCE).text(self.tenant.as_str());
        let found: Option<String> = session.read(found).await?;
        match found {
            Some(found) if found != self.source => {
                bail!("tenant {} is brought over from {found}, not from {}", self.tenant, self.source)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn write_statement(&self, record: &str, entry: &Entry) -> Statement {
        Statement::new(WRITE)
            .text(self.tenant.as_str())
            .text(record)
            .text(self.source.as_str())
            .text(entry.place.as_str())
            .long(entry.part)
            .long(entry.read)
            .long(entry.taken)
            .long(entry.refused)
            .long(entry.told)
            .text(entry.done.to_string())
            .maybe_text(entry.absent.as_deref())
    }

    pub(super) async fn save(&self, context: &Context, record: &str, entry: &Entry) -> Result<()> {
        let mut session = context.session().await.map_err(fault_to_error)?;
        session.rows(self.write_statement(record, entry)).await?;
        Ok(())
    }
}

const READ: &str = "\
select place, part, read, taken, refused, told, done, absent
from octavo.migrated
where tenant = $1 and record = $2";
const SOURCE: &str = "select source from octavo.migrated where tenant = $1 limit 1";
const WRITE: &str = "\
insert into octavo.migrated (tenant, record, source, place, part, read, taken, refused, told, done, absent)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::boolean, $11)
on conflict (tenant, record) do update set
  place = excluded.place, part = excluded.part, read = excluded.read, taken = excluded.taken, refused = excluded.refused,
  told = excluded.told, done = excluded.done, absent = excluded.absent";
