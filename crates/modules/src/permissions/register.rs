//! The permissions of enabled modules become records of mod-permissions, as Okapi's `_tenantPermissions` call does it.

use octavo_engine::{Context, bulk_insert};
use octavo_kernel::Outcome;
use serde_json::{Value, json};

use super::PERMISSION;
use crate::facts::{FACTS, ModuleFacts, Permission};

/// Called after a module was enabled; when that is mod-permissions itself, for all that were enabled before.
pub async fn register(context: &Context, module: &ModuleFacts) -> Outcome<()> {
    let tenant = &context.tenant;
    if !tenant.has("mod-permissions") {
        return Ok(());
    }
    let all = module.name == "mod-permissions";
    let modules =
        FACTS.modules.values().filter(|other| other.name == module.name || (all && tenant.has(other.name)));
    let records: Vec<Value> = modules
        .flat_map(|module| module.permissions.iter().map(|permission| record(module, permission)))
        .collect();
    let mut session = context.session().await?;
    bulk_insert(context, &mut session, &PERMISSION, records).await?;
    Ok(())
}

fn record(module: &ModuleFacts, permission: &Permission) -> Value {
    json!({
        "permissionName": permission.name,
        "displayName": permission.name,
        "subPermissions": permission.sub_permissions,
        "childOf": [],
        "grantedTo": [],
        "tags": [],
        "mutable": false,
        "visible": permission.visible,
        "dummy": false,
        "deprecated": false,
        "moduleName": module.name,
        "moduleVersion": module.version,
    })
}
