//! The patron of a transaction: the library's own, or that of another library, as a user of the type `dcb`.

use octavo_engine::{Context, Snapshot, create, replace};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::user_records::{GROUP, USER};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{refused, to_dcb_fault, unknown};
use super::transactions::Patron;

/// A user of the library.
pub(super) async fn find_own(context: &Context, patron: &Patron) -> Outcome<Value> {
    let session = &mut context.session().await?;
    let user = find(session, patron).await?.ok_or_else(|| unknown_user(patron))?;
    if user["type"] == "dcb" {
        return Err(wrong_type(&user));
    }
    Ok(user)
}

/// Refuses the patron of a transaction if there is no such user.
pub(super) async fn check_known(context: &Context, patron: &Patron) -> Outcome<()> {
    find(&mut context.session().await?, patron).await?.map(drop).ok_or_else(|| unknown_user(patron))
}

/// A user whom another library sends, made if need be and put into the group that the hub names.
pub(super) async fn find_or_create_visitor(context: &Context, patron: &Patron) -> Outcome<Value> {
    let snapshot = context.snapshot().await?;
    let session = &mut context.session().await?;
    let user = find(session, patron).await?;
    if let Some(user) = user.as_ref().filter(|user| user["type"] != "dcb" && user["type"] != "shadow") {
        return Err(wrong_type(user));
    }
    let group = group(&snapshot, patron)?;
    match user {
        None => {
            let user = json!({
                "id": patron.id, "barcode": patron.barcode, "type": "dcb", "active": true, "patronGroup": group,
                "personal": {"lastName": "DcbSystem"},
            });
            match create(context, session, &USER, user).await {
                Ok(made) => Ok(made),
                // Another transaction may have made it since.
                Err(fault) => find(session, patron).await?.ok_or_else(|| to_dcb_fault(fault)),
            }
        }
        Some(mut user) if user["patronGroup"] != json!(group) => {
            user["patronGroup"] = json!(group);
            let id = patron.id.unwrap_or_default();
            replace(context, session, &USER, id, user).await.map_err(to_dcb_fault)
        }
        Some(user) => Ok(user),
    }
}

fn unknown_user(patron: &Patron) -> Fault {
    let barcode = patron.barcode.as_deref().unwrap_or("null");
    let id = patron.id.map_or_else(|| "null".to_owned(), |id| id.to_string());
    unknown(format!("Unable to find existing user with barcode {barcode} and id {id}."))
}

fn wrong_type(user: &Value) -> Fault {
    let kind = user["type"].as_str().unwrap_or("null");
    refused(format!("User with type {kind} is retrieved. so unable to create transaction"))
}

fn group(snapshot: &Snapshot, patron: &Patron) -> Outcome<Uuid> {
    let name = patron.group.as_deref().unwrap_or("null");
    let found = snapshot.all(&GROUP).find(|(_, group)| group["group"] == name).map(|(id, _)| *id);
    found.ok_or_else(|| unknown(format!("Patron group not found with name {name} ")))
}

async fn find(session: &mut Session, patron: &Patron) -> Outcome<Option<Value>> {
    let barcode = patron.barcode.as_deref().unwrap_or_default();
    Ok(session.read(Statement::new(FIND).maybe_uuid(patron.id).text(barcode)).await?)
}

const FIND: &str = "select doc::text from users where id = $1 and barcode = octavo.fold($2)";

octavo_pg::statements!(hot = [FIND]);
