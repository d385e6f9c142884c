//! Fills the columns of records that were written before there were such columns: in the background, part by part. Until it is done, what
//! the index cannot find yet is looked for in the records themselves.

use octavo_engine::{Context, outbox};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use uuid::Uuid;

pub(super) const TASK: &str = "columns of source records";

/// Whether there are records whose columns are not filled, as SQL.
pub(super) const UNFILLED: &str =
    "(select exists (select from outbox where kind = 'columns of source records'))";

/// How many records are filled by one statement.
const PART: i64 = 200;
/// How long a part may take before another process takes it for abandoned, in seconds.
const CLAIMED: i64 = 600;

pub(super) async fn work(context: Context) -> Outcome<usize> {
    let mut session = context.session().await?;
    let claimed = session.rows(outbox::claim(TASK, outbox::Which::Any, 1, CLAIMED)).await?;
    if claimed.is_empty() {
        return Ok(0);
    }
    let (mut last, mut filled) = (Uuid::nil(), 0);
    loop {
        let part = vec![
            Statement::new(QUIETLY),
            Statement::new(FILL).uuid(last).long(PART),
            outbox::renew(TASK, vec![Uuid::nil()], CLAIMED),
        ];
        let answers = session.transaction(part).await?;
        let ids: Vec<Uuid> = answers.get(1).into_iter().flatten().map(octavo_pg::Row::read).collect();
        filled += ids.len();
        match ids.iter().max() {
            Some(most) => last = *most,
            None => break,
        }
    }
    session.transaction(vec![outbox::done(TASK, vec![Uuid::nil()])]).await?;
    Ok(filled)
}

/// Harvesters are not told: nothing changes that they are shown.
const QUIETLY: &str = "select set_config('octavo.quietly', 'on', true)";

/// A row that is written as it was gets its columns from the trigger.
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
