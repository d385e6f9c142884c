//! Writes a changed MARC record together with the instance, holdings or authority that it describes, in one transaction: for the MARC
//! editor, and for programs that send a whole parsed record.

use std::sync::Arc;

use octavo_engine::{Context, invalidate_caches, load, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Kind, Mapped, Record};
use octavo_modules_base::inventory_records::{HOLDINGS, INSTANCE};
use octavo_modules_inventory::inventory::unconnected_title_statements;
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

use crate::authorities::links::{self, Link, LinkRow};
use crate::authorities::{AUTHORITY, notify_outbox};
use crate::current::{self, NextGeneration, set_change_time};
use crate::described::merge_mapped;
use crate::mapping::{self, Mappers};
use crate::words::fault_message;

/// A changed MARC record that is to be written.
pub(crate) struct Edit {
    pub kind: Kind,
    /// The id of the instance, holdings or authority that the MARC record describes.
    pub described: Uuid,
    /// The id of the MARC record, or the `matchedId` that its generations share.
    pub source: Uuid,
    /// The `_version` of the described record from which the change was made.
    pub version: i64,
    pub record: Record,
    /// Whether the record is suppressed from discovery; `None` leaves that unchanged.
    pub suppressed: Option<bool>,
    /// The new links of the record; `None` keeps the links whose field still names the authority.
    pub links: Option<Vec<Link>>,
}

pub(crate) fn described_type(kind: Kind) -> &'static RecordType {
    match kind {
        Kind::Bibliographic => &INSTANCE,
        Kind::Holdings => &HOLDINGS,
        Kind::Authority => &AUTHORITY,
    }
}

/// Writes the change: three round trips, and one more if the mapping rules have changed since this process read them. The error is 404 if
/// there is no such record, 409 if the described record was changed meanwhile, 400 with the reason if the record cannot be written.
pub(crate) async fn write(context: &Context, session: &mut Session, edit: Edit) -> Outcome<()> {
    let (kind, id) = (edit.kind, edit.described);
    let changed = write_change(context, session, edit).await;
    if changed.is_err() {
        session.rollback().await?;
    }
    changed?;
    invalidate_caches(context, described_type(kind), id);
    if kind == Kind::Authority {
        notify_outbox(context);
    }
    Ok(())
}

async fn write_change(context: &Context, session: &mut Session, edit: Edit) -> Outcome<()> {
    let Edit { kind, described: id, source, version, mut record, suppressed, links } = edit;
    let of = described_type(kind);
    let mut reading = vec![
        statements::lock_all(of).uuids(vec![id]),
        current::lock_statement(vec![id]),
        Statement::new(mapping::VERSION),
    ];
    if links.is_none() && kind == Kind::Bibliographic {
        reading.push(links::by_instance_statement(id));
    }
    let answers = session.begin(reading).await?;
    let stored = answers[0].first().map(Row::read::<(Uuid, Option<Value>)>).and_then(|(_, stored)| stored);
    let before = current::from_rows(&answers[1]).into_iter().find(|one| one.kind == kind);
    let (Some(stored), Some(before)) = (stored, before) else { return Err(unknown_record(id)) };
    if source != before.matched && source != before.id {
        return Err(unknown_record(id));
    }
    check_version(id, version, &stored)?;
    let mappers = mappers_at_version(context, session, answers[2].first().map(Row::read)).await?;
    let hrid = control_number(kind, &stored, &record);
    set_own_fields(&mut record, kind, &hrid, before.matched, id);
    set_change_time(&mut record, context.now);
    let mapped = mappers.for_kind(kind).map_with_own_number(&record).map_err(Fault::bad_request)?;
    let replaced = prepare_replacement(context, session, of, &stored, kind, &mapped).await?;
    let mut all = load::statements(context, session, of, &[], &[&replaced]).await?;
    let suppressed = suppressed.unwrap_or(before.suppressed);
    let next =
        NextGeneration { id: context.fresh_id(), before: &before, record: &record, hrid: &hrid, suppressed };
    all.extend(current::insert_next_statements(context, context.fresh_id(), &[next]));
    if kind == Kind::Bibliographic {
        let shown = answers.get(3).into_iter().flatten().map(Row::read::<LinkRow>);
        let links = links.unwrap_or_else(|| links::links_in_record(&record, shown));
        all.extend(links::replace_statements(before.described, &links));
        all.extend(title_statements(context, before.described, &mapped, true));
    }
    session.commit(all).await.map(drop).map_err(|error| match &error {
        DbError::Refused { code, .. } if code.starts_with("22") || code.starts_with("23") => {
            Fault::bad_request(error.to_string())
        }
        // Not the record's fault, and perhaps nobody knows whether it was written.
        _ => error.into(),
    })
}

