//! Assigns a place in the trees of jobs to each profile of a new relation. Pure.
//!
//! A job and an action have one place, a match and a mapping have one for each use. If a relation puts something below a match without
//! naming its place, the last named place of that match is meant.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::kinds::Kind;

/// The associations and wrappers that are to be written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PlacedRelations {
    pub(super) associations: Vec<Value>,
    pub(super) wrappers: Vec<(Uuid, Value)>,
}

/// Fills in what the client may leave out: the id of the profile itself, and the id of the job that a match belongs to.
pub(super) fn complete_relation(mut relation: Value, of: Kind, profile: Uuid) -> Value {
    for member in ["masterProfileId", "detailProfileId"] {
        if relation[member].as_str().is_none_or(str::is_empty) {
            relation[member] = json!(profile);
        }
    }
    if of == Kind::Job && relation["masterProfileType"] == Kind::Match.name() {
        relation["jobProfileId"] = json!(profile);
    }
    relation
}

/// Gives each relation its places. `known` has the places of jobs and actions, by the id of the profile.
pub(super) fn assign_places(
    relations: &[Value],
    known: &HashMap<Uuid, Uuid>,
    mut fresh: impl FnMut() -> Uuid,
) -> PlacedRelations {
    let mut wired = PlacedRelations::default();
    let mut places = known.clone();
    for relation in relations {
        let mut association = relation.clone();
        for side in Side::BOTH {
            if uuid_member(&association, side.wrapper).is_some() {
                continue;
            }
            let Some(profile) = uuid_member(&association, side.profile) else { continue };
            let kind = association[side.kind].as_str().and_then(Kind::from_name);
            let is_shared = matches!(kind, Some(Kind::Job | Kind::Action)) || side.is_master;
            let place = match places.get(&profile).filter(|_| is_shared) {
                Some(place) => *place,
                None => {
                    let place = fresh();
                    let kind = association[side.kind].clone();
                    let wrapper = json!({"id": place, "profileType": kind, "profileId": profile});
                    wired.wrappers.push((place, wrapper));
                    place
                }
            };
            places.insert(profile, place);
            association[side.wrapper] = json!(place);
        }
        wired.associations.push(association);
    }
    wired
}

pub(super) struct Side {
    pub(super) profile: &'static str,
    pub(super) kind: &'static str,
    pub(super) wrapper: &'static str,
    is_master: bool,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [
        Side {
            profile: "masterProfileId",
            kind: "masterProfileType",
            wrapper: "masterWrapperId",
            is_master: true,
        },
        Side {
            profile: "detailProfileId",
            kind: "detailProfileType",
            wrapper: "detailWrapperId",
            is_master: false,
        },
    ];
}

/// The profiles of relations, each with its kind.
pub(super) fn profiles(relations: &[Value]) -> impl Iterator<Item = (Kind, Uuid)> {
    relations.iter().flat_map(|relation| {
        Side::BOTH.iter().filter_map(|side| {
            Some((Kind::from_name(relation[side.kind].as_str()?)?, uuid_member(relation, side.profile)?))
        })
    })
}

/// The actions of the relations, each with the kinds of the profiles above it, in the order of their first occurrence.
pub(super) fn masters_of_actions(relations: &[Value]) -> Vec<(Uuid, Vec<Kind>)> {
    let mut found: Vec<(Uuid, Vec<Kind>)> = Vec::new();
    for relation in relations.iter().filter(|relation| relation["detailProfileType"] == Kind::Action.name()) {
        let master = relation["masterProfileType"].as_str().and_then(Kind::from_name);
        let (Some(action), Some(master)) = (uuid_member(relation, "detailProfileId"), master) else {
            continue;
        };
        match found.iter_mut().find(|(id, _)| *id == action) {
            Some((_, masters)) => masters.push(master),
            None => found.push((action, vec![master])),
        }
    }
    found
}

pub(super) fn uuid_member(value: &Value, member: &str) -> Option<Uuid> {
    value[member].as_str().and_then(|text| Uuid::parse_str(text).ok())
}

/// Whether a profile of the kind `detail` may be below one of the kind `master`.
pub(super) fn can_be_linked(master: Kind, detail: Kind) -> bool {
    matches!(
        (master, detail),
        (Kind::Job | Kind::Match | Kind::Action, Kind::Match | Kind::Action) | (Kind::Action, Kind::Mapping)
    )
}

/// The association as it is stored, with its id as the first member.
pub(super) fn with_id(association: &Value, id: Uuid) -> Value {
    let mut members = Map::new();
    members.insert("id".to_owned(), json!(id));
    members.extend(
        association.as_object().cloned().unwrap_or_default().into_iter().filter(|(name, _)| name != "id"),
    );
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn relation(master: (Kind, u128), detail: (Kind, u128)) -> Value {
        json!({
            "masterProfileType": master.0.name(), "masterProfileId": id(master.1),
            "detailProfileType": detail.0.name(), "detailProfileId": id(detail.1),
        })
    }

    /// The places of masters and details, and how many are new. Fresh places are numbered from 100.
    fn places(relations: &[Value], known: &[(u128, u128)]) -> (Vec<(u128, u128)>, usize) {
        let known = known.iter().map(|(profile, place)| (id(*profile), id(*place))).collect();
        let mut next = 99;
        let wired = assign_places(relations, &known, || {
            next += 1;
            id(next)
        });
        let place = |association: &Value, member| uuid_member(association, member).unwrap().as_u128();
        let associations = wired.associations.iter();
        let places = associations.map(|one| (place(one, "masterWrapperId"), place(one, "detailWrapperId")));
        (places.collect(), wired.wrappers.len())
    }

    #[test]
    fn each_use_of_a_match_has_a_place_of_its_own() {
        let (job, first, action) = ((Kind::Job, 1), (Kind::Match, 2), (Kind::Action, 3));
        let twice =
            [relation(job, first), relation(first, action), relation(job, first), relation(first, action)];
        assert_eq!(places(&twice, &[]), (vec![(100, 101), (101, 102), (100, 103), (103, 102)], 4));
    }

    #[test]
    fn jobs_and_actions_keep_their_places() {
        let relations = [
            relation((Kind::Job, 1), (Kind::Action, 3)),
            relation((Kind::Action, 3), (Kind::Mapping, 4)),
            relation((Kind::Action, 5), (Kind::Mapping, 4)),
        ];
        let known = [(1, 10), (3, 30)];
        assert_eq!(places(&relations, &known), (vec![(10, 30), (30, 100), (101, 102)], 3));
    }

    #[test]
    fn what_the_client_says_is_kept() {
        let mut one = relation((Kind::Job, 1), (Kind::Match, 2));
        one["masterWrapperId"] = json!(id(7));
        one["detailWrapperId"] = json!(id(8));
        assert_eq!(places(&[one], &[(1, 10)]), (vec![(7, 8)], 0));
    }

    #[test]
    fn the_profile_itself_is_filled_in() {
        let sent = json!({"masterProfileType": "MATCH_PROFILE", "masterProfileId": id(2), "detailProfileType": "ACTION_PROFILE"});
        let filled = complete_relation(sent, Kind::Job, id(1));
        assert_eq!(filled["detailProfileId"], json!(id(1)));
        assert_eq!(filled["jobProfileId"], json!(id(1)));
    }
}
