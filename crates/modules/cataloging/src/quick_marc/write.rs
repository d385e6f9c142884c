//! `POST` and `PUT /records-editor/records`: writes a record of the editor with the record that it describes, in one transaction.

use octavo_engine::{
    Context, RecordOperation, Request, Response, fault_from_db_error, invalidate_caches, load, metadata,
};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_marc::{Kind, Record};
use octavo_modules_inventory::source_records::keep::{NewRecord, insert_generation_statements};
use octavo_pg::{Row, Session, Statement};
use serde_json::json;
use uuid::Uuid;

use super::refused::{malformed, write_failed};
use super::sent::{Body, Edited, check_types, json_body};
use super::status::{self, CreationStatus};
use crate::authorities::links;
use crate::current::{self, set_change_time};
use crate::edit::{
    self, Edit, control_number, described_type, mappers_at_version, set_own_fields, title_statements,
};
use crate::mapping;
use crate::words::fault_message;

const EDITED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcEdit.tsv");
const CREATED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcCreate.tsv");

fn today(context: &Context) -> String {
    context.now.strftime("%y%m%d").to_string()
}

pub(super) async fn update(request: Request) -> Outcome<Response> {
    let path = request.path_parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| Fault::from(malformed("Parameter 'id' is invalid")))?;
    let sent = json_body(&request)?;
    let edited = Edited::read(&sent).map_err(Fault::from)?;
    if edited.parsed != id {
        let refused = malformed("Request id and entity id are not equal");
        return Err(refused.into());
    }
    let body = Body::read(&sent)?;
    check_types(&sent, EDITED)?;
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
        // FOLIO learns this from an event that another module sends while the editor waits.
        404 => write_failed(400, format!("Record with id '{}' was not found", edited.matched)).into(),
        status if status < 500 => write_failed(status, fault_message(&fault.body)).into(),
        _ => fault,
    })?;
    Ok(Response { status: 202, ..Response::no_content() })
}

/// Moves field 005 behind 001, the first field of a new record.
fn move_005_to_front(record: &mut Record) {
    let Some(at) = record.fields.iter().position(|field| field.tag() == "005") else { return };
    let stamp = record.fields.remove(at);
    let numbered = record.fields.first().is_some_and(|field| field.tag() == "001");
    record.fields.insert(usize::from(numbered), stamp);
}

/// Creates a record. The result, good or bad, is stored for `GET /records-editor/records/status`.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let sent = json_body(&request)?;
    let body = Body::read(&sent)?.into_new_record();
    check_types(&sent, CREATED)?;
    let context = &request.context;
    let record = body.record(&today(context))?;
    let mut session = context.session().await?;
    let mut came = CreationStatus::new(context);
    if let Err(fault) = store_record(context, &mut session, &body, record, &mut came).await {
        session.rollback().await?;
        if fault.status >= 500 {
            return Err(fault);
        }
        came.set_failed(fault_message(&fault.body));
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

async fn store_record(
    context: &Context,
    session: &mut Session,
    body: &Body,
    mut record: Record,
    came: &mut CreationStatus,
) -> Outcome<()> {
    let of = described_type(body.kind);
    let title = record.control_field("004").unwrap_or_default().trim().to_owned();
    let answers = session
        .batch(vec![Statement::new(mapping::VERSION), Statement::new(INSTANCE_WITH).text(title)])
        .await?;
    let mappers = mappers_at_version(context, session, answers[0].first().map(Row::read)).await?;
    set_change_time(&mut record, context.now);
    let mapped = mappers.for_kind(body.kind).map(&record).map_err(Fault::bad_request)?;
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
    let hrid = control_number(body.kind, &ready.document, &record);
    set_own_fields(&mut record, body.kind, &hrid, source, ready.id);
    move_005_to_front(&mut record);
    let raw = record.to_json().to_string();
    session.begin(Vec::new()).await?;
    let mut all = load::statements(context, session, of, &[&ready], &[]).await?;
    all.push(current::snapshot_statement(context, came.job));
    let kept = NewRecord {
        id: source,
        snapshot: came.job,
        kind: body.kind,
        matched_id: source,
        generation: 0,
        raw: &raw,
        parsed: &record,
        described_id: Some(ready.id),
        hrid: Some(&hrid),
        suppressed: body.suppressed,
        order: Some(0),
        metadata: metadata(context, None, &context.now_text()),
    };
    all.extend(insert_generation_statements(&[kept]));
    if body.kind == Kind::Bibliographic {
        all.extend(links::replace_statements(ready.id, &body.links()));
        all.extend(title_statements(context, ready.id, &mapped, false));
    }
    came.set_created(ready.id, source);
    all.extend(came.statements());
    let committed = session.commit(all).await;
    committed.map_err(|error| {
        fault_from_db_error(context, error, RecordOperation::Creating, of, &ready.document)
    })?;
    invalidate_caches(context, of, ready.id);
    Ok(())
}

const NO_TITLE: &str = "The 004 tag of the Holdings doesn't has a link to the Bibliographic record";

const INSTANCE_WITH: &str =
    "select i.id from instance i where i.hrid = octavo.fold($1) and i.doc ->> 'hrid' = $1";

octavo_pg::statements!(other = [INSTANCE_WITH], within = [status]);
