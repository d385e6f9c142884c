//! Posted descriptors of user interfaces, which the database stores.

use octavo_engine::{Platform, Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::{FACTS, ModuleFacts};
use octavo_pg::{DbError, Session, Statement, Usage};
use serde_json::Value;
use std::sync::Arc;

use super::posted::Posted;

const MOST: i64 = 500;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let posted = read(request.json()?)?;
    add(&request, std::slice::from_ref(&posted)).await?;
    let location = format!("{}/{}", request.path, posted.id());
    Ok(Response::json(201, &posted.document).with("location", location))
}

/// Stores many descriptors, all or none.
pub(super) async fn import(request: Request) -> Outcome<Response> {
    let posted = super::list(&request)?.into_iter().map(read).collect::<Outcome<Vec<_>>>()?;
    add(&request, &posted).await?;
    Ok(Response::no_content())
}

/// Deletes a descriptor that no tenant has enabled.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.parameter(0);
    if FACTS.module(id).is_some_and(|module| module.id() == id) {
        return Err(Fault::bad_request(format!("delete: module {id}: it is built into Octavo")));
    }
    let mut session = system(&request.context.platform).await?;
    let used_by =
        |tenant: &str| Fault::bad_request(format!("delete: module {id} is used by tenant {tenant}"));
    if let Some(tenant) = session.read::<Option<String>>(Statement::new(TENANT_WITH).text(id)).await? {
        return Err(used_by(&tenant));
    }
    match session.rows(Statement::new(REMOVE).text(id)).await {
        Ok(rows) if rows.is_empty() => Err(Fault::missing(format!("delete: module {id} does not exist"))),
        Ok(_) => Ok(Response::no_content()),
        // A tenant has enabled it meanwhile.
        Err(error) if error.is(DbError::FOREIGN_KEY) => Err(used_by("")),
        Err(error) => Err(error.into()),
    }
}

fn read(body: Value) -> Outcome<Posted> {
    let known = body["id"].as_str().and_then(|id| FACTS.module(id).filter(|module| module.id() == id));
    match known {
        Some(module) => Err(already_exists(&module.id())),
        None => Posted::read(body),
    }
}

async fn add(request: &Request, posted: &[Posted]) -> Outcome<()> {
    if request.query("check") != Some("false") {
        let lacking: Vec<String> =
            posted.iter().flat_map(|posted| posted.facts().missing(&|_| true)).collect();
        if !lacking.is_empty() {
            return Err(Fault::bad_request(lacking.join("\n")));
        }
    }
    keep(&request.context.platform, posted).await
}

/// Stores all or none. A descriptor that exists already has to be equal.
pub(super) async fn keep(platform: &Platform, posted: &[Posted]) -> Outcome<()> {
    let mut session = system(platform).await?;
    session.begin(Vec::new()).await?;
    for one in posted {
        let text = one.document.to_string();
        let stored = session.rows(Statement::new(ADD).text(one.id()).text(text).long(MOST)).await?;
        if stored.is_empty() {
            let found: Option<Value> =
                session.read(Statement::new(FIND).texts(vec![one.id().to_owned()])).await?;
            let refused = match found {
                Some(found) if found == one.document => continue,
                Some(_) => already_exists(one.id()),
                None => Fault::bad_request(format!("{MOST} descriptors of user interfaces are kept at most")),
            };
            session.rollback().await?;
            return Err(refused);
        }
    }
    session.commit(Vec::new()).await?;
    Ok(())
}

fn already_exists(id: &str) -> Fault {
    Fault::bad_request(format!("create: module {id} already exists"))
}

pub(crate) async fn all(platform: &Platform) -> Outcome<Vec<Posted>> {
    read_rows(system(platform).await?, Statement::new(ALL)).await
}

pub(super) async fn find(platform: &Platform, id: &str) -> Outcome<Option<Posted>> {
    let found = Statement::new(FIND).texts(vec![id.to_owned()]);
    Ok(read_rows(system(platform).await?, found).await?.pop())
}

pub(crate) async fn of_tenant(platform: &Platform, tenant: &Tenant) -> Outcome<Vec<Posted>> {
    let ids: Vec<String> =
        tenant.modules.iter().filter(|module| FACTS.module(module).is_none()).cloned().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    read_rows(system(platform).await?, Statement::new(FIND).texts(ids)).await
}

pub(crate) fn facts(posted: &[Posted]) -> Vec<ModuleFacts<'_>> {
    posted.iter().map(Posted::facts).collect()
}

async fn system(platform: &Platform) -> Outcome<Session> {
    Ok(platform.database.system(Arc::<Usage>::default()).await?)
}

async fn read_rows(mut session: Session, statement: Statement) -> Outcome<Vec<Posted>> {
    session.read::<Vec<Value>>(statement).await?.into_iter().map(Posted::stored).collect()
}

const ALL: &str = "select descriptor from octavo.user_interfaces order by id";
const FIND: &str = "select descriptor from octavo.user_interfaces where id = any($1) order by id";
const ADD: &str = "\
insert into octavo.user_interfaces (id, descriptor)
select $1, $2
where (select count(*) from octavo.user_interfaces) < $3
on conflict do nothing
returning id";
const REMOVE: &str = "delete from octavo.user_interfaces where id = $1 returning id";
const TENANT_WITH: &str = "\
select tenant
from octavo.enabled_user_interfaces
where id = $1
order by tenant
limit 1";

octavo_pg::statements!(other = [ALL, FIND, ADD, REMOVE, TENANT_WITH]);
