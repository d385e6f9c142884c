//! Profiles are created and changed together with their relations, in one transaction.

use std::collections::HashMap;

use octavo_engine::{Request, Response, metadata, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Batch, Session, Statement};
use octavo_record::{Reading, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kinds::{ASSOCIATION, Kind, WRAPPER};
use super::relations::{self, assign_places, uuid_member};
use super::rules::{self, Conflicts};
use crate::staff::{self, STAFF};

/// What a client sends to create or change a profile.
struct Update {
    profile: Value,
    added: Vec<Value>,
    deleted: Vec<Value>,
}

const RELATION: &str = include_str!("../../../octavo/records/mod-di-converter-storage/relation.tsv");

impl Update {
    fn read(request: &Request, kind: Kind) -> Outcome<Update> {
        let mut body = request.checked_json(kind.properties().update_schema)?;
        let profile = check_schema(kind.properties().record.schema(), body["profile"].take())?;
        let mut relations = |member: &str| -> Outcome<Vec<Value>> {
            let relations = body[member].as_array_mut().map(std::mem::take).unwrap_or_default();
            relations
                .into_iter()
                .map(|relation| check_schema(Schema::parse_cached(RELATION), relation))
                .collect()
        };
        Ok(Update { profile, added: relations("addedRelations")?, deleted: relations("deletedRelations")? })
    }

    /// Fills in the members of relations that the client may leave out.
    fn with_defaults(self, kind: Kind, id: Uuid) -> Update {
        let of_job = |relation: Value| match kind == Kind::Job
            && relation["masterProfileType"] == Kind::Match.name()
        {
            true => relations::complete_relation(relation, kind, id),
            false => relation,
        };
        let mut profile = self.profile;
        profile["id"] = json!(id);
        Update {
            profile,
            added: self
                .added
                .into_iter()
                .map(|added| relations::complete_relation(added, kind, id))
                .collect(),
            deleted: self.deleted.into_iter().map(of_job).collect(),
        }
    }
}

fn check_schema(schema: &Schema, value: Value) -> Outcome<Value> {
    schema.check(value, Reading::FromClient).map(|checked| checked.0).map_err(Fault::refused)
}

pub(super) async fn create(request: Request, kind: Kind) -> Outcome<Response> {
    let update = Update::read(&request, kind)?;
    let id = uuid_member(&update.profile, "id").unwrap_or_else(|| request.context.fresh_id());
    let update = write_change(&request, kind, id, update.with_defaults(kind, id), true).await?;
    let Update { profile, added, deleted } = update;
    let body = json!({"id": id, "profile": profile, "addedRelations": added, "deletedRelations": deleted});
    Ok(Response::json(201, &body))
}

pub(super) async fn replace(request: Request, kind: Kind) -> Outcome<Response> {
    let (id, update) = (request.path_id(0)?, Update::read(&request, kind)?);
    let update = write_change(&request, kind, id, update.with_defaults(kind, id), false).await?;
    Ok(Response::json(200, &update.profile))
}

/// What is stored about the profiles of a change.
struct Facts {
    stored: Option<Value>,
    name_taken: bool,
    user: Option<Value>,
    /// The profiles that the change names or that are linked with the changed one, by id, each with its kind.
    profiles: HashMap<Uuid, Value>,
    /// The ids of the profiles that are linked with this one: mappings of an action, actions of a mapping.
    neighbours: Vec<Uuid>,
    /// `places`: the place of each job and action profile, by the id of the profile; `known_places`: the sent places that exist.
    places: HashMap<Uuid, Uuid>,
    known_places: Vec<Uuid>,
}

async fn write_change(
    request: &Request,
    kind: Kind,
    id: Uuid,
    update: Update,
    is_new: bool,
) -> Outcome<Update> {
    let context = &request.context;
    let mut session = context.session().await?;
    let facts = gather_facts(&mut session, kind, id, &update, context.caller.user_id).await?;
    let update = match check_update(kind, id, update, &facts, is_new) {
        Ok(update) => update,
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    };
    let Update { mut profile, added, deleted } = update;
    if let Some(user) = facts.user.as_ref().and_then(staff::user_info) {
        profile["userInfo"] = user;
    }
    profile["metadata"] = metadata(context, facts.stored.as_ref(), &context.now_text());
    let record = kind.properties().record;
    let mut changes = vec![match is_new {
        true => statements::insert(record, id, &profile),
        false => statements::overwrite(record, id, &profile),
    }];
    if kind == Kind::Mapping {
        // An action has one mapping.
        let actions = added.iter().filter(|added| added["masterProfileType"] == Kind::Action.name());
        let places: Vec<Uuid> = actions.filter_map(|added| uuid_member(added, "masterWrapperId")).collect();
        changes.push(Statement::new(FREE).uuids(places));
    }
    changes.extend(deleted.iter().map(removal_statement));
    let wired = assign_places(&added, &facts.places, || context.fresh_id());
    changes.extend(wired.wrappers.iter().map(|(id, wrapper)| statements::insert(&WRAPPER, *id, wrapper)));
    changes.extend(wired.associations.iter().map(|association| {
        let id = context.fresh_id();
        statements::insert(&ASSOCIATION, id, &relations::with_id(association, id))
    }));
    session.commit(changes).await?;
    Ok(Update { profile, added: wired.associations, deleted })
}

async fn gather_facts(
    session: &mut Session,
    kind: Kind,
    id: Uuid,
    update: &Update,
    user: Option<Uuid>,
) -> Outcome<Facts> {
    let named: Vec<Uuid> = relations::profiles(&update.added).map(|(_, id)| id).chain([id]).collect();
    let sent = update
        .added
        .iter()
        .flat_map(|added| relations::Side::BOTH.iter().filter_map(|side| uuid_member(added, side.wrapper)));
    let name = update.profile["name"].as_str().unwrap_or_default().trim().to_lowercase();
    let mut batch = Batch::default();
    batch.ask::<()>(Statement::new(LOCK));
    let taken = batch.ask::<bool>(Statement::new(TAKEN).text(kind.name()).text(name).uuid(id));
    let user = batch.ask::<Value>(Statement::new(STAFF).maybe_uuid(user));
    let neighbours = batch.ask::<(Uuid, Value)>(Statement::new(NEIGHBOURS).uuid(id));
    let profiles = batch.ask::<(Uuid, Value)>(Statement::new(PROFILES).uuids(named.clone()));
    let places = batch.ask::<(Uuid, Uuid)>(Statement::new(PLACES).uuids(named));
    let there = batch.ask::<Uuid>(Statement::new(THERE).uuids(sent.collect()));
    let answers = batch.begin(session).await?;
    let mut facts = Facts {
        stored: None,
        name_taken: answers.first(taken).unwrap_or_default(),
        user: answers.first(user),
        profiles: answers.all(profiles).into_iter().collect(),
        neighbours: Vec::new(),
        places: HashMap::new(),
        known_places: answers.all(there),
    };
    facts.stored = facts.profiles.get(&id).cloned();
    for (profile, document) in answers.all(neighbours) {
        facts.neighbours.push(profile);
        facts.profiles.insert(profile, document);
    }
    for (profile, place) in answers.all(places) {
        facts.places.entry(profile).or_insert(place);
    }
    Ok(facts)
}

/// Checks a change. Returns what is to be written, or the errors.
fn check_update(kind: Kind, id: Uuid, mut update: Update, facts: &Facts, is_new: bool) -> Outcome<Update> {
    let words = kind.properties();
    if !is_new && words.folio_ids.contains(&id.to_string().as_str()) {
        let same = facts.stored.as_ref().is_some_and(|stored| rules::same_but_tags(stored, &update.profile));
        if !same {
            let message = format!("Can`t update default OCLC {} with id {id}", words.label);
            return Err(Fault::bad_request(message));
        }
    }
    let taken = Conflicts { name: facts.name_taken, id: is_new && facts.stored.is_some() };
    let mut refusals = rules::profile_refusals(kind, &update.profile, taken);
    match kind {
        Kind::Job => refusals.extend(job_refusals(&update, facts, is_new)?),
        Kind::Action | Kind::Mapping => refusals.extend(pair_refusals(kind, &update, facts)),
        Kind::Match => {}
    }
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    if !is_new && facts.stored.is_none() {
        return Err(Fault::not_found_with(match kind {
            Kind::Action => format!("Action profile with id '{id}' was not found"),
            Kind::Mapping => format!("Mapping profile with id '{id}' was not found"),
            Kind::Job | Kind::Match => {
                format!("updateProfile:: {} with id '{id}' was not found", words.class_name)
            }
        }));
    }
    let refusals: Vec<Refusal> =
        update.added.iter().flat_map(|added| relation_refusal(added, facts, id)).collect();
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    if kind == Kind::Action {
        update.profile["remove9Subfields"] = json!(rules::removes_subfield_9(&update.profile));
    }
    Ok(update)
}

/// Errors of a job: all profiles must exist, updates must be below matches, and modifications must be beside other actions.
fn job_refusals(update: &Update, facts: &Facts, is_new: bool) -> Outcome<Vec<Refusal>> {
    let actions = relations::masters_of_actions(&update.added);
    let lost = actions.iter().map(|(id, _)| *id).filter(|id| !facts.profiles.contains_key(id));
    refuse_missing("ActionProfiles", lost)?;
    let refusals =
        actions.iter().filter_map(|(id, masters)| rules::update_refusal(facts.profiles.get(id)?, masters));
    let mut refusals: Vec<Refusal> = refusals.collect();
    let modifies = |relation: &Value| {
        let action = uuid_member(relation, "detailProfileId").and_then(|id| facts.profiles.get(&id));
        action.is_some_and(|action| action["action"] == "MODIFY")
    };
    let (modifying, others): (Vec<&Value>, Vec<&Value>) =
        update.added.iter().partition(|relation| modifies(relation));
    // The profiles that an existing job already has are not checked.
    let is_alone = is_new && others.is_empty();
    refusals.extend(modifying.into_iter().filter_map(|relation| rules::modify_refusal(relation, is_alone)));
    let mut matches: Vec<Uuid> = Vec::new();
    for (_, id) in relations::profiles(&update.added).filter(|(kind, _)| *kind == Kind::Match) {
        if !matches.contains(&id) {
            matches.push(id);
        }
    }
    refuse_missing("MatchProfiles", matches.into_iter().filter(|id| !facts.profiles.contains_key(id)))?;
    Ok(refusals)
}

fn refuse_missing(what: &str, ids: impl Iterator<Item = Uuid>) -> Outcome<()> {
    let ids: Vec<String> = ids.map(|id| format!("'{id}'")).collect();
    match ids.is_empty() {
        true => Ok(()),
        false => {
            Err(Fault::not_found_with(format!("Linked {what} with ids {} were not found", ids.join(", "))))
        }
    }
}

/// Errors of an action and its mappings, or of a mapping and its actions that do not fit: first those that are already linked.
fn pair_refusals(kind: Kind, update: &Update, facts: &Facts) -> Vec<Refusal> {
    let (other, member) = match kind {
        Kind::Action => (Kind::Mapping, "detailProfileId"),
        _ => (Kind::Action, "masterProfileId"),
    };
    let gone: Vec<Uuid> = update.deleted.iter().filter_map(|deleted| uuid_member(deleted, member)).collect();
    let stay = facts.neighbours.iter().filter(|id| !gone.contains(id));
    let added = relations::profiles(&update.added).filter(|(kind, _)| *kind == other).map(|(_, id)| id);
    let fit = |profile: &Value, message: &str| match kind {
        Kind::Action => rules::pair_refusal(&update.profile, profile, message),
        _ => rules::pair_refusal(profile, &update.profile, message),
    };
    let linked = if kind == Kind::Action { rules::LINKED_MAPPING } else { rules::LINKED_ACTION };
    let stay = stay.filter_map(|id| fit(facts.profiles.get(id)?, linked));
    let added = added.filter_map(|id| {
        let profile = facts.profiles.get(&id)?;
        fit(
            profile,
            &if kind == Kind::Action {
                rules::other_mapping_message(profile)
            } else {
                rules::other_action_message(profile)
            },
        )
    });
    stay.chain(added).collect()
}

/// The error of a relation: its kinds must fit together, and its profiles and places must exist.
fn relation_refusal(added: &Value, facts: &Facts, id: Uuid) -> Option<Refusal> {
    let kind = |member: &str| added[member].as_str().and_then(Kind::from_name);
    let (master, detail) = (kind("masterProfileType")?, kind("detailProfileType")?);
    if !relations::can_be_linked(master, detail) {
        return Some(Refusal::new(super::refusals::KINDS_MESSAGE));
    }
    relations::Side::BOTH.iter().find_map(|side| {
        let profile = uuid_member(added, side.profile)?;
        if profile != id && !facts.profiles.contains_key(&profile) {
            let table = kind(side.kind)?.properties().record.table;
            return Some(super::refusals::unknown_id_refusal(side.profile, &profile.to_string(), table));
        }
        let place = uuid_member(added, side.wrapper).filter(|place| !facts.known_places.contains(place))?;
        Some(super::refusals::unknown_id_refusal(side.wrapper, &place.to_string(), WRAPPER.table))
    })
}

/// The statement that deletes an association.
fn removal_statement(relation: &Value) -> Statement {
    let is_mapping = relation["detailProfileType"] == Kind::Mapping.name();
    let by_place = !is_mapping && uuid_member(relation, "masterWrapperId").is_some();
    let (master, detail) = match by_place {
        true => ("masterWrapperId", "detailWrapperId"),
        false => ("masterProfileId", "detailProfileId"),
    };
    let statement = Statement::new(if by_place { TAKE_OUT } else { UNLINK });
    let statement =
        statement.maybe_uuid(uuid_member(relation, master)).maybe_uuid(uuid_member(relation, detail));
    let kinds = ["masterProfileType", "detailProfileType"].map(|member| relation[member].as_str());
    let statement = kinds.into_iter().fold(statement, Statement::maybe_text);
    if is_mapping {
        return statement.long(-1).maybe_uuid(None).maybe_text(None);
    }
    let order = relation["order"].as_i64().unwrap_or_default();
    statement
        .long(order)
        .maybe_uuid(uuid_member(relation, "jobProfileId"))
        .maybe_text(relation["reactTo"].as_str())
}

pub(super) async fn delete(request: Request, kind: Kind) -> Outcome<Response> {
    let (id, words) = (request.path_id(0)?, kind.properties());
    let text = id.to_string();
    if words.folio_ids.iter().chain(words.undeletable_ids).any(|own| *own == text) {
        return Err(Fault::bad_request(words.undeletable_message));
    }
    let mut session = request.context.session().await?;
    let mut batch = Batch::default();
    batch.ask::<()>(Statement::new(LOCK));
    let used = batch.ask::<bool>(Statement::new(USED).uuid(id));
    let stored = batch.ask::<(Uuid, Value)>(Statement::new(PROFILES).uuids(vec![id]));
    let answers = batch.begin(&mut session).await?;
    let refused = match (answers.first(used), answers.first(stored)) {
        (Some(true), _) => Fault::text(
            409,
            format!("Can not delete profile by id '{id}' cause profile associated with other profiles"),
        ),
        (_, Some((_, mut profile))) => {
            profile["deleted"] = json!(true);
            let marked = statements::overwrite(words.record, id, &profile);
            session
                .commit(vec![marked, Statement::new(LEAVE).uuid(id), Statement::new(GIVE_UP).uuid(id)])
                .await?;
            return Ok(Response::no_content());
        }
        (_, None) => Fault::not_found_with(format!("{} with id '{id}' was not found", words.class_name)),
    };
    session.rollback().await?;
    Err(refused)
}

/// Only one transaction at a time changes profiles, so that names stay unique and trees stay consistent.
pub(super) const LOCK: &str = "lock table profile_associations in share row exclusive mode";

const TAKEN: &str = "\
select exists (select from import_profile p
  where p.kind = $1 and lower(btrim(p.doc ->> 'name')) = $2 and p.id <> $3 and p.doc ->> 'deleted' = 'false')";

