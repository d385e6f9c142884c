//! The users who are here already, by their external ids.

use octavo_engine::{Context, replace};
use octavo_kernel::Outcome;
use octavo_modules_base::user_records::USER;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

/// The user with exactly this external id.
pub(super) async fn by_external_id(context: &Context, id: &str) -> Outcome<Option<(Uuid, Value)>> {
    let statement = Statement::new(BY_EXTERNAL_ID).text(id);
    let found: Option<(Uuid, Value)> = context.session().await?.read(statement).await?;
    Ok(found.filter(|(_, user)| user["externalSystemId"] == id))
}

/// The stored user with the members that were sent. Addresses are added to those of other types, and a preferred first name stays.
pub(super) fn merged(mut stored: Value, sent: Value) -> Value {
    let before = stored["personal"].take();
    let (Some(members), Value::Object(sent)) = (stored.as_object_mut(), sent) else { return stored };
    members.extend(sent);
    let personal = &mut stored["personal"];
    if personal.is_null() {
        *personal = before;
        return stored;
    }
    let is_blank = personal["preferredFirstName"].as_str().is_none_or(|name| name.trim().is_empty());
    if is_blank && before["preferredFirstName"].is_string() {
        personal["preferredFirstName"] = before["preferredFirstName"].clone();
    }
    if let Some(earlier) = before["addresses"].as_array() {
        let new = personal["addresses"].as_array().cloned().unwrap_or_default();
        let replaced =
            |address: &&Value| new.iter().any(|new| new["addressTypeId"] == address["addressTypeId"]);
        let kept = earlier.iter().filter(|address| !replaced(address)).cloned();
        personal["addresses"] = kept.collect::<Vec<_>>().into_iter().chain(new.clone()).collect();
    }
    stored
}

/// Whether there are users of this source beside those present.
pub(super) async fn any_missing(
    context: &Context,
    source: Option<&str>,
    present: &[String],
) -> Outcome<bool> {
    let statement = Statement::new(ANY_MISSING).text(prefix(source)).texts(present.to_vec());
    let found: Option<bool> = context.session().await?.read(statement).await?;
    Ok(found.unwrap_or(false))
}

/// Makes the missing users inactive. One who cannot be changed stays as they are.
pub(super) async fn deactivate_missing(
    context: &Context,
    source: Option<&str>,
    present: &[String],
) -> Outcome<()> {
    let mut session = context.session().await?;
    let mut last = Uuid::nil();
    loop {
        let statement = Statement::new(MISSING).text(prefix(source)).texts(present.to_vec()).uuid(last);
        let missing: Vec<(Uuid, Value)> = session.read(statement).await?;
        let Some((id, _)) = missing.last() else { return Ok(()) };
        last = *id;
        for (id, mut user) in missing {
            user["active"] = json!(false);
            if let Err(fault) = replace(context, &mut session, &USER, id, user).await {
                tracing::warn!(tenant = %context.tenant.id, user = %id, %fault, "a missing user stays active");
            }
        }
    }
}

fn prefix(source: Option<&str>) -> String {
    source.map(|source| format!("{source}_")).unwrap_or_default()
}

const BY_EXTERNAL_ID: &str = "select id, doc::text from users where \"externalSystemId\" = octavo.fold($1)";
const ANY_MISSING: &str = "\
select exists (
  select from users
  where \"externalSystemId\" <> '' and starts_with(\"externalSystemId\", octavo.fold($1))
    and \"externalSystemId\" not in (select octavo.fold(present) from unnest($2::text[]) present)
)";
const MISSING: &str = "\
select id, doc::text from users
where id > $3 and active = 'true'
  and \"externalSystemId\" <> '' and starts_with(\"externalSystemId\", octavo.fold($1))
  and \"externalSystemId\" not in (select octavo.fold(present) from unnest($2::text[]) present)
order by id
limit 100";

octavo_pg::statements!(hot = [BY_EXTERNAL_ID], other = [ANY_MISSING, MISSING]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_were_not_sent_stay_and_addresses_are_added() {
        let stored = json!({"barcode": "7", "active": true, "personal": {
            "lastName": "Ada", "email": "a@b", "preferredFirstName": "A",
            "addresses": [{"addressTypeId": "home", "city": "Bonn"}, {"addressTypeId": "work", "city": "Ulm"}]}});
        let sent = json!({"active": false, "personal": {
            "lastName": "Lovelace", "addresses": [{"addressTypeId": "home", "city": "Kiel"}]}});
        assert_eq!(
            merged(stored.clone(), sent),
            json!({"barcode": "7", "active": false, "personal": {
                "lastName": "Lovelace", "preferredFirstName": "A",
                "addresses": [{"addressTypeId": "work", "city": "Ulm"}, {"addressTypeId": "home", "city": "Kiel"}]}})
        );
        assert_eq!(merged(stored.clone(), json!({})), stored);
    }
}
