//! Uploaded files go when they were not needed for a while: those of uploads that nobody has changed since, and what was broken off.

use std::time::Duration;

use jiff::SignedDuration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_pg::Statement;

use super::store::Store;

/// How long what was broken off is kept.
const FRAGMENTS: Duration = Duration::from_secs(24 * 60 * 60);
/// How many files are removed at a time.
const BATCH: i64 = 500;

/// The timer's job, for one tenant.
pub(super) async fn clean(request: Request) -> Outcome<Response> {
    let (context, store) = (&request.context, Store::of(&request.context));
    store.forget_fragments(FRAGMENTS).await?;
    let days = context.platform.settings.uploads.days;
    if days > 0 {
        let before =
            context.now.checked_sub(SignedDuration::from_hours(24 * days)).map_err(Fault::internal)?;
        let before = folio_time(before);
        let mut after = uuid::Uuid::nil();
        loop {
            let mut session = context.session().await?;
            let statement = Statement::new(OLD).text(&before).uuid(after).long(BATCH);
            let old: Vec<(uuid::Uuid, String)> = session.read(statement).await?;
            drop(session);
            let Some((last, _)) = old.last() else { break };
            after = *last;
            for (_, keys) in &old {
                for key in keys.lines() {
                    store.remove(key).await?;
                }
            }
        }
    }
    Ok(Response::no_content())
}

const OLD: &str = "\
select u.id, string_agg(f ->> 'sourcePath', e'\\n')
from upload_definitions u
cross join lateral json_array_elements(u.doc -> 'fileDefinitions') f
where u.\"metadata.updatedDate\" < $1 and u.id > $2 and f ->> 'sourcePath' is not null
group by u.id
order by u.id
limit $3";

octavo_pg::statements!(other = [OLD]);
