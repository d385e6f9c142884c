//! `DELETE /call-number-types/{id}`: refuses to delete the call number types that the system itself needs.

use octavo_engine::{Request, Response, delete, find};
use octavo_kernel::{Fault, Outcome};

use super::{CALL_NUMBER_TYPE, is_system_call_number_type};

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let stored = find(&mut session, &CALL_NUMBER_TYPE, id).await?.ok_or_else(Fault::not_found)?;
    if is_system_call_number_type(&stored) {
        return Err(Fault::bad_request("System call number type couldn't be deleted"));
    }
    delete(&request.context, &mut session, &CALL_NUMBER_TYPE, id).await?;
    Ok(Response::no_content())
}
