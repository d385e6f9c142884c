//! The operator: who runs this Octavo, and alone may make, change and remove tenants and what they have installed.
//!
//! An operator is no user of any tenant. They are known by a token that does not expire and that this database signs; it
//! ends when another is made. Inside of a tenant it opens nothing.

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Statement, Usage, read_each};
use std::sync::Arc;
use uuid::Uuid;

use crate::tokens::{Claims, Kind, sign};

/// Okapi's own tenant, to which the token belongs.
pub const SUPERTENANT: &str = "supertenant";
pub const NAME: &str = "operator";

/// The operator's token, made when it is first asked for.
pub async fn token(platform: &Platform) -> Outcome<String> {
    let fresh = (platform.entropy.id)();
    let mut session = platform.database.system(Arc::<Usage>::default()).await?;
    let answers =
        session.batch(vec![Statement::new(FIRST).text(fresh.to_string()), Statement::new(CURRENT)]).await?;
    let ((), current): ((), Option<&str>) = read_each(&answers);
    let current = current.and_then(|id| Uuid::parse_str(id).ok());
    Ok(signed(platform, current.unwrap_or(fresh)))
}

/// A new token; the one before ends.
pub async fn new_token(platform: &Platform) -> Outcome<String> {
    let fresh = (platform.entropy.id)();
    let mut session = platform.database.system(Arc::<Usage>::default()).await?;
    session.rows(Statement::new(NEXT).text(fresh.to_string())).await?;
    Ok(signed(platform, fresh))
}

/// Whether the token of a signed claim is the one that counts. Asked of the database each time: operators are rare.
pub async fn is_current(platform: &Platform, id: Uuid) -> Outcome<bool> {
    let mut session = platform.database.system(Arc::<Usage>::default()).await?;
    let current: Option<String> = session.read(Statement::new(CURRENT)).await?;
    Ok(current.is_some_and(|current| current == id.to_string()))
}

/// The same id always gives the same token, so that it need not be stored.
fn signed(platform: &Platform, id: Uuid) -> String {
    let claims = Claims {
        kind: Kind::Operator,
        iat: 0,
        tenant: SUPERTENANT.to_owned(),
        sub: NAME.to_owned(),
        user_id: None,
        exp: None,
        jti: Some(id),
        session: None,
        generation: 0,
    };
    sign(&claims, &platform.settings.token_key)
}

const FIRST: &str =
    "insert into octavo.properties (name, value) values ('operator', $1) on conflict do nothing";
const NEXT: &str = "\
insert into octavo.properties (name, value) values ('operator', $1)
on conflict (name) do update set value = excluded.value";
const CURRENT: &str = "select value from octavo.properties where name = 'operator'";

octavo_pg::statements!(other = [FIRST, NEXT, CURRENT]);
