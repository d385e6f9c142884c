//! Reads the holdings and items of instances with their open loans and requests, in one round trip. Records that are suppressed from
//! discovery are left out.

use std::collections::{HashMap, HashSet};

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Read, Row, Statement};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use uuid::Uuid;

#[derive(Debug, Default)]
pub(super) struct Title<'r> {
    pub(super) mode_of_issuance: Option<Uuid>,
    pub(super) natures_of_content: Vec<Uuid>,
    pub(super) holdings: Vec<Holdings<'r>>,
    /// The items, each with the id of the holdings record through which it was found, in the order of these records.
    pub(super) items: Vec<(Uuid, Item<'r>)>,
}

#[derive(Debug, Default)]
pub(super) struct Holdings<'r> {
    pub(super) id: Uuid,
    pub(super) location: Option<Uuid>,
    pub(super) call_number: Option<&'r str>,
    pub(super) copy_number: Option<&'r str>,
    /// The holdings statements: JSON arrays as they are stored.
    pub(super) statements: Option<&'r RawValue>,
    pub(super) statements_for_indexes: Option<&'r RawValue>,
    pub(super) statements_for_supplements: Option<&'r RawValue>,
}

#[derive(Debug, Default)]
pub(super) struct Item<'r> {
    pub(super) id: Uuid,
    /// The item's own holdings record, which for a bound-with may be another instance's.
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
    /// The due date of its open loan.
    pub(super) due_date: Option<&'r str>,
    pub(super) open_requests: i64,
}

/// The rows from which [`by_instance`] makes titles.
#[derive(Default)]
pub(super) struct Copies {
    instances: Vec<InstanceRow>,
    holdings: Vec<(HoldingsRow, HoldingsDocument)>,
    items: Vec<(ItemRow, ItemDocument)>,
}

/// Columns of [`INSTANCES`].
type InstanceRow = (Uuid, Option<Uuid>, Option<String>);
/// Columns of [`HOLDINGS`] before the document.
type HoldingsRow = (Uuid, Uuid, Option<Uuid>);
/// Columns of [`ITEMS`] before the document: the instance and the holdings record through which the item was found, the item with the ids
/// that it refers to, its due date, and the number of open requests.
type ItemRow = ((Uuid, Uuid), (Uuid, [Option<Uuid>; 5]), (Option<String>, i64));

/// The shown members of a holdings record, parsed here: PostgreSQL would parse the document anew for each member.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct HoldingsDocument {
    call_number: Option<String>,
    copy_number: Option<String>,
    holdings_statements: Option<Box<RawValue>>,
    holdings_statements_for_indexes: Option<Box<RawValue>>,
    holdings_statements_for_supplements: Option<Box<RawValue>>,
    discovery_suppress: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ItemDocument {
    barcode: Option<String>,
    status: Status,
    effective_call_number_components: Option<CallNumber>,
    volume: Option<String>,
    enumeration: Option<String>,
    chronology: Option<String>,
    display_summary: Option<String>,
    copy_number: Option<String>,
    discovery_suppress: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CallNumber {
    call_number: Option<String>,
    prefix: Option<String>,
    suffix: Option<String>,
}

pub(super) async fn load_copies(context: &Context, instances: &[Uuid]) -> Outcome<Copies> {
    let mut session = context.session().await?;
    let statements = [INSTANCES, HOLDINGS, ITEMS].map(|sql| Statement::new(sql).uuids(instances.to_vec()));
    let mut copies = Copies::default();
    // Each document is parsed while PostgreSQL reads the next one.
    session.for_each_row(statements.to_vec(), |statement, row| copies.add_row(statement, &row)).await?;
    Ok(copies)
}

impl Copies {
    /// Adds a row, unless its record is suppressed from discovery. The statement's index says what the row is: an instance, a holdings
    /// record, or an item.
    fn add_row(&mut self, statement: usize, row: &Row) {
        match statement {
            0 => self.instances.push(row.read()),
            1 => self
                .holdings
                .extend(unsuppressed_row(row, |holdings: &HoldingsDocument| holdings.discovery_suppress)),
            _ => self.items.extend(unsuppressed_row(row, |item: &ItemDocument| item.discovery_suppress)),
        }
    }
}

/// A row and its document, which is the last column. `None` if the record is suppressed from discovery.
fn unsuppressed_row<'r, R: Read<'r>, D: DeserializeOwned>(
    row: &'r Row,
    suppressed: fn(&D) -> Option<bool>,
) -> Option<(R, D)> {
    let (read, document): (R, &str) = row.read();
    let document = serde_json::from_str(document).ok()?;
    (suppressed(&document) != Some(true)).then_some((read, document))
}

pub(super) fn by_instance(copies: &Copies) -> HashMap<Uuid, Title<'_>> {
    let mut titles: HashMap<Uuid, Title<'_>> =
        copies.instances.iter().map(|row| (row.0, title_from_row(row))).collect();
    let mut shown = HashSet::new();
    for (row, document) in &copies.holdings {
        if let Some(title) = titles.get_mut(&row.0) {
            shown.insert(row.1);
            title.holdings.push(holdings_from_row(row, document));
        }
    }
    let mut known = HashSet::new();
    for (row, document) in &copies.items {
        let ((instance, holdings), (id, _), _) = row;
        // An item may be bound with several holdings of the same instance.
        if let Some(title) = titles.get_mut(instance).filter(|_| shown.contains(holdings))
            && known.insert((instance, id))
        {
            title.items.push((*holdings, item_from_row(row, document)));
        }
    }
    // Sorted here, because a sort in PostgreSQL would have to move the documents.
    for title in titles.values_mut() {
        title.holdings.sort_unstable_by_key(|holdings| holdings.id);
        title.items.sort_unstable_by_key(|(holdings, item)| (*holdings, item.id));
    }
    titles
}

