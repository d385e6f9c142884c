//! The permissions of enabled modules become records of mod-permissions, as Okapi's `_tenantPermissions` call does it.
//!
//! If a permission contains a name that is not defined, a dummy with that name is stored until a module defines it. The permissions of a
//! removed module stay and are marked as deprecated, so that users who hold them do not lose them.

use octavo_engine::{Context, invalidate_caches, notify_statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::{FACTS, ModuleFacts, Permission};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::records::PERMISSION;

/// The permission to change the tenant's timers. Only administrators have it, and those to whom an operator or administrator gives it.
pub(crate) const OWN_TIMERS: &str = "okapi.proxy.self.timers.patch";

/// Registers the permissions of a module before it is enabled. If the module is mod-permissions itself, registers those of all modules that
/// were enabled before, and of the tenant's user interfaces.
pub(crate) async fn register_permissions(
    context: &Context,
    module: &ModuleFacts<'_>,
    user_interfaces: &[ModuleFacts<'_>],
) -> Outcome<()> {
    let tenant = &context.tenant;
    if module.name != "mod-permissions" {
        return match tenant.has_module("mod-permissions") {
            true => define_permissions(context, &[module]).await,
            false => Ok(()),
        };
    }
    let enabled = FACTS.all().filter(|other| other.name == module.name || tenant.has_module(other.name));
    let modules: Vec<&ModuleFacts<'_>> = enabled.chain(user_interfaces).collect();
    define_permissions(context, &modules).await
}

pub(super) async fn define_permissions(context: &Context, modules: &[&ModuleFacts<'_>]) -> Outcome<()> {
    let permissions = || {
        modules
            .iter()
            .flat_map(|module| module.permissions.iter().map(move |permission| (module, permission)))
    };
    let names: Vec<String> = permissions().map(|(_, permission)| permission.name.to_owned()).collect();
    let owners = permissions().map(|(module, _)| owners(module)).collect();
    let mut session = context.session().await?;
    let collision: Option<(String, String, String)> =
        session.read(Statement::new(COLLIDING).texts(names).texts(owners)).await?;
    if let Some((name, made_by_user, before)) = collision {
        return Err(Fault::bad_request(match made_by_user.as_str() {
            "true" => format!("PermissionName collision with user-defined permission: {name}"),
            _ => format!("Collision! A Permission named {name} is already defined: {before}"),
        }));
    }
    let records: Value =
        permissions().map(|(module, permission)| permission_record(context, module, permission)).collect();
    let dummies: Value = permissions()
        .flat_map(|(_, permission)| &permission.sub_permissions)
        .map(|name| dummy_record(context, name))
        .collect();
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut changes = vec![Statement::new(ONE_BY_ONE)];
    changes.extend(permissions().filter(|(_, permission)| !permission.replaces.is_empty()).map(
        |(module, permission)| {
            Statement::new(REPLACE).text(permission.name).texts(texts(&permission.replaces)).text(module.name)
        },
    ));
    changes.push(Statement::new(DEFINE).text(records.to_string()));
    changes.push(Statement::new(NAME).text(dummies.to_string()));
    for module in modules {
        let names: Vec<&str> = module.permissions.iter().map(|permission| permission.name).collect();
        changes.push(Statement::new(RETIRE).text(module.name).texts(texts(&names)));
        changes.push(Statement::new(GIVE).texts(texts(&outermost_permissions(module))).text(OWN_TIMERS));
    }
    changes.extend(notify_statements(context, &PERMISSION, Uuid::nil()));
    session.transaction(changes).await?;
    invalidate_caches(context, &PERMISSION, Uuid::nil());
    Ok(())
}

/// The products whose permissions a module may define: its own and those whose place it takes.
fn owners(module: &ModuleFacts<'_>) -> String {
    [module.name].iter().chain(&module.replaces).copied().collect::<Vec<_>>().join(",")
}

/// Marks the permissions of a module as deprecated after it was disabled.
pub(crate) async fn deprecate_permissions(context: &Context, module: &ModuleFacts<'_>) -> Outcome<()> {
    if !context.tenant.has_module("mod-permissions") || module.name == "mod-permissions" {
        return Ok(());
    }
    let mut session = context.session().await?;
    session.rows(Statement::new(RETIRE).text(module.name).texts(Vec::new())).await?;
    Ok(())
}

/// The module's permissions that no other of its permissions contains, except the operator's and the roles.
fn outermost_permissions<'a>(module: &ModuleFacts<'a>) -> Vec<&'a str> {
    let declared = || module.permissions.iter().filter(|permission| !permission.is_role());
    let contained = |name| {
        let mut others = declared().filter(|other| other.name != name);
        others.any(|other| other.sub_permissions.contains(&name))
    };
    let names = declared().map(|permission| permission.name);
    names.filter(|name| !name.starts_with("okapi.") && !contained(name)).collect()
}

fn permission_record(context: &Context, module: &ModuleFacts<'_>, permission: &Permission<'_>) -> Value {
    let mut record = dummy_record(context, permission.name);
    record["displayName"] = json!(permission.display_name);
    record["subPermissions"] = json!(permission.sub_permissions);
    record["visible"] = json!(permission.visible);
    record["dummy"] = json!(false);
    record["moduleName"] = json!(module.name);
    record["moduleVersion"] = json!(module.version);
    record
}

fn dummy_record(context: &Context, name: &str) -> Value {
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

/// Finds those of the names that a user, or another module that is still enabled, has already given to a permission.
const COLLIDING: &str = "\
select p.\"permissionName\", p.mutable, p.doc::text
from unnest($1::text[], $2::text[]) d (name, module)
join permissions p on p.\"permissionName\" = d.name
where p.dummy = 'false'
and (
  p.mutable = 'true'
  or (p.deprecated = 'false' and not p.\"moduleName\" = any(string_to_array(d.module, ',')))
)";

/// Lets one module at a time define permissions: two at once would wait for each other's names.
const ONE_BY_ONE: &str = "lock table permissions in share row exclusive mode";

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

/// Gives a new permission to the users who hold a permission of the module which it replaces.
const REPLACE: &str = "\
update permissions_users
set doc = jsonb_set(doc::jsonb, '{permissions}', (doc -> 'permissions')::jsonb || to_jsonb($1::text))
where (doc -> 'permissions')::jsonb ?| (
  select coalesce(array_agg(\"permissionName\"), '{}')
  from permissions
  where \"permissionName\" = any($2) and \"moduleName\" = $3
)
and not (doc -> 'permissions')::jsonb ? $1
and not exists (select from permissions where \"permissionName\" = $1 and dummy = 'false')";
/// Marks the permissions as deprecated that the module no longer has.
const RETIRE: &str = "\
update permissions
set doc = doc::jsonb || jsonb_build_object('deprecated', true, 'displayName', '(deprecated) ' || (doc ->> 'displayName'))
where \"moduleName\" = $1 and deprecated = 'false' and not \"permissionName\" = any($2)";

/// Gives new permissions to administrators. These are users who hold what only `octavo user create-administrator` gives, and who could give
/// themselves every permission anyway.
const GIVE: &str = "\
with recursive held (id, name) as (
  select u.id, p.name
  from permissions_users u, json_array_elements_text(u.doc -> 'permissions') p (name)
  where (u.doc -> 'permissions')::jsonb ? $2
  union
  select h.id, s.name
  from held h
  join permissions p on p.\"permissionName\" = h.name,
  json_array_elements_text(p.doc -> 'subPermissions') s (name)
)
update permissions_users u
set doc = jsonb_set(u.doc::jsonb, '{permissions}', (u.doc -> 'permissions')::jsonb || (
  select coalesce(jsonb_agg(n.name), '[]')
  from unnest($1::text[]) n (name)
  where not (u.doc -> 'permissions')::jsonb ? n.name
))
where not (u.doc -> 'permissions')::jsonb ?& $1
and 2 = (
  select count(*)
  from held h
  where h.id = u.id and h.name in ('perms.users.assign.immutable', 'perms.users.assign.mutable')
)";

octavo_pg::statements!(other = [COLLIDING, ONE_BY_ONE, DEFINE, NAME, REPLACE, RETIRE, GIVE]);
