//! Restores holdings that a job has changed, together with what their items inherit from them: the effective location, the parts of the call
//! number and the shelving order.

use std::collections::HashMap;

use octavo_engine::load::{self, PreparedRecord};
use octavo_engine::{Context, statements};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::HOLDINGS;
use octavo_pg::{Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::Undoing;

/// Runs the statements of `undoing`, so that the items are in their former state before they inherit again. Returns the statements that
/// restore the holdings and their items.
pub(super) async fn restore(
    context: &Context,
    session: &mut Session,
    job: Uuid,
    undoing: Undoing,
) -> Outcome<Vec<Statement>> {
    let Undoing { statements: first, holdings, mut items } = undoing;
    let ids: Vec<Uuid> = holdings.iter().map(|holdings| holdings.id).collect();
    let mut reading =
        vec![Statement::new(ITEMS_AS_LEFT).uuids(ids.clone()), statements::lock_all(&HOLDINGS).uuids(ids)];
    reading.extend(first);
    let answers = session.batch(reading).await?;
    let rows = |at: usize| answers.get(at).into_iter().flatten();
    items.extend(rows(0).map(Row::read::<Uuid>));
    let mut present: HashMap<Uuid, Value> = rows(1).map(Row::read::<(Uuid, Value)>).collect();
    let restored = holdings.into_iter().filter_map(|ready| Some((present.remove(&ready.id)?, ready)));
    let restored: Vec<(Value, PreparedRecord)> = restored.collect();
    let pairs: Vec<&(Value, PreparedRecord)> = restored.iter().collect();
    let mut statements = load::statements(context, session, &HOLDINGS, &[], &pairs).await?;
    statements.push(Statement::new(RESTORE_ITEMS).uuid(job).uuids(items));
    Ok(statements)
}

/// Reads and locks the items that nobody has changed since they inherited from these holdings: a change of holdings gives its time to the
/// items that inherit from them.
const ITEMS_AS_LEFT: &str = "\
select i.id
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where h.id = any($1)
and i.doc #>> '{metadata,updatedDate}' = h.doc #>> '{metadata,updatedDate}'
order by i.id
for update of i";

/// Stores the versions that the items have now, so that earlier records of the file that made or changed them can be undone too.
const RESTORE_ITEMS: &str = "\
insert into import_restored (job, id, version)
select $1::uuid, i.id, coalesce((i.doc ->> '_version')::int8, 0)
from item i
where i.id = any($2)
on conflict (job, id) do update set version = excluded.version";

octavo_pg::statements!(other = [ITEMS_AS_LEFT, RESTORE_ITEMS]);
