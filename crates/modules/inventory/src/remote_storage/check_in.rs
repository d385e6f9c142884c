//! Items that a storage sends to the library, takes back, or misses. A check-in is decided as at the library's desk, at the primary service
//! point of the location that stands for the storage.

use octavo_circulation::command::CheckIn;
use octavo_circulation::facts::{Facts, Item};
use octavo_circulation::plan::{Plan, Retrieval, TO_BE_RETRIEVED};
use octavo_circulation::remote::first_hold_or_recall;
use octavo_circulation::{Mark, Undecided, check_in};
use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::LOCATION;
use octavo_modules_base::remote_storage_records::{CAIA_SOFT, CONFIGURATION, MAPPING, SCANNED_TO_CAIA_SOFT};
use octavo_modules_circulation::circulation::{self, mark_item};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{check_in_fault, return_fault};
use crate::inventory::item_not_found;

const SCHEMA: &str = include_str!("../../../folio/records/mod-remote-storage/checkInItem.tsv");
const BY_HOLD: &str = include_str!("../../../folio/records/mod-remote-storage/checkInItemByHoldId.tsv");

pub(super) async fn by_barcode(request: Request) -> Outcome<Response> {
    let (storage, body) = (request.path_id(0)?, request.checked_json(SCHEMA)?);
    let barcode = body["itemBarcode"].as_str().unwrap_or_default();
    let storage = Storage::from_snapshot(&*request.context.snapshot().await?, storage)?;
    check_in_item(&request.context, barcode, |facts| storage.receive(facts, barcode)).await?;
    Ok(Response::text(200, format!("Check-in was done for {barcode}")))
}

/// Checks in the item of the latest entry in the retrieval queue with the `holdId` that the body names.
pub(super) async fn by_hold(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.checked_json(BY_HOLD)?);
    let hold = body["holdId"].as_str().unwrap_or_default();
    let storage = Storage::from_snapshot(&*request.context.snapshot().await?, id);
    let last = Statement::new(LAST_OF_HOLD).text(hold).uuid(id);
    let barcode: Option<String> = request.context.session().await?.read(last).await?;
    let barcode = barcode.ok_or_else(|| {
        check_in_fault(format!(
            "Retrieval Queue Record with holdId={hold} not found for remoteStorageId={id}"
        ))
    })?;
    let storage = storage?;
    check_in_item(&request.context, &barcode, |facts| storage.receive(facts, &barcode)).await?;
    Ok(Response::text(200, format!("Check-in was done for item with holdId{hold}")))
}

/// The storage has got back an item that was lent. If a patron is waiting for the item, it is requested from the storage at once, in the
/// same transaction.
pub(super) async fn give_back(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.checked_json(SCHEMA)?);
    let barcode = body["itemBarcode"].as_str().unwrap_or_default();
    let snapshot = request.context.snapshot().await?;
    let configuration = snapshot.get(&CONFIGURATION, id);
    let asks = configuration.map(asks_for_returned);
    let no_item = || return_fault(format!("Item does not exist for barcode {barcode}"));
    let plan = check_in_item(&request.context, barcode, |facts| {
        let item = facts.item.as_ref().ok_or_else(no_item)?;
        let asks = asks.ok_or_else(|| {
            return_fault(format!("Remote storage configuration does not exist for id {id}"))
        })?;
        let storage = Storage::from_snapshot(&snapshot, id)?;
        let mut plan = storage.receive(facts, barcode)?;
        let waiting = first_hold_or_recall(facts, item).filter(|_| asks);
        plan.retrievals.extend(waiting.map(|waiting| {
            Retrieval::from_request(&waiting.record, item.id(), &storage.id, TO_BE_RETRIEVED)
        }));
        Ok(plan)
    })
    .await?;
    let waits = plan.retrievals.iter().any(|retrieval| retrieval.request_type == TO_BE_RETRIEVED);
    Ok(Response::json(200, &json!({"isHoldRecallRequestExist": waits})))
}

/// As in FOLIO, the answer is the same if there is no item with this barcode.
pub(super) async fn mark_missing(request: Request) -> Outcome<Response> {
    let (context, barcode) = (&request.context, request.path_parameter(0));
    let item = Statement::new(BY_BARCODE).text(barcode);
    let item: Option<Uuid> = context.session().await?.read(item).await?;
    if let Some(item) = item {
        mark_item(context, item, &Mark::MISSING, item_not_found).await?;
    }
    Ok(Response::text(201, format!("Item with barcode={barcode} marked as missing")))
}

async fn check_in_item(
    context: &Context,
    barcode: &str,
    decision: impl Fn(&Facts) -> Result<Plan, Undecided> + Sync,
) -> Outcome<Plan> {
    circulation::check_in(context, barcode, decision).await
}

