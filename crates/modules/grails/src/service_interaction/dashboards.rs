//! Dashboards: each user's own, who else may use one, and how it is laid out.

use octavo_engine::{Request, Response, find, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, read_each};
use serde_json::{Value, json};
use uuid::Uuid;

use super::access::{Level, demand, level, only_administrators, user};
use super::kinds::{self, ACCESSES, DASHBOARDS, DISPLAY_DATA, OWN_ACCESSES, WIDGETS};
use super::widgets::next_weight;
use super::{DEFAULTS, tables};
use crate::bind::{Binding, uuid};
use crate::filter::{Filter, Operator};
use crate::records;
use crate::refdata;
use crate::refusal::{bad, forbidden, invalid, mismatched, not_found, null};

/// The vocabulary of what one may do with a dashboard.
const LEVELS: &str = "DashboardAccess.Access";
/// The most entries of a list that is sent.
const MOST: usize = 1000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    only_administrators(&request)?;
    records::list(request, &DASHBOARDS).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::View).await?;
    records::show(&mut session, &DASHBOARDS, records::id(&request)?, 200).await
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::Edit).await?;
    let (id, mut body) = (records::id(&request)?, request.json()?);
    let is_new =
        |widget: &&mut Value| widget.is_object() && widget["id"].is_null() && widget["weight"].is_null();
    let unplaced: Vec<&mut Value> = widgets_of(&mut body).filter(is_new).collect();
    if !unplaced.is_empty() {
        let next = next_weight(&mut session, id).await?;
        for (widget, weight) in unplaced.into_iter().zip(next..) {
            widget["weight"] = json!(weight);
        }
    }
    records::change_to(&request, &mut session, &DASHBOARDS, id, &body).await
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::Manage).await?;
    let id = records::id(&request)?;
    let with = [DELETE_ACCESSES, DELETE_DISPLAY_DATA].map(|sql| Statement::new(sql).uuid(id)).to_vec();
    records::remove(&request, &mut session, &DASHBOARDS, id, with).await
}

fn widgets_of(body: &mut Value) -> impl Iterator<Item = &mut Value> {
    body.get_mut("widgets").and_then(Value::as_array_mut).into_iter().flatten()
}

/// A session for a caller who may do this with the dashboard of the path.
async fn allowed(request: &Request, wanted: Level) -> Outcome<Session> {
    let mut session = request.context.session().await?;
    demand(request, &mut session, records::id(request)?, wanted).await?;
    Ok(session)
}

/// A new dashboard, which its maker manages. mod-service-interaction takes its name and its widgets alone.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (user, mut body) = (user(&request)?, request.json()?);
    if let Some(members) = body.as_object_mut() {
        members.retain(|name, _| matches!(name.as_str(), "name" | "widgets"));
    }
    for (place, widget) in widgets_of(&mut body).enumerate() {
        if widget["weight"].is_null() && widget.is_object() {
            widget["weight"] = json!(place);
        }
    }
    let manage = access_named(&mut session, "manage").await?;
    let count = dashboards_of(&mut session, user).await?;
    let mut binding = Binding { request: &request, session: &mut session, resource: &DASHBOARDS };
    let mut beside = |id| beside(&request, id, user, (manage, count));
    let id = binding.write(&body, None, &mut beside).await?;
    records::show(&mut session, &DASHBOARDS, id, 200).await
}

/// What is written beside a new dashboard: its maker's access, and room for its layout. The first of a user is the default.
fn beside(request: &Request, dashboard: Uuid, user: Uuid, (manage, count): (Uuid, i64)) -> Vec<Statement> {
    let [access, display] = [(); 2].map(|()| request.context.fresh_id());
    let shown = json!({"id": display, "dashId": dashboard});
    vec![
        statements::insert(
            &tables::ACCESSES,
            access,
            &new_access(request, (access, dashboard, user), manage, count),
        ),
        statements::insert(&tables::DISPLAY_DATA, display, &shown),
    ]
}

fn new_access(
    request: &Request,
    (id, dashboard, user): (Uuid, Uuid, Uuid),
    access: Uuid,
    count: i64,
) -> Value {
    json!({
        "id": id, "dashboard": dashboard, "user": user, "access": access, "userDashboardWeight": count,
        "defaultUserDashboard": count == 0, "dateCreated": request.context.now_text(),
    })
}

async fn access_named(session: &mut Session, name: &str) -> Outcome<Uuid> {
    refdata::find(session, &kinds::VALUE, LEVELS, &json!(name)).await?.ok_or_else(not_found)
}

/// The dashboards of the user who calls. Who has none gets one.
pub(super) async fn own(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let user = user(&request)?;
    if dashboards_of(&mut session, user).await? == 0 {
        make_first(&request, &mut session, user).await?;
    }
    own_page(&request, &mut session, user).await
}

