//! Dashboards: each user's own, who else may use one, and how it is laid out.

use octavo_engine::{Request, Response, find, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, read_each};
use serde_json::{Value, json};
use uuid::Uuid;

use super::access::{Level, calling_user, load_level, require_administrator, require_level};
use super::kinds::{self, ACCESSES, DASHBOARDS, DISPLAY_DATA, OWN_ACCESSES, WIDGETS};
use super::widgets::next_weight;
use super::{DEFAULTS, tables};
use crate::bind::{Binding, uuid};
use crate::filter::{Filter, Operator};
use crate::records;
use crate::refdata;
use crate::refusal::{bad_request, forbidden, invalid, not_found, null_message, type_mismatch_message};

/// The vocabulary of access levels for dashboards.
const LEVELS: &str = "DashboardAccess.Access";
/// The most entries of a list of access objects in a body.
const MAX_ENTRIES: usize = 1000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    require_administrator(&request)?;
    records::list(request, &DASHBOARDS).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::View).await?;
    records::record_response(&mut session, &DASHBOARDS, records::id_from_path(&request)?, 200).await
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::Edit).await?;
    let (id, mut body) = (records::id_from_path(&request)?, request.json()?);
    let is_new =
        |widget: &&mut Value| widget.is_object() && widget["id"].is_null() && widget["weight"].is_null();
    let unplaced: Vec<&mut Value> = widgets_of(&mut body).filter(is_new).collect();
    if !unplaced.is_empty() {
        let next = next_weight(&mut session, id).await?;
        for (widget, weight) in unplaced.into_iter().zip(next..) {
            widget["weight"] = json!(weight);
        }
    }
    records::update_from_body(&request, &mut session, &DASHBOARDS, id, &body).await
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::Manage).await?;
    let id = records::id_from_path(&request)?;
    let with = [DELETE_ACCESSES, DELETE_DISPLAY_DATA].map(|sql| Statement::new(sql).uuid(id)).to_vec();
    records::delete_record(&request, &mut session, &DASHBOARDS, id, with).await
}

fn widgets_of(body: &mut Value) -> impl Iterator<Item = &mut Value> {
    body.get_mut("widgets").and_then(Value::as_array_mut).into_iter().flatten()
}

/// Opens a session for a caller who has this access level for the dashboard in the path.
async fn session_with_level(request: &Request, wanted: Level) -> Outcome<Session> {
    let mut session = request.context.session().await?;
    require_level(request, &mut session, records::id_from_path(request)?, wanted).await?;
    Ok(session)
}

/// Creates a dashboard; its creator may manage it. As in mod-service-interaction, only the name and the widgets of the body count.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (user, mut body) = (calling_user(&request)?, request.json()?);
    if let Some(members) = body.as_object_mut() {
        members.retain(|name, _| matches!(name.as_str(), "name" | "widgets"));
    }
    for (place, widget) in widgets_of(&mut body).enumerate() {
        if widget["weight"].is_null() && widget.is_object() {
            widget["weight"] = json!(place);
        }
    }
    let manage = find_access_value(&mut session, "manage").await?;
    let count = count_dashboards(&mut session, user).await?;
    let mut binding = Binding { request: &request, session: &mut session, resource: &DASHBOARDS };
    let mut beside = |id| accompanying_statements(&request, id, user, (manage, count));
    let id = binding.write(&body, None, &mut beside).await?;
    records::record_response(&mut session, &DASHBOARDS, id, 200).await
}

