//! Which modules publish events of a type and which subscribe to them: those that have declared themselves, and those that are built in.

use octavo_engine::{Request, Response, Tenant};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::built_in;
use super::ids::id_from_parts;
use super::role::Role;

/// A module that publishes events of a type or subscribes to them.
#[derive(Debug)]
pub(super) struct MessagingModule {
    id: Uuid,
    event_type: String,
    pub(super) module: String,
    role: Role,
    callback: String,
}

impl MessagingModule {
    fn to_json(&self, tenant: &Tenant) -> Value {
        json!({
            "id": self.id,
            "eventType": self.event_type,
            "moduleId": self.module,
            "tenantId": tenant.id.as_str(),
            "moduleRole": self.role.as_str(),
            "activated": true,
            "subscriberCallback": self.callback,
        })
    }
}

/// The modules of an event type: those that have declared themselves, and those that are built in.
pub(super) async fn modules_of_type(
    session: &mut Session,
    tenant: &Tenant,
    event_type: &str,
    role: Option<Role>,
) -> Outcome<Vec<MessagingModule>> {
    let of_type = Statement::new(OF_TYPE).text(event_type).maybe_text(role.map(Role::as_str));
    let rows: Vec<(Uuid, String, String, Option<String>)> = session.read(of_type).await?;
    let mut modules: Vec<MessagingModule> = rows
        .into_iter()
        .filter_map(|(id, module, role, callback)| {
            let role = Role::read(&role)?;
            let (event_type, callback) = (event_type.to_owned(), callback.unwrap_or_default());
            Some(MessagingModule { id, event_type, module, role, callback })
        })
        .collect();
    for declared in built_in::declarations_of_tenant(tenant) {
        let is_listed =
            modules.iter().any(|known| known.module == declared.module && known.role == declared.role);
        if declared.event_type == event_type && role.is_none_or(|role| role == declared.role) && !is_listed {
            modules.push(MessagingModule {
                id: id_from_parts(&[&declared.module, declared.role.as_str(), event_type]),
                event_type: event_type.to_owned(),
                module: declared.module,
                role: declared.role,
                callback: declared.callback.to_owned(),
            });
        }
    }
    Ok(modules)
}

pub(super) async fn list(request: Request, role: Role) -> Outcome<Response> {
    let tenant = &request.context.tenant;
    let mut session = request.context.session().await?;
    let found = modules_of_type(&mut session, tenant, request.path_parameter(0), Some(role)).await?;
    let found: Vec<Value> = found.iter().map(|module| module.to_json(tenant)).collect();
    Ok(Response::json(200, &json!({"messagingModules": found, "totalRecords": found.len()})))
}

/// Whether a module has declared that it publishes events of a type.
pub(super) async fn publishes(
    session: &mut Session,
    tenant: &Tenant,
    module: &str,
    event_type: &str,
) -> Outcome<bool> {
    let found = modules_of_type(session, tenant, event_type, Some(Role::Publisher)).await?;
    Ok(found.iter().any(|publisher| publisher.module == module))
}

const OF_TYPE: &str = "\
select id, module, role, callback
from pubsub_module
where event_type = $1 and ($2::text is null or role = $2)
order by module, role";

octavo_pg::statements!(other = [OF_TYPE]);
