//! Moves items to other holdings and holdings to another instance, and updates holdings that are made from MARC. A move of any size is
//! one transaction of two round trips.

use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::inventory_records::{HOLDINGS, ITEM, set_effective_values};
use octavo_pg::{Statement, read_each};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::marc_fields::refuse_holdings_change;

pub(super) async fn items(request: Request) -> Outcome<Response> {
    let order = MoveOrder::read(&request, "toHoldingsRecordId", "itemIds", "Item ids aren't specified")?;
    order
        .carry_out(&request, &HOLDINGS, &ITEM, |item, holdings| {
            item["holdingsRecordId"] = holdings["id"].clone();
            set_effective_values(item, holdings);
        })
        .await
}

pub(super) async fn holdings(request: Request) -> Outcome<Response> {
    let missing = "Holdings record ids aren't specified";
    let order = MoveOrder::read(&request, "toInstanceId", "holdingsRecordIds", missing)?;
    order
        .carry_out(
            &request,
            &octavo_modules_base::inventory_records::INSTANCE,
            &HOLDINGS,
            |holdings, instance| {
                holdings["instanceId"] = instance["id"].clone();
            },
        )
        .await
}

struct MoveOrder {
    to: String,
    ids: Vec<String>,
}

impl MoveOrder {
    fn read(request: &Request, to: &str, ids: &str, no_ids: &str) -> Outcome<MoveOrder> {
        let body = request.json()?;
        let Some(target) = body[to].as_str().filter(|target| !target.trim().is_empty()) else {
            return Err(Refusal::new(format!("{to} is a required field")).about(to, None::<&str>).into());
        };
        let listed = body[ids].as_array().map_or(&[][..], Vec::as_slice);
        let listed: Vec<String> = listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if listed.is_empty() {
            return Err(Refusal::new(no_ids).about(ids, None::<&str>).into());
        }
        Ok(MoveOrder { to: target.to_owned(), ids: listed })
    }

    /// Changes the records by `change` in order to move them, and answers with the ids that were not found.
    async fn carry_out(
        self,
        request: &Request,
        target: &'static RecordType,
        moved: &'static RecordType,
        change: impl Fn(&mut Value, &Value),
    ) -> Outcome<Response> {
        let context = &request.context;
        let mut session = context.session().await?;
        let ids = self.ids.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect();
        let to = Uuid::parse_str(&self.to).unwrap_or_default();
        let read = vec![lock_statement(target).uuids(vec![to]), lock_statement(moved).uuids(ids)];
        let answers = session.begin(read).await?;
        let (target_document, documents): (Option<Value>, Vec<Value>) = read_each(&answers);
        let Some(target_document) = target_document else {
            session.rollback().await?;
            return Err(self.no_target(target));
        };
        let moved_there = |mut document: Value| {
            change(&mut document, &target_document);
            mark_updated(context, &mut document);
            Some((Uuid::parse_str(document["id"].as_str()?).ok()?, document))
        };
        let documents: Vec<(Uuid, Value)> = documents.into_iter().filter_map(moved_there).collect();
        let found: Vec<Uuid> = documents.iter().map(|(id, _)| *id).collect();
        session.commit(vec![statements::overwrite_all(moved, &documents)]).await?;
        let lost = |id: &&String| !Uuid::parse_str(id).is_ok_and(|id| found.contains(&id));
        let lost: Vec<&String> = self.ids.iter().filter(lost).collect();
        Ok(Response::json(200, &json!({"nonUpdatedIds": lost})))
    }

    fn no_target(&self, target: &RecordType) -> Fault {
        let what = if target.table == HOLDINGS.table { "Holding" } else { "Instance" };
        Fault::json(422, json!({"errors": [format!("{what} with id={} not found", self.to)]}))
    }
}

/// Increases the version of a changed record, and sets the user and the time of the change.
pub(crate) fn mark_updated(context: &Context, document: &mut Value) {
    document["_version"] = json!(document["_version"].as_i64().unwrap_or(0) + 1);
    document["metadata"]["updatedDate"] = json!(context.now_text());
    if let Some(user) = context.caller.user_id {
        document["metadata"]["updatedByUserId"] = json!(user);
    }
}

/// Locks records in the order of their ids, so that two moves do not deadlock.
fn lock_statement(record: &RecordType) -> Statement {
    let table = octavo_record::table_name(record);
    Statement::new(format!("select doc::text from {table} where id = any($1) order by id for update"))
}

pub(super) async fn replace_holdings(request: Request) -> Outcome<Response> {
    let not_found = || Fault::not_found_with("Holdings not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())?;
    let body = HOLDINGS.schema().root.without_unknown_members(request.json()?);
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &HOLDINGS, id).await?.ok_or_else(not_found)?;
    refuse_holdings_change(&stored, &body)?;
    if stored["hrid"] != body["hrid"] {
        return Err(Refusal::new("HRID can not be updated").about("hrid", body["hrid"].as_str()).into());
    }
    octavo_engine::replace(&request.context, &mut session, &HOLDINGS, id, body).await?;
    Ok(Response::no_content())
}
