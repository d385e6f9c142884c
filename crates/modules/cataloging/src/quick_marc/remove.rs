//! `DELETE /records-editor/records/{id}`: deletes an authority and its MARC record. The id is the authority's.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Kind;
use uuid::Uuid;

use super::read::unknown_record;
use super::refused::malformed;
use super::sent::marc_format_name;
use crate::authorities::remove_authority;
use crate::current;

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0))
        .map_err(|_| Fault::from(malformed("Parameter 'id' is invalid")))?;
    let mut session = request.context.session().await?;
    let rows = session.rows(current::read_statement(vec![id])).await?;
    let found = current::from_rows(&rows).into_iter().next().ok_or_else(|| unknown_record(id))?;
    if found.kind != Kind::Authority {
        let kind = marc_format_name(found.kind).to_lowercase();
        let message = format!("Job profile for [DELETE] action and [{kind}] record type was not found");
        return Err(malformed(message).into());
    }
    match remove_authority(&request.context, &mut session, id).await? {
        true => Ok(Response::no_content()),
        false => Err(unknown_record(id).into()),
    }
}
