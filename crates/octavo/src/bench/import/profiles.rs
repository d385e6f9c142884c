//! The job profile of updates, made as a system librarian makes one.

use anyhow::{Context, Result};
use octavo_lab::load::Session;
use serde_json::{Value, json};

use super::Profile;

const MARC: &str = "MARC_BIBLIOGRAPHIC";

/// A MARC record with the same 035 $a is replaced by the incoming one, and its instance follows. `run` makes the names of the profiles
/// differ from those of other runs on the same library.
pub(super) async fn update_by_035(staff: &mut Session, run: i64) -> Result<Profile> {
    let replace = format!("Replace the MARC record {run}");
    let details = json!({
        "name": "marcBib", "recordType": MARC, "marcMappingOption": "UPDATE", "marcMappingDetails": [], "mappingFields": [],
    });
    let mapping = json!({
        "name": replace, "incomingRecordType": MARC, "existingRecordType": MARC, "mappingDetails": details,
    });
    let mapping = create_profile(staff, "mapping", mapping, vec![]).await?;
    let action = json!({"name": replace, "action": "UPDATE", "folioRecord": MARC});
    let action = create_profile(
        staff,
        "action",
        action,
        vec![association(("ACTION", ""), ("MAPPING", &mapping), None)],
    )
    .await?;
    let detail = json!({
        "incomingRecordType": MARC, "existingRecordType": MARC, "matchCriterion": "EXACTLY_MATCHES",
        "incomingMatchExpression": field_035(), "existingMatchExpression": field_035(),
    });
    let matching = json!({
        "name": format!("Same 035 {run}"), "incomingRecordType": MARC, "existingRecordType": MARC, "matchDetails": [detail],
    });
    let matching = create_profile(staff, "match", matching, vec![]).await?;
    let name = format!("Update titles by 035 {run}");
    let tree = vec![
        association(("JOB", ""), ("MATCH", &matching), None),
        association(("MATCH", &matching), ("ACTION", &action), Some("MATCH")),
    ];
    let id = create_profile(staff, "job", json!({"name": name, "dataType": "MARC"}), tree).await?;
    Ok(Profile {
        id: id.into(),
        name: name.into(),
        summary_parts: &["sourceRecordSummary"],
        total_figure: "totalUpdatedEntities",
    })
}

fn field_035() -> Value {
    let part = |label: &str, value: &str| json!({"label": label, "value": value});
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [
        part("field", "035"), part("indicator1", ""), part("indicator2", ""), part("recordSubfield", "a"),
    ]})
}

/// One profile stands below another, which may be the new one itself.
fn association(above: (&str, &str), below: (&str, &str), reacts_to: Option<&str>) -> Value {
    let kind = |kind: &str| format!("{kind}_PROFILE");
    let mut relation = json!({
        "masterProfileType": kind(above.0), "detailProfileType": kind(below.0), "detailProfileId": below.1, "order": 0,
    });
    if !above.1.is_empty() {
        relation["masterProfileId"] = json!(above.1);
    }
    if let Some(reaction) = reacts_to {
        relation["reactTo"] = json!(reaction);
    }
    relation
}

/// The id of the profile that is made.
async fn create_profile(
    staff: &mut Session,
    kind: &str,
    profile: Value,
    added: Vec<Value>,
) -> Result<String> {
    let body = json!({"profile": profile, "addedRelations": added, "deletedRelations": []});
    let made =
        staff.ask("POST", &format!("/data-import-profiles/{kind}Profiles"), &body.to_string(), 201).await?;
    made.answer.json()?["id"].as_str().map(str::to_owned).context("a profile without an id")
}
