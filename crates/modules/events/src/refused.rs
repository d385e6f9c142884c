//! Events that a consumer has refused several times. They are kept so that staff can look at them and offer them again.

use octavo_engine::{Request, Response, find, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::{DisclosureRule, ErasureRule, Field, Index, Member, PersonalData, Persons, RecordType};
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use crate::consumers::find_consumer;
use crate::receiver::{Event, Refusal};

pub(crate) static REFUSED_EVENT: RecordType = RecordType {
    name: "refused event",
    table: "refused_event",
    path: "/octavo/refused-events",
    collection: "refusedEvents",
    schema: include_str!("../../octavo/records/octavo-events/refused-event.tsv"),
    newest_first: Some("refusedDate"),
    fields: &[
        Field::exact("consumer"),
        Field::exact("type"),
        Field::time("refusedDate").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: &[Member::patron("payload", PersonalData::All), Member::staff("byUserId", PersonalData::Id)],
        on_loan_anonymised: ErasureRule::Keep("they are removed when the time for events is over"),
        on_user_deleted: ErasureRule::Keep("they are removed when the time for events is over"),
        disclosure: DisclosureRule::Where(
            "exists (select from unnest($1::uuid[]) u where t.doc::text like '%' || u::text || '%')",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// The record of an event that a consumer does not want.
pub(crate) fn refused_event_json(id: Uuid, consumer: &str, event: &Event, why: &str, now: &str) -> Value {
    let mut record = json!({
        "id": id,
        "consumer": consumer,
        "position": event.position,
        "type": event.kind,
        "at": event.at,
        "byUserId": event.by_user_id,
        "payload": serde_json::from_str::<Value>(event.payload.get()).unwrap_or_default(),
        "message": why,
        "refusedDate": now,
    });
    if let Some(key) = &event.key {
        record["key"] = json!(key);
    }
    record
}

pub(crate) fn insert_statement(id: Uuid, record: &Value) -> Statement {
    statements::insert(&REFUSED_EVENT, id, record)
}

/// Offers a refused event to its consumer once more. If the consumer takes the event, its record is deleted.
pub(crate) async fn retry(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let missing = || Fault::not_found_with("Not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| missing())?;
    let mut session = context.session().await?;
    let refused = find(&mut session, &REFUSED_EVENT, id).await?.ok_or_else(missing)?;
    let text = |name: &str| refused[name].as_str().unwrap_or_default().to_owned();
    let consumer = text("consumer");
    let gone = || Fault::bad_request(format!("There is no consumer {consumer} any more"));
    let receiver = find_consumer(&context.platform, &mut session, &consumer).await?.ok_or_else(gone)?;
    let event = Event {
        position: refused["position"].as_i64().unwrap_or_default(),
        kind: text("type"),
        at: text("at"),
        tenant: context.tenant.id.as_str().to_owned(),
        by_user_id: refused["byUserId"].as_str().and_then(|id| Uuid::parse_str(id).ok()),
        key: refused["key"].as_str().map(str::to_owned),
        payload: RawValue::from_string(refused["payload"].to_string()).map_err(Fault::internal)?,
    };
    let taken = session.wait_without_connection(receiver.take(context, std::slice::from_ref(&event))).await?;
    match taken.refusal {
        None => {
            session.rows(statements::delete(&REFUSED_EVENT, id)).await?;
            Ok(Response::no_content())
        }
        Some(Refusal::NotNow(why) | Refusal::Unwanted(why)) => {
            let mut refused = refused;
            refused["message"] = json!(why);
            overwrite_refused_event(&mut session, id, &refused).await?;
            Err(Fault::bad_request(why))
        }
    }
}

async fn overwrite_refused_event(session: &mut Session, id: Uuid, refused: &Value) -> Outcome<()> {
    session.rows(statements::overwrite(&REFUSED_EVENT, id, refused)).await?;
    Ok(())
}
