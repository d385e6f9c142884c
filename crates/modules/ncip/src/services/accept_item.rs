//! `AcceptItem`: an item of another library arrives for a patron. It gets an instance, holdings and an item of its own, hidden from
//! discovery, and the patron's request.

use octavo_engine::Method;
use octavo_kernel::Xml;
use serde_json::{Value, json};

use super::patron::find;
use super::{PICKUP, REQUEST, item_barcode, sender_or_requester, user_number};
use crate::agency::{Settings, service_point};
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words;

/// The records of an item, in the order in which they are made.
struct Records {
    /// With the path at which each is made.
    made: Vec<(&'static str, Value)>,
    request: Value,
}

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let (number, barcode) = (user_number(message)?, item_barcode(message)?);
    let pickup = message.text(PICKUP).ok_or(Failure::Input("Pickup location is missing"))?;
    let agency = sender_or_requester(message)?;
    let user = find(library, number).await?;
    let request = message.text(REQUEST).ok_or_else(|| Failure::Doing("Request ID Missing".to_owned()))?;
    let point = service_point(library, pickup).await?;
    let settings = Settings::of(library, agency).await?;
    let records = records(library, message, &settings, barcode, request).await?;
    let request = make(library, records, &user, &point).await?;
    let mut xml = Xml::default();
    words::id(&mut xml, "Request", Some(agency), "Request UUID", request["id"].as_str().unwrap_or_default());
    words::id(&mut xml, "Item", Some(agency), "Item Barcode", barcode);
    Ok(xml)
}

async fn records(
    library: &Library<'_>,
    message: &Message,
    settings: &Settings,
    barcode: &str,
    request: &str,
) -> Result<Records, String> {
    let [instance, holdings, item] = [(); 3].map(|()| library.fresh_id());
    let described = |path: &[&str]| message.text(&[&["ItemOptionalFields"], path].concat());
    let title = described(&["BibliographicDescription", "Title"]).unwrap_or_default();
    let call_number = described(&["ItemDescription", "CallNumber"]).unwrap_or(barcode);
    let named = async |code: &str| settings.id(library, code).await;
    let made = vec![
        (
            "/inventory/instances",
            json!({
                "id": instance, "title": title, "source": settings.needed("instance.source")?, "discoverySuppress": true,
                "instanceTypeId": named("instance.type.name").await?,
                "identifiers":
                    [{"identifierTypeId": named("instance.custom.identifier.name").await?, "value": request}],
            }),
        ),
        (
            "/holdings-storage/holdings",
            json!({
                "id": holdings, "instanceId": instance, "discoverySuppress": true,
                "sourceId": named("holdings.source.name").await?,
                "permanentLocationId": named("holdings.perm.location.code").await?,
            }),
        ),
        (
            "/inventory/items",
            json!({
                "id": item, "holdingsRecordId": holdings, "discoverySuppress": true, "barcode": barcode,
                "itemLevelCallNumber": call_number, "status": {"name": settings.needed("item.status.name")?},
                "materialType": {"id": named("item.material.type.name").await?},
                "permanentLoanType": {"id": named("item.perm.loan.type.name").await?},
                "permanentLocation": {"id": named("item.perm.location.code").await?},
            }),
        ),
    ];
    let request = json!({
        "requestType": "Page", "requestLevel": "Item", "requestDate": library.now(), "itemId": item,
        "instanceId": instance, "holdingsRecordId": holdings,
        "fulfillmentPreference": settings.needed("request.accept.fulfillment_preference")?,
    });
    Ok(Records { made, request })
}

/// The request; if anything is refused, nothing is left of the records.
async fn make(library: &Library<'_>, records: Records, user: &Value, point: &str) -> Result<Value, String> {
    let Records { made, mut request } = records;
    request["requesterId"] = user["id"].clone();
    request["pickupServicePointId"] = json!(point);
    let steps = made.iter().map(|(path, record)| (*path, record));
    let mut answered = Ok(Value::Null);
    let mut done = 0;
    for (path, record) in steps.chain([("/circulation/requests", &request)]) {
        answered = library.post(path, record).await;
        if answered.is_err() {
            break;
        }
        done += 1;
    }
    if answered.is_err() {
        for (path, record) in made.iter().take(done).rev() {
            let path = format!("{path}/{}", record["id"].as_str().unwrap_or_default());
            if let Err(why) = library.call(Method::Delete, &path, &[], None).await {
                tracing::error!(path, why, "a record of an item that was not accepted is left");
            }
        }
    }
    answered
}
