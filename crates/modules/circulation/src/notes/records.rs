//! Notes. Their content is cleaned of all but simple HTML; a note without links is refused.

use octavo_engine::{Request, Response, delete};
use octavo_kernel::{Fault, Kind, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::{
    DisclosureRule, ErasureRule, Field, Index, Member, MergeRule, PersonalData, Persons, RecordMessages,
    RecordTransfer, RecordType,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{NOTE_TYPE, body, html};

pub static NOTE: RecordType = RecordType {
    name: "note",
    table: "note",
    path: "/notes",
    collection: "notes",
    default_limit: 1000,
    messages: RecordMessages::not_found("Note with ID [{}] was not found"),
    schema: include_str!("../../../folio/records/mod-notes/note.tsv"),
    response_expression: Some(
        "({t}.doc)::jsonb || jsonb_build_object('type', \
           (select y.doc -> 'name' from note_type y where y.id = {t}.\"typeId\"))",
    ),
    fields: &[
        Field::text("title").max_characters(600).indexed(&[Index::Order]),
        Field::text("domain").indexed(&[Index::Order]),
        Field::uuid("typeId").indexed(&[Index::Order]),
        // Title and content without marks.
        Field::text("indexedContent")
            .computed(
                "coalesce(doc ->> 'title', '') || ' ' || \
                 regexp_replace(regexp_replace(coalesce(doc ->> 'content', ''), '<[^>]+>', '', 'g'), '\\n+', ' ', 'g')",
            )
            .indexed(&[Index::Anywhere]),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("links[].id"),
            Member::patron("title", PersonalData::Text),
            Member::patron("content", PersonalData::Text),
        ],
        not_persons: &["popUpOnUser"],
        on_user_deleted: ErasureRule::Run(&[LEFT_ALONE, WITHOUT_USER]),
        disclosure: DisclosureRule::Where(
            "t.id in (select k.note_id from note_link k \
               where k.object_type = 'user' and k.object_id = any($1::uuid[]::text[]))",
        ),
        on_user_merged: MergeRule::Move(&[RecordTransfer {
            document: Some(
                "jsonb_set(t.doc::jsonb, '{links}', (\
                   select jsonb_agg(case when l ->> 'id' = $1::uuid::text and l ->> 'type' = 'user' \
                     then l || jsonb_build_object('id', $2::uuid) else l end) \
                   from jsonb_array_elements(t.doc::jsonb -> 'links') l))",
            ),
            ..RecordTransfer::new(
                "links[].id",
                "t.id in (select k.note_id from note_link k \
                   where k.object_type = 'user' and k.object_id = $1::uuid::text) \
                 and t.id not in (select k.note_id from note_link k \
                   where k.object_type = 'user' and k.object_id = $2::uuid::text)",
            )
        }]),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    Ok(Response::json(200, &read(&mut session, id).await?))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let note = body(&request)?;
    let context = &request.context;
    let mut session = context.session().await?;
    refuse_unknown_type(&mut session, &note).await?;
    let stored = octavo_engine::create(context, &mut session, &NOTE, note).await?;
    let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let shown = read(&mut session, id).await?;
    Ok(Response::json(201, &shown).with_header("location", format!("{}/{id}", NOTE.path)))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let note = body(&request)?;
    let context = &request.context;
    let mut session = context.session().await?;
    if note["links"].as_array().is_some_and(Vec::is_empty) {
        delete(context, &mut session, &NOTE, id).await?;
    } else {
        refuse_unknown_type(&mut session, &note).await?;
        octavo_engine::replace(context, &mut session, &NOTE, id, note).await?;
    }
    Ok(Response::no_content())
}

fn body(request: &Request) -> Outcome<Value> {
    let mut note = body::read(request, NOTE.schema())?;
    if let Some(content) = note["content"].as_str() {
        note["content"] = json!(html::clean_html(content));
    }
    if note["links"].is_null() {
        note["links"] = json!([]);
    }
    for flag in ["popUpOnCheckOut", "popUpOnUser"] {
        if note[flag].is_null() {
            note[flag] = json!(false);
        }
    }
    Ok(note)
}

async fn refuse_unknown_type(session: &mut Session, note: &Value) -> Outcome<()> {
    let id = note["typeId"].as_str().unwrap_or_default();
    let refused =
        || Fault::new(Kind::Refused, format!("Key (type_id)=({id}) is not present in table \"type\"."));
    let id = Uuid::parse_str(id).map_err(|_| refused())?;
    octavo_engine::find(session, &NOTE_TYPE, id).await?.map(drop).ok_or_else(refused)
}

/// Reads a note with the names of its author and of the last editor.
async fn read(session: &mut Session, id: Uuid) -> Outcome<Value> {
    let found: Option<(Value, Option<String>, Option<Value>, Option<Value>)> =
        session.read(Statement::new(READ).uuid(id)).await?;
    let missing = || Fault::not_found_with(format!("Note with ID [{id}] was not found"));
    let (mut note, kind, creator, updater) = found.ok_or_else(missing)?;
    note["type"] = json!(kind);
    for (user, name, person) in
        [(creator, "createdByUsername", "createdBy"), (updater, "updatedByUsername", "updatedBy")]
    {
        let Some(user) = user else { continue };
        let known = [(name, user.get("username").cloned()), (person, user.get("personal").map(name_members))];
        for (member, value) in known {
            if let Some(value) = value {
                note["metadata"][member] = value;
            }
        }
    }
    Ok(note)
}

fn name_members(personal: &Value) -> Value {
    let names = ["lastName", "firstName", "middleName"].into_iter();
    let known = names.filter(|name| personal[name].is_string());
    known.map(|name| (name.to_owned(), personal[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

const READ: &str = "\
select t.doc::text, y.doc ->> 'name', c.doc::text, u.doc::text
from note t
join note_type y on y.id = t.\"typeId\"
left join users c on c.id = (t.doc #>> '{metadata,createdByUserId}')::uuid
left join users u on u.id = (t.doc #>> '{metadata,updatedByUserId}')::uuid
where t.id = $1";

/// Removes the links of notes to deleted users; notes without other links are deleted.
const LEFT_ALONE: &str = "\
delete from note t
using note_link k
where k.note_id = t.id
  and k.object_type = 'user'
  and k.object_id = any($1::uuid[]::text[])
  and not exists (
    select from note_link o
    where o.note_id = t.id and not (o.object_type = 'user' and o.object_id = any($1::uuid[]::text[]))
  )";
const WITHOUT_USER: &str = "\
update note t
set doc = jsonb_set(t.doc::jsonb, '{links}', coalesce((
  select jsonb_agg(e)
  from jsonb_array_elements((t.doc -> 'links')::jsonb) e
  where not (e ->> 'type' = 'user' and e ->> 'id' = any($1::uuid[]::text[]))
), '[]'))
from note_link k
where k.note_id = t.id
  and k.object_type = 'user'
  and k.object_id = any($1::uuid[]::text[])";

octavo_pg::statements!(other = [READ, LEFT_ALONE, WITHOUT_USER]);
