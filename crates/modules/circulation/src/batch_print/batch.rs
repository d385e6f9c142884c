//! `POST /print/batch-creation`, by the clock: the notices that wait become files.

use octavo_engine::{Context, Request, Response, outbox};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use octavo_print::Merged;
use uuid::Uuid;

use super::BATCH;
use super::entries::Entry;

/// Notices of a file, at most.
const MOST_NOTICES: i64 = 1000;
/// Hexadecimal digits of the notices of a file, at most; one notice may have more.
const MOST_DIGITS: i64 = 32 << 20;

/// Each file in a transaction of its own. A notice is marked before it is read, in a transaction before: where a file
/// cannot be made, or the process ends, each of its notices is then tried alone, and those that cannot be read stay as they
/// are.
pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let mut failed_before = false;
    loop {
        while let Some(id) = session.read(Statement::new(SUSPECTED)).await? {
            if let Err(fault) = outbox::catch_panics(retry_alone(&mut session, id)).await {
                tracing::error!(tenant = %context.tenant.id, entry = %id, %fault, "what is to be printed cannot be read");
                session = context.session().await?;
            }
        }
        let ids: Vec<Uuid> = session.read(Statement::new(MARK).long(MOST_NOTICES).long(MOST_DIGITS)).await?;
        if ids.is_empty() {
            return Ok(Response::no_content());
        }
        if let Err(fault) = outbox::catch_panics(make_file(context, &mut session, ids)).await {
            // The file has failed again after each notice was tried alone, so no notice is the cause.
            if failed_before {
                return Err(fault);
            }
            failed_before = true;
            tracing::warn!(tenant = %context.tenant.id, %fault, "notices to be printed are looked at one by one");
            session = context.session().await?;
        }
    }
}

/// Tries whether a notice can be read alone; then it gets into a file after all.
async fn retry_alone(session: &mut Session, id: Uuid) -> Outcome<()> {
    let rows = session.rows(Statement::new(CONTENT).uuids(vec![id])).await?;
    let unreadable = merge("", rows).await?.unreadable;
    if unreadable.is_empty() {
        session.rows(Statement::new(CLEARED).uuid(id)).await?;
    }
    Ok(())
}

/// Makes a file of these notices, but for those that are no PDF.
async fn make_file(context: &Context, session: &mut Session, ids: Vec<Uuid>) -> Outcome<()> {
    let rows = session.begin(vec![Statement::new(CONTENT).uuids(ids)]).await?.pop().unwrap_or_default();
    let ids: Vec<Uuid> = rows.iter().map(Row::read).collect();
    let title = format!("Notices of {}", context.now.strftime("%Y-%m-%d"));
    let merged = merge(&title, rows).await?;
    let unreadable: Vec<Uuid> = merged.unreadable.iter().filter_map(|at| ids.get(*at).copied()).collect();
    let in_file: Vec<Uuid> = ids.into_iter().filter(|id| !unreadable.contains(id)).collect();
    let mut statements = Vec::new();
    if !unreadable.is_empty() {
        tracing::warn!(tenant = %context.tenant.id, entries = ?unreadable, "what is to be printed is no PDF file");
        statements.push(Statement::new(LEFT).uuids(unreadable));
    }
    if !in_file.is_empty() {
        let file = Entry::new(context.fresh_id(), BATCH, context.now, None, &merged.pdf);
        statements.push(Statement::new(TELL).uuid(file.id).uuids(in_file.clone()));
        statements.push(Statement::new(GONE).uuids(in_file));
        statements.extend(file.insert_statements());
    }
    session.commit(statements).await?;
    Ok(())
}

async fn merge(title: &str, rows: Vec<Row>) -> Outcome<Merged> {
    let title = title.to_owned();
    let merged = tokio::task::spawn_blocking(move || {
        // One after the other: none is in memory longer than it must be.
        octavo_print::merge(&title, rows.into_iter().map(|row| decode_hex(row.read::<(Uuid, &str)>().1)))
    });
    merged.await.map_err(Fault::internal)
}

/// Decodes hexadecimal digits; the result is empty if there are other characters.
fn decode_hex(content: &str) -> Vec<u8> {
    let pairs = content.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        u8::from_str_radix(std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()
    };
    pairs.map(byte).collect::<Option<_>>().unwrap_or_default()
}

/// Marks the notices of the next file, in the order of FOLIO's files, and that the file is being made.
const MARK: &str = "\
with waiting as (
  select
    e.id,
    row_number() over sorted as number,
    sum(octet_length(c.content)) over sorted as digits
  from print_entry e
  join print_content c on c.id = e.id
  where e.\"type\" = 'SINGLE' and c.tries = 0
  window sorted as (order by e.\"sortingField\", e.created, e.id)
)
update print_content c
set tries = 1
from waiting w
where c.id = w.id and w.number <= $1::int8 and (w.digits <= $2::int8 or w.number = 1)
returning c.id";

const CONTENT: &str = "\
select e.id, c.content
from print_entry e
join print_content c on c.id = e.id
where e.id = any($1)
order by e.\"sortingField\", e.created, e.id
for update of e skip locked";

/// A notice of a file that was begun and not made. It is looked at once.
const SUSPECTED: &str = "\
update print_content
set tries = 2
where id = (
  select c.id
  from print_content c
  join print_entry e on e.id = c.id
  where c.tries = 1 and e.\"type\" = 'SINGLE'
  limit 1
)
returning id";

const CLEARED: &str = "update print_content set tries = 0 where id = $1";

/// Marks entries that are no PDF file: they are left alone until somebody replaces them.
const LEFT: &str = "update print_content set tries = 2 where id = any($1)";

/// Notes in the ledger in which file a notice is.
const TELL: &str = "\
update notice n
set doc = jsonb_set(n.doc::jsonb, '{printEntryId}', to_jsonb($1::uuid::text))::json
from print_content c
where c.id = any($2) and n.id = c.notice_id";

const GONE: &str = "delete from print_entry where id = any($1)";

octavo_pg::statements!(hot = [CONTENT, SUSPECTED, CLEARED, LEFT, TELL, GONE], other = [MARK]);

#[cfg(test)]
mod tests {
    use super::decode_hex;

    #[test]
    fn what_is_no_hexadecimal_is_no_file() {
        for (content, expected) in
            [("255044", &b"%PD"[..]), ("25504", b""), ("xx", b""), ("", b""), ("é5", b"")]
        {
            assert_eq!(decode_hex(content), expected, "{content}");
        }
    }
}
