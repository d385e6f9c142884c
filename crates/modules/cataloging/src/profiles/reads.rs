//! Reads profiles: without deleted and hidden ones, unless the request includes them, and with the profiles above and below
//! if the request asks for them.

use std::collections::HashMap;

use octavo_cql::{Node, Query, parse};
use octavo_engine::{ListRequest, Request, Response, list, list_response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kinds::Kind;

pub(super) async fn list_profiles(request: Request, kind: Kind) -> Outcome<Response> {
    let record = kind.properties().record;
    let mut listing = ListRequest::for_record_type(&request, record)?;
    for (parameter, clause) in [("showDeleted", "deleted==false"), ("showHidden", "hidden==false")] {
        if !request.query_flag(parameter) {
            listing.query = Some(narrow_query(listing.query, clause)?);
        }
    }
    if !request.query_flag("withRelations") {
        return list_response(&request.context, record, &listing).await;
    }
    let mut session = request.context.session().await?;
    let (mut profiles, total) = list(&mut session, record, &listing).await?;
    add_relations(&mut session, &mut profiles).await?;
    let mut body = json!({record.collection: profiles});
    if let Some(total) = total {
        body["totalRecords"] = json!(total);
    }
    Ok(Response::json(200, &body))
}

/// Adds a condition to a query.
pub(crate) fn narrow_query(query: Option<Query>, clause: &str) -> Outcome<Query> {
    let more = parse(clause).map_err(Fault::internal)?;
    Ok(match query {
        None => more,
        Some(Query { root, sort }) => Query { root: Node::And(Box::new(root), Box::new(more.root)), sort },
    })
}

pub(super) async fn get(request: Request, kind: Kind) -> Outcome<Response> {
    let (id, words) = (request.path_id(0)?, kind.properties());
    let mut session = request.context.session().await?;
    let found = octavo_engine::find(&mut session, words.record, id).await?;
    let found = found.filter(|profile| profile["deleted"] != true);
    let profile = found
        .ok_or_else(|| Fault::not_found_with(format!("{} with id '{id}' was not found", words.label)))?;
    let mut profiles = [profile];
    if request.query_flag("withRelations") {
        add_relations(&mut session, &mut profiles).await?;
    }
    let [profile] = profiles;
    Ok(Response::json(200, &profile))
}

/// A profile that is above or below another.
pub(super) struct Related {
    pub(super) subject: Uuid,
    pub(super) is_child: bool,
    pub(super) kind: Kind,
    pub(super) profile: Uuid,
    pub(super) place: Option<Uuid>,
    pub(super) content: Value,
}

impl Related {
    pub(super) fn into_json(self) -> Value {
        let mut shown = json!({
            "id": self.profile,
            "contentType": self.kind.name(),
            "content": self.content,
            "order": 0,
            "childSnapshotWrappers": [],
        });
        if let Some(place) = self.place {
            shown["profileWrapperId"] = json!(place);
        }
        shown
    }
}

/// The profiles above and below these. For a job also the actions below its matches, as in FOLIO's view of associations.
pub(super) async fn find_related(session: &mut Session, of: Vec<Uuid>) -> Outcome<Vec<Related>> {
    type Found = (Uuid, bool, String, Uuid, Option<Uuid>, Value);
    let found: Vec<Found> = session.read(Statement::new(RELATED).uuids(of)).await?;
    let related = found.into_iter().filter_map(|(of, is_child, kind, profile, place, content)| {
        let kind = Kind::from_name(&kind)?;
        let content = as_client_reads(kind, content);
        Some(Related { subject: of, is_child, kind, profile, place, content })
    });
    Ok(related.collect())
}

/// The profile with empty arrays where members are missing, as clients read it.
pub(super) fn as_client_reads(kind: Kind, profile: Value) -> Value {
    kind.properties().record.parse_stored(Some(&profile.to_string())).unwrap_or(profile)
}

async fn add_relations(session: &mut Session, profiles: &mut [Value]) -> Outcome<()> {
    let id = |profile: &Value| super::relations::uuid_member(profile, "id");
    let mut of: HashMap<Uuid, [Vec<Value>; 2]> = HashMap::new();
    for one in find_related(session, profiles.iter().filter_map(id).collect()).await? {
        let side = usize::from(one.is_child);
        of.entry(one.subject).or_default()[side].push(one.into_json());
    }
    for profile in profiles {
        let [parents, children] = id(profile).and_then(|id| of.remove(&id)).unwrap_or_default();
        profile["parentProfiles"] = json!(parents);
        profile["childProfiles"] = json!(children);
    }
    Ok(())
}

const RELATED: &str = "\
with found as (
  select a.\"masterProfileId\" as one, true as child, a.\"detailProfileType\" as kind,
    a.\"detailProfileId\" as other, a.\"detailWrapperId\" as place, a.id, a.doc, 0 as far
  from profile_associations a where a.\"masterProfileId\" = any($1)
  union all
  select a.\"detailProfileId\", false, a.\"masterProfileType\", a.\"masterProfileId\", null, a.id, a.doc, 0
  from profile_associations a where a.\"detailProfileId\" = any($1)
  union all
  select a.\"jobProfileId\", true, 'ACTION_PROFILE', a.\"detailProfileId\", a.\"detailWrapperId\", a.id, a.doc, 1
  from profile_associations a
  where a.\"jobProfileId\" = any($1)
    and a.\"masterProfileType\" = 'MATCH_PROFILE' and a.\"detailProfileType\" = 'ACTION_PROFILE'
  union all
  select a.\"detailProfileId\", false, 'JOB_PROFILE', a.\"jobProfileId\", null, a.id, a.doc, 1
  from profile_associations a
  where a.\"detailProfileId\" = any($1) and a.\"jobProfileId\" is not null
    and a.\"masterProfileType\" = 'MATCH_PROFILE' and a.\"detailProfileType\" = 'ACTION_PROFILE'
)
select f.one, f.child, f.kind, f.other, f.place, p.doc::text
from found f
join import_profile p on p.kind = f.kind and p.id = f.other
order by f.far, (f.doc ->> 'order')::bigint nulls first, f.id, f.child";

octavo_pg::statements!(other = [RELATED]);
