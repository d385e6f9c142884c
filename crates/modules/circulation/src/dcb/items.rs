//! The item of a transaction: the library's own, or another library's, as a record of mod-circulation-item.

use octavo_engine::{Context, Snapshot, create};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::{CIRCULATION_ITEM, MATERIAL_TYPE};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{exists, to_dcb_fault, unknown};
use super::furnish::{HOLDINGS_ID, LOAN_TYPE_ID};
use super::transactions::{Item, is_open};

/// An item of the library, with what a request for it names.
pub(super) struct OwnItem {
    pub(super) id: Uuid,
    pub(super) status: String,
    pub(super) holdings: Uuid,
    pub(super) instance: Uuid,
}

pub(super) async fn find_own(context: &Context, item: &Item) -> Outcome<OwnItem> {
    let barcode = item.barcode.as_deref().unwrap_or("null");
    let found: Option<(Uuid, Option<String>, Uuid, Uuid)> =
        context.session().await?.read(Statement::new(OWN).maybe_uuid(item.id).text(barcode)).await?;
    let id = item.id.map_or_else(|| "null".to_owned(), |id| id.to_string());
    let none = || unknown(format!("Unable to find existing item with id {id} and barcode {barcode}."));
    let (id, status, holdings, instance) = found.ok_or_else(none)?;
    Ok(OwnItem { id, status: status.unwrap_or_default(), holdings, instance })
}

/// The record of another library's item, found by its barcode and made if there is none; the item may have no other open transaction.
/// A new record has the id that the hub names, unless another item has it here.
pub(super) async fn find_or_create_borrowed(context: &Context, item: &Item, pickup: &str) -> Outcome<Value> {
    let snapshot = context.snapshot().await?;
    let session = &mut context.session().await?;
    let barcode = item.barcode.as_deref().unwrap_or_default();
    let find = || Statement::new(BORROWED).text(barcode).maybe_uuid(item.id);
    let found: Option<(bool, bool, Option<Value>)> = session.read(find()).await?;
    let (is_own, is_taken, known) = found.unwrap_or_default();
    if is_own {
        return Err(exists(format!(
            "Unable to create item with barcode {barcode} as it exists in inventory "
        )));
    }
    let known = match known {
        Some(known) => known,
        None => {
            let id = item.id.filter(|_| !is_taken).unwrap_or_else(|| context.fresh_id());
            let record = record(&snapshot, id, item, pickup)?;
            let refused = match create(context, session, &CIRCULATION_ITEM, record).await {
                Ok(made) => return Ok(made),
                Err(fault) => to_dcb_fault(fault),
            };
            // Another transaction may have made it since.
            let found: Option<(bool, bool, Option<Value>)> = session.read(find()).await?;
            found.and_then(|(_, _, known)| known).ok_or(refused)?
        }
    };
    let id = known["id"].as_str().unwrap_or_default();
    if is_open(session, Uuid::parse_str(id).unwrap_or_default()).await? {
        return Err(exists(format!("Item with id {id} already has an open DCB transaction ")));
    }
    Ok(known)
}

fn record(snapshot: &Snapshot, id: Uuid, item: &Item, pickup: &str) -> Outcome<Value> {
    let material = item.material_type.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or("book");
    Ok(json!({
        "id": id,
        "barcode": item.barcode,
        "status": {"name": "In transit"},
        "holdingsRecordId": HOLDINGS_ID,
        "instanceTitle": item.title,
        "materialTypeId": material_type(snapshot, material)?,
        "permanentLoanTypeId": LOAN_TYPE_ID,
        "pickupLocation": pickup,
        "lendingLibraryCode": item.lending_library_code,
    }))
}

fn material_type(snapshot: &Snapshot, name: &str) -> Outcome<Uuid> {
    let is_called =
        |record: &Value| record["name"].as_str().is_some_and(|it| it.to_lowercase() == name.to_lowercase());
    let found = snapshot.all(&MATERIAL_TYPE).find(|(_, record)| is_called(record)).map(|(id, _)| *id);
    found.ok_or_else(|| unknown(format!("MaterialType not found with name {name} ")))
}

/// The desk finds items by barcodes without regard to case.
pub(super) const BY_BARCODE: &str =
    "create index circulation_item_lower_barcode on circulation_item (lower(barcode))";

const OWN: &str = "\
select i.id, i.doc #>> '{status,name}', h.id, h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.id = $1 and i.barcode = lower($2)";

const BORROWED: &str = "\
select
  exists (select from item i where i.barcode = lower($1)),
  exists (select from item i where i.id = $2) or exists (select from circulation_item c where c.id = $2),
  (select c.doc::text from circulation_item c where c.barcode = $1)";

octavo_pg::statements!(hot = [OWN, BORROWED]);
