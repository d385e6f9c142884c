//! The first user of a tenant, who has all permissions of the enabled modules. Of Okapi's permissions, which are the operator's, they have
//! only that for the tenant's own timers.

use octavo_engine::{Context, create};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::{SERVICE_POINT, SERVICE_POINTS_USER};
use octavo_modules_base::user_records::{PERMISSION_USER, USER};
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::login::set_first_password;
use crate::permissions::OWN_TIMERS;

/// Creates the user with every permission that no other permission contains, except the operator's. Their default service point is
/// `at`, or else the first by name.
pub async fn create_administrator(
    context: &Context,
    username: &str,
    password: &str,
    at: Option<Uuid>,
) -> Outcome<Uuid> {
    let mut session = context.session().await?;
    let id = context.fresh_id();
    let user = json!({
        "id": id, "username": username, "active": true, "type": "staff",
        "personal": {"lastName": "Administrator", "firstName": "Library", "email": "admin@example.org",
                     "preferredContactTypeId": "002"},
    });
    create(context, &mut session, &USER, user).await?;
    let mut names: Vec<String> = session.read(Statement::new(OUTERMOST)).await?;
    names.push(OWN_TIMERS.to_owned());
    let grants = json!({"userId": id, "permissions": names});
    create(context, &mut session, &PERMISSION_USER, grants).await?;
    set_first_password(context, &mut session, id, password).await?;
    assign_all_service_points(context, &mut session, id, at).await?;
    Ok(id)
}

/// Assigns all service points to the user.
async fn assign_all_service_points(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    at: Option<Uuid>,
) -> Outcome<()> {
    let snapshot = context.snapshot_over(session).await?;
    let mut points: Vec<(&str, &Uuid)> = snapshot
        .all(&SERVICE_POINT)
        .map(|(id, point)| (point["name"].as_str().unwrap_or_default(), id))
        .collect();
    points.sort();
    let Some((_, first)) = points.first() else { return Ok(()) };
    let usual = at.unwrap_or(**first);
    let ids: Vec<&Uuid> = points.iter().map(|(_, id)| *id).collect();
    let served = json!({"userId": user, "servicePointsIds": ids, "defaultServicePointId": usual});
    create(context, session, &SERVICE_POINTS_USER, served).await?;
    Ok(())
}

const OUTERMOST: &str = "\
select p.\"permissionName\"
from permissions p
where p.dummy = 'false'
and p.\"permissionName\" not like 'okapi.%'
and not exists (select from permissions o where (o.doc -> 'subPermissions')::jsonb ? p.\"permissionName\")
order by 1";

octavo_pg::statements!(other = [OUTERMOST]);
