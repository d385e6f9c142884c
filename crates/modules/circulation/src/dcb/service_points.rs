//! The pickup service point of another library: a service point here, made when it is first named.

use octavo_engine::{Context, create};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::SERVICE_POINT;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::of;
use super::transactions::Pickup;
use crate::calendar::assign;

pub(super) const CALENDAR_NAME: &str = "DCB Calendar";

/// The id of the service point that stands for a pickup place of another library.
pub(super) async fn elsewhere(context: &Context, pickup: &Pickup) -> Outcome<Uuid> {
    let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
    let name = format!("DCB_{}_{}", word(&pickup.library_code), word(&pickup.service_point_name));
    let snapshot = context.snapshot().await?;
    let is_called =
        |point: &Value| point["name"].as_str().is_some_and(|it| it.to_lowercase() == name.to_lowercase());
    let known = snapshot.all(&SERVICE_POINT).find(|(_, point)| is_called(point)).map(|(id, _)| *id);
    let id = match known {
        Some(id) => id,
        None => {
            let code: String = name.split_whitespace().collect::<String>().to_uppercase();
            let id = context.fresh_id();
            let session = &mut context.session().await?;
            create(context, session, &SERVICE_POINT, record(id, &name, &code)).await.map_err(of)?;
            id
        }
    };
    assign(context, CALENDAR_NAME, id).await?;
    Ok(id)
}

/// A service point at which the hold shelf keeps items for ten days.
pub(super) fn record(id: Uuid, name: &str, code: &str) -> Value {
    json!({
        "id": id,
        "name": name,
        "code": code,
        "discoveryDisplayName": name,
        "pickupLocation": true,
        "holdShelfExpiryPeriod": {"duration": 10, "intervalId": "Days"},
        "holdShelfClosedLibraryDateManagement": "Keep_the_current_due_date",
    })
}
