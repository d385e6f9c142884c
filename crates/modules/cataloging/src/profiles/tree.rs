//! The tree of a job's profiles: read, and kept as it was when a job began.

use std::collections::HashSet;

use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::associations::kind_of;
use super::kinds::{Kind, SNAPSHOT};
use super::reads::with_arrays;
use super::relations::uuid;

/// A profile below another.
#[derive(Debug, Clone)]
struct Item {
    above: Uuid,
    place: Uuid,
    kind: Kind,
    profile: Uuid,
    order: i64,
    reacts_to: Option<String>,
    content: Value,
}

/// The root of a tree, and its places.
struct Root {
    kind: Kind,
    profile: Uuid,
    places: Vec<Uuid>,
    content: Value,
}

/// Puts profiles below each other. A place that is reached from itself ends the branch.
fn grown(root: Root, items: &[Item], fresh: &mut dyn FnMut() -> Uuid) -> Value {
    let Root { kind, profile, places, content } = root;
    let mut above: HashSet<Uuid> = places.iter().copied().collect();
    let children: Vec<Value> =
        places.iter().flat_map(|place| below(*place, items, &mut above, fresh)).collect();
    node((kind, profile), places.first().copied(), (0, None), (content, children), fresh())
}

fn below(
    place: Uuid,
    items: &[Item],
    above: &mut HashSet<Uuid>,
    fresh: &mut dyn FnMut() -> Uuid,
) -> Vec<Value> {
    let mut nodes = Vec::new();
    for item in items.iter().filter(|item| item.above == place) {
        let is_new = above.insert(item.place);
        let children = if is_new { below(item.place, items, above, fresh) } else { Vec::new() };
        if is_new {
            above.remove(&item.place);
        }
        let how = (item.order, item.reacts_to.as_deref());
        let what = (item.content.clone(), children);
        nodes.push(node((item.kind, item.profile), Some(item.place), how, what, fresh()));
    }
    nodes
}

fn node(
    (kind, profile): (Kind, Uuid),
    place: Option<Uuid>,
    (order, reacts_to): (i64, Option<&str>),
    (content, children): (Value, Vec<Value>),
    id: Uuid,
) -> Value {
    let mut node = json!({
        "id": id,
        "profileId": profile,
        "contentType": kind.name(),
        "content": content,
        "order": order,
        "childSnapshotWrappers": children,
    });
    if let Some(place) = place {
        node["profileWrapperId"] = json!(place);
    }
    if let Some(reacts_to) = reacts_to {
        node["reactTo"] = json!(reacts_to);
    }
    node
}

/// The tree of a profile. Only a job has something below it: what is below another profile depends on the job. Without `job` what is
/// below matches is left out.
async fn tree(
    context: &Context,
    session: &mut Session,
    (kind, id): (Kind, Uuid),
    job: Option<Uuid>,
) -> Outcome<Option<Value>> {
    type Found = (Uuid, Uuid, String, Uuid, i64, Option<String>, Value);
    let root: Option<Value> = session.read(Statement::new(ROOT).text(kind.name()).uuid(id)).await?;
    let Some(content) = root else { return Ok(None) };
    let (mut places, mut items): (Vec<Uuid>, Vec<Item>) = Default::default();
    if kind == Kind::Job {
        places = session.read(Statement::new(ROOTS).uuid(id)).await?;
        let found: Vec<Found> = session.read(Statement::new(BELOW).uuid(id).maybe_uuid(job)).await?;
        items.extend(found.into_iter().filter_map(|found| {
            let (above, place, kind, profile, order, reacts_to, content) = found;
            let kind = Kind::named(&kind)?;
            Some(Item { above, place, kind, profile, order, reacts_to, content: with_arrays(kind, content) })
        }));
    }
    let root = Root { kind, profile: id, places, content: with_arrays(kind, content) };
    Ok(Some(grown(root, &items, &mut || context.fresh_id())))
}

/// The tree of a job's profiles, and the statement that keeps it under its id; `None` if there is no such job profile.
pub(crate) async fn of_job(
    context: &Context,
    session: &mut Session,
    job: Uuid,
) -> Outcome<Option<(Value, Statement)>> {
    let tree = tree(context, session, (Kind::Job, job), Some(job)).await?;
    Ok(tree.and_then(|tree| {
        let keep = statements::insert(&SNAPSHOT, uuid(&tree, "id")?, &tree);
        Some((tree, keep))
    }))
}

