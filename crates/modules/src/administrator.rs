//! The first user of a tenant: may do everything that the enabled modules offer.

use octavo_engine::{Context, create};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::json;

use crate::login::give_password;
use crate::permissions::PERMISSION_USER;
use crate::users::USER;

/// Makes the user with every permission that no other permission contains.
pub async fn create_administrator(context: &Context, username: &str, password: &str) -> Outcome<uuid::Uuid> {
    let mut session = context.session().await?;
    let id = context.fresh_id();
    let user = json!({
        "id": id, "username": username, "active": true, "type": "staff",
        "personal": {"lastName": "Administrator", "firstName": "Library", "email": "admin@example.org",
                     "preferredContactTypeId": "002"},
    });
    create(context, &mut session, &USER, user).await?;
    let names = session.rows(Statement::new(OUTERMOST)).await?;
    let names: Vec<&str> = names.iter().map(|row| row.text(0)).collect();
    let grants = json!({"userId": id, "permissions": names});
    create(context, &mut session, &PERMISSION_USER, grants).await?;
    give_password(context, &mut session, id, password).await?;
    Ok(id)
}

const OUTERMOST: &str = "\
select p.\"permissionName\"
from permissions p
where p.dummy = 'false'
and not exists (select from permissions o where o.doc -> 'subPermissions' ? p.\"permissionName\")
order by 1";
