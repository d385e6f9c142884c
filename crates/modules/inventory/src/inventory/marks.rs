//! Marking items as missing, withdrawn, restricted and so on. Circulation decides what is allowed, and changes the requests.

use octavo_circulation::Mark;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_circulation::circulation::mark_item;
use uuid::Uuid;

use super::items::{item_not_found, load_item};

pub(super) async fn mark(request: Request, mark: &'static Mark) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| item_not_found())?;
    let context = &request.context;
    mark_item(context, id, mark, item_not_found).await?;
    let snapshot = context.snapshot().await?;
    Ok(Response::json(200, &load_item(&snapshot, &mut context.session().await?, id).await?))
}
