//! `POST /print/batch-creation`, by the clock: the letters that wait become files.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

use super::BATCH;
use super::entries::Entry;

/// Letters of a file.
const MOST: usize = 1000;

/// Each file in a transaction of its own. Letters that cannot be read stay as they are.
pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let mut unreadable: Vec<Uuid> = Vec::new();
    loop {
        let waiting = Statement::new(WAITING).uuids(unreadable.clone());
        let rows = session.begin(vec![waiting]).await?.pop().unwrap_or_default();
        if rows.is_empty() {
            session.rollback().await?;
            break;
        }
        let count = rows.len();
        unreadable.extend(one(context, &mut session, rows).await?);
        if count < MOST {
            break;
        }
    }
    if !unreadable.is_empty() {
        tracing::warn!(tenant = %context.tenant.id, entries = ?unreadable, "what is to be printed is no PDF file");
    }
    Ok(Response::no_content())
}

/// Makes a file of these letters. Which of them are no PDF.
async fn one(context: &Context, session: &mut Session, rows: Vec<Row>) -> Outcome<Vec<Uuid>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.uuid(0)).collect();
    let files: Vec<Vec<u8>> = rows.iter().map(|row| bytes(row.text(1))).collect();
    drop(rows);
    let title = format!("Letters of {}", context.now.strftime("%Y-%m-%d"));
    let merged =
        tokio::task::spawn_blocking(move || octavo_print::merge(&title, files.iter().map(Vec::as_slice)));
    let merged = merged.await.map_err(Fault::internal)?;
    let unreadable: Vec<Uuid> = merged.unreadable.iter().filter_map(|at| ids.get(*at).copied()).collect();
    let merged_ids: Vec<Uuid> = ids.into_iter().filter(|id| !unreadable.contains(id)).collect();
    if merged_ids.is_empty() {
        session.rollback().await?;
        return Ok(unreadable);
    }
    let file = Entry::new(context.fresh_id(), BATCH, context.now, None, &merged.pdf);
    let mut statements = vec![
        Statement::new(TELL).uuid(file.id).uuids(merged_ids.clone()),
        Statement::new(GONE).uuids(merged_ids),
    ];
    statements.extend(file.stored());
    session.commit(statements).await?;
    Ok(unreadable)
}

/// From hexadecimal; nothing, where it is none.
fn bytes(content: &str) -> Vec<u8> {
    let pairs = content.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        u8::from_str_radix(std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()
    };
    pairs.map(byte).collect::<Option<_>>().unwrap_or_default()
}

/// In the order of FOLIO's files.
const WAITING: &str = "\
select e.id, c.content
from print_entry e
join print_content c on c.id = e.id
where e.\"type\" = 'SINGLE'
  and e.id <> all($1)
order by e.\"sortingField\", e.created, e.id
limit 1000
for update of e skip locked";

/// The ledger says in which file a letter is.
const TELL: &str = "\
update notice n
set doc = jsonb_set(n.doc::jsonb, '{printEntryId}', to_jsonb($1::uuid::text))::json
from print_content c
where c.id = any($2) and n.id = c.notice_id";

const GONE: &str = "delete from print_entry where id = any($1)";

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn what_is_no_hexadecimal_is_no_file() {
        for (content, expected) in
            [("255044", &b"%PD"[..]), ("25504", b""), ("xx", b""), ("", b""), ("é5", b"")]
        {
            assert_eq!(bytes(content), expected, "{content}");
        }
    }
}
