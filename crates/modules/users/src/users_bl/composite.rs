//! A user with what belongs to them: group, permissions, proxies, service points.

use std::collections::HashSet;

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::{SERVICE_POINT, SERVICE_POINTS_USER};
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::permissions::{PERMISSION_USER, load_expanded_permissions};
use crate::users::{GROUP, PROXY, USER};

/// The parameters for what is answered beside the user: `include` and `expandPermissions`.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedParts {
    pub(super) groups: bool,
    pub(super) permissions: bool,
    pub(super) proxies: bool,
    pub(super) service_points: bool,
    pub(super) expanded: bool,
}

impl WantedParts {
    /// The parts that `include` names; without it, groups, permissions and service points.
    pub(super) fn from_request(request: &Request) -> WantedParts {
        let includes: Vec<&str> = request
            .query
            .iter()
            .filter(|(name, _)| name == "include")
            .flat_map(|(_, value)| value.split(','))
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .collect();
        let usual = includes.is_empty();
        let asked = |name: &str| includes.contains(&name);
        WantedParts {
            groups: usual || asked("groups"),
            permissions: usual || asked("perms"),
            service_points: usual || asked("servicepoints"),
            proxies: asked("proxiesfor"),
            expanded: request.query_flag("expandPermissions"),
        }
    }
}

/// The records of a user in several modules.
pub(super) struct UserRecords {
    pub(super) user: Value,
    pub(super) permissions_user: Option<Value>,
    proxies: Vec<Value>,
    service_points_user: Option<Value>,
}

/// Reads the records in one round trip.
pub(super) async fn load_user_records(session: &mut Session, id: Uuid) -> Outcome<Option<UserRecords>> {
    let as_text = [PROXIES, SERVICE_POINTS].map(|sql| Statement::new(sql).text(id.to_string()));
    let as_id = [BY_ID, PERMISSIONS].map(|sql| Statement::new(sql).uuid(id));
    let answers = session.batch(as_id.into_iter().chain(as_text).collect()).await?;
    let one =
        |record: &RecordType, rows: &[Row]| rows.first().and_then(|row| record.parse_stored(row.read()));
    let Some(user) = one(&USER, &answers[0]) else { return Ok(None) };
    Ok(Some(UserRecords {
        user,
        permissions_user: one(&PERMISSION_USER, &answers[1]),
        proxies: answers[2].iter().filter_map(|row| PROXY.parse_stored(row.read())).collect(),
        service_points_user: one(&SERVICE_POINTS_USER, &answers[3]),
    }))
}

impl UserRecords {
    /// The parts that every kind of answer shares.
    pub(super) async fn composite(
        &self,
        context: &Context,
        session: &mut Session,
        wanted: WantedParts,
    ) -> Outcome<Value> {
        let snapshot = context.snapshot_over(session).await?;
        let id = |value: &Value| value.as_str().and_then(|id| Uuid::parse_str(id).ok());
        let mut composite = json!({"user": self.user, "proxiesFor": []});
        let group = id(&self.user["patronGroup"]).and_then(|group| snapshot.get(&GROUP, group));
        if let Some(group) = group.filter(|_| wanted.groups) {
            composite["patronGroup"] = group.clone();
        }
        if wanted.proxies {
            composite["proxiesFor"] = json!(self.proxies);
        }
        if let Some(served) = self.service_points_user.as_ref().filter(|_| wanted.service_points) {
            let ids = served["servicePointsIds"].as_array().into_iter().flatten();
            let mut ids: Vec<Uuid> = ids.chain([&served["defaultServicePointId"]]).filter_map(id).collect();
            let mut seen = HashSet::new();
            ids.retain(|id| seen.insert(*id));
            let points: Vec<&Value> =
                ids.into_iter().filter_map(|point| snapshot.get(&SERVICE_POINT, point)).collect();
            composite["servicePointsUser"] = served.clone();
            composite["servicePointsUser"]["servicePoints"] = json!(points);
        }
        Ok(composite)
    }

    /// The names of the granted permissions or, with `expandPermissions`, the records of all permissions that these contain.
    pub(super) async fn permissions(&self, session: &mut Session, wanted: WantedParts) -> Outcome<Value> {
        let held = self.permissions_user.as_ref().map(|user| user["permissions"].clone());
        let held = held.filter(Value::is_array).unwrap_or_else(|| json!([]));
        if !wanted.expanded {
            return Ok(held);
        }
        let names = held.as_array().into_iter().flatten().filter_map(Value::as_str);
        load_expanded_permissions(session, names.map(str::to_owned).collect()).await
    }
}

/// 404 with the call of another module that found nothing.
pub(super) fn nothing_found(call: &str) -> Fault {
    Fault::not_found_with(format!("No record found for query '{call}'"))
}

/// 404 with what mod-users answered to the call that asked for one user, as JSON in a text.
fn user_not_found(id: &str) -> Fault {
    let endpoint = json!(format!("/users/{id}"));
    Fault::not_found_with(format!(
        "{{\n  \"endpoint\" : {endpoint},\n  \"statusCode\" : 404,\n  \"errorMessage\" : \"Not found\"\n}}"
    ))
}

pub(super) async fn by_id(request: Request) -> Outcome<Response> {
    let path = request.path_parameter(0);
    let missing = || user_not_found(path);
    let id = Uuid::parse_str(path).map_err(|_| missing())?;
    composite_response(&request, id).await?.ok_or_else(missing)
}

pub(super) async fn by_username(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    let missing = || nothing_found(&format!("/users?query=username=={name}"));
    let mut session = request.context.session().await?;
    let id = find_by_username(&mut session, name).await?.ok_or_else(missing)?;
    drop(session);
    composite_response(&request, id).await?.ok_or_else(missing)
}

pub(super) async fn own(request: Request) -> Outcome<Response> {
    let missing = || Fault::bad_request("Improperly formatted request");
    let id = request.context.caller.user_id.ok_or_else(missing)?;
    let unknown = || user_not_found(&id.to_string());
    composite_response(&request, id).await?.ok_or_else(unknown)
}

async fn composite_response(request: &Request, id: Uuid) -> Outcome<Option<Response>> {
    let context = &request.context;
    let wanted = WantedParts::from_request(request);
    let mut session = context.session().await?;
    let Some(gathered) = load_user_records(&mut session, id).await? else { return Ok(None) };
    if wanted.permissions && wanted.expanded && gathered.permissions_user.is_none() {
        return Err(nothing_found(&format!("/perms/users?query=userId=={id}")));
    }
    let mut composite = gathered.composite(context, &mut session, wanted).await?;
    let permissions = match wanted.permissions {
        true => gathered.permissions(&mut session, wanted).await?,
        false => json!([]),
    };
    composite["permissions"] = json!({"permissions": permissions});
    Ok(Some(Response::json(200, &composite)))
}

/// The user with a name, without regard to case.
pub(super) async fn find_by_username(session: &mut Session, name: &str) -> Outcome<Option<Uuid>> {
    Ok(session.read(Statement::new(NAMED).text(name)).await?)
}

const NAMED: &str = "select id from users where username = octavo.fold($1)";
const BY_ID: &str = "select doc::text from users where id = $1";
const PERMISSIONS: &str = "select doc::text from permissions_users where \"userId\" = $1";
const PROXIES: &str = "select doc::text from proxyfor where \"userId\" = $1";
const SERVICE_POINTS: &str = "select doc::text from service_point_user where \"userId\" = $1";

octavo_pg::statements!(hot = [NAMED, BY_ID, PERMISSIONS, PROXIES, SERVICE_POINTS]);
