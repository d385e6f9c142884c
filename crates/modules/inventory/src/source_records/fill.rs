//! Fills the columns of records that were written before these columns existed: in the background, some records at a time. Until this is
//! done, searches look into the documents of records that the index does not contain yet.

use octavo_engine::{Context, outbox};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use uuid::Uuid;

pub(super) const TASK: &str = "columns of source records";

/// The SQL condition that there are records whose columns are not filled.
pub(super) const UNFILLED: &str =
    "(select exists (select from outbox where kind = 'columns of source records'))";

/// How many records one statement fills.
const ROWS_PER_STATEMENT: i64 = 200;
/// After how many seconds without progress another process takes over the task.
const CLAIM_SECONDS: i64 = 600;

pub(super) async fn fill_columns(context: Context) -> Outcome<usize> {
    let mut session = context.session().await?;
    let claimed: Vec<outbox::Task> =
        session.read(outbox::claim(TASK, outbox::TaskFilter::Any, 1, CLAIM_SECONDS)).await?;
    if claimed.is_empty() {
        return Ok(0);
    }
    let (mut last, mut filled) = (Uuid::nil(), 0);
    loop {
        let part = vec![
            Statement::new(QUIETLY),
            Statement::new(FILL).uuid(last).long(ROWS_PER_STATEMENT),
            outbox::renew(TASK, vec![Uuid::nil()], CLAIM_SECONDS),
        ];
        let answers = session.transaction(part).await?;
        let ids: Vec<Uuid> = answers.get(1).into_iter().flatten().map(octavo_pg::Row::read).collect();
        filled += ids.len();
        match ids.iter().max() {
            Some(most) => last = *most,
            None => break,
        }
    }
    session.transaction(vec![outbox::delete_claimed(TASK, &claimed)]).await?;
    Ok(filled)
}

/// Harvesters are not informed of these changes, because nothing changes that they see.
const QUIETLY: &str = "select set_config('octavo.quietly', 'on', true)";

/// Writing a row without a change has the trigger fill its columns.
const FILL: &str = "\
update records_lb r
set id = r.id
from (
  select o.id
  from records_lb o
  where o.id > $1
  and o.\"marcTerms\" is null
  order by o.id
  limit $2
  for update) o
where r.id = o.id
returning r.id";

octavo_pg::statements!(other = [QUIETLY, FILL]);
