//! A changed MARC record is written with the instance, holdings or authority that it describes, in one transaction: for the MARC editor, and
//! for programs that send a whole parsed record.

use std::sync::Arc;

use octavo_engine::{Context, announce, load, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Kind, Mapped, Record};
use octavo_modules_base::inventory_records::{HOLDINGS, INSTANCE};
use octavo_modules_inventory::inventory::other_titles;
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

use crate::authorities::links::{self, Link, Shown};
use crate::authorities::{AUTHORITY, wake};
use crate::current::{self, Next, stamp};
use crate::described::merged;
use crate::mapping::{self, Mappers};
use crate::words::said;

/// A record as it is to be.
pub(crate) struct Edit {
    pub kind: Kind,
    /// The instance, holdings or authority.
    pub described: Uuid,
    /// The id of the MARC record, or the one that its generations share.
    pub source: Uuid,
    /// The version of what it describes from which the change was made.
    pub version: i64,
    pub record: Record,
    /// Nothing leaves it as it is.
    pub suppressed: Option<bool>,
    /// Nothing keeps the links that a field of the record still names.
    pub links: Option<Vec<Link>>,
}

pub(crate) fn described(kind: Kind) -> &'static RecordType {
    match kind {
        Kind::Bibliographic => &INSTANCE,
        Kind::Holdings => &HOLDINGS,
        Kind::Authority => &AUTHORITY,
    }
}

/// Writes it: three round trips, and one more when the mapping rules have changed since this process read them. 404 if there is no such
/// record, 409 if what it describes was changed meanwhile, 400 with the reason if it cannot be written.
pub(crate) async fn write(context: &Context, session: &mut Session, edit: Edit) -> Outcome<()> {
    let (kind, id) = (edit.kind, edit.described);
    let changed = change(context, session, edit).await;
    if changed.is_err() {
        session.rollback().await?;
    }
    changed?;
    announce(context, described(kind), id);
    if kind == Kind::Authority {
        wake(context);
    }
    Ok(())
}

async fn change(context: &Context, session: &mut Session, edit: Edit) -> Outcome<()> {
    let Edit { kind, described: id, source, version, mut record, suppressed, links } = edit;
    let of = described(kind);
    let mut reading = vec![
        statements::lock_all(of).uuids(vec![id]),
        current::lock(vec![id]),
        Statement::new(mapping::VERSION),
    ];
    if links.is_none() && kind == Kind::Bibliographic {
        reading.push(links::of_instance(id));
    }
    let answers = session.begin(reading).await?;
    let stored = answers[0].first().map(Row::read::<(Uuid, Option<Value>)>).and_then(|(_, stored)| stored);
    let before = current::of_rows(&answers[1]).into_iter().find(|one| one.kind == kind);
    let (Some(stored), Some(before)) = (stored, before) else { return Err(unknown(id)) };
    if source != before.matched && source != before.id {
        return Err(unknown(id));
    }
    same_version(id, version, &stored)?;
    let mappers = mappers(context, session, answers[2].first().map(Row::read)).await?;
    let hrid = number(kind, &stored, &record);
    complete(&mut record, kind, &hrid, before.matched, id);
    stamp(&mut record, context.now);
    let mapped = mappers.of(kind).map_own(&record).map_err(Fault::bad_request)?;
    let replaced = replaced(context, session, of, &stored, kind, &mapped).await?;
    let mut all = load::statements(context, session, of, &[], &[&replaced]).await?;
    let suppressed = suppressed.unwrap_or(before.suppressed);
    let next = Next { id: context.fresh_id(), before: &before, record: &record, hrid: &hrid, suppressed };
    all.extend(current::keep_next(context, context.fresh_id(), &[next]));
    if kind == Kind::Bibliographic {
        let shown = answers.get(3).into_iter().flatten().map(Row::read::<Shown>);
        let links = links.unwrap_or_else(|| links::still_named(&record, shown));
        all.extend(links::put(before.described, &links));
        all.extend(titles(context, before.described, &mapped, true));
    }
    let written = session.commit(all).await;
    written.map(drop).map_err(|error| Fault::bad_request(error.to_string()))
}

fn unknown(id: Uuid) -> Fault {
    Fault::missing(format!("Couldn't find source record by external id {id}"))
}

fn same_version(id: Uuid, sent: i64, stored: &Value) -> Outcome<()> {
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
        .map_err(|fault| Fault::bad_request(said(&fault.body)))
}

/// Statements that write the titles before and after an instance that are no instances themselves.
pub(crate) fn titles(context: &Context, instance: Uuid, mapped: &Mapped, replacing: bool) -> Vec<Statement> {
    let metadata = metadata(context, None, &context.now_text());
    let fresh_id = context.platform.entropy.id;
    other_titles(instance, &mapped.preceding, &mapped.succeeding, replacing, fresh_id, &metadata)
}

/// The mappers at a version that was read in the transaction.
pub(crate) async fn mappers(
    context: &Context,
    session: &mut Session,
    version: Option<i64>,
) -> Outcome<Arc<Mappers>> {
    match mapping::known(context) {
        Some(mappers) if Some(mappers.version) == version => Ok(mappers),
        _ => mapping::read(context, session).await,
    }
}

/// The number that stands in 001: an authority's own, of the others the hrid.
pub(crate) fn number(kind: Kind, stored: &Value, record: &Record) -> String {
    let own = record.control("001").unwrap_or_default();
    match kind {
        Kind::Authority => own.to_owned(),
        Kind::Bibliographic | Kind::Holdings => stored["hrid"].as_str().unwrap_or(own).to_owned(),
    }
}

/// Writes what is FOLIO's own into a record: the hrid, and the ids in 999. What is right stays where it is.
pub(crate) fn complete(record: &mut Record, kind: Kind, hrid: &str, matched: Uuid, described: Uuid) {
    let foreign = kind == Kind::Bibliographic && record.control("003").is_some();
    if kind != Kind::Authority && (record.control("001") != Some(hrid) || foreign) {
        record.set_hrid(hrid);
    }
    if record.own_id('s') != Some(matched) || record.own_id('i') != Some(described) {
        record.set_own_ids(matched, described);
    }
}
