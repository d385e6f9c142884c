//! `POST` and `PUT /records-editor/records`: a record of the editor is written with what it describes, in one transaction.

use octavo_engine::{Context, Doing, Request, Response, announce, fault_of, load, metadata};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_marc::{Kind, Record};
use octavo_modules_inventory::source_records::keep::{NewRecord, keep};
use octavo_pg::{Row, Session, Statement};
use serde_json::json;
use uuid::Uuid;

use super::read::unknown;
use super::refused::{failed, malformed};
use super::sent::{Body, Edited, conforms, json};
use super::status::{self, Came};
use crate::authorities::links;
use crate::current::{self, stamp};
use crate::edit::{self, Edit, complete, described, mappers, number, titles};
use crate::mapping;
use crate::words::said;

const EDITED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcEdit.tsv");
const CREATED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcCreate.tsv");

fn today(context: &Context) -> String {
    context.now.strftime("%y%m%d").to_string()
}

pub(super) async fn update(request: Request) -> Outcome<Response> {
    let path = request.parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| Fault::from(malformed("Parameter 'id' is invalid")))?;
    let sent = json(&request)?;
    let edited = Edited::read(&sent).map_err(Fault::from)?;
    if edited.parsed != id {
        let refused = malformed("Request id and entity id are not equal");
        return Err(refused.into());
    }
    let body = Body::read(&sent)?;
    conforms(&sent, EDITED)?;
    let context = &request.context;
    let edit = Edit {
        kind: body.kind,
        described: edited.described,
        source: edited.matched,
        version: edited.version,
        record: body.record(&today(context))?,
        suppressed: Some(body.suppressed),
        links: Some(body.links()),
    };
    let mut session = context.session().await?;
    let written = edit::write(context, &mut session, edit).await;
    written.map_err(|fault| match fault.status {
        404 => unknown(edited.described).into(),
        status if status < 500 => failed(status, said(&fault.body)).into(),
        _ => fault,
    })?;
    Ok(Response { status: 202, ..Response::no_content() })
}

/// Puts the time of the last change behind the number with which a new record begins.
fn lead(record: &mut Record) {
    let Some(at) = record.fields.iter().position(|field| field.tag() == "005") else { return };
    let stamp = record.fields.remove(at);
    let numbered = record.fields.first().is_some_and(|field| field.tag() == "001");
    record.fields.insert(usize::from(numbered), stamp);
}

/// Makes a new record. Whatever comes of it is kept for `GET /records-editor/records/status`.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let sent = json(&request)?;
    let body = Body::read(&sent)?.prepared();
    conforms(&sent, CREATED)?;
    let context = &request.context;
    let record = body.record(&today(context))?;
    let mut session = context.session().await?;
    let mut came = Came::new(context);
    if let Err(fault) = store(context, &mut session, &body, record, &mut came).await {
        session.rollback().await?;
        if fault.status >= 500 {
            return Err(fault);
        }
        came.failed(said(&fault.body));
        session.transaction(came.statements()).await?;
    }
    let now = folio_time(context.now);
    Ok(Response::json(
        201,
        &json!({
            "qmRecordId": came.id, "jobExecutionId": came.job, "status": "IN_PROGRESS",
            "metadata": {"createdAt": now, "updatedAt": now},
        }),
    ))
}

async fn store(
    context: &Context,
    session: &mut Session,
    body: &Body,
    mut record: Record,
    came: &mut Came,
) -> Outcome<()> {
    let of = described(body.kind);
    let title = record.control("004").unwrap_or_default().trim().to_owned();
    let answers = session
        .batch(vec![Statement::new(mapping::VERSION), Statement::new(INSTANCE_WITH).text(title)])
        .await?;
    let mappers = mappers(context, session, answers[0].first().map(Row::read)).await?;
    stamp(&mut record, context.now);
    let mapped = mappers.of(body.kind).map(&record).map_err(Fault::bad_request)?;
    let mut document = mapped.record.clone();
    if body.kind == Kind::Holdings {
        let instance = answers[1].first().map(Row::read::<Uuid>);
        document["instanceId"] = json!(instance.ok_or_else(|| Fault::bad_request(NO_TITLE))?);
    }
    if body.suppressed && body.kind != Kind::Authority {
        document["discoverySuppress"] = json!(true);
    }
    let prepared = load::prepare(context, session, of, vec![document]).await?.pop();
    let ready = prepared.unwrap_or_else(|| Err(Fault::internal("nothing was prepared")))?;
    let source = context.fresh_id();
    let hrid = number(body.kind, &ready.document, &record);
    complete(&mut record, body.kind, &hrid, source, ready.id);
    lead(&mut record);
    let raw = record.to_json().to_string();
    session.begin(Vec::new()).await?;
    let mut all = load::statements(context, session, of, &[&ready], &[]).await?;
    all.push(current::snapshot_of(context, came.job));
    let kept = NewRecord {
        id: source,
        snapshot: came.job,
        kind: body.kind,
        matched: source,
        generation: 0,
        raw: &raw,
        parsed: &record,
        describes: Some(ready.id),
        hrid: Some(&hrid),
        suppressed: body.suppressed,
        order: Some(0),
        metadata: metadata(context, None, &context.now_text()),
    };
    all.extend(keep(&[kept]));
    if body.kind == Kind::Bibliographic {
        all.extend(links::put(ready.id, &body.links()));
        all.extend(titles(context, ready.id, &mapped, false));
    }
    came.created(ready.id, source);
    all.extend(came.statements());
    let committed = session.commit(all).await;
    committed.map_err(|error| fault_of(context, error, Doing::Creating, of, &ready.document))?;
    announce(context, of, ready.id);
    Ok(())
}

const NO_TITLE: &str = "The 004 tag of the Holdings doesn't has a link to the Bibliographic record";

const INSTANCE_WITH: &str =
    "select i.id from instance i where i.hrid = octavo.fold($1) and i.doc ->> 'hrid' = $1";

octavo_pg::statements!(other = [INSTANCE_WITH], within = [status]);
