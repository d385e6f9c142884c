//! `CheckInItem`: an item comes back to the service point that the library has set for the agency.

use octavo_kernel::Xml;
use serde_json::json;

use super::{item_barcode, sender};
use crate::agency::Settings;
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words::{self, element, optional_leaf};

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let barcode = item_barcode(message)?;
    let agency = sender(message)?;
    let settings = Settings::load(library, agency).await?;
    let body = json!({
        "itemBarcode": barcode, "checkInDate": library.now(),
        "servicePointId": settings.id(library, "checkin.service.point.code").await?,
    });
    let checked_in = library.post("/circulation/check-in-by-barcode", &body).await?;
    let mut xml = Xml::default();
    words::id_element(&mut xml, "Item", Some(agency), "Item Barcode", barcode);
    // The patron who had the item on loan, if it was lent.
    if let Some(patron) = checked_in["loan"]["borrower"]["barcode"].as_str() {
        words::id_element(&mut xml, "User", Some(agency), "User Barcode", patron);
    }
    if message.wishes("ItemElementType", "Bibliographic Description") {
        element(&mut xml, "ItemOptionalFields", |xml| {
            element(xml, "BibliographicDescription", |xml| {
                optional_leaf(xml, "Author", checked_in["item"]["primaryContributor"].as_str());
                optional_leaf(xml, "Title", checked_in["item"]["title"].as_str());
            });
        });
    }
    Ok(xml)
}
