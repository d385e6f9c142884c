//! Which place each profile of a new relation gets in the trees of jobs. Pure.
//!
//! A job and an action have one place, a match and a mapping one for each use. A match that is put above something without saying
//! which use of it is meant is the last one that was named before.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::kinds::Kind;

/// Associations and wrappers that are to be written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Wired {
    pub(super) associations: Vec<Value>,
    pub(super) wrappers: Vec<(Uuid, Value)>,
}

/// Fills in what the client left out: the ids of the profile itself, and of the job in which a match stands.
pub(super) fn completed(mut relation: Value, of: Kind, profile: Uuid) -> Value {
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

/// `known` are the places of jobs and actions, by the profile.
pub(super) fn wired(
    relations: &[Value],
    known: &HashMap<Uuid, Uuid>,
    mut fresh: impl FnMut() -> Uuid,
) -> Wired {
    let mut wired = Wired::default();
    let mut places = known.clone();
    for relation in relations {
        let mut association = relation.clone();
        for side in Side::BOTH {
            if uuid(&association, side.wrapper).is_some() {
                continue;
            }
            let Some(profile) = uuid(&association, side.profile) else { continue };
            let kind = association[side.kind].as_str().and_then(Kind::named);
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
            Some((Kind::named(relation[side.kind].as_str()?)?, uuid(relation, side.profile)?))
        })
    })
}

/// Actions that are put below something, each with the kinds of what that is, in the order in which they are named first.
pub(super) fn masters_of_actions(relations: &[Value]) -> Vec<(Uuid, Vec<Kind>)> {
    let mut found: Vec<(Uuid, Vec<Kind>)> = Vec::new();
    for relation in relations.iter().filter(|relation| relation["detailProfileType"] == Kind::Action.name()) {
        let master = relation["masterProfileType"].as_str().and_then(Kind::named);
        let (Some(action), Some(master)) = (uuid(relation, "detailProfileId"), master) else { continue };
        match found.iter_mut().find(|(id, _)| *id == action) {
            Some((_, masters)) => masters.push(master),
            None => found.push((action, vec![master])),
        }
    }
    found
}

pub(super) fn uuid(value: &Value, member: &str) -> Option<Uuid> {
    value[member].as_str().and_then(|text| Uuid::parse_str(text).ok())
}

/// Whether profiles of these kinds may stand so.
pub(super) fn may_stand(master: Kind, detail: Kind) -> bool {
    matches!(
        (master, detail),
        (Kind::Job | Kind::Match | Kind::Action, Kind::Match | Kind::Action) | (Kind::Action, Kind::Mapping)
    )
}

/// The association as it is stored, under an id.
pub(super) fn stored(association: &Value, id: Uuid) -> Value {
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
        let wired = wired(relations, &known, || {
            next += 1;
            id(next)
        });
        let place = |association: &Value, member| uuid(association, member).unwrap().as_u128();
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
        let filled = completed(sent, Kind::Job, id(1));
        assert_eq!(filled["detailProfileId"], json!(id(1)));
        assert_eq!(filled["jobProfileId"], json!(id(1)));
    }
}
