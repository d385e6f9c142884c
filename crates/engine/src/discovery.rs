//! Where modules outside of this process run: their instances, by the module's id, as an operator has named them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_kernel::Outcome;
use octavo_pg::{Database, Session, Statement, Usage};

use crate::tenants::{ChangeKind, notify_everywhere_statement};
use crate::{Lease, LeasedCache};

/// A running copy of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub id: String,
    pub module: String,
    /// What the operator posted: a JSON object.
    pub descriptor: String,
}

octavo_pg::columns!(Instance { id, module, descriptor });

/// The addresses of a module's instances, which take requests in turn.
#[derive(Debug, Default)]
pub struct Addresses {
    urls: Vec<String>,
    next: AtomicUsize,
}

impl Addresses {
    /// All addresses, beginning with the one whose turn it is.
    pub fn in_turn(&self) -> impl Iterator<Item = &str> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let count = self.urls.len();
        (0..count).map(move |more| self.urls[(first.wrapping_add(more)) % count].as_str())
    }
}

pub struct Discovery {
    database: Database,
    known: LeasedCache<String, Addresses>,
}

/// The most instances of all modules together.
const MAX_INSTANCES: i64 = 1000;

impl Discovery {
    pub(crate) fn new(database: Database, lease: Arc<Lease>) -> Discovery {
        Discovery { database, known: LeasedCache::with_lease(lease) }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.database.system_session(Arc::<Usage>::default()).await?)
    }

    /// The addresses at which a module can be reached.
    pub async fn addresses(&self, module: &str) -> Outcome<Arc<Addresses>> {
        if let Some(known) = self.known.get(module) {
            return Ok(known);
        }
        let moment = self.known.begin_read();
        let instances = self.instances_of(module).await?;
        let url = |instance: Instance| {
            let descriptor: serde_json::Value = serde_json::from_str(&instance.descriptor).ok()?;
            let url = descriptor["url"].as_str()?.trim_end_matches('/');
            (!url.is_empty()).then(|| url.to_owned())
        };
        let urls = instances.into_iter().filter_map(url).collect();
        let found = Arc::new(Addresses { urls, next: AtomicUsize::default() });
        self.known.insert(module.to_owned(), &found, moment);
        Ok(found)
    }

    pub async fn all_instances(&self) -> Outcome<Vec<Instance>> {
        Ok(self.session().await?.read(Statement::new(ALL)).await?)
    }

    pub async fn instances_of(&self, module: &str) -> Outcome<Vec<Instance>> {
        Ok(self.session().await?.read(Statement::new(OF_MODULE).text(module)).await?)
    }

    /// Adds an instance; whether its id was new and there was room.
    pub async fn add(&self, instance: &Instance) -> Outcome<bool> {
        let Instance { id, module, descriptor } = instance;
        self.change(Statement::new(ADD).text(id).text(module).text(descriptor).long(MAX_INSTANCES)).await
    }

    /// Replaces what is known of an instance; whether there was one.
    pub async fn replace(&self, instance: &Instance) -> Outcome<bool> {
        let Instance { id, module, descriptor } = instance;
        self.change(Statement::new(REPLACE).text(id).text(module).text(descriptor)).await
    }

    /// Removes instances: one, those of a module, or all; whether there was any.
    pub async fn remove(&self, module: Option<&str>, id: Option<&str>) -> Outcome<bool> {
        self.change(Statement::new(REMOVE).maybe_text(module).maybe_text(id)).await
    }

    async fn change(&self, change: Statement) -> Outcome<bool> {
        let mut session = self.session().await?;
        let done =
            session.transaction(vec![change, notify_everywhere_statement(ChangeKind::INSTANCES)?]).await?;
        self.invalidate();
        Ok(!done[0].is_empty())
    }

    pub(crate) fn invalidate(&self) {
        self.known.invalidate_all();
    }
}

const ALL: &str = "select id, module, descriptor from octavo.instances order by module, id";
const OF_MODULE: &str = "select id, module, descriptor from octavo.instances where module = $1 order by id";
const ADD: &str = "\
insert into octavo.instances (id, module, descriptor)
select $1, $2, $3
where (select count(*) from octavo.instances) < $4
on conflict do nothing
returning id";
const REPLACE: &str =
    "update octavo.instances set descriptor = $3 where id = $1 and module = $2 returning id";
const REMOVE: &str = "\
delete from octavo.instances
where ($1::text is null or module = $1) and ($2::text is null or id = $2)
returning id";

octavo_pg::statements!(hot = [OF_MODULE], other = [ALL, ADD, REPLACE, REMOVE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_take_turns() {
        let urls = ["a", "b", "c"].map(str::to_owned).to_vec();
        let addresses = Addresses { urls, next: AtomicUsize::default() };
        let turns: Vec<Vec<&str>> = (0..4).map(|_| addresses.in_turn().collect()).collect();
        assert_eq!(turns, [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]]);
        assert_eq!(Addresses::default().in_turn().count(), 0);
    }
}
