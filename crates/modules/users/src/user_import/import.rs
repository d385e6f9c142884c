//! The import itself: one user after the other, and the report.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use uuid::Uuid;

use super::names::Names;
use super::reason::reason;
use super::{preferences, stored};
use crate::{permissions, users};

const COLLECTION: &str = include_str!("../../../folio/records/mod-user-import/userdataimportCollection.tsv");

const IMPORTED: &str = "Users were imported successfully.";

pub(super) async fn import(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut body = request.checked_json(COLLECTION)?;
    let Value::Array(users) = body["users"].take() else { return Err(Fault::internal("no list of users")) };
    if body["totalRecords"] == 0 {
        let answer = json!({"message": "No users to import.", "failedUsers": [], "totalRecords": 0});
        return Ok(Response::json(200, &answer));
    }
    let batch = Batch {
        names: match Names::load(context, &body["included"]).await {
            Ok(names) => names,
            Err(why) => return Ok(refused_response(&users, &why)),
        },
        source: body["sourceType"].as_str().filter(|source| !source.is_empty()),
        only_present: body["updateOnlyPresentFields"] == true,
    };
    let mut report = Report::default();
    for user in users {
        batch.import(context, user, &mut report).await;
    }
    let message = match body["deactivateMissingUsers"] == true {
        true => deactivate(context, &batch, &report).await?,
        false => IMPORTED.to_owned(),
    };
    Ok(Response::json(200, &report.to_json(&message)))
}

struct Batch<'a> {
    names: Names,
    /// The prefix of every external id.
    source: Option<&'a str>,
    only_present: bool,
}

#[derive(Default)]
struct Report {
    created: usize,
    updated: usize,
    failed: Vec<Value>,
    /// The external ids of the users who were stored.
    present: Vec<String>,
}

enum Done {
    Created,
    Updated,
}

impl Batch<'_> {
    async fn import(&self, context: &Context, mut user: Value, report: &mut Report) {
        let given = user["externalSystemId"].as_str().unwrap_or_default();
        let external = self.source.map_or_else(|| given.to_owned(), |source| format!("{source}_{given}"));
        user["externalSystemId"] = json!(external);
        let username = user["username"].clone();
        match self.store(context, user, &external).await {
            Ok(done) => {
                match done {
                    Done::Created => report.created += 1,
                    Done::Updated => report.updated += 1,
                }
                report.present.push(external);
            }
            Err(why) => report.failed.push(failed_user_json(&username, &json!(external), &why)),
        }
    }

    /// Stores the user and the preference, or says why not.
    async fn store(&self, context: &Context, mut user: Value, external: &str) -> Result<Done, String> {
        let preference = user.as_object_mut().and_then(|members| members.remove("requestPreference"));
        self.names.resolve(&mut user)?;
        let found = stored::by_external_id(context, external).await.map_err(|fault| reason(&fault))?;
        let (done, id) = match found {
            Some((id, before)) => {
                user["id"] = json!(id);
                if self.only_present {
                    user = stored::merged(before, user);
                }
                let changed = users::change(context, &id.to_string(), user.clone(), &[]).await;
                changed.map_err(|fault| {
                    format!("Failed to update user with externalSystemId: {external}: {}", reason(&fault))
                })?;
                (Done::Updated, id)
            }
            None => {
                let created = create(context, &mut user).await;
                let id = created.map_err(|fault| {
                    tracing::info!(tenant = %context.tenant.id, %fault, "a user was not imported");
                    format!("Failed to create new user with externalSystemId: {external}")
                })?;
                (Done::Created, id)
            }
        };
        let keep = matches!(done, Done::Created) || self.only_present;
        preferences::store(context, &self.names, id, &user, preference, keep).await?;
        Ok(done)
    }
}

/// Creates a user together with a permissions user that has no permissions.
async fn create(context: &Context, user: &mut Value) -> Outcome<Uuid> {
    let given = user["id"].as_str().map(Uuid::parse_str).transpose();
    let given = given.map_err(|error| Fault::bad_request(error.to_string()))?;
    let id = given.unwrap_or_else(|| context.fresh_id());
    user["id"] = json!(id);
    let none = permissions::grant_statements(context, &mut context.session().await?, id, &json!([])).await?;
    users::add(context, user.clone(), none).await?;
    Ok(id)
}

/// Makes users inactive whom the other system no longer has, if all others were imported. Returns the message of the answer.
async fn deactivate(context: &Context, batch: &Batch<'_>, report: &Report) -> Outcome<String> {
    let present = &report.present;
    if !stored::any_missing(context, batch.source, present).await? {
        return Ok(IMPORTED.to_owned());
    }
    if !report.failed.is_empty() {
        return Ok(format!("{IMPORTED} Users were not deactivated because of import failures."));
    }
    stored::deactivate_missing(context, batch.source, present).await?;
    Ok("Deactivated missing users.".to_owned())
}

impl Report {
    fn to_json(&self, message: &str) -> Value {
        json!({
            "message": message,
            "createdRecords": self.created,
            "updatedRecords": self.updated,
            "failedRecords": self.failed.len(),
            "failedUsers": self.failed,
            "totalRecords": self.created + self.updated + self.failed.len(),
        })
    }
}

fn failed_user_json(username: &Value, external: &Value, why: &str) -> Value {
    json!({"username": username, "externalSystemId": external, "errorMessage": why})
}

/// Nothing was imported.
fn refused_response(users: &[Value], why: &str) -> Response {
    let failed = users.iter().map(|user| failed_user_json(&user["username"], &user["externalSystemId"], why));
    let report = Report { failed: failed.collect(), ..Report::default() };
    let mut answer = report.to_json("Failed to import users.");
    answer["error"] = json!(why);
    Response::json(500, &answer)
}
