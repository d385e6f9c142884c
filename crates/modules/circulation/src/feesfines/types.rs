//! Fee/fine types. Clients can neither create nor delete those of automatic fees.

use octavo_engine::{Request, Response, create as create_record, delete as delete_record};
use octavo_kernel::Outcome;
use octavo_modules_base::fee_records::{FEE_FINE, refuse_automatic};

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    refuse_automatic(body["id"].as_str().unwrap_or_default())?;
    let mut session = request.context.session().await?;
    let document = create_record(&request.context, &mut session, &FEE_FINE, body).await?;
    Ok(Response::created(&FEE_FINE, &document))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    refuse_automatic(&id.to_string())?;
    let mut session = request.context.session().await?;
    delete_record(&request.context, &mut session, &FEE_FINE, id).await?;
    Ok(Response::no_content())
}
