//! Removing an address type, which no address may have any more.

use octavo_engine::{Request, Response, delete as remove};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;

use super::records::ADDRESS_TYPE;

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    if !session.rows(Statement::new(USED).text(id.to_string())).await?.is_empty() {
        return Err(Fault::bad_request(format!("Cannot remove address type '{id}' as it is being used")));
    }
    remove(&request.context, &mut session, &ADDRESS_TYPE, id).await?;
    Ok(Response::no_content())
}

const USED: &str = "\
select 1
from users
where (doc -> 'personal' -> 'addresses')::jsonb @> jsonb_build_array(jsonb_build_object('addressTypeId', $1::text))
limit 1";

octavo_pg::statements!(other = [USED]);
