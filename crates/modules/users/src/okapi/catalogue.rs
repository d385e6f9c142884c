//! All modules that tenants can have: those that are built in, and those whose descriptors an operator has posted, which the database
//! stores: user interfaces, and modules outside of the process.

use std::collections::BTreeMap;
use std::sync::Arc;

use octavo_engine::{Platform, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, Kind, built_in, find_built_in};
use octavo_modules_base::outside;
use octavo_pg::{DbError, Session, Statement, Usage};

/// Modules by their ids.
pub(super) type Modules = BTreeMap<String, Arc<Descriptor>>;

/// The most user interfaces that are kept.
const MOST_USER_INTERFACES: i64 = 500;
/// The most modules outside of the process that are kept, and the most characters of all their descriptors.
const MOST_OUTSIDE: i64 = 2000;
const MOST_SIGNS: i64 = 32 << 20;

fn by_id(modules: impl Iterator<Item = Arc<Descriptor>>) -> Modules {
    modules.map(|module| (module.id.clone(), module)).collect()
}

pub(super) async fn all(platform: &Platform) -> Outcome<Modules> {
    let posted = load_descriptors(system_session(platform).await?, Statement::new(ALL)).await?;
    Ok(by_id(built_in().cloned().chain(posted)))
}

pub(super) async fn find(platform: &Platform, id: &str) -> Outcome<Option<Arc<Descriptor>>> {
    if let Some(known) = built_in().find(|module| module.id == id) {
        return Ok(Some(Arc::clone(known)));
    }
    let found = Statement::new(FIND).texts(vec![id.to_owned()]);
    Ok(load_descriptors(system_session(platform).await?, found).await?.pop())
}

/// The modules that a tenant has.
pub(crate) async fn of_tenant(platform: &Platform, tenant: &Tenant) -> Outcome<Modules> {
    let own = built_in().filter(|module| is_enabled(tenant, module)).cloned();
    let outside = outside::modules(tenant);
    let others = tenant.modules.iter().filter(|id| find_built_in(id).is_none());
    let unknown = others.filter(|id| !outside.iter().any(|module| module.id == **id));
    let ids: Vec<String> = unknown.cloned().collect();
    let user_interfaces = match ids.is_empty() {
        true => Vec::new(),
        false => load_descriptors(system_session(platform).await?, Statement::new(FIND).texts(ids)).await?,
    };
    Ok(by_id(own.chain(outside.iter().cloned()).chain(user_interfaces)))
}

pub(super) fn is_enabled(tenant: &Tenant, module: &Descriptor) -> bool {
    match module.kind() {
        Kind::BuiltIn => tenant.has_module(module.product()),
        Kind::UserInterface | Kind::Outside => tenant.has_module(&module.id),
    }
}

/// Stores all or none. A descriptor that exists already has to be equal.
pub(super) async fn insert_descriptors(platform: &Platform, posted: &[Descriptor]) -> Outcome<()> {
    let mut session = system_session(platform).await?;
    session.begin(Vec::new()).await?;
    for one in posted {
        let text = serde_json::to_string(one).map_err(Fault::internal)?;
        let add = match one.kind() {
            Kind::UserInterface => Statement::new(ADD).text(&one.id).text(text).long(MOST_USER_INTERFACES),
            _ => Statement::new(ADD_OUTSIDE).text(&one.id).text(text).long(MOST_OUTSIDE).long(MOST_SIGNS),
        };
        if session.rows(add).await?.is_empty() {
            let found: Option<String> =
                session.read(Statement::new(FIND).texts(vec![one.id.clone()])).await?;
            let refused = match found.map(|found| Descriptor::parse_stored(&found)).transpose()? {
                Some(found) if found == *one => continue,
                Some(_) => already_exists(&one.id),
                None => Fault::bad_request(
                    "500 descriptors of user interfaces and 2000 of other modules are kept at most, these with 32 MiB",
                ),
            };
            session.rollback().await?;
            return Err(refused);
        }
    }
    session.commit(Vec::new()).await?;
    Ok(())
}

pub(super) fn already_exists(id: &str) -> Fault {
    Fault::bad_request(format!("create: module {id} already exists"))
}

/// Okapi's refusal to remove a module that a tenant has.
pub(super) fn in_use_fault(id: &str, tenant: &str) -> Fault {
    Fault::bad_request(format!("delete: module {id} is used by tenant {tenant}"))
}

/// A tenant that has the module.
pub(super) async fn tenant_with_module(platform: &Platform, id: &str) -> Outcome<Option<String>> {
    let found: Option<Option<String>> =
        system_session(platform).await?.read(Statement::new(TENANT_WITH).text(id)).await?;
    Ok(found.flatten())
}

/// Removes the descriptors, all or none, unless a tenant has one of them. Returns whether all of them existed.
pub(super) async fn remove(platform: &Platform, ids: &[String]) -> Outcome<bool> {
    for id in ids {
        if let Some(tenant) = tenant_with_module(platform, id).await? {
            return Err(in_use_fault(id, &tenant));
        }
    }
    let removals = [REMOVE, REMOVE_OUTSIDE].map(|sql| Statement::new(sql).texts(ids.to_vec()));
    match system_session(platform).await?.transaction(removals.to_vec()).await {
        Ok(removed) => Ok(removed.iter().map(Vec::len).sum::<usize>() == ids.len()),
        // A tenant has enabled one meanwhile.
        Err(error) if error.has_code(DbError::FOREIGN_KEY) => {
            Err(in_use_fault(ids.first().map_or("", String::as_str), ""))
        }
        Err(error) => Err(error.into()),
    }
}

async fn system_session(platform: &Platform) -> Outcome<Session> {
    Ok(platform.database.system_session(Arc::<Usage>::default()).await?)
}

async fn load_descriptors(mut session: Session, statement: Statement) -> Outcome<Vec<Arc<Descriptor>>> {
    let texts: Vec<String> = session.read(statement).await?;
    texts.iter().map(|text| Descriptor::parse_stored(text).map(Arc::new)).collect()
}

const ALL: &str = "\
select descriptor from octavo.user_interfaces
union all
select descriptor from octavo.outside_modules";
const FIND: &str = "\
select descriptor from octavo.user_interfaces where id = any($1)
union all
select descriptor from octavo.outside_modules where id = any($1)";
const ADD: &str = "\
insert into octavo.user_interfaces (id, descriptor)
select $1, $2
where (select count(*) from octavo.user_interfaces) < $3
on conflict do nothing
returning id";
const ADD_OUTSIDE: &str = "\
insert into octavo.outside_modules (id, descriptor)
select $1, $2
where (
  select count(*) < $3::int8 and coalesce(sum(length(descriptor)), 0) + length($2) <= $4::int8
  from octavo.outside_modules
)
on conflict do nothing
returning id";
const REMOVE: &str = "delete from octavo.user_interfaces where id = any($1) returning id";
const REMOVE_OUTSIDE: &str = "delete from octavo.outside_modules where id = any($1) returning id";
const TENANT_WITH: &str = "\
select tenant from octavo.enabled_user_interfaces where id = $1
union all
select tenant from octavo.enabled_outside_modules where id = $1
order by tenant
limit 1";

octavo_pg::statements!(other = [ALL, FIND, ADD, ADD_OUTSIDE, REMOVE, REMOVE_OUTSIDE, TENANT_WITH]);
