//! `DELETE /statistical-codes/{id}`: if no item, holdings record or instance uses the code, all of them are read to find that out, as in
//! FOLIO.

use octavo_engine::{Request, Response, delete};
use octavo_kernel::Outcome;

use super::STATISTICAL_CODE;

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    delete(&request.context, &mut session, &STATISTICAL_CODE, id).await?;
    Ok(Response::no_content())
}
