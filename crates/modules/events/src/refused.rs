//! Events that a consumer was offered again and again and did not want: kept, to be looked at and offered anew.

use octavo_engine::{Request, Response, find, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::{Fate, Field, Index, Member, Persons, RecordType, Told, What};
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use crate::consumers::named;
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
        members: &[Member::patron("payload", What::All), Member::staff("byUserId", What::Id)],
        of_loan: Fate::Stay("they are removed when the time for events is over"),
        of_user: Fate::Stay("they are removed when the time for events is over"),
        told: Told::Where(
            "exists (select from unnest($1::uuid[]) u where t.doc::text like '%' || u::text || '%')",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// The record of an event that a consumer does not want.
pub(crate) fn record(id: Uuid, consumer: &str, event: &Event, why: &str, now: &str) -> Value {
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

pub(crate) fn keep(id: Uuid, record: &Value) -> Statement {
    statements::insert(&REFUSED_EVENT, id, record)
}

/// Offers a refused event once more; it goes if the consumer takes it.
pub(crate) async fn retry(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let missing = || Fault::missing("Not found");
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| missing())?;
    let mut session = context.session().await?;
    let refused = find(&mut session, &REFUSED_EVENT, id).await?.ok_or_else(missing)?;
    let text = |name: &str| refused[name].as_str().unwrap_or_default().to_owned();
    let consumer = text("consumer");
    let gone = || Fault::bad_request(format!("There is no consumer {consumer} any more"));
    let receiver = named(&context.platform, &mut session, &consumer).await?.ok_or_else(gone)?;
    let event = Event {
        position: refused["position"].as_i64().unwrap_or_default(),
        kind: text("type"),
        at: text("at"),
        tenant: context.tenant.id.as_str().to_owned(),
        by_user_id: refused["byUserId"].as_str().and_then(|id| Uuid::parse_str(id).ok()),
        key: refused["key"].as_str().map(str::to_owned),
        payload: RawValue::from_string(refused["payload"].to_string()).map_err(Fault::internal)?,
    };
    let taken = session.meanwhile(receiver.take(context, std::slice::from_ref(&event))).await?;
    match taken.why_not_more {
        None => {
            session.rows(statements::delete(&REFUSED_EVENT, id)).await?;
            Ok(Response::no_content())
        }
        Some(Refusal::NotNow(why) | Refusal::Event(why)) => {
            let mut refused = refused;
            refused["message"] = json!(why);
            write(&mut session, id, &refused).await?;
            Err(Fault::bad_request(why))
        }
    }
}

async fn write(session: &mut Session, id: Uuid, refused: &Value) -> Outcome<()> {
    session.rows(statements::overwrite(&REFUSED_EVENT, id, refused)).await?;
    Ok(())
}
