//! What a user may do: mod-permissions' grants, sub-permissions expanded, with mod-users' word on whether they are active and
//! mod-login's on which of their tokens count.

use std::sync::Arc;

use octavo_engine::{Grant, Platform, Standing, Tenant};
use octavo_kernel::{Outcome, Permissions};
use octavo_pg::{Session, Statement, Usage};
use uuid::Uuid;

use crate::login::ended_sessions;

/// Remembered, or read in one round trip. A change of users or permissions makes it forgotten.
pub async fn standing(platform: &Platform, tenant: &Tenant, user: Uuid) -> Outcome<Arc<Standing>> {
    if let Some(known) = tenant.grants.get(&user) {
        return Ok(known);
    }
    let moment = tenant.grants.moment();
    let mut session = platform.database.session(&tenant.id, Arc::<Usage>::default()).await?;
    let answers = session.batch(vec![Statement::new(GRANT).uuid(user), ended_sessions::read(user)]).await?;
    let rows = &answers[0];
    let grant = match rows.first() {
        None => Grant::Unknown,
        Some(row) if row.maybe_text(0) == Some("false") => Grant::Inactive,
        Some(row) if !row.truth(1) => Grant::NoPermissions,
        Some(_) => {
            let names = rows.iter().filter_map(|row| row.maybe_text(2)).map(str::to_owned);
            Grant::Active { permissions: Permissions::new(names.collect()) }
        }
    };
    let sessions = ended_sessions::sessions(&answers[1]);
    let found = Arc::new(Standing { grant, sessions });
    tenant.grants.keep(user, &found, moment);
    Ok(found)
}

/// Names of all permissions that the given ones contain, themselves included.
pub async fn expand(session: &mut Session, names: Vec<String>) -> Outcome<Vec<String>> {
    let rows = session.rows(Statement::new(EXPAND).texts(names)).await?;
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}

const GRANT: &str = "\
with recursive granted (name) as (
  select json_array_elements_text(doc -> 'permissions') from permissions_users where \"userId\" = $1
  union
  select json_array_elements_text(p.doc -> 'subPermissions')
  from granted g
  join permissions p on p.\"permissionName\" = g.name
)
select u.doc ->> 'active', exists (select from permissions_users where \"userId\" = $1), g.name
from users u
left join granted g on true
where u.id = $1";

const EXPAND: &str = "\
with recursive granted (name) as (
  select unnest($1::text[])
  union
  select json_array_elements_text(p.doc -> 'subPermissions')
  from granted g
  join permissions p on p.\"permissionName\" = g.name
)
select name from granted order by name";

octavo_pg::statements!(hot = [GRANT, EXPAND]);
