//! `DELETE /statistical-codes/{id}`: reads items, holdings and instances to the end if none of them names the code, as FOLIO does.

use octavo_engine::{Request, Response, delete};
use octavo_kernel::Outcome;

use super::STATISTICAL_CODE;

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    delete(&request.context, &mut session, &STATISTICAL_CODE, id).await?;
    Ok(Response::no_content())
}