fn title_from_row((_, mode_of_issuance, terms): &InstanceRow) -> Title<'_> {
    let terms = terms.as_ref().and_then(|terms| serde_json::from_str(terms).ok());
    Title {
        mode_of_issuance: *mode_of_issuance,
        natures_of_content: terms.unwrap_or_default(),
        ..Title::default()
    }
}

fn holdings_from_row<'r>((_, id, location): &HoldingsRow, document: &'r HoldingsDocument) -> Holdings<'r> {
    Holdings {
        id: *id,
        location: *location,
        call_number: document.call_number.as_deref(),
        copy_number: document.copy_number.as_deref(),
        statements: document.holdings_statements.as_deref(),
        statements_for_indexes: document.holdings_statements_for_indexes.as_deref(),
        statements_for_supplements: document.holdings_statements_for_supplements.as_deref(),
    }
}

fn item_from_row<'r>(row: &'r ItemRow, document: &'r ItemDocument) -> Item<'r> {
    let (_, (id, named), (due_date, open_requests)) = row;
    let [holdings, location, material_type, permanent_loan_type, temporary_loan_type] = *named;
    let number = document.effective_call_number_components.as_ref();
    Item {
        id: *id,
        holdings,
        location,
        material_type,
        permanent_loan_type,
        temporary_loan_type,
        barcode: document.barcode.as_deref(),
        status: document.status.name.as_deref(),
        call_number: number.and_then(|number| number.call_number.as_deref()),
        prefix: number.and_then(|number| number.prefix.as_deref()),
        suffix: number.and_then(|number| number.suffix.as_deref()),
        volume: document.volume.as_deref(),
        enumeration: document.enumeration.as_deref(),
        chronology: document.chronology.as_deref(),
        display_summary: document.display_summary.as_deref(),
        copy_number: document.copy_number.as_deref(),
        due_date: due_date.as_deref(),
        open_requests: *open_requests,
    }
}

const INSTANCES: &str = "\
select i.id, i.\"modeOfIssuanceId\", (i.doc -> 'natureOfContentTermIds')::text
from instance i
where i.id = any($1)";

const HOLDINGS: &str = "\
select h.\"instanceId\", h.id, h.\"permanentLocationId\", h.doc
from holdings_record h
where h.\"instanceId\" = any($1)";

/// The SQL that reads the items of instances, including items of another instance's holdings record that are bound with them.
const ITEMS: &str = "\
select h.\"instanceId\", h.id, t.id, t.\"holdingsRecordId\", t.\"effectiveLocationId\", t.\"materialTypeId\",
  t.\"permanentLoanTypeId\", t.\"temporaryLoanTypeId\", (
    select l.\"dueDate\"
    from loan l
    where l.\"itemId\" = t.id
    and l.\"status.name\" = 'open'), (
    select count(*)
    from request r
    where r.\"itemId\" = t.id
    and r.status like 'open%'), t.doc
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
where h.\"instanceId\" = any($1)";

octavo_pg::statements!(hot = [INSTANCES, HOLDINGS, ITEMS]);
