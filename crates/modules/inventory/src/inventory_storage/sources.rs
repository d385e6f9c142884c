//! `DELETE /holdings-sources/{id}`: refuses to delete holdings sources whose `source` is `folio`.

use octavo_engine::{Request, Response, delete, find};
use octavo_kernel::{Fault, Outcome};

use super::HOLDINGS_SOURCE;

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let stored = find(&mut session, &HOLDINGS_SOURCE, id).await?.ok_or_else(Fault::not_found)?;
    if stored["source"] == "folio" {
        return Err(Fault::bad_request("Holdings Records Sources with source of folio can not be deleted"));
    }
    delete(&request.context, &mut session, &HOLDINGS_SOURCE, id).await?;
    Ok(Response::no_content())
}
