//! Departments that come with the users: new ones are stored, and one whose code is known gets its new name.

use octavo_engine::{Context, Snapshot, create, replace};
use serde_json::{Value, json};
use uuid::Uuid;

use super::reason::reason;
use crate::users::DEPARTMENT;

#[derive(Debug)]
pub(super) struct Department {
    pub(super) id: Uuid,
    pub(super) name: String,
    code: String,
}

impl Department {
    fn read(id: Uuid, document: &Value) -> Department {
        let text = |member: &str| document[member].as_str().unwrap_or_default().to_owned();
        Department { id, name: text("name"), code: text("code") }
    }
}

/// Stores the sent departments, and returns all departments. The error is a message for the report.
pub(super) async fn store(
    context: &Context,
    snapshot: &Snapshot,
    sent: &Value,
) -> Result<Vec<Department>, String> {
    let mut known: Vec<Department> =
        snapshot.all(&DEPARTMENT).map(|(id, document)| Department::read(*id, document)).collect();
    for department in sent.as_array().into_iter().flatten() {
        let name = department["name"].as_str().unwrap_or_default();
        if known.iter().any(|known| known.name == name) {
            continue;
        }
        let code = department["code"].as_str().filter(|code| !code.trim().is_empty());
        let mut session = context.session().await.map_err(|fault| reason(&fault))?;
        match known.iter_mut().find(|known| code.is_some_and(|code| known.code == code)) {
            Some(renamed) => {
                let changed =
                    replace(context, &mut session, &DEPARTMENT, renamed.id, department.clone()).await;
                changed.map_err(|fault| format!("Failed to update department: {}", reason(&fault)))?;
                name.clone_into(&mut renamed.name);
            }
            None => {
                let mut new = department.clone();
                new["code"] = json!(code.map_or_else(|| code_of(name), str::to_owned));
                let stored = create(context, &mut session, &DEPARTMENT, new).await;
                let stored =
                    stored.map_err(|fault| format!("Failed to create department: {}", reason(&fault)))?;
                let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
                known.push(Department::read(id.unwrap_or_default(), &stored));
            }
        }
    }
    Ok(known)
}

fn code_of(name: &str) -> String {
    name.to_uppercase().replace(' ', "_")
}
