//! Records that were added to the demo library since its first release. An existing data folder gets them at the next start.

use anyhow::Result;
use octavo_engine::{Context, bulk_insert};
use octavo_modules::okapi::{enable_user_interface, seed};
use octavo_modules::permissions::PERMISSION_USER;
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::fault_to_error;

/// The version of the additions. It is raised when records are added. Existing records are left as they are.
pub(super) const ADDITIONS_VERSION: &str = "1";

pub(super) async fn add_records(context: &Context) -> Result<()> {
    add_permission_users(context).await?;
    add_user_interfaces(context).await
}

/// FOLIO's user editor expects a record of permissions for everybody, be it an empty one.
async fn add_permission_users(context: &Context) -> Result<()> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let without: Vec<Uuid> = session.read(Statement::new(WITHOUT_PERMISSIONS)).await?;
    let records = without.iter().map(|id| json!({"userId": id, "permissions": []})).collect();
    bulk_insert(context, &mut session, &PERMISSION_USER, records).await.map_err(fault_to_error)?;
    Ok(())
}

/// The descriptors of the desk's apps in FOLIO's platform-complete R1-2024-csp-11: a bundle of them finds their permissions.
async fn add_user_interfaces(context: &Context) -> Result<()> {
    for descriptor in seed::records("demo/user-interfaces.json").map_err(fault_to_error)? {
        let id = descriptor["id"].as_str().unwrap_or_default().to_owned();
        match enable_user_interface(context, descriptor).await {
            // A permission of this name is already used by the library itself.
            Err(fault) if fault.status < 500 => {
                tracing::warn!(%id, %fault, "the demo library goes without this user interface");
            }
            outcome => outcome.map_err(fault_to_error)?,
        }
    }
    Ok(())
}

const WITHOUT_PERMISSIONS: &str = "\
select id
from users u
where not exists (select from permissions_users p where p.\"userId\" = u.id)
order by id";
