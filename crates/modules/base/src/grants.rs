//! What a user may do: the permissions from mod-permissions with all sub-permissions, whether the user is active from mod-users,
//! and which of their tokens are valid from mod-login.

use std::sync::Arc;

use octavo_engine::{Grant, Platform, Sessions, Standing, Tenant};
use octavo_kernel::{Outcome, Permissions};
use octavo_pg::{Session, Statement, Usage, read_each};
use serde_json::Value;
use uuid::Uuid;

/// What a user may do, read from the database in one round trip or taken from the cache. The cache is cleared when users or permissions
/// change.
pub async fn standing(platform: &Platform, tenant: &Tenant, user: Uuid) -> Outcome<Arc<Standing>> {
    if let Some(known) = tenant.user_grants.get(&user) {
        return Ok(known);
    }
    let moment = tenant.user_grants.begin_read();
    let mut session = platform.database.session(&tenant.id, Arc::<Usage>::default()).await?;
    let answers =
        session.batch(vec![Statement::new(GRANT).uuid(user), ended_sessions_statement(user)]).await?;
    let (granted, ended): (Vec<(bool, bool, Option<String>)>, Option<Value>) = read_each(&answers);
    let grant = match granted.first() {
        None => Grant::Unknown,
        Some((false, ..)) => Grant::Inactive,
        Some((_, false, _)) => Grant::NoPermissions,
        Some(_) => {
            let names = granted.into_iter().filter_map(|(.., name)| name);
            Grant::Active { permissions: Permissions::new(names.collect()) }
        }
    };
    let found = Arc::new(Standing { grant, sessions: parse_ended_sessions(ended) });
    tenant.user_grants.insert(user, &found, moment);
    Ok(found)
}

/// The statement that reads the row about the sessions of a user that ended before their tokens expired.
pub fn ended_sessions_statement(user: Uuid) -> Statement {
    Statement::new(ENDED_SESSIONS).uuid(user)
}

/// Parses the row that [`ended_sessions_statement`] selects.
pub fn parse_ended_sessions(document: Option<Value>) -> Sessions {
    let Some(document) = document else { return Sessions::default() };
    let id = |text: &str| Uuid::parse_str(text).ok();
    let ended = document["ended"].as_object().into_iter().flatten();
    Sessions {
        generation: document["generation"].as_i64().unwrap_or(0),
        kept_session: document["kept"].as_str().and_then(id),
        ended_sessions: ended.filter_map(|(session, _): (&String, &Value)| id(session)).collect(),
    }
}

/// Names of all permissions that the given ones contain, themselves included.
pub async fn expand(session: &mut Session, names: Vec<String>) -> Outcome<Vec<String>> {
    Ok(session.read(Statement::new(EXPAND).texts(names)).await?)
}

const GRANT: &str = "\
with recursive granted (name) as (
  select json_array_elements_text(doc -> 'permissions') from permissions_users where \"userId\" = $1
  union
  select json_array_elements_text(p.doc -> 'subPermissions')
  from granted g
  join permissions p on p.\"permissionName\" = g.name
)
select u.active is not distinct from 'true', exists (select from permissions_users where \"userId\" = $1), g.name
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

const ENDED_SESSIONS: &str = "select doc::text from auth_ended_sessions where id = $1";

octavo_pg::statements!(hot = [GRANT, EXPAND, ENDED_SESSIONS]);
