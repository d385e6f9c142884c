//! The operator runs this Octavo. Only the operator may create, change and remove tenants and install modules.
//!
//! The operator is no user of a tenant. Their token does not expire; creating a new one invalidates it. It gives no permission inside
//! of a tenant.

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Statement, Usage, read_each};
use std::sync::Arc;
use uuid::Uuid;

use crate::tokens::{Claims, Kind, sign};

/// Okapi's own tenant, for which the token is issued.
pub const SUPERTENANT: &str = "supertenant";
pub const NAME: &str = "operator";

/// The operator's token, which the first call creates.
pub async fn token(platform: &Platform) -> Outcome<String> {
    let fresh = (platform.entropy.id)();
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    let answers =
        session.batch(vec![Statement::new(FIRST).text(fresh.to_string()), Statement::new(CURRENT)]).await?;
    let ((), current): ((), Option<&str>) = read_each(&answers);
    let current = current.and_then(|id| Uuid::parse_str(id).ok());
    sign_operator_token(platform, current.unwrap_or(fresh)).await
}

/// Creates a new token and invalidates the former one.
pub async fn new_token(platform: &Platform) -> Outcome<String> {
    let fresh = (platform.entropy.id)();
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    session.rows(Statement::new(NEXT).text(fresh.to_string())).await?;
    sign_operator_token(platform, fresh).await
}

/// Whether the id is that of the valid token. It is read from the database each time, because operators are rare.
pub async fn is_current(platform: &Platform, id: Uuid) -> Outcome<bool> {
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    let current: Option<String> = session.read(Statement::new(CURRENT)).await?;
    Ok(current.is_some_and(|current| current == id.to_string()))
}

/// The same id and key always give the same token, so that it need not be stored.
async fn sign_operator_token(platform: &Platform, id: Uuid) -> Outcome<String> {
    let claims = Claims { jti: Some(id), ..Claims::new(Kind::Operator, SUPERTENANT, NAME) };
    Ok(sign(&claims, platform.token_keys.get().await?.newest_secret()))
}

const FIRST: &str =
    "insert into octavo.properties (name, value) values ('operator', $1) on conflict do nothing";
const NEXT: &str = "\
insert into octavo.properties (name, value) values ('operator', $1)
on conflict (name) do update set value = excluded.value";
const CURRENT: &str = "select value from octavo.properties where name = 'operator'";

octavo_pg::statements!(other = [FIRST, NEXT, CURRENT]);
