//! The holdings and items of instances with their open loans and requests: one round trip, whatever their number. What is
//! suppressed from discovery stays inside.

use std::collections::{HashMap, HashSet};

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Statement};
use serde_json::value::RawValue;
use uuid::Uuid;

/// An instance with its copies.
#[derive(Debug, Default)]
pub(super) struct Title<'r> {
    pub(super) mode_of_issuance: Option<Uuid>,
    pub(super) natures_of_content: Vec<Uuid>,
    pub(super) holdings: Vec<Holdings<'r>>,
    pub(super) items: Vec<Item<'r>>,
}

#[derive(Debug, Default)]
pub(super) struct Holdings<'r> {
    pub(super) id: Uuid,
    pub(super) location: Option<Uuid>,
    pub(super) call_number: Option<&'r str>,
    pub(super) copy_number: Option<&'r str>,
    /// JSON arrays as they are stored.
    pub(super) statements: Option<&'r RawValue>,
    pub(super) statements_for_indexes: Option<&'r RawValue>,
    pub(super) statements_for_supplements: Option<&'r RawValue>,
}

#[derive(Debug, Default)]
pub(super) struct Item<'r> {
    pub(super) id: Uuid,
    /// Those that the item belongs to, which for a bound-with may be another instance's.
    pub(super) holdings: Option<Uuid>,
    pub(super) location: Option<Uuid>,
    pub(super) material_type: Option<Uuid>,
    pub(super) permanent_loan_type: Option<Uuid>,
    pub(super) temporary_loan_type: Option<Uuid>,
    pub(super) barcode: Option<&'r str>,
    pub(super) status: Option<&'r str>,
    pub(super) call_number: Option<&'r str>,
    pub(super) prefix: Option<&'r str>,
    pub(super) suffix: Option<&'r str>,
    pub(super) volume: Option<&'r str>,
    pub(super) enumeration: Option<&'r str>,
    pub(super) chronology: Option<&'r str>,
    pub(super) display_summary: Option<&'r str>,
    pub(super) copy_number: Option<&'r str>,
    /// Of its open loan.
    pub(super) due_date: Option<&'r str>,
    pub(super) open_requests: i64,
}

/// The rows of which [`by_instance`] makes titles.
pub(super) async fn copies(context: &Context, instances: &[Uuid]) -> Outcome<Vec<Vec<Row>>> {
    let mut session = context.session().await?;
    let statements = [INSTANCES, HOLDINGS, ITEMS].map(|sql| Statement::new(sql).uuids(instances.to_vec()));
    Ok(session.batch(statements.to_vec()).await?)
}

pub(super) fn by_instance(answers: &[Vec<Row>]) -> HashMap<Uuid, Title<'_>> {
    let [instances, holdings, items] = answers else { return HashMap::new() };
    let mut titles: HashMap<Uuid, Title<'_>> =
        instances.iter().map(|row| (row.uuid(0), title(row))).collect();
    for row in holdings {
        if let Some(title) = titles.get_mut(&row.uuid(0)) {
            title.holdings.push(of_holdings(row));
        }
    }
    let mut known = HashSet::new();
    for row in items {
        let instance = row.uuid(0);
        // An item may be bound with several holdings of the same instance.
        if let Some(title) = titles.get_mut(&instance).filter(|_| known.insert((instance, row.uuid(1)))) {
            title.items.push(of_item(row));
        }
    }
    titles
}

fn title(row: &Row) -> Title<'_> {
    let terms = row.maybe_text(2).and_then(|terms| serde_json::from_str(terms).ok());
    Title {
        mode_of_issuance: row.maybe_uuid(1),
        natures_of_content: terms.unwrap_or_default(),
        ..Title::default()
    }
}

fn of_holdings(row: &Row) -> Holdings<'_> {
    let raw = |at| row.maybe_text(at).and_then(|text| serde_json::from_str(text).ok());
    Holdings {
        id: row.uuid(1),
        location: row.maybe_uuid(2),
        call_number: row.maybe_text(3),
        copy_number: row.maybe_text(4),
        statements: raw(5),
        statements_for_indexes: raw(6),
        statements_for_supplements: raw(7),
    }
}