/// How many dashboards a user may use.
async fn dashboards_of(session: &mut Session, user: Uuid) -> Outcome<i64> {
    let count: Option<i64> = session.read(Statement::new(COUNT).uuid(user)).await?;
    Ok(count.unwrap_or(0))
}

async fn own_page(request: &Request, session: &mut Session, user: Uuid) -> Outcome<Response> {
    let own = Filter::Compare("user".to_owned(), Operator::Same, user.to_string());
    records::list_among(request, session, &OWN_ACCESSES, Some(&own)).await
}

/// One call after the other: two at a time make one dashboard.
async fn make_first(request: &Request, session: &mut Session, user: Uuid) -> Outcome<()> {
    let manage = access_named(session, "manage").await?;
    session.begin(vec![Statement::new(LOCK_USER).uuid(user)]).await?;
    if dashboards_of(session, user).await? > 0 {
        return Ok(session.rollback().await?);
    }
    let id = request.context.fresh_id();
    let mut all =
        vec![statements::insert(&tables::DASHBOARDS, id, &json!({"id": id, "name": "My dashboard"}))];
    all.extend(beside(request, id, user, (manage, 0)));
    session.commit(all).await?;
    Ok(())
}

/// Puts the caller's dashboards into order and says which is the default.
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (user, sent) = (user(&request)?, entries(&request)?);
    for entry in &sent {
        if entry["id"].as_str().is_none() {
            return Err(bad(&format!("Can not edit access object with unspecified id. ({entry})")));
        }
        if entry["user"]["id"].as_str().is_none() {
            return Err(bad(&format!("Can not edit access object with unspecified user id. ({entry})")));
        }
        if uuid(&entry["user"]["id"]) != Some(user) {
            let message = format!("User ({user}) can not edit access object for another user. ({entry})");
            return Err(forbidden(&message));
        }
    }
    let answers = session
        .begin(vec![Statement::new(LOCK_USER).uuid(user), Statement::new(ACCESSES_OF_USER).uuid(user)])
        .await?;
    let ((), mut stored): ((), Vec<(Uuid, Value)>) = read_each(&answers);
    for entry in &sent {
        let named = |(id, _): &(Uuid, Value)| entry["id"].as_str() == Some(id.to_string().as_str());
        let Some(at) = stored.iter().position(named) else { continue };
        if let Some(weight) = entry["userDashboardWeight"].as_i64() {
            stored[at].1["userDashboardWeight"] = json!(weight);
        }
        if entry["defaultUserDashboard"] == true {
            for (place, (_, access)) in stored.iter_mut().enumerate() {
                access["defaultUserDashboard"] = json!(place == at);
            }
        }
    }
    session.commit(vec![statements::overwrite_all(&tables::ACCESSES, &stored)]).await?;
    own_page(&request, &mut session, user).await
}

fn entries(request: &Request) -> Outcome<Vec<Value>> {
    match request.json()? {
        Value::Array(entries) if entries.len() <= MOST => Ok(entries),
        _ => Err(bad(&format!("The body is a list of at most {MOST} access objects"))),
    }
}

pub(super) async fn users(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::View).await?;
    users_page(&request, &mut session).await
}

async fn users_page(request: &Request, session: &mut Session) -> Outcome<Response> {
    let of = Filter::Compare("dashboard".to_owned(), Operator::Same, records::id(request)?.to_string());
    records::list_among(request, session, &ACCESSES, Some(&of)).await
}

/// Gives, changes and takes away others' access to a dashboard. The caller's own stays as it is.
pub(super) async fn change_users(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::Manage).await?;
    let (dashboard, sent) = (records::id(&request)?, entries(&request)?);
    find(&mut session, &tables::DASHBOARDS, dashboard).await?.ok_or_else(not_found)?;
    let answers = session
        .begin(vec![
            Statement::new(LOCK_DASHBOARD).uuid(dashboard),
            Statement::new(ACCESSES_TO_DASHBOARD).uuid(dashboard),
        ])
        .await?;
    let ((), stored): ((), Vec<(Uuid, Value)>) = read_each(&answers);
    match changes(&request, &mut session, dashboard, &sent, stored).await {
        Ok(changes) => drop(session.commit(changes).await?),
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    }
    users_page(&request, &mut session).await
}

