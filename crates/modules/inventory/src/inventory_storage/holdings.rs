//! `PUT /holdings-storage/holdings/{id}`. Facts: mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::HOLDINGS;
use serde_json::json;

/// As in FOLIO, a holdings record that does not exist yet is created.
pub(super) async fn replace_or_create(request: Request) -> Outcome<Response> {
    let (id, mut body) = (request.path_id(0)?, request.json()?);
    let context = &request.context;
    let mut session = context.session().await?;
    match octavo_engine::replace(context, &mut session, &HOLDINGS, id, body.clone()).await {
        Err(fault) if fault.status == 404 => {
            body["id"] = json!(id);
            octavo_engine::create(context, &mut session, &HOLDINGS, body).await?;
        }
        replaced => drop(replaced?),
    }
    Ok(Response::no_content())
}