fn of_item(row: &Row) -> Item<'_> {
    Item {
        id: row.uuid(1),
        holdings: row.maybe_uuid(2),
        location: row.maybe_uuid(3),
        material_type: row.maybe_uuid(4),
        permanent_loan_type: row.maybe_uuid(5),
        temporary_loan_type: row.maybe_uuid(6),
        barcode: row.maybe_text(7),
        status: row.maybe_text(8),
        call_number: row.maybe_text(9),
        prefix: row.maybe_text(10),
        suffix: row.maybe_text(11),
        volume: row.maybe_text(12),
        enumeration: row.maybe_text(13),
        chronology: row.maybe_text(14),
        display_summary: row.maybe_text(15),
        copy_number: row.maybe_text(16),
        due_date: row.maybe_text(17),
        open_requests: row.long(18),
    }
}

const INSTANCES: &str = "\
select i.id, i.\"modeOfIssuanceId\", (i.doc -> 'natureOfContentTermIds')::text
from instance i
where i.id = any($1)";

/// The fields of a document are taken out together: each `->` by itself would read it anew.
const HOLDINGS: &str = "\
select h.\"instanceId\", h.id, h.\"permanentLocationId\", d.\"callNumber\", d.\"copyNumber\",
  d.\"holdingsStatements\"::text, d.\"holdingsStatementsForIndexes\"::text, d.\"holdingsStatementsForSupplements\"::text
from holdings_record h
cross join json_to_record(h.doc) d (
  \"callNumber\" text, \"copyNumber\" text, \"holdingsStatements\" json, \"holdingsStatementsForIndexes\" json,
  \"holdingsStatementsForSupplements\" json, \"discoverySuppress\" boolean)
where h.\"instanceId\" = any($1)
and d.\"discoverySuppress\" is not true
order by h.id";

/// Also items that belong to holdings of another title, but are bound with these.
const ITEMS: &str = "\
select h.\"instanceId\", t.id, t.\"holdingsRecordId\", t.\"effectiveLocationId\", t.\"materialTypeId\",
  t.\"permanentLoanTypeId\", t.\"temporaryLoanTypeId\", d.barcode, d.status ->> 'name',
  d.\"effectiveCallNumberComponents\" ->> 'callNumber',
  d.\"effectiveCallNumberComponents\" ->> 'prefix',
  d.\"effectiveCallNumberComponents\" ->> 'suffix',
  d.volume, d.enumeration, d.chronology, d.\"displaySummary\", d.\"copyNumber\", l.\"dueDate\", (
    select count(*)
    from request r
    where r.\"itemId\" = t.id
    and r.status like 'open%')
from holdings_record h
cross join lateral (
  select o.id, o.\"holdingsRecordId\", o.\"effectiveLocationId\", o.\"materialTypeId\", o.\"permanentLoanTypeId\",
    o.\"temporaryLoanTypeId\", o.doc
  from item o
  where o.\"holdingsRecordId\" = h.id
  union all
  select o.id, o.\"holdingsRecordId\", o.\"effectiveLocationId\", o.\"materialTypeId\", o.\"permanentLoanTypeId\",
    o.\"temporaryLoanTypeId\", o.doc
  from bound_with_part b
  join item o on o.id = b.\"itemId\"
  where b.\"holdingsRecordId\" = h.id
  and o.\"holdingsRecordId\" <> h.id) t
cross join json_to_record(t.doc) d (
  barcode text, status json, \"effectiveCallNumberComponents\" json, volume text, enumeration text, chronology text,
  \"displaySummary\" text, \"copyNumber\" text, \"discoverySuppress\" boolean)
left join loan l on l.\"itemId\" = t.id and l.\"status.name\" = 'open'
where h.\"instanceId\" = any($1)
and h.doc ->> 'discoverySuppress' is distinct from 'true'
and d.\"discoverySuppress\" is not true
order by h.id, t.id";
