//! Which modules a tenant has: those that are built in by their names; user interfaces and modules outside of the process by ids with
//! versions, one of each product.

use std::sync::Arc;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Statement, Usage};

use super::{ChangeKind, Tenants, notify_statement};

/// A module as it is stored in the list of a tenant's enabled modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnabledModule<'a> {
    BuiltIn(&'a str),
    UserInterface { product: &'a str, id: &'a str },
    Outside { product: &'a str, id: &'a str },
}

impl EnabledModule<'_> {
    fn product(&self) -> &str {
        match self {
            EnabledModule::BuiltIn(product)
            | EnabledModule::UserInterface { product, .. }
            | EnabledModule::Outside { product, .. } => product,
        }
    }

    fn enable_statement(&self, tenant: &TenantId) -> Statement {
        let (change, id) = match self {
            EnabledModule::BuiltIn(_) => (ENABLE, None),
            EnabledModule::UserInterface { id, .. } => (ENABLE_USER_INTERFACE, Some(*id)),
            EnabledModule::Outside { id, .. } => (ENABLE_OUTSIDE, Some(*id)),
        };
        let change = Statement::new(change).text(tenant.as_str()).text(self.product());
        match id {
            Some(id) => change.text(id),
            None => change,
        }
    }

    fn disable_statement(&self, tenant: &TenantId) -> Statement {
        let change = match self {
            EnabledModule::BuiltIn(_) => DISABLE,
            EnabledModule::UserInterface { .. } => DISABLE_USER_INTERFACE,
            EnabledModule::Outside { .. } => DISABLE_OUTSIDE,
        };
        Statement::new(change).text(tenant.as_str()).text(self.product())
    }
}

impl Tenants {
    /// Stores that the tenant has one module instead of another, in one transaction.
    pub async fn replace_module(
        &self,
        id: &TenantId,
        before: Option<EnabledModule<'_>>,
        after: Option<EnabledModule<'_>>,
    ) -> Outcome<()> {
        let mut changes: Vec<Statement> = Vec::with_capacity(3);
        changes.extend(before.map(|module| module.disable_statement(id)));
        changes.extend(after.map(|module| module.enable_statement(id)));
        changes.push(notify_statement(id, ChangeKind::TENANT));
        let mut session = self.database.system_session(Arc::<Usage>::default()).await?;
        session.transaction(changes).await?;
        self.invalidate(id);
        Ok(())
    }
}

const ENABLE: &str = "\
insert into octavo.enabled_modules (tenant, module) values ($1, $2)
on conflict do nothing";
const DISABLE: &str = "delete from octavo.enabled_modules where tenant = $1 and module = $2";
const ENABLE_USER_INTERFACE: &str = "\
insert into octavo.enabled_user_interfaces (tenant, product, id) values ($1, $2, $3)
on conflict (tenant, product) do update set id = excluded.id";
const DISABLE_USER_INTERFACE: &str =
    "delete from octavo.enabled_user_interfaces where tenant = $1 and product = $2";
const ENABLE_OUTSIDE: &str = "\
insert into octavo.enabled_outside_modules (tenant, product, id) values ($1, $2, $3)
on conflict (tenant, product) do update set id = excluded.id";
const DISABLE_OUTSIDE: &str = "delete from octavo.enabled_outside_modules where tenant = $1 and product = $2";

octavo_pg::statements!(
    other =
        [ENABLE, DISABLE, ENABLE_USER_INTERFACE, DISABLE_USER_INTERFACE, ENABLE_OUTSIDE, DISABLE_OUTSIDE,]
);
