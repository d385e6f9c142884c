//! `POST /copycat/imports`: a MARC record from elsewhere is imported at once, as a new instance or over one that is there.

use octavo_engine::{Request, Response, find};
use octavo_kernel::{Body, Fault, Outcome};
use serde_json::{Value, json};
use uuid::Uuid;

use super::PROFILE;
use super::given::{embed, read_record};
use crate::source_manager::single;

const IMPORT: &str = include_str!("../../../folio/records/mod-copycat/copycatimports.tsv");

const NO_TARGETS: &str = "\
Records are not fetched from other catalogues: no client of Z39.50 is built. Send the record itself in the member 'record'";

/// FOLIO returns every error of an import as a list of errors.
pub(super) async fn import(request: Request) -> Outcome<Response> {
    let body = request.checked_json(IMPORT)?;
    import_record(&request, body).await.map_err(|mut fault| {
        if let (Body::Text(message), 400 | 501) = (&fault.body, fault.status) {
            fault.body = Body::Json(json!({"errors": [{"message": message, "parameters": []}]}));
        }
        fault
    })
}

async fn import_record(request: &Request, mut body: Value) -> Outcome<Response> {
    let context = &request.context;
    let name = body["profileId"].as_str().unwrap_or_default();
    let mut session = context.session().await?;
    let profile = match Uuid::parse_str(name) {
        Ok(id) => find(&mut session, &PROFILE, id).await?,
        Err(_) => None,
    };
    let profile = profile.ok_or_else(|| Fault::bad_request(format!("No such profileId {name}")))?;
    if body["record"].is_null() {
        return Err(match body["externalIdentifier"].as_str() {
            Some(_) => Fault::text(501, NO_TARGETS),
            None => Fault::bad_request("One of 'record' and 'externalIdentifier' must be given"),
        });
    }
    let mut record = read_record(&body["record"]).map_err(Fault::bad_request)?;
    let internal = body["internalIdentifier"].as_str();
    let job_profile = choose_job_profile(&profile, internal.is_some(), body["selectedJobProfileId"].as_str());
    let job_profile = job_profile.map_err(Fault::bad_request)?;
    if let Some(id) = internal {
        let path = profile["internalIdEmbedPath"].as_str();
        let path = path.ok_or_else(|| Fault::bad_request("Missing internalIdEmbedPath in target profile"))?;
        embed(&mut record, path, id).map_err(Fault::bad_request)?;
    }
    let job = single::begin(context, &mut session, job_profile, &record.to_json()).await?;
    drop(session);
    let came = single::wait_for_outcome(context, job).await?;
    let written = match internal {
        Some(_) => came.error.is_none(),
        None => came.instance.is_some(),
    };
    if !written && let Some(error) = came.error {
        return Err(Fault::bad_request(error_message(error)));
    }
    if internal.is_none() {
        // If the job has not ended yet, the id is not known.
        body["internalIdentifier"] = json!(came.instance);
        if came.instance.is_none()
            && let Some(members) = body.as_object_mut()
        {
            members.remove("internalIdentifier");
        }
    }
    Ok(Response::json(200, &body))
}

/// The job profile of an import: the selected one if it is allowed, or the default of the copycat profile.
fn choose_job_profile(profile: &Value, overlays: bool, selected: Option<&str>) -> Result<Uuid, &'static str> {
    let (usual, allowed) = match overlays {
        true => ("updateJobProfileId", "allowedUpdateJobProfileIds"),
        false => ("createJobProfileId", "allowedCreateJobProfileIds"),
    };
    let id = match (selected, profile[allowed].as_array()) {
        (Some(selected), Some(allowed)) if allowed.iter().any(|id| *id == *selected) => Some(selected),
        (Some(_), Some(_)) => None,
        _ => profile[usual].as_str(),
    };
    id.and_then(|id| Uuid::parse_str(id).ok()).ok_or("Invalid job profile id")
}

/// The message of an error in the log; some errors have it in a JSON object.
fn error_message(error: String) -> String {
    let object: Option<Value> = serde_json::from_str(&error).ok();
    let told = object.as_ref().and_then(|object| object["error"].as_str().or(object["message"].as_str()));
    told.map(str::to_owned).unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_profile_is_chosen_among_the_allowed() {
        let ids = [1_u128, 2, 3, 4].map(Uuid::from_u128);
        let [create, update, other, foreign] = ids.map(|id| id.to_string());
        let profile = json!({
            "createJobProfileId": create, "updateJobProfileId": update,
            "allowedCreateJobProfileIds": [create, other], "allowedUpdateJobProfileIds": [update],
        });
        for (overlays, selected, expected) in [
            (false, None, Some(ids[0])),
            (true, None, Some(ids[1])),
            (false, Some(&other), Some(ids[2])),
            (true, Some(&other), None),
            (false, Some(&foreign), None),
        ] {
            let chosen = choose_job_profile(&profile, overlays, selected.map(String::as_str));
            assert_eq!(chosen.ok(), expected, "{overlays} {selected:?}");
        }
    }

    #[test]
    fn errors_are_told_in_words() {
        let told = [r#"{"error": "no title"}"#, r#"{"message": "no title"}"#, "no title"];
        assert_eq!(told.map(|error| error_message(error.to_owned())), ["no title"; 3]);
    }
}
