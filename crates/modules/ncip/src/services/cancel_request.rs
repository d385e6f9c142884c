//! `CancelRequestItem`: a request that was placed by a message, named by the id that the answer gave it, is withdrawn.

use octavo_engine::Method;
use octavo_kernel::Xml;
use serde_json::json;
use uuid::Uuid;

use super::patron::find;
use super::{REQUEST, sender, user_number};
use crate::agency::Settings;
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words;

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let number = user_number(message)?;
    let id = message.text(REQUEST).ok_or(Failure::Input("Request ID Missing"))?;
    let agency = sender(message)?;
    let user = find(library, number).await?;
    let settings = Settings::load(library, agency).await?;
    let reason = settings.id(library, "cancel.request.reason.name").await?;
    // Only a UUID is put into a path.
    let known = Uuid::parse_str(id).map_err(|_| "Request not found".to_owned())?;
    let path = format!("/circulation/requests/{known}");
    let mut request = library.get(&path).await?;
    request["status"] = json!("Closed - Cancelled");
    request["cancelledByUserId"] = user["id"].clone();
    request["cancellationReasonId"] = json!(reason);
    request["cancellationAdditionalInformation"] = json!("NCIP cancel");
    request["cancelledDate"] = json!(library.now());
    library.call(Method::Put, &path, &[], Some(&request)).await?;
    let mut xml = Xml::default();
    words::id_element(&mut xml, "Request", Some(agency), "Request Id", id);
    let item = request["item"]["barcode"].as_str().or(request["itemId"].as_str());
    if let Some(item) = item {
        words::id_element(&mut xml, "Item", Some(agency), "Item Barcode", item);
    }
    words::id_element(&mut xml, "User", Some(agency), "User Barcode", number);
    Ok(xml)
}
