//! `POST` and `PUT /records-editor/records`: a record of the editor is written with what it describes, in one transaction.

use octavo_engine::{Context, Doing, Request, Response, announce, fault_of, load, metadata, statements};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_marc::{Kind, Mapped, Record};
use octavo_modules_base::inventory_records::{HOLDINGS, INSTANCE};
use octavo_modules_inventory::inventory::other_titles;
use octavo_modules_inventory::source_records::keep::{NewRecord, keep};
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

use super::read::unknown;
use super::refused::{failed, malformed, said};
use super::sent::{Body, Edited, conforms, json};
use super::status::{self, Came};
use crate::authorities::{AUTHORITY, links, wake};
use crate::current::{self, Current, Next, stamp};
use crate::described::merged;
use crate::mapping::{self, Mappers};

const EDITED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcEdit.tsv");
const CREATED: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcCreate.tsv");

fn described(kind: Kind) -> &'static RecordType {
    match kind {
        Kind::Bibliographic => &INSTANCE,
        Kind::Holdings => &HOLDINGS,
        Kind::Authority => &AUTHORITY,
    }
}

fn today(context: &Context) -> String {
    context.now.strftime("%y%m%d").to_string()
}

/// Changes a record: three round trips, and one more when the mapping rules have changed since this process read them.
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
    let record = body.record(&today(context))?;
    let mut session = context.session().await?;
    let changed = change(context, &mut session, &edited, &body, record).await;
    if changed.is_err() {
        session.rollback().await?;
    }
    changed?;
    announce(context, described(body.kind), edited.described);
    if body.kind == Kind::Authority {
        wake(context);
    }
    Ok(Response { status: 202, ..Response::no_content() })
}

async fn change(
    context: &Context,
    session: &mut Session,
    edited: &Edited,
    body: &Body,
    mut record: Record,
) -> Outcome<()> {
    let of = described(body.kind);
    let answers = session
        .begin(vec![
            statements::lock_all(of).uuids(vec![edited.described]),
            current::lock(vec![edited.described]),
            Statement::new(mapping::VERSION),
        ])
        .await?;
    let stored = answers[0].first().map(Row::read::<(Uuid, Option<Value>)>).and_then(|(_, stored)| stored);
    let before = current::of_rows(&answers[1]).into_iter().find(|one| one.kind == body.kind);
    let (Some(stored), Some(before)) = (stored, before) else { return Err(unknown(edited.described).into()) };
    if edited.matched != before.matched && edited.matched != before.id {
        return Err(unknown(edited.described).into());
    }
    same_version(edited, &stored)?;
    let mappers = mappers(context, session, answers[2].first().map(Row::read)).await?;
    let hrid = number(body.kind, &stored, &record);
    complete(&mut record, body.kind, &hrid, before.matched, edited.described);
    stamp(&mut record, context.now);
    let mapped = mappers.of(body.kind).map_own(&record);
    let replaced = replaced(context, session, of, &stored, body.kind, &mapped).await?;
    let mut all = load::statements(context, session, of, &[], &[&replaced]).await?;
    let next = Next {
        id: context.fresh_id(),
        before: &before,
        record: &record,
        hrid: &hrid,
        suppressed: body.suppressed,
    };
    all.extend(current::keep_next(context, context.fresh_id(), &[next]));
    all.extend(beside(context, body, &before, &mapped));
    let written = session.commit(all).await;
    written.map(drop).map_err(|error| failed(400, error.to_string()).into())
}

fn same_version(edited: &Edited, stored: &Value) -> Outcome<()> {
    let version = stored["_version"].as_i64().unwrap_or(0);
    // FOLIO counts changes of holdings and items as changes of their instance, so its clients may know a higher version.
    if version <= edited.version {
        return Ok(());
    }
    let (id, sent) = (edited.described, edited.version);
    let message = format!(
        "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is {version}, _version of request is {sent}"
    );
    Err(failed(409, message).into())
}

async fn replaced(
    context: &Context,
    session: &mut Session,
    of: &'static RecordType,
    stored: &Value,
    kind: Kind,
    mapped: &Mapped,
) -> Outcome<(Value, load::Ready)> {
    let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let body = merged(kind, stored, mapped.record.clone());
    let replacing = vec![load::Replacing { id, stored: stored.clone(), body }];
    let prepared = load::prepare_replacing(context, session, of, replacing).await?.pop();
    prepared
        .unwrap_or_else(|| Err(Fault::internal("nothing was prepared")))
        .map_err(|fault| failed(400, said(&fault.body)).into())
}

/// What is written beside the record and what it describes: the links of its fields, and titles before and after.
fn beside(context: &Context, body: &Body, before: &Current, mapped: &Mapped) -> Vec<Statement> {
    if body.kind != Kind::Bibliographic {
        return Vec::new();
    }
    let mut all = links::put(before.described, &body.links());
    all.extend(titles(context, before.described, mapped, true));
    all
}

fn titles(context: &Context, instance: Uuid, mapped: &Mapped, replacing: bool) -> Vec<Statement> {
    let metadata = metadata(context, None, &context.now_text());
    let fresh_id = context.platform.entropy.id;
    other_titles(instance, &mapped.preceding, &mapped.succeeding, replacing, fresh_id, &metadata)
}

async fn mappers(context: &Context, session: &mut Session, version: Option<i64>) -> Outcome<Arc<Mappers>> {
    match mapping::known(context) {
        Some(mappers) if Some(mappers.version) == version => Ok(mappers),
        _ => mapping::read(context, session).await,
    }
}

/// The number that stands in 001: an authority's own, of the others the hrid.
fn number(kind: Kind, stored: &Value, record: &Record) -> String {
    let own = record.control("001").unwrap_or_default();
    match kind {
        Kind::Authority => own.to_owned(),
        Kind::Bibliographic | Kind::Holdings => stored["hrid"].as_str().unwrap_or(own).to_owned(),
    }
}

/// Writes what is FOLIO's own into a record: the hrid, and the ids in 999. What is right stays where it is.
fn complete(record: &mut Record, kind: Kind, hrid: &str, matched: Uuid, described: Uuid) {
    let foreign = kind == Kind::Bibliographic && record.control("003").is_some();
    if kind != Kind::Authority && (record.control("001") != Some(hrid) || foreign) {
        record.set_hrid(hrid);
    }
    if record.own_id('s') != Some(matched) || record.own_id('i') != Some(described) {
        record.set_own_ids(matched, described);
    }
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
    let mapped = mappers.of(body.kind).map(&record);
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
