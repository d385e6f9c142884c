//! Which modules a tenant has: those that are built in by their names; user interfaces and modules outside of the process by ids with
//! versions, one of each product.

use std::sync::Arc;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Statement, Usage};

use super::{Change, Tenants, notify};

/// A module as it is written down for a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enabled<'a> {
    BuiltIn(&'a str),
    UserInterface { product: &'a str, id: &'a str },
    Outside { product: &'a str, id: &'a str },
}

impl Enabled<'_> {
    fn product(&self) -> &str {
        match self {
            Enabled::BuiltIn(product)
            | Enabled::UserInterface { product, .. }
            | Enabled::Outside { product, .. } => product,
        }
    }

    fn on(&self, tenant: &TenantId) -> Statement {
        let (change, id) = match self {
            Enabled::BuiltIn(_) => (ENABLE, None),
            Enabled::UserInterface { id, .. } => (ENABLE_USER_INTERFACE, Some(*id)),
            Enabled::Outside { id, .. } => (ENABLE_OUTSIDE, Some(*id)),
        };
        let change = Statement::new(change).text(tenant.as_str()).text(self.product());
        match id {
            Some(id) => change.text(id),
            None => change,
        }
    }

    fn off(&self, tenant: &TenantId) -> Statement {
        let change = match self {
            Enabled::BuiltIn(_) => DISABLE,
            Enabled::UserInterface { .. } => DISABLE_USER_INTERFACE,
            Enabled::Outside { .. } => DISABLE_OUTSIDE,
        };
        Statement::new(change).text(tenant.as_str()).text(self.product())
    }
}

impl Tenants {
    /// Writes down that the tenant no longer has one module and has another, in one step.
    pub async fn exchange(
        &self,
        id: &TenantId,
        before: Option<Enabled<'_>>,
        after: Option<Enabled<'_>>,
    ) -> Outcome<()> {
        let mut changes: Vec<Statement> = Vec::with_capacity(3);
        changes.extend(before.map(|module| module.off(id)));
        changes.extend(after.map(|module| module.on(id)));
        changes.push(notify(id, Change::TENANT));
        let mut session = self.database.system(Arc::<Usage>::default()).await?;
        session.transaction(changes).await?;
        self.forget(id);
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