pub(super) const PROFILES: &str = "select p.id, p.doc::text from import_profile p where p.id = any($1)";

const NEIGHBOURS: &str = "\
select p.id, p.doc::text
from profile_associations a
join import_profile p on p.id = case a.\"masterProfileId\" when $1 then a.\"detailProfileId\" else a.\"masterProfileId\" end
where (a.\"masterProfileId\" = $1 or a.\"detailProfileId\" = $1)
  and a.\"masterProfileType\" = 'ACTION_PROFILE' and a.\"detailProfileType\" = 'MAPPING_PROFILE'
order by a.id";

pub(super) const PLACES: &str = "\
select w.\"profileId\", w.id
from profile_wrappers w
where w.\"profileId\" = any($1) and w.\"profileType\" in ('JOB_PROFILE', 'ACTION_PROFILE')
order by exists (select from profile_associations a where a.\"masterWrapperId\" = w.id) desc, w.id";

pub(super) const THERE: &str = "select w.id from profile_wrappers w where w.id = any($1)";

const FREE: &str = "\
delete from profile_associations a
where a.\"masterWrapperId\" = any($1)
  and a.\"masterProfileType\" = 'ACTION_PROFILE' and a.\"detailProfileType\" = 'MAPPING_PROFILE'";

const TAKE_OUT: &str = "\
delete from profile_associations a
where a.\"masterWrapperId\" = $1 and a.\"detailWrapperId\" = $2
  and a.\"masterProfileType\" = $3 and a.\"detailProfileType\" = $4
  and ($5::bigint = -1 or (a.doc ->> 'order')::bigint = $5)
  and (a.\"jobProfileId\" = $6 or a.\"jobProfileId\" is null)
  and ($7::text is null or a.doc ->> 'reactTo' = $7)";

const UNLINK: &str = "\
delete from profile_associations a
where a.\"masterProfileId\" = $1 and a.\"detailProfileId\" = $2
  and a.\"masterProfileType\" = $3 and a.\"detailProfileType\" = $4
  and ($5::bigint = -1 or (a.doc ->> 'order')::bigint = $5)
  and (a.\"jobProfileId\" = $6 or a.\"jobProfileId\" is null)
  and ($7::text is null or a.doc ->> 'reactTo' = $7)";

const USED: &str = "select exists (select from profile_associations a where a.\"detailProfileId\" = $1)";

const LEAVE: &str = "delete from profile_associations a where a.\"masterProfileId\" = $1";

const GIVE_UP: &str = "delete from profile_wrappers w where w.\"profileId\" = $1";

octavo_pg::statements!(
    other = [LOCK, TAKEN, PROFILES, NEIGHBOURS, PLACES, THERE, FREE, TAKE_OUT, UNLINK, USED, LEAVE, GIVE_UP,]
);
