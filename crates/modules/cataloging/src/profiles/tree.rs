//! The tree of a job's profiles: read as it is now, or stored as a snapshot when a job begins.

use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::associations::kind_parameter;
use super::kinds::{Kind, SNAPSHOT};
use super::reads::as_client_reads;
use super::relations::uuid_member;

/// A profile below another.
#[derive(Debug, Clone)]
struct Item {
    parent_place: Uuid,
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

/// The most profiles of a tree, and its greatest depth: the same place may be in many branches.
const MAX_PROFILES: usize = 2000;
const MAX_DEPTH: usize = 40;

/// Builds a tree.
struct TreeBuilder<'a> {
    items: &'a [Item],
    /// The places from the root to the node that is being built.
    above: Vec<Uuid>,
    nodes: usize,
    fresh: &'a mut dyn FnMut() -> Uuid,
}

/// Builds the tree of profiles. If a place is below itself, the branch ends there.
fn build_tree(root: Root, items: &[Item], fresh: &mut dyn FnMut() -> Uuid) -> Outcome<Value> {
    let Root { kind, profile, places, content } = root;
    let mut growing = TreeBuilder { items, above: places.clone(), nodes: 0, fresh };
    let mut children = Vec::new();
    for place in &places {
        children.extend(growing.children_of(*place)?);
    }
    Ok(node_json((kind, profile), places.first().copied(), (0, None), (content, children), fresh()))
}

impl TreeBuilder<'_> {
    fn children_of(&mut self, place: Uuid) -> Outcome<Vec<Value>> {
        let mut nodes = Vec::new();
        for item in self.items.iter().filter(|item| item.parent_place == place) {
            self.nodes += 1;
            if self.nodes > MAX_PROFILES || self.above.len() > MAX_DEPTH {
                return Err(too_large());
            }
            let mut children = Vec::new();
            if !self.above.contains(&item.place) {
                self.above.push(item.place);
                children = self.children_of(item.place)?;
                self.above.pop();
            }
            let how = (item.order, item.reacts_to.as_deref());
            let what = (item.content.clone(), children);
            nodes.push(node_json((item.kind, item.profile), Some(item.place), how, what, (self.fresh)()));
        }
        Ok(nodes)
    }
}

fn too_large() -> Fault {
    Refusal::new(format!(
        "A job has at most {MAX_PROFILES} profiles, {MAX_DEPTH} of them one below the other"
    ))
    .into()
}

fn node_json(
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

/// Reads the tree of a profile. Only a job has profiles below it, since the profiles below another profile depend on the job. Without `job`
/// the profiles below matches are left out.
async fn load_tree(
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
            let kind = Kind::from_name(&kind)?;
            Some(Item {
                parent_place: above,
                place,
                kind,
                profile,
                order,
                reacts_to,
                content: as_client_reads(kind, content),
            })
        }));
    }
    let root = Root { kind, profile: id, places, content: as_client_reads(kind, content) };
    build_tree(root, &items, &mut || context.fresh_id()).map(Some)
}

/// Reads the tree of a job's profiles. Returns it with the statement that stores it under its id; `None` if there is no such job profile.
pub(crate) async fn load_job_snapshot(
    context: &Context,
    session: &mut Session,
    job: Uuid,
) -> Outcome<Option<(Value, Statement)>> {
    let tree = load_tree(context, session, (Kind::Job, job), Some(job)).await?;
    Ok(tree.and_then(|tree| {
        let keep = statements::insert(&SNAPSHOT, uuid_member(&tree, "id")?, &tree);
        Some((tree, keep))
    }))
}

pub(super) async fn get_tree(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let kind = kind_parameter(&request, "profileType")?;
    let job = request.query("jobProfileId").map(Uuid::parse_str).transpose();
    let job = job.map_err(|_| Fault::bad_request("jobProfileId is no UUID"))?;
    let mut session = request.context.session().await?;
    let tree = load_tree(&request.context, &mut session, (kind, id), job).await?;
    tree.map(|tree| Response::json(200, &tree)).ok_or_else(|| unknown_snapshot(id))
}

pub(super) async fn create_snapshot(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let (tree, keep) =
        load_job_snapshot(&request.context, &mut session, id).await?.ok_or_else(|| unknown_snapshot(id))?;
    session.rows(keep).await?;
    Ok(Response::json(201, &tree))
}

pub(super) async fn get_snapshot(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let kept = octavo_engine::find(&mut session, &SNAPSHOT, id).await?;
    kept.map(|kept| Response::json(200, &kept)).ok_or_else(|| unknown_snapshot(id))
}

fn unknown_snapshot(id: Uuid) -> Fault {
    Fault::not_found_with(format!("Profile snapshot with id '{id}' was not found"))
}

const ROOT: &str = "select p.doc::text from import_profile p where p.kind = $1 and p.id = $2";

const ROOTS: &str = "\
select w.id
from profile_wrappers w
where w.\"profileId\" = $1 and w.\"profileType\" = 'JOB_PROFILE'
order by exists (select from profile_associations a where a.\"masterWrapperId\" = w.id) desc, w.id";

/// Associations belong to all jobs, except those below matches: these belong to one job.
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
            parent_place: id(above),
            place: id(place),
            kind,
            profile: id(place + 100),
            order: 0,
            reacts_to: (kind == Kind::Action).then(|| "MATCH".to_owned()),
            content: json!({}),
        }
    }

    /// The places of a tree: `1(2 3(4))`.
    fn draw_places(node: &Value) -> String {
        let place = uuid_member(node, "profileWrapperId").map_or(0, |place| place.as_u128());
        let below: Vec<String> =
            node["childSnapshotWrappers"].as_array().unwrap().iter().map(draw_places).collect();
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
        let tree = build_tree(root, &items, &mut Uuid::nil).unwrap();
        assert_eq!(draw_places(&tree), "1(2(3(4)) 5)");
        assert_eq!(tree["childSnapshotWrappers"][1]["reactTo"], "MATCH");
    }

    #[test]
    fn a_ring_comes_to_an_end() {
        let items = [item(1, 2, Kind::Match), item(2, 3, Kind::Match), item(3, 2, Kind::Match)];
        let root = Root { kind: Kind::Job, profile: id(50), places: vec![id(1)], content: json!({}) };
        assert_eq!(draw_places(&build_tree(root, &items, &mut Uuid::nil).unwrap()), "1(2(3(2)))");
    }

    #[test]
    fn a_tree_has_its_bounds() {
        let root = || Root { kind: Kind::Job, profile: id(50), places: vec![id(1)], content: json!({}) };
        let chain = |length: u128| (1..length).map(|at| item(at, at + 1, Kind::Match)).collect::<Vec<_>>();
        assert!(build_tree(root(), &chain(MAX_DEPTH as u128), &mut Uuid::nil).is_ok());
        assert!(build_tree(root(), &chain(MAX_DEPTH as u128 + 2), &mut Uuid::nil).is_err());
        // Each place is below the previous one in two ways: the number of branches doubles at each step.
        let doubled: Vec<Item> = chain(20).into_iter().flat_map(|item| [item.clone(), item]).collect();
        assert!(build_tree(root(), &doubled, &mut Uuid::nil).is_err());
    }
}
