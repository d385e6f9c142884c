//! The permissions of enabled modules become records of mod-permissions, as Okapi's `_tenantPermissions` call does it.
//!
//! A name that a permission contains but that nobody has defined becomes a dummy, until somebody does. Those of a module that
//! is gone stay, deprecated, so that nobody loses them by a module's absence.

use octavo_engine::{Context, announce, follow_ups};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::records::PERMISSION;
use crate::facts::{FACTS, ModuleFacts, Permission};

/// Called after a module was enabled; when that is mod-permissions itself, for all that were enabled before.
pub async fn register(context: &Context, module: &ModuleFacts) -> Outcome<()> {
    let tenant = &context.tenant;
    if !tenant.has("mod-permissions") {
        return Ok(());
    }
    let all = module.name == "mod-permissions";
    let modules: Vec<&ModuleFacts> = FACTS
        .modules
        .values()
        .filter(|other| other.name == module.name || (all && tenant.has(other.name)))
        .collect();
    let permissions = || modules.iter().flat_map(|module| &module.permissions);
    let names: Vec<String> = permissions().map(|permission| permission.name.to_owned()).collect();
    let mut session = context.session().await?;
    if let Some(row) = session.rows(Statement::new(COLLIDING).texts(names)).await?.first() {
        let name = row.text(0);
        return Err(Fault::bad_request(format!(
            "PermissionName collision with user-defined permission: {name}"
        )));
    }
    let records: Vec<Value> = modules
        .iter()
        .flat_map(|module| module.permissions.iter().map(|permission| record(context, module, permission)))
        .collect();
    let dummies: Vec<Value> = permissions()
        .flat_map(|permission| &permission.sub_permissions)
        .map(|name| dummy(context, name))
        .collect();
    let mut changes = vec![
        Statement::new(DEFINE).text(Value::Array(records).to_string()),
        Statement::new(NAME).text(Value::Array(dummies).to_string()),
    ];
    changes.extend(permissions().filter(|permission| !permission.replaces.is_empty()).map(|permission| {
        let replaced = permission.replaces.iter().map(|name| (*name).to_owned()).collect();
        Statement::new(REPLACE).text(permission.name).texts(replaced)
    }));
    changes.extend(follow_ups(context, &PERMISSION, Uuid::nil()));
    session.transaction(changes).await?;
    announce(context, &PERMISSION, Uuid::nil());
    Ok(())
}

/// Called after a module was disabled.
pub async fn retire(context: &Context, module: &ModuleFacts) -> Outcome<()> {
    if !context.tenant.has("mod-permissions") || module.name == "mod-permissions" {
        return Ok(());
    }
    let mut session = context.session().await?;
    session.rows(Statement::new(RETIRE).text(module.name)).await?;
    Ok(())
}

fn record(context: &Context, module: &ModuleFacts, permission: &Permission) -> Value {
    let mut record = dummy(context, permission.name);
    record["subPermissions"] = json!(permission.sub_permissions);
    record["visible"] = json!(permission.visible);
    record["dummy"] = json!(false);
    record["moduleName"] = json!(module.name);
    record["moduleVersion"] = json!(module.version);
    record
}

fn dummy(context: &Context, name: &str) -> Value {
    let now = context.now_text();
    json!({
        "id": context.fresh_id(),
        "permissionName": name,
        "displayName": name,
        "subPermissions": [],
        "tags": [],
        "mutable": false,
        "visible": false,
        "dummy": true,
        "deprecated": false,
        "metadata": {"createdDate": now, "updatedDate": now},
    })
}

const COLLIDING: &str = "\
select \"permissionName\"
from permissions
where \"permissionName\" = any($1) and mutable = 'true' and dummy = 'false'";

// The permission keeps its id, and with it whatever refers to it.
const DEFINE: &str = "\
insert into permissions as p (id, doc)
select (d ->> 'id')::uuid, d
from jsonb_array_elements($1::text::jsonb) d
on conflict (\"permissionName\") do update
set doc = excluded.doc::jsonb || jsonb_build_object('id', p.id)";
const NAME: &str = "\
insert into permissions (id, doc)
select (d ->> 'id')::uuid, d
from jsonb_array_elements($1::text::jsonb) d
on conflict do nothing";

/// Who held a permission that a new one replaces, holds the new one too.
const REPLACE: &str = "\
update permissions_users
set doc = jsonb_set(doc::jsonb, '{permissions}', (doc -> 'permissions')::jsonb || to_jsonb($1::text))
where (doc -> 'permissions')::jsonb ?| $2::text[] and not (doc -> 'permissions')::jsonb ? $1";
const RETIRE: &str = "\
update permissions
set doc = doc::jsonb || jsonb_build_object('deprecated', true, 'displayName', '(deprecated) ' || (doc ->> 'displayName'))
where \"moduleName\" = $1 and deprecated = 'false'";
