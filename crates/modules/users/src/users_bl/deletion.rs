//! Deletes a user without open transactions.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::persons;
use uuid::Uuid;

use super::transactions::{count_open_transactions, unknown_id};

/// Deletes a user; 409 with the open transactions if there are any.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let path = request.path_parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| unknown_id(path))?;
    let mut session = context.session().await?;
    // The lock waits for a check-out that is under way, so that its loan is counted.
    persons::lock(&mut session, &[id]).await?;
    match count_open_transactions(&mut session, id).await? {
        Some(open) if open["hasOpenTransactions"] == true => {
            session.rollback().await?;
            Err(Fault::json(409, open))
        }
        Some(_) => {
            persons::delete(context, &mut session, vec![id]).await?;
            Ok(Response::no_content())
        }
        None => {
            session.rollback().await?;
            Err(unknown_id(path))
        }
    }
}
