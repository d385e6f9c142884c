//! Finds for all tenants at once which of them have changes that indexes may lack, and wakes the tasks that keep the indexes of these
//! tenants up to date. So an index without changes costs the database nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Statement, Usage, Work};
use tokio::time::{Instant, sleep};

use super::forget::SCHEMAS;
use super::{Indexes, RECENT_SEARCH, Served};

/// How often the database is asked for changes: while searches are expected, and otherwise.
pub(super) const BUSY_INTERVAL: Duration = Duration::from_millis(150);
pub(super) const QUIET_INTERVAL: Duration = Duration::from_secs(2);

type ServedBySchema = Vec<(String, Arc<Served>)>;

/// Runs until the process ends.
pub(super) async fn watch(platform: Platform, indexes: Arc<Indexes>) {
    let mut standing = HashMap::new();
    let mut looked = Instant::now();
    loop {
        let followed = indexes.served_by_schema();
        let is_busy = followed.iter().any(|(_, served)| served.last_search_time().elapsed() < RECENT_SEARCH);
        sleep(if is_busy { BUSY_INTERVAL } else { QUIET_INTERVAL }).await;
        let looks = looked.elapsed() >= QUIET_INTERVAL;
        let round = async {
            notify_followers(&followed, &load_changed_schemas(&platform).await?);
            if looks {
                let now = load_schema_states(&platform, &followed).await?;
                let others = now.iter().filter(|(schema, at)| standing.get(*schema) != Some(*at));
                notify_followers(&followed, &others.map(|(schema, _)| schema.clone()).collect());
                standing = now;
            }
            Outcome::Ok(())
        };
        if let Err(fault) = round.await {
            tracing::warn!(%fault, "changes for the indexes cannot be looked for");
            // The followers then check for changes themselves.
            notify_followers(&followed, &followed.iter().map(|(schema, _)| schema.clone()).collect());
            sleep(QUIET_INTERVAL).await;
        }
        if looks {
            looked = Instant::now();
        }
    }
}

fn notify_followers(followed: &ServedBySchema, schemas: &BTreeSet<String>) {
    for (_, served) in followed.iter().filter(|(schema, _)| schemas.contains(schema)) {
        served.changes.store(true, Ordering::Relaxed);
        served.wake.notify_one();
    }
}

async fn load_changed_schemas(platform: &Platform) -> Outcome<BTreeSet<String>> {
    let mut session = platform.database.system_session(Arc::new(Usage::for_work(Work::Search))).await?;
    Ok(session.read::<Vec<String>>(Statement::new(CHANGED.as_str())).await?.into_iter().collect())
}

/// The number of each tenant's schema, and how often a rebuild of its indexes was ordered.
async fn load_schema_states(
    platform: &Platform,
    followed: &ServedBySchema,
) -> Outcome<HashMap<String, String>> {
    let schemas: BTreeSet<String> = followed.iter().map(|(schema, _)| schema.clone()).collect();
    let mut session = platform.database.system_session(Arc::new(Usage::for_work(Work::Search))).await?;
    let asked = Statement::new(STANDING).texts(schemas.into_iter().collect());
    let standing: Vec<(String, String)> = session.read(asked).await?;
    Ok(standing.into_iter().collect())
}

static CHANGED: LazyLock<String> =
    LazyLock::new(|| format!("{SCHEMAS}\nselect schema from schemas where schema is not null"));

const STANDING: &str = "\
select f.schema, concat(to_regnamespace(quote_ident(f.schema))::oid, '/', g.generations)
from unnest($1::text[]) f (schema)
left join (
  select schema, sum(generation) as generations from octavo.search_generation group by schema
) g on g.schema = f.schema";

octavo_pg::statements!(other = [CHANGED, STANDING]);
