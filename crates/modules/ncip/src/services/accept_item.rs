//! `AcceptItem`: an item of another library arrives for a patron. It gets an instance, holdings and an item of its own, hidden from
//! discovery, and the patron's request. A message that comes again finds what the first has made.

use octavo_cql::quote_term;
use octavo_engine::Method;
use octavo_kernel::Xml;
use serde_json::{Value, json};

use super::items::ItemIds;
use super::patron::{find, id};
use super::{PICKUP, REQUEST, item_barcode, items, sender_or_requester, user_number};
use crate::agency::{Settings, service_point};
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words;

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let (number, barcode) = (user_number(message)?, item_barcode(message)?);
    let pickup = message.text(PICKUP).ok_or(Failure::Input("Pickup location is missing"))?;
    let agency = sender_or_requester(message)?;
    let user = find(library, number).await?;
    let request_number =
        message.text(REQUEST).ok_or_else(|| Failure::Doing("Request ID Missing".to_owned()))?;
    let point = service_point(library, pickup).await?;
    let settings = Settings::load(library, agency).await?;
    let wanted = |place: &ItemIds| -> Result<Value, String> {
        Ok(json!({
            "requestType": "Page", "requestLevel": "Item", "requestDate": library.now(), "requesterId": id(&user),
            "itemId": place.item, "holdingsRecordId": place.holdings, "instanceId": place.instance,
            "pickupServicePointId": point,
            "fulfillmentPreference": settings.require("request.accept.fulfillment_preference")?,
        }))
    };
    let (place, made) = match find_accepted_item(library, barcode, request_number).await? {
        Some(place) => (place, None),
        None => {
            let [instance, holdings, item] = [(); 3].map(|()| library.fresh_id());
            let place = ItemIds { instance, holdings, item };
            let records = new_records(library, message, &settings, &place, (barcode, request_number)).await?;
            match create_records(library, &records).await {
                Ok(()) => (place, Some(records)),
                // A repeated message may have created the records meanwhile.
                Err(why) => (find_accepted_item(library, barcode, request_number).await?.ok_or(why)?, None),
            }
        }
    };
    let known = match made {
        Some(_) => None,
        None => find_open_request(library, &place, id(&user)).await?,
    };
    let answered = match known {
        Some(request) => Ok(request),
        None => place_request(library, &place, &wanted(&place)?).await?,
    };
    if let (Err(_), Some(records)) = (&answered, &made) {
        delete_records(library, records).await;
    }
    let request = answered?;
    let mut xml = Xml::default();
    words::id_element(&mut xml, "Request", Some(agency), "Request Id", id(&request));
    words::id_element(&mut xml, "Item", Some(agency), "Item Barcode", barcode);
    Ok(xml)
}

/// Places the request. If it is refused although the patron has such a request, another message has placed it meanwhile, or only the answer
/// was lost: then the result is that request. An error outside of the inner result means that the outcome is unknown: the records then
/// stay, and a repeated message finds them.
async fn place_request(
    library: &Library<'_>,
    place: &ItemIds,
    wanted: &Value,
) -> Result<Result<Value, String>, String> {
    match library.post("/circulation/requests", wanted).await {
        Ok(request) => Ok(Ok(request)),
        Err(why) => {
            let patron = wanted["requesterId"].as_str().unwrap_or_default();
            Ok(find_open_request(library, place, patron).await?.ok_or(why))
        }
    }
}

/// The item with this barcode, if it was created for the agency's request with this number: then the first message was handled and its
/// answer was lost, or the server was killed before it answered.
async fn find_accepted_item(
    library: &Library<'_>,
    barcode: &str,
    request_number: &str,
) -> Result<Option<ItemIds>, String> {
    let place = items::find(library, &format!("barcode=={}", quote_term(barcode))).await?;
    let Some(place) = place else { return Ok(None) };
    let cql = format!("id=={}", quote_term(&place.instance));
    let title = library.first("/inventory/instances", "instances", &cql).await?.unwrap_or_default();
    let mut identifiers = title["identifiers"].as_array().into_iter().flatten();
    let is_of_request = identifiers.any(|identifier| identifier["value"] == request_number);
    Ok(Some(place).filter(|_| is_of_request))
}

/// The patron's open request for an item.
async fn find_open_request(
    library: &Library<'_>,
    place: &ItemIds,
    patron: &str,
) -> Result<Option<Value>, String> {
    let (item, patron) = (quote_term(&place.item), quote_term(patron));
    let cql = format!(r#"itemId=={item} and requesterId=={patron} and status=="Open*""#);
    library.first("/circulation/requests", "requests", &cql).await
}

/// Instance, holdings and item, with the path at which each is made.
async fn new_records(
    library: &Library<'_>,
    message: &Message,
    settings: &Settings,
    place: &ItemIds,
    (barcode, request_number): (&str, &str),
) -> Result<[(&'static str, Value); 3], String> {
    let described = |path: &[&str]| message.text(&[&["ItemOptionalFields"], path].concat());
    let title = described(&["BibliographicDescription", "Title"]).unwrap_or_default();
    let call_number = described(&["ItemDescription", "CallNumber"]).unwrap_or(barcode);
    let named = async |code: &str| settings.id(library, code).await;
    Ok([
        (
            "/inventory/instances",
            json!({
                "id": place.instance, "title": title, "source": settings.require("instance.source")?,
                "discoverySuppress": true, "instanceTypeId": named("instance.type.name").await?,
                "identifiers":
                    [{"identifierTypeId": named("instance.custom.identifier.name").await?, "value": request_number}],
            }),
        ),
        (
            "/holdings-storage/holdings",
            json!({
                "id": place.holdings, "instanceId": place.instance, "discoverySuppress": true,
                "sourceId": named("holdings.source.name").await?,
                "permanentLocationId": named("holdings.perm.location.code").await?,
            }),
        ),
        (
            "/inventory/items",
            json!({
                "id": place.item, "holdingsRecordId": place.holdings, "discoverySuppress": true, "barcode": barcode,
                "itemLevelCallNumber": call_number, "status": {"name": settings.require("item.status.name")?},
                "materialType": {"id": named("item.material.type.name").await?},
                "permanentLoanType": {"id": named("item.perm.loan.type.name").await?},
                "permanentLocation": {"id": named("item.perm.location.code").await?},
            }),
        ),
    ])
}

/// Creates records. If one of them is refused, the records before it are deleted again.
async fn create_records(library: &Library<'_>, records: &[(&'static str, Value)]) -> Result<(), String> {
    for (done, (path, record)) in records.iter().enumerate() {
        if let Err(why) = library.post(path, record).await {
            delete_records(library, &records[..done]).await;
            return Err(why);
        }
    }
    Ok(())
}

async fn delete_records(library: &Library<'_>, records: &[(&'static str, Value)]) {
    for (path, record) in records.iter().rev() {
        let path = format!("{path}/{}", id(record));
        if let Err(why) = library.call(Method::Delete, &path, &[], None).await {
            tracing::error!(path, why, "a record of an item that was not accepted is left");
        }
    }
}