/// The statements that go with a new dashboard: its creator's access and its display data. A user's first dashboard is the user's default.
fn accompanying_statements(
    request: &Request,
    dashboard: Uuid,
    user: Uuid,
    (manage, count): (Uuid, i64),
) -> Vec<Statement> {
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

async fn find_access_value(session: &mut Session, name: &str) -> Outcome<Uuid> {
    refdata::find(session, &kinds::VALUE, LEVELS, &json!(name)).await?.ok_or_else(not_found)
}

/// The dashboards of the user who makes the request. A user without dashboards gets a new one.
pub(super) async fn list_own(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let user = calling_user(&request)?;
    if count_dashboards(&mut session, user).await? == 0 {
        create_first_dashboard(&request, &mut session, user).await?;
    }
    own_page(&request, &mut session, user).await
}

/// How many dashboards a user may use.
async fn count_dashboards(session: &mut Session, user: Uuid) -> Outcome<i64> {
    let count: Option<i64> = session.read(Statement::new(COUNT).uuid(user)).await?;
    Ok(count.unwrap_or(0))
}

async fn own_page(request: &Request, session: &mut Session, user: Uuid) -> Outcome<Response> {
    let own = Filter::Compare("user".to_owned(), Operator::Equal, user.to_string());
    records::list_filtered(request, session, &OWN_ACCESSES, Some(&own)).await
}

/// Requests of the same user wait for each other, so that two at the same time create one dashboard.
async fn create_first_dashboard(request: &Request, session: &mut Session, user: Uuid) -> Outcome<()> {
    let manage = find_access_value(session, "manage").await?;
    session.begin(vec![Statement::new(LOCK_USER).uuid(user)]).await?;
    if count_dashboards(session, user).await? > 0 {
        return Ok(session.rollback().await?);
    }
    let id = request.context.fresh_id();
    let mut all =
        vec![statements::insert(&tables::DASHBOARDS, id, &json!({"id": id, "name": "My dashboard"}))];
    all.extend(accompanying_statements(request, id, user, (manage, 0)));
    session.commit(all).await?;
    Ok(())
}

/// Changes the order of the caller's dashboards, and which of them is the default.
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (user, sent) = (calling_user(&request)?, access_entries(&request)?);
    for entry in &sent {
        if entry["id"].as_str().is_none() {
            return Err(bad_request(&format!("Can not edit access object with unspecified id. ({entry})")));
        }
        if entry["user"]["id"].as_str().is_none() {
            return Err(bad_request(&format!(
                "Can not edit access object with unspecified user id. ({entry})"
            )));
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

fn access_entries(request: &Request) -> Outcome<Vec<Value>> {
    match request.json()? {
        Value::Array(entries) if entries.len() <= MAX_ENTRIES => Ok(entries),
        _ => Err(bad_request(&format!("The body is a list of at most {MAX_ENTRIES} access objects"))),
    }
}

pub(super) async fn users(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::View).await?;
    users_page(&request, &mut session).await
}

async fn users_page(request: &Request, session: &mut Session) -> Outcome<Response> {
    let of =
        Filter::Compare("dashboard".to_owned(), Operator::Equal, records::id_from_path(request)?.to_string());
    records::list_filtered(request, session, &ACCESSES, Some(&of)).await
}

/// Grants, changes and revokes other users' access to a dashboard. The caller's own access stays as it is.
pub(super) async fn change_users(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::Manage).await?;
    let (dashboard, sent) = (records::id_from_path(&request)?, access_entries(&request)?);
    find(&mut session, &tables::DASHBOARDS, dashboard).await?.ok_or_else(not_found)?;
    let answers = session
        .begin(vec![
            Statement::new(LOCK_DASHBOARD).uuid(dashboard),
            Statement::new(ACCESSES_TO_DASHBOARD).uuid(dashboard),
        ])
        .await?;
    let ((), stored): ((), Vec<(Uuid, Value)>) = read_each(&answers);
    match access_changes(&request, &mut session, dashboard, &sent, stored).await {
        Ok(changes) => drop(session.commit(changes).await?),
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    }
    users_page(&request, &mut session).await
}

async fn access_changes(
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
                return Err(invalid(request, vec![type_mismatch_message("user")]));
            };
            if stored.iter().any(|(_, access)| of_user(access) == Some(user)) {
                continue;
            }
            let Some(access) = access else {
                return Err(invalid(request, vec![null_message("access", kinds::ACCESS.class)]));
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
    let mut session = session_with_level(&request, Level::View).await?;
    let of =
        Filter::Compare("owner".to_owned(), Operator::Equal, records::id_from_path(&request)?.to_string());
    records::list_filtered(&request, &mut session, &WIDGETS, Some(&of)).await
}

pub(super) async fn own_access(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::View).await?;
    let dashboard = records::id_from_path(&request)?;
    let level = match request.context.caller.user_id {
        Some(user) => load_level(&mut session, dashboard, user).await?,
        None => None,
    };
    Ok(Response::json(200, &json!({"access": level.map(Level::name)})))
}

async fn find_display_data(session: &mut Session, dashboard: Uuid) -> Outcome<Uuid> {
    let found: Option<Uuid> = session.read(Statement::new(DISPLAY).uuid(dashboard)).await?;
    found.ok_or_else(not_found)
}

pub(super) async fn display_data(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::View).await?;
    let id = find_display_data(&mut session, records::id_from_path(&request)?).await?;
    records::record_response(&mut session, &DISPLAY_DATA, id, 200).await
}

pub(super) async fn change_display_data(request: Request) -> Outcome<Response> {
    let mut session = session_with_level(&request, Level::Edit).await?;
    let id = find_display_data(&mut session, records::id_from_path(&request)?).await?;
    records::update_from_request(&request, &mut session, &DISPLAY_DATA, id).await
}

/// Tasks of an administrator: inserting the default types of widgets, and creating display data that is missing.
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
