//! Disables triggers, and drops foreign keys and indexes, that would slow down the filling of tables or have side effects; enables and
//! creates them again, in one transaction.

use anyhow::Result;
use octavo_kernel::TenantId;
use octavo_pg::{Session, Statement};

/// Statements that enable the disabled triggers and create the dropped foreign keys and indexes again.
pub(super) struct DroppedObjects(Vec<String>);

impl DroppedObjects {
    /// Disables all triggers but those that fill the columns of new records, and drops foreign keys and the indexes of no constraint.
    pub(super) async fn drop_objects(session: &mut Session, tenant: &TenantId) -> Result<DroppedObjects> {
        let found: Vec<(String, String)> =
            session.read(Statement::new(STATEMENTS).text(tenant.schema())).await?;
        let mut back = Vec::with_capacity(found.len());
        for (away, again) in found {
            session.script(&away).await?;
            back.push(again);
        }
        Ok(DroppedObjects(back))
    }

    /// Creates the objects again, the last dropped first: foreign keys need indexes.
    pub(super) async fn restore(self, session: &mut Session) -> Result<()> {
        for again in self.0.iter().rev() {
            session.script(again).await?;
        }
        Ok(())
    }
}

const STATEMENTS: &str = r"
select away, again
from (
  select 1 as step, format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as away,
    format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as again
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = to_regnamespace(quote_ident($1)) and not tgisinternal and tgname <> c.relname || '_columns_new'
  union all
  select 2, format('alter table %s drop constraint %I', conrelid::regclass, conname),
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint
  where contype = 'f' and connamespace = to_regnamespace(quote_ident($1))
  union all
  select 3, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r'
    and not exists (select from pg_constraint where conindid = i.indexrelid)
) all_of_them
order by step, away";
