//! The request preference that comes with a user: where they usually pick up what they request.

use octavo_engine::{Context, create, delete, replace};
use octavo_modules_base::circulation_records::REQUEST_PREFERENCE;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::names::Names;
use super::reason::reason;

/// Stores the preference of a user. One that was not sent is deleted, unless it is to be kept. The error is for the report.
pub(super) async fn store(
    context: &Context,
    names: &Names,
    user_id: Uuid,
    user: &Value,
    sent: Option<Value>,
    keep: bool,
) -> Result<(), String> {
    let mut session = context.session().await.map_err(|fault| reason(&fault))?;
    let known = session.read(Statement::new(OF_USER).uuid(user_id)).await;
    let known: Option<Uuid> = known.map_err(|error| reason(&error.into()))?;
    let Some(sent) = sent.filter(|sent| !sent.is_null()) else {
        if let Some(id) = known.filter(|_| !keep) {
            let gone = delete(context, &mut session, &REQUEST_PREFERENCE, id).await;
            gone.map_err(|fault| format!("Failed to delete user preference.: {}", reason(&fault)))?;
        }
        return Ok(());
    };
    let checked = validate(names, user, sent);
    let mut preference = checked.map_err(|why| format!("User Preference validation failed: {why}"))?;
    preference["userId"] = json!(user_id);
    if let Some(id) = known {
        preference["id"] = json!(id);
        let stored = replace(context, &mut session, &REQUEST_PREFERENCE, id, preference).await;
        stored.map_err(|fault| format!("Failed to update user preference.: {}", reason(&fault)))?;
    } else {
        let stored = create(context, &mut session, &REQUEST_PREFERENCE, preference).await;
        stored.map_err(|fault| format!("Failed to create new user preference.: {}", reason(&fault)))?;
    }
    Ok(())
}

/// The preference with the id of the address type that it names.
fn validate(names: &Names, user: &Value, mut preference: Value) -> Result<Value, String> {
    let text = |member: &str| preference[member].as_str();
    if text("defaultServicePointId").is_some_and(|id| !names.is_service_point(id)) {
        return Err("Provided defaultServicePointId value does not exist in service point collection".into());
    }
    if preference["delivery"] != true {
        let set =
            ["fulfillment", "defaultDeliveryAddressTypeId"].into_iter().find(|name| text(name).is_some());
        return match set {
            Some(name) => Err(format!("{name} must be not specified")),
            None => Ok(preference),
        };
    }
    text("fulfillment").ok_or("fulfillment must not be null")?;
    let name = text("defaultDeliveryAddressTypeId").ok_or("defaultDeliveryAddressTypeId must not be null")?;
    let unknown = |place| format!("Provided defaultDeliveryAddressTypeId value does not exist in {place}");
    let id = names.address_type(name).ok_or_else(|| unknown("addresses collection"))?;
    let mut addresses = user["personal"]["addresses"].as_array().into_iter().flatten();
    if !addresses.any(|address| address["addressTypeId"] == id) {
        return Err(unknown("user addresses collection"));
    }
    preference["defaultDeliveryAddressTypeId"] = json!(id);
    Ok(preference)
}

const OF_USER: &str = "select id from user_request_preference where \"userId\" = $1";

octavo_pg::statements!(other = [OF_USER]);