fn unknown_record(id: Uuid) -> Fault {
    Fault::not_found_with(format!("Couldn't find source record by external id {id}"))
}

fn check_version(id: Uuid, sent: i64, stored: &Value) -> Outcome<()> {
    let version = stored["_version"].as_i64().unwrap_or(0);
    // FOLIO counts changes of holdings and items as changes of their instance, so its clients may know a higher version.
    if version <= sent {
        return Ok(());
    }
    Err(Fault::text(
        409,
        format!(
            "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is {version}, _version of request is {sent}"
        ),
    ))
}

async fn prepare_replacement(
    context: &Context,
    session: &mut Session,
    of: &'static RecordType,
    stored: &Value,
    kind: Kind,
    mapped: &Mapped,
) -> Outcome<(Value, load::PreparedRecord)> {
    let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let body = merge_mapped(kind, stored, mapped.record.clone());
    let replacing = vec![load::Replacement { id, stored: stored.clone(), body }];
    let prepared = load::prepare_replacing(context, session, of, replacing).await?.pop();
    prepared
        .unwrap_or_else(|| Err(Fault::internal("nothing was prepared")))
        .map_err(|fault| Fault::bad_request(fault_message(&fault.body)))
}

/// Statements that write the preceding and succeeding titles of an instance that are not instances themselves.
pub(crate) fn title_statements(
    context: &Context,
    instance: Uuid,
    mapped: &Mapped,
    replacing: bool,
) -> Vec<Statement> {
    let metadata = metadata(context, None, &context.now_text());
    let fresh_id = context.platform.entropy.id;
    unconnected_title_statements(
        instance,
        &mapped.preceding,
        &mapped.succeeding,
        replacing,
        fresh_id,
        &metadata,
    )
}

/// The mappers for the version of the mapping rules that was read in this transaction.
pub(crate) async fn mappers_at_version(
    context: &Context,
    session: &mut Session,
    version: Option<i64>,
) -> Outcome<Arc<Mappers>> {
    match mapping::cached_mappers(context) {
        Some(mappers) if Some(mappers.version) == version => Ok(mappers),
        _ => mapping::load_mappers(context, session).await,
    }
}

/// The number in 001: an authority's own number, the hrid of an instance or holdings record.
pub(crate) fn control_number(kind: Kind, stored: &Value, record: &Record) -> String {
    let own = record.control_field("001").unwrap_or_default();
    match kind {
        Kind::Authority => own.to_owned(),
        Kind::Bibliographic | Kind::Holdings => stored["hrid"].as_str().unwrap_or(own).to_owned(),
    }
}

/// Writes FOLIO's own fields into a record: the hrid in 001, and the ids in 999. Fields that are correct stay where they are.
pub(crate) fn set_own_fields(record: &mut Record, kind: Kind, hrid: &str, matched: Uuid, described: Uuid) {
    let foreign = kind == Kind::Bibliographic && record.control_field("003").is_some();
    if kind != Kind::Authority && (record.control_field("001") != Some(hrid) || foreign) {
        record.set_hrid(hrid);
    }
    if record.own_id('s') != Some(matched) || record.own_id('i') != Some(described) {
        record.set_own_ids(matched, described);
    }
}