async fn changes(
    request: &Request,
    session: &mut Session,
    dashboard: Uuid,
    sent: &[Value],
    mut stored: Vec<(Uuid, Value)>,
) -> Outcome<Vec<Statement>> {
    let caller = request.context.caller.user_id;
    let mut changes = Vec::new();
    for entry in sent {
        let access = refdata::find(session, &kinds::VALUE, LEVELS, &entry["access"]).await?;
        let of_user = |access: &Value| uuid(&access["user"]);
        let Some(id) = entry["id"].as_str() else {
            let Some(user) = uuid(&entry["user"]["id"]) else {
                return Err(invalid(request, vec![mismatched("user")]));
            };
            if stored.iter().any(|(_, access)| of_user(access) == Some(user)) {
                continue;
            }
            let Some(access) = access else {
                return Err(invalid(request, vec![null("access", kinds::ACCESS.class)]));
            };
            let count: Option<i64> = session.read(Statement::new(COUNT).uuid(user)).await?;
            let new = request.context.fresh_id();
            let document = new_access(request, (new, dashboard, user), access, count.unwrap_or(0));
            changes.push(statements::insert(&tables::ACCESSES, new, &document));
            stored.push((new, document));
            continue;
        };
        let Some((id, document)) = stored.iter_mut().find(|(stored, _)| stored.to_string() == id) else {
            continue;
        };
        if caller.is_some() && of_user(document) == caller {
            continue;
        }
        if entry["_delete"] == true {
            changes.push(statements::delete(&tables::ACCESSES, *id));
        } else if let Some(access) = access {
            document["access"] = json!(access);
            changes.push(statements::overwrite(&tables::ACCESSES, *id, document));
        }
    }
    Ok(changes)
}

pub(super) async fn widgets(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::View).await?;
    let of = Filter::Compare("owner".to_owned(), Operator::Same, records::id(&request)?.to_string());
    records::list_among(&request, &mut session, &WIDGETS, Some(&of)).await
}

pub(super) async fn own_access(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::View).await?;
    let dashboard = records::id(&request)?;
    let level = match request.context.caller.user_id {
        Some(user) => level(&mut session, dashboard, user).await?,
        None => None,
    };
    Ok(Response::json(200, &json!({"access": level.map(Level::name)})))
}

async fn display_of(session: &mut Session, dashboard: Uuid) -> Outcome<Uuid> {
    let found: Option<Uuid> = session.read(Statement::new(DISPLAY).uuid(dashboard)).await?;
    found.ok_or_else(not_found)
}

pub(super) async fn display_data(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::View).await?;
    let id = display_of(&mut session, records::id(&request)?).await?;
    records::show(&mut session, &DISPLAY_DATA, id, 200).await
}

pub(super) async fn change_display_data(request: Request) -> Outcome<Response> {
    let mut session = allowed(&request, Level::Edit).await?;
    let id = display_of(&mut session, records::id(&request)?).await?;
    records::change(&request, &mut session, &DISPLAY_DATA, id).await
}

/// What an administrator has done once: types of widgets put in, and display data that is missing.
pub(super) async fn administer(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    match request.path.rsplit('/').next().unwrap_or_default() {
        "triggerTypeImport" => session.script(DEFAULTS).await?,
        "triggerTypeImportClean" => {
            session
                .transaction(vec![Statement::new(DELETE_DEFINITIONS), Statement::new(DELETE_TYPES)])
                .await?;
            session.script(DEFAULTS).await?;
        }
        "ensureDisplayData" => {
            let without: Vec<Uuid> = session.read(Statement::new(WITHOUT_DISPLAY)).await?;
            let missing = without.into_iter().map(|dashboard| {
                let id = request.context.fresh_id();
                statements::insert_if_new(&tables::DISPLAY_DATA, id, &json!({"id": id, "dashId": dashboard}))
            });
            session.transaction(missing.collect()).await?;
        }
        _ => return Err(not_found()),
    }
    Ok(Response::json(200, &json!({"status": "OK"})))
}

const COUNT: &str = "select count(*) from servint_dashboard_access where \"user\" = $1";
const LOCK_USER: &str =
    "select pg_advisory_xact_lock(hashtextextended('dashboards ' || $1::uuid::text, 0))::text";
const LOCK_DASHBOARD: &str = "select id::text from servint_dashboard where id = $1 for update";
const ACCESSES_OF_USER: &str =
    "select id, doc::text from servint_dashboard_access where \"user\" = $1 order by id for update";
const ACCESSES_TO_DASHBOARD: &str =
    "select id, doc::text from servint_dashboard_access where dashboard = $1 order by id for update";
const DELETE_ACCESSES: &str = "delete from servint_dashboard_access where dashboard = $1";
const DELETE_DISPLAY_DATA: &str = "delete from servint_dashboard_display_data where \"dashId\" = $1";
const DISPLAY: &str = "select id from servint_dashboard_display_data where \"dashId\" = $1";
const DELETE_DEFINITIONS: &str = "delete from servint_widget_definition";
const DELETE_TYPES: &str = "delete from servint_widget_type";
const WITHOUT_DISPLAY: &str = "\
select id from servint_dashboard d
where not exists (select from servint_dashboard_display_data s where s.\"dashId\" = d.id)
limit 1000";

octavo_pg::statements!(
    other = [
        COUNT,
        LOCK_USER,
        LOCK_DASHBOARD,
        ACCESSES_OF_USER,
        ACCESSES_TO_DASHBOARD,
        DELETE_ACCESSES,
        DELETE_DISPLAY_DATA,
        DISPLAY,
        DELETE_DEFINITIONS,
        DELETE_TYPES,
        WITHOUT_DISPLAY,
    ]
);
