//! `RequestItem`: a patron of another library asks for an item, or for any of a title, named by its human-readable number (hrid).

use octavo_cql::quote_term;
use octavo_kernel::Xml;
use serde_json::{Value, json};

use super::items::ItemIds;
use super::patron::{find, id};
use super::{PICKUP, REQUEST, items, sender, user_number};
use crate::agency::{Settings, service_point};
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words::{self, element, leaf, optional_leaf};

const RECORD: &[&str] = &["BibliographicId", "BibliographicRecordId", "BibliographicRecordIdentifier"];
const TYPES: &[&str] = &["Page", "Hold", "Recall"];

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let number = user_number(message)?;
    let hrid = message.text(RECORD).ok_or(Failure::Input("Item id missing"))?;
    let kind = message.text(&["RequestType"]).ok_or(Failure::Input("Request type missing"))?;
    message.text(REQUEST).ok_or(Failure::Input("Request ID Missing"))?;
    let agency = sender(message)?;
    let settings = Settings::load(library, agency).await?;
    let user = find(library, number).await?;
    let kind = TYPES.iter().find(|known| known.eq_ignore_ascii_case(kind)).unwrap_or(&"Page");
    let whole_title =
        message.text(&["RequestScopeType"]).is_some_and(|scope| scope.to_lowercase().contains("title"));
    let mut request = match whole_title {
        true => title_request(library, hrid).await?,
        false => item_request(library, hrid).await?,
    };
    request["requestType"] = json!(kind);
    request["requesterId"] = user["id"].clone();
    request["requestDate"] = json!(library.now());
    request["fulfillmentPreference"] = json!(settings.require("request.fulfillment_preference")?);
    request["pickupServicePointId"] = json!(match message.text(PICKUP) {
        Some(code) => service_point(library, code).await?,
        None => settings.id(library, "checkout.service.point.code").await?,
    });
    let request = library.post("/circulation/requests", &request).await?;
    Ok(response_xml(&request, number, agency, whole_title))
}

async fn title_request(library: &Library<'_>, hrid: &str) -> Result<Value, String> {
    let title =
        library.first("/inventory/instances", "instances", &format!("hrid=={}", quote_term(hrid))).await?;
    let title = title.ok_or("Problem occurred while fetching item")?;
    Ok(json!({"requestLevel": "Title", "instanceId": title["id"]}))
}

async fn item_request(library: &Library<'_>, hrid: &str) -> Result<Value, String> {
    let place = items::find(library, &format!("hrid=={}", quote_term(hrid))).await?;
    let ItemIds { instance, holdings, item } = place.ok_or("Problem occurred while fetching item")?;
    Ok(json!({
        "requestLevel": "Item", "itemId": item, "holdingsRecordId": holdings, "instanceId": instance,
    }))
}

fn response_xml(request: &Value, number: &str, agency: &str, whole_title: bool) -> Xml {
    let mut xml = Xml::default();
    words::id_element(&mut xml, "Request", Some(agency), "Request Id", id(request));
    let item = &request["item"];
    if let Some(barcode) = item["barcode"].as_str() {
        words::id_element(&mut xml, "Item", Some(agency), "Item Barcode", barcode);
    }
    words::id_element(&mut xml, "User", Some(agency), "User Barcode", number);
    leaf(&mut xml, "RequestType", request["requestType"].as_str().unwrap_or_default());
    leaf(&mut xml, "RequestScopeType", if whole_title { "Title" } else { "Item" });
    if item.is_object() {
        element(&mut xml, "ItemOptionalFields", |xml| {
            element(xml, "ItemDescription", |xml| {
                optional_leaf(xml, "CallNumber", item["callNumber"].as_str());
            });
            element(xml, "Location", |xml| {
                leaf(xml, "LocationType", "Item");
                element(xml, "LocationName", |xml| {
                    for (level, name) in [("3", "libraryName"), ("4", "name")] {
                        element(xml, "LocationNameInstance", |xml| {
                            leaf(xml, "LocationNameLevel", level);
                            leaf(
                                xml,
                                "LocationNameValue",
                                item["location"][name].as_str().unwrap_or_default(),
                            );
                        });
                    }
                });
            });
        });
    }
    element(&mut xml, "UserOptionalFields", |xml| {
        words::id_element(xml, "User", None, "uuid", request["requesterId"].as_str().unwrap_or_default());
    });
    xml
}
