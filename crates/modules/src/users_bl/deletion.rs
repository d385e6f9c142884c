//! Removing a user for good: only one without open transactions, and their password and permissions with them.

use octavo_engine::{Request, Response, announce, delete as remove, follow_ups};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use uuid::Uuid;

use super::transactions::{of, unknown_id};
use crate::permissions::PERMISSION_USER;
use crate::users::USER;

/// `DELETE /bl-users/by-id/{id}`: 409 with what is open.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let path = request.parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| unknown_id(path))?;
    let mut session = context.session().await?;
    let open = of(&mut session, id).await?.ok_or_else(|| unknown_id(path))?;
    if open["hasOpenTransactions"] == true {
        return Err(Fault::json(409, open));
    }
    remove(context, &mut session, &USER, id).await?;
    let mut rest: Vec<Statement> =
        ["permissions_users", "auth_credentials", "auth_attempts", "refresh_tokens"]
            .map(|table| Statement::new(format!("delete from {table} where \"userId\" = $1")).uuid(id))
            .into();
    rest.extend(follow_ups(context, &PERMISSION_USER, id));
    session.transaction(rest).await?;
    announce(context, &PERMISSION_USER, id);
    Ok(Response::no_content())
}