pub(super) async fn show(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let kind = kind_of(&request, "profileType")?;
    let job = request.query("jobProfileId").map(Uuid::parse_str).transpose();
    let job = job.map_err(|_| Fault::bad_request("jobProfileId is no UUID"))?;
    let mut session = request.context.session().await?;
    let tree = tree(&request.context, &mut session, (kind, id), job).await?;
    tree.map(|tree| Response::json(200, &tree)).ok_or_else(|| unknown(id))
}

pub(super) async fn keep(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    let (tree, keep) = of_job(&request.context, &mut session, id).await?.ok_or_else(|| unknown(id))?;
    session.rows(keep).await?;
    Ok(Response::json(201, &tree))
}

pub(super) async fn kept(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    let kept = octavo_engine::find(&mut session, &SNAPSHOT, id).await?;
    kept.map(|kept| Response::json(200, &kept)).ok_or_else(|| unknown(id))
}

fn unknown(id: Uuid) -> Fault {
    Fault::missing(format!("Profile snapshot with id '{id}' was not found"))
}

const ROOT: &str = "select p.doc::text from import_profile p where p.kind = $1 and p.id = $2";

const ROOTS: &str = "\
select w.id
from profile_wrappers w
where w.\"profileId\" = $1 and w.\"profileType\" = 'JOB_PROFILE'
order by exists (select from profile_associations a where a.\"masterWrapperId\" = w.id) desc, w.id";

/// Associations are of all jobs, but for those below matches: these are of one.
const BELOW: &str = "\
with recursive reached as (
  select a.id, a.\"detailWrapperId\" as place
  from profile_associations a
  join profile_wrappers w on w.id = a.\"masterWrapperId\"
  where w.\"profileId\" = $1 and w.\"profileType\" = 'JOB_PROFILE'
  union
  select a.id, a.\"detailWrapperId\"
  from profile_associations a
  join reached r on r.place = a.\"masterWrapperId\"
  where case when a.\"masterProfileType\" = 'MATCH_PROFILE' and $2::uuid is not null
    then a.\"jobProfileId\" = $2 else a.\"jobProfileId\" is null end
)
select a.\"masterWrapperId\", a.\"detailWrapperId\", a.\"detailProfileType\", a.\"detailProfileId\",
  coalesce((a.doc ->> 'order')::bigint, 0), a.doc ->> 'reactTo', p.doc::text
from reached r
join profile_associations a on a.id = r.id
join import_profile p on p.kind = a.\"detailProfileType\" and p.id = a.\"detailProfileId\"
order by coalesce((a.doc ->> 'order')::bigint, 0), a.id";

octavo_pg::statements!(other = [ROOT, ROOTS, BELOW]);

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn item(above: u128, place: u128, kind: Kind) -> Item {
        Item {
            above: id(above),
            place: id(place),
            kind,
            profile: id(place + 100),
            order: 0,
            reacts_to: (kind == Kind::Action).then(|| "MATCH".to_owned()),
            content: json!({}),
        }
    }

    /// The places of a tree: `1(2 3(4))`.
    fn drawn(node: &Value) -> String {
        let place = uuid(node, "profileWrapperId").map_or(0, |place| place.as_u128());
        let below: Vec<String> =
            node["childSnapshotWrappers"].as_array().unwrap().iter().map(drawn).collect();
        if below.is_empty() { place.to_string() } else { format!("{place}({})", below.join(" ")) }
    }

    #[test]
    fn profiles_stand_below_each_other() {
        let items = [
            item(1, 2, Kind::Match),
            item(2, 3, Kind::Action),
            item(3, 4, Kind::Mapping),
            item(1, 5, Kind::Action),
            item(9, 6, Kind::Action),
        ];
        let root = Root { kind: Kind::Job, profile: id(50), places: vec![id(1)], content: json!({}) };
        let tree = grown(root, &items, &mut Uuid::nil);
        assert_eq!(drawn(&tree), "1(2(3(4)) 5)");
        assert_eq!(tree["childSnapshotWrappers"][1]["reactTo"], "MATCH");
    }

    #[test]
    fn a_ring_comes_to_an_end() {
        let items = [item(1, 2, Kind::Match), item(2, 3, Kind::Match), item(3, 2, Kind::Match)];
        let root = Root { kind: Kind::Job, profile: id(50), places: vec![id(1)], content: json!({}) };
        assert_eq!(drawn(&grown(root, &items, &mut Uuid::nil)), "1(2(3(2)))");
    }
}
