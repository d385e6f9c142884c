//! The pickup service point of another library: a service point here, made when it is first named.

use octavo_engine::{Context, create};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::SERVICE_POINT;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::to_dcb_fault;
use super::transactions::Pickup;
use crate::calendar::assign;

pub(super) const CALENDAR_NAME: &str = "DCB Calendar";

/// The id of the service point that stands for a pickup place of another library, found by its name. A new one has the id that the hub
/// names, unless another service point has it here.
pub(super) async fn find_or_create_pickup(context: &Context, pickup: &Pickup) -> Outcome<Uuid> {
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
            let named = pickup.service_point_id.as_deref().and_then(|id| Uuid::parse_str(id).ok());
            let is_free = |named: &Uuid| snapshot.all(&SERVICE_POINT).all(|(id, _)| id != named);
            let id = named.filter(is_free).unwrap_or_else(|| context.fresh_id());
            let session = &mut context.session().await?;
            match create(context, session, &SERVICE_POINT, record(id, &name, &code)).await {
                Ok(_) => id,
                // Another transaction may have made it since.
                Err(fault) => {
                    let made: Option<Uuid> = session.read(Statement::new(CALLED).text(&*name)).await?;
                    made.ok_or_else(|| to_dcb_fault(fault))?
                }
            }
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

const CALLED: &str = "select id from service_point where lower(doc ->> 'name') = lower($1)";

octavo_pg::statements!(other = [CALLED]);
