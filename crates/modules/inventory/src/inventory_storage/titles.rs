//! `PUT /preceding-succeeding-titles/instances/{id}`: sets all preceding and succeeding titles of an instance. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_engine::{RecordOperation, Request, Response, fault_from_db_error, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{DbError, Statement};
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::PRECEDING_SUCCEEDING_TITLE;

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let instance = request.path_parameter(0).to_owned();
    let body = request.checked_json(TITLES)?;
    let listed = body["precedingSucceedingTitles"].as_array().map_or(&[][..], Vec::as_slice);
    let context = &request.context;
    let now = context.now_text();
    let mut titles = Vec::with_capacity(listed.len());
    for title in listed {
        let checked = PRECEDING_SUCCEEDING_TITLE.schema().check(title.clone(), Reading::FromClient);
        let mut title = checked.map_err(Fault::refused)?.0;
        if ["precedingInstanceId", "succeedingInstanceId"]
            .iter()
            .all(|side| title[*side] != instance.as_str())
        {
            let message = format!(
                "The precedingInstanceId or succeedingInstanceId should contain instanceId [{instance}]"
            );
            let refusal = Refusal::rmb(message);
            return Err(refusal.about("precedingInstanceId or succeedingInstanceId", "").into());
        }
        let id = title["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let id = id.unwrap_or_else(|| context.fresh_id());
        title["id"] = json!(id);
        title["metadata"] = octavo_engine::metadata(context, None, &now);
        titles.push((id, title));
    }
    let mut session = context.session().await?;
    let changes = vec![
        Statement::new(REMOVE).uuid(request.path_id(0)?),
        statements::insert_all(&PRECEDING_SUCCEEDING_TITLE, &titles),
    ];
    match session.transaction(changes).await {
        Ok(_) => Ok(Response::no_content()),
        Err(error) if error.has_code(DbError::FOREIGN_KEY) => {
            Err(Fault::not_found_with("Instance not found"))
        }
        Err(error) => Err(fault_from_db_error(
            context,
            error,
            RecordOperation::Replacing,
            &PRECEDING_SUCCEEDING_TITLE,
            &Value::Null,
        )),
    }
}

const TITLES: &str =
    include_str!("../../../folio/records/mod-inventory-storage/instanceprecedingsucceedingtitles.tsv");

const REMOVE: &str = "\
delete from preceding_succeeding_title
where \"precedingInstanceId\" = $1
or \"succeedingInstanceId\" = $1";

octavo_pg::statements!(other = [REMOVE]);
