//! `/oai-pmh/sets` and `/oai-pmh/filtering-conditions`: sets that staff describe. As in FOLIO, nothing is harvested by them.

use octavo_engine::{Context, Request, Response, Snapshot, create as store, find, replace as overwrite};
use octavo_kernel::{Body, Fault, Outcome, Refusal};
use octavo_record::{Field, Member, PersonalData, Persons, Reading, RecordMessages, RecordType, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::inventory_storage::{ILL_POLICY, INSTANCE_FORMAT, INSTANCE_TYPE, LOCATION, MATERIAL_TYPE};

pub(super) static SET: RecordType = RecordType {
    name: "OAI-PMH set",
    table: "oai_set",
    path: "/oai-pmh/sets",
    collection: "sets",
    schema: include_str!("../../../folio/records/mod-oai-pmh/folioSet.tsv"),
    fields: &[
        Field::text("name"),
        Field::text("setSpec"),
        Field::exact("updatedDate").indexed(&[octavo_record::Index::Order]),
    ],
    unique: &[
        Unique::new(&["name"]).with_refusal(TAKEN, "name"),
        Unique::new(&["setSpec"]).with_refusal(TAKEN, "setSpec"),
    ],
    newest_first: Some("updatedDate"),
    messages: RecordMessages::not_found("Set with id '{}' was not found"),
    persons: Some(&Persons::naming_staff(&[
        Member::staff("createdByUserId", PersonalData::Id),
        Member::staff("updatedByUserId", PersonalData::Id),
    ])),
    ..RecordType::BASE
};

/// A placeholder for FOLIO's message about duplicates, which contains the member's name and value.
const TAKEN: &str = "taken";

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut set = checked_body(&request)?;
    if let Some(id) = set["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) {
        let mut session = context.session().await?;
        if find(&mut session, &SET, id).await?.is_some() {
            return Err(Fault::bad_request(format!("Set with id '{id}' already exists")));
        }
    }
    set_author_and_time(context, &mut set, None);
    let sent = set.clone();
    let mut session = context.session().await?;
    let set =
        store(context, &mut session, &SET, set).await.map_err(|fault| already_taken_fault(fault, &sent))?;
    Ok(Response::created(&SET, &set))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (context, id) = (&request.context, request.path_id(0)?);
    let mut set = checked_body(&request)?;
    let mut session = context.session().await?;
    let stored = find(&mut session, &SET, id).await?;
    let missing = || Fault::not_found_with(format!("Set with id '{id}' was not found"));
    let stored = stored.ok_or_else(missing)?;
    set_author_and_time(context, &mut set, Some(&stored));
    let sent = set.clone();
    overwrite(context, &mut session, &SET, id, set)
        .await
        .map_err(|fault| already_taken_fault(fault, &sent))?;
    Ok(Response::no_content())
}

/// The body, which has to have a name and a specification.
fn checked_body(request: &Request) -> Outcome<Value> {
    let set = request.json()?;
    let refusals: Vec<Refusal> = ["name", "setSpec"]
        .into_iter()
        .filter(|member| set[member] == "")
        .map(|member| {
            let message = format!("Field '{member}' cannot be empty or null");
            Refusal::new(message).kind("empty").code("0").about(member, Some(""))
        })
        .collect();
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    SET.schema().check(set, Reading::FromClient).map(|checked| checked.0).map_err(Fault::refused)
}

/// Sets who created the set, who changed it last, and when.
fn set_author_and_time(context: &Context, set: &mut Value, stored: Option<&Value>) {
    let (now, user) = (json!(context.now_text()), context.caller.user_id);
    let before = |member: &str| stored.map(|stored| stored[member].clone());
    let user = user.map_or(Value::Null, |user| json!(user));
    let members = [
        ("createdDate", before("createdDate").unwrap_or_else(|| now.clone())),
        ("createdByUserId", before("createdByUserId").unwrap_or_else(|| user.clone())),
        ("updatedDate", now),
        ("updatedByUserId", user),
    ];
    let Some(set) = set.as_object_mut() else { return };
    for (member, value) in members {
        match value {
            Value::Null => drop(set.remove(member)),
            value => drop(set.insert(member.to_owned(), value)),
        }
    }
}

/// Replaces the error about a duplicate name or specification by FOLIO's message.
fn already_taken_fault(fault: Fault, sent: &Value) -> Fault {
    let Body::Refusals(refusals) = &fault.body else { return fault };
    let Some(member) = refusals.iter().find(|refusal| refusal.message == TAKEN).and_then(|refusal| {
        let named = refusal.parameters.first().map(|(member, _)| member.as_str());
        ["name", "setSpec"].into_iter().find(|member| named == Some(*member))
    }) else {
        return fault;
    };
    let value = sent[member].as_str().unwrap_or_default().to_lowercase();
    let message = format!(
        "Field '{member}' cannot have duplicated values. Value '{value}' is already taken. Please, pass another value"
    );
    Fault::refused(vec![Refusal::new(message).kind("notUnique").code("1").about(member, value)])
}

/// The lists of values from which staff define a set, by FOLIO's names for them.
const CONDITIONS: [(&str, &RecordType); 5] = [
    ("location", &LOCATION),
    ("illPolicy", &ILL_POLICY),
    ("materialType", &MATERIAL_TYPE),
    ("resourceType", &INSTANCE_TYPE),
    ("format", &INSTANCE_FORMAT),
];

pub(super) async fn conditions(request: Request) -> Outcome<Response> {
    let snapshot = request.context.snapshot().await?;
    let all: Vec<Value> = CONDITIONS
        .into_iter()
        .map(|(name, record)| json!({"name": name, "values": names(&snapshot, record)}))
        .collect();
    Ok(Response::json(200, &json!({"setsFilteringConditions": all})))
}

fn names<'s>(snapshot: &'s Snapshot, record: &RecordType) -> Vec<&'s str> {
    let mut names: Vec<&str> = snapshot.all(record).filter_map(|(_, found)| found["name"].as_str()).collect();
    names.sort_unstable();
    names
}