/// Whether an item that was just returned to the storage is requested from it again. This holds for all storages except CaiaSoft, unless
/// returns are scanned in CaiaSoft.
fn asks_for_returned(configuration: &Value) -> bool {
    configuration["providerName"] != CAIA_SOFT
        || configuration["returningWorkflowDetails"] == SCANNED_TO_CAIA_SOFT
}

/// A storage with the locations that stand for it, each with its primary service point.
struct Storage {
    id: String,
    locations: Vec<(String, Option<String>)>,
}

impl Storage {
    fn from_snapshot(snapshot: &Snapshot, id: Uuid) -> Outcome<Storage> {
        let id = id.to_string();
        let locations = snapshot.all(&MAPPING).filter(|(_, mapping)| mapping["configurationId"] == *id);
        let point = |location: &Uuid| {
            let point = snapshot.get(&LOCATION, *location)?["primaryServicePoint"].as_str()?;
            Some(point).filter(|point| !point.trim().is_empty()).map(str::to_owned)
        };
        let locations: Vec<(String, Option<String>)> =
            locations.map(|(location, _)| (location.to_string(), point(location))).collect();
        if locations.is_empty() {
            let message = "Folio location does not exist for remoteStorageConfigurationId";
            return Err(check_in_fault(format!("{message} {id}")));
        }
        Ok(Storage { id, locations })
    }

    /// The service point at which an item is checked in.
    fn service_point(&self, item: Option<&Item>) -> Outcome<&str> {
        let place = item.and_then(Item::effective_location_id);
        let found = match self.locations.as_slice() {
            [one] => Some(one),
            several => several.iter().find(|(location, _)| Some(location.as_str()) == place),
        };
        let (location, point) =
            found.ok_or_else(|| check_in_fault("Item's location doesn't match any remote location"))?;
        point.as_deref().ok_or_else(|| {
            check_in_fault(format!("Primary service point does not exist for locationId {location}"))
        })
    }

    fn receive(&self, facts: &Facts, barcode: &str) -> Result<Plan, Undecided> {
        let item = facts.item.as_ref();
        if item.is_none() && self.locations.len() > 1 {
            return Err(return_fault(format!("Item does not exist for barcode {barcode}")).into());
        }
        let command = CheckIn {
            item_barcode: Some(barcode.to_owned()),
            service_point_id: Some(self.service_point(item)?.to_owned()),
            check_in_date: Some(octavo_kernel::folio_time(facts.now)),
            ..CheckIn::default()
        };
        check_in(facts, &command)
    }
}

const LAST_OF_HOLD: &str = "\
select t.doc ->> 'itemBarcode'
from retrieval_queue t
where t.\"holdId\" = $1
and t.\"remoteStorageId\" = $2
order by t.\"createdDateTime\" desc
limit 1";

const BY_BARCODE: &str = "select id from item where barcode = lower($1)";

octavo_pg::statements!(hot = [LAST_OF_HOLD, BY_BARCODE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_storages_are_asked_for_what_was_returned() {
        for (provider, returns, asked) in [
            ("DEMATIC_EMS", Value::Null, true),
            ("DEMATIC_SD", json!("Scanned to folio"), true),
            ("CAIA_SOFT", Value::Null, false),
            ("CAIA_SOFT", json!("Scanned to folio"), false),
            ("CAIA_SOFT", json!("Scanned to CaiaSoft"), true),
        ] {
            let configuration = json!({"providerName": provider, "returningWorkflowDetails": returns});
            assert_eq!(asks_for_returned(&configuration), asked, "{configuration}");
        }
    }

    #[test]
    fn an_item_is_checked_in_where_its_location_has_its_desk() {
        let at = |location: &str| {
            let record = json!({"id": "i", "effectiveLocationId": location});
            Item { record: record.into(), ..Item::default() }
        };
        let location = |id: &str, point: Option<&str>| (id.to_owned(), point.map(str::to_owned));
        let cave = || location("cave", Some("desk"));
        for (locations, place, expected) in [
            (vec![cave()], "shelf", Ok("desk")),
            (
                vec![location("cave", None)],
                "cave",
                Err("Primary service point does not exist for locationId cave"),
            ),
            (vec![cave(), location("cellar", Some("door"))], "cellar", Ok("door")),
            (
                vec![cave(), location("cellar", None)],
                "shelf",
                Err("Item's location doesn't match any remote location"),
            ),
        ] {
            let storage = Storage { id: "s".into(), locations };
            let item = at(place);
            match (storage.service_point(Some(&item)), expected) {
                (Ok(point), Ok(expected)) => assert_eq!(point, expected),
                (Err(fault), Err(message)) => assert!(fault.body.render().contains(message), "{fault:?}"),
                (other, expected) => panic!("{other:?} instead of {expected:?}"),
            }
        }
    }
}
