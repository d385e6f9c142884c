//! Action profiles with their mapping profiles.

use serde_json::Value;

use crate::journal::Entity;
use crate::mapping::Mapping;
use crate::marc::{Operation, Pattern, Protection};

#[derive(Debug, Clone)]
pub(crate) enum Act {
    CreateInstance(Mapping),
    UpdateInstance(Mapping),
    CreateHoldings(Mapping),
    UpdateHoldings(Mapping),
    CreateItem(Mapping),
    UpdateItem(Mapping),
    /// Makes a record from a MARC record by the tenant's mapping rules alone.
    CreateFromMarc(Entity),
    UpdateMarc(Entity, MarcUpdate),
    ModifyMarc(Entity, Vec<Operation>),
    DeleteMarc(Entity),
    /// An action that cannot be carried out: every record ends with this error.
    Refused {
        action: crate::journal::Action,
        entity: Entity,
        /// The error, in which [`JOB_ID`] and [`RECORD_ID`] stand for the ids of the job and of the record.
        why: String,
        built: bool,
    },
}

pub(crate) const JOB_ID: &str = "{jobExecutionId}";
pub(crate) const RECORD_ID: &str = "{recordId}";

/// Which fields of a stored MARC record an incoming record replaces.
#[derive(Debug, Clone)]
pub(crate) struct MarcUpdate {
    /// All fields if none is selected.
    pub(crate) selected: Vec<Pattern>,
    /// The ids of field protections that the mapping profile overrides.
    pub(crate) overridden: Vec<String>,
}

impl Act {
    pub(super) fn compile(profile: &Value, mapping: Option<&Value>) -> Result<Act, String> {
        let name = profile["name"].as_str().unwrap_or_default();
        let said = |error: String| {
            let mapping = mapping.and_then(|mapping| mapping["name"].as_str()).unwrap_or_default();
            format!("Mapping profile {mapping} of action profile {name}: {error}")
        };
        let action = profile["action"].as_str().unwrap_or_default();
        let record = profile["folioRecord"].as_str().unwrap_or_default();
        let entity = Entity::from_name(record)
            .ok_or_else(|| format!("Action profile {name}: records of the type {record} are not known"))?;
        let Some(mapping) = mapping else {
            return compile_without_mapping(name, action, entity);
        };
        let fields = || Mapping::compile(entity, mapping).map_err(said);
        let from_holdings = mapping["incomingRecordType"].as_str() == Some("MARC_HOLDINGS");
        Ok(match (action, entity) {
            ("CREATE", Entity::Instance) => Act::CreateInstance(fields()?),
            ("UPDATE", Entity::Instance) => Act::UpdateInstance(fields()?),
            ("CREATE", Entity::Holdings) if from_holdings => Act::CreateFromMarc(entity),
            ("CREATE", Entity::Authority) => Act::CreateFromMarc(entity),
            ("CREATE", Entity::Holdings) => Act::CreateHoldings(fields()?),
            ("UPDATE", Entity::Holdings) => Act::UpdateHoldings(fields()?),
            ("CREATE", Entity::Item) => Act::CreateItem(fields()?),
            ("UPDATE", Entity::Item) => Act::UpdateItem(fields()?),
            ("UPDATE" | "MODIFY", entity) if entity.is_marc() => {
                compile_marc(action, entity, mapping).map_err(said)?
            }
            ("DELETE", Entity::MarcAuthority) => Act::DeleteMarc(entity),
            _ => unsupported_action(name, action, entity)?,
        })
    }

    pub(super) fn not_built(&self) -> Option<&str> {
        match self {
            Act::Refused { why, built: false, .. } => Some(why),
            _ => None,
        }
    }

    pub(super) fn refuses_ids(&self) -> Option<&'static str> {
        match self {
            Act::CreateFromMarc(Entity::Holdings) => Some(
                "A new MARC-Holding was not created because the incoming record already contained a 999ff$s or 999ff$i field",
            ),
            Act::CreateFromMarc(Entity::Authority) => Some(
                "A new MARC-Authority was not created because the incoming record already contained a 999ff$s or 999ff$i field",
            ),
            _ => None,
        }
    }
}

fn compile_marc(action: &str, entity: Entity, mapping: &Value) -> Result<Act, String> {
    let details = &mapping["mappingDetails"];
    let mut list: Vec<&Value> = details["marcMappingDetails"].as_array().into_iter().flatten().collect();
    list.sort_by_key(|detail| detail["order"].as_i64().unwrap_or(0));
    let placed = |detail: &Value, error: String| {
        let field = detail["field"]["field"].as_str().unwrap_or_default();
        format!("field {field}: {error}")
    };
    let modifies = details["marcMappingOption"].as_str().unwrap_or(action) == "MODIFY";
    if modifies {
        let operations =
            list.into_iter().map(|detail| Operation::read(detail).map_err(|error| placed(detail, error)));
        return Ok(Act::ModifyMarc(entity, operations.collect::<Result<_, String>>()?));
    }
    let selected =
        list.into_iter().map(|detail| Operation::selection(detail).map_err(|error| placed(detail, error)));
    let selected = selected.collect::<Result<_, String>>()?;
    let overrides = mapping["marcFieldProtectionSettings"].as_array().into_iter().flatten();
    let overridden = overrides.filter_map(Protection::overridden_id).collect();
    Ok(Act::UpdateMarc(entity, MarcUpdate { selected, overridden }))
}

fn compile_without_mapping(name: &str, action: &str, entity: Entity) -> Result<Act, String> {
    let why = match (action, entity) {
        ("DELETE", Entity::MarcAuthority) => return Ok(Act::DeleteMarc(entity)),
        // Of these messages, only this one names job and record in FOLIO.
        ("CREATE", Entity::Instance) => {
            "Action profile to create an Instance requires a mapping profile by jobExecutionId: '{jobExecutionId}' and \
             recordId: '{recordId}'"
        }
        ("UPDATE", Entity::Instance) => "Action profile to update an Instance requires a mapping profile",
        ("CREATE", Entity::Holdings) => {
            "Action profile to create a Holding entity requires a mapping profile"
        }
        ("UPDATE", Entity::Holdings) => "Action profile to update a Holding entity has no a mapping profile",
        ("CREATE", Entity::Item) => "Action profile to create an Item requires a mapping profile",
        ("UPDATE", Entity::Item) => "Action profile to update an Item requires a mapping profile",
        ("CREATE", Entity::Authority) => return Ok(Act::CreateFromMarc(entity)),
        ("UPDATE" | "MODIFY", entity) if entity.is_marc() => "Action profile requires a mapping profile",
        _ => return unsupported_action(name, action, entity),
    };
    let action = read_action(name, action)?;
    Ok(Act::Refused { action, entity, why: why.to_owned(), built: true })
}

fn unsupported_action(name: &str, action: &str, entity: Entity) -> Result<Act, String> {
    let action = read_action(name, action)?;
    let why = format!("Action profile {name}: {} of {} is not built", action.name(), entity.name());
    Ok(Act::Refused { action, entity, why, built: false })
}

fn read_action(name: &str, action: &str) -> Result<crate::journal::Action, String> {
    use crate::journal::Action;
    let known = [Action::Create, Action::Update, Action::Delete, Action::Modify];
    let found = known.into_iter().find(|known| known.name() == action);
    found.ok_or_else(|| format!("Action profile {name}: the action {action} is not known"))
}
