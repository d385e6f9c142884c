//! Profiles as they are shown: without those that are deleted or hidden, unless they are asked for, and with what is above and below
//! them where that is asked for.

use std::collections::HashMap;

use octavo_cql::{Node, Query, parse};
use octavo_engine::{Listing, Request, Response, collection, list};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kinds::Kind;

pub(super) async fn list_of(request: Request, kind: Kind) -> Outcome<Response> {
    let record = kind.words().record;
    let mut listing = Listing::of_records(&request, record)?;
    for (parameter, clause) in [("showDeleted", "deleted==false"), ("showHidden", "hidden==false")] {
        if !request.truth(parameter) {
            listing.query = Some(narrowed(listing.query, clause)?);
        }
    }
    if !request.truth("withRelations") {
        return collection(&request.context, record, &listing).await;
    }
    let mut session = request.context.session().await?;
    let (mut profiles, total) = list(&mut session, record, &listing).await?;
    relate(&mut session, &mut profiles).await?;
    let mut body = json!({record.collection: profiles});
    if let Some(total) = total {
        body["totalRecords"] = json!(total);
    }
    Ok(Response::json(200, &body))
}

/// A query, and a condition beside it.
pub(crate) fn narrowed(query: Option<Query>, clause: &str) -> Outcome<Query> {
    let more = parse(clause).map_err(Fault::internal)?;
    Ok(match query {
        None => more,
        Some(Query { root, sort }) => Query { root: Node::And(Box::new(root), Box::new(more.root)), sort },
    })
}

pub(super) async fn get(request: Request, kind: Kind) -> Outcome<Response> {
    let (id, words) = (request.id(0)?, kind.words());
    let mut session = request.context.session().await?;
    let found = octavo_engine::find(&mut session, words.record, id).await?;
    let found = found.filter(|profile| profile["deleted"] != true);
    let profile =
        found.ok_or_else(|| Fault::missing(format!("{} with id '{id}' was not found", words.read)))?;
    let mut profiles = [profile];
    if request.truth("withRelations") {
        relate(&mut session, &mut profiles).await?;
    }
    let [profile] = profiles;
    Ok(Response::json(200, &profile))
}

/// A profile that is above or below another.
pub(super) struct Related {
    pub(super) of: Uuid,
    pub(super) is_child: bool,
    pub(super) kind: Kind,
    pub(super) profile: Uuid,
    pub(super) place: Option<Uuid>,
    pub(super) content: Value,
}

impl Related {
    pub(super) fn shown(self) -> Value {
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

/// What is above and below these profiles. A job has the actions below its matches, too, as FOLIO's view of associations shows it.
pub(super) async fn related(session: &mut Session, of: Vec<Uuid>) -> Outcome<Vec<Related>> {
    type Found = (Uuid, bool, String, Uuid, Option<Uuid>, Value);
    let found: Vec<Found> = session.read(Statement::new(RELATED).uuids(of)).await?;
    let related = found.into_iter().filter_map(|(of, is_child, kind, profile, place, content)| {
        let kind = Kind::named(&kind)?;
        let content = with_arrays(kind, content);
        Some(Related { of, is_child, kind, profile, place, content })
    });
    Ok(related.collect())
}

/// The profile as clients see it.
pub(super) fn with_arrays(kind: Kind, profile: Value) -> Value {
    kind.words().record.read(Some(&profile.to_string())).unwrap_or(profile)
}

async fn relate(session: &mut Session, profiles: &mut [Value]) -> Outcome<()> {
    let id = |profile: &Value| super::relations::uuid(profile, "id");
    let mut of: HashMap<Uuid, [Vec<Value>; 2]> = HashMap::new();
    for one in related(session, profiles.iter().filter_map(id).collect()).await? {
        let side = usize::from(one.is_child);
        of.entry(one.of).or_default()[side].push(one.shown());
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
