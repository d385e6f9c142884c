//! Where things are: institutions, campuses, libraries and locations; the service points that serve them, and which
//! service points a member of staff works at. All but the last are in the snapshot: every check-out asks for them.
//!
//! A location names its service points without a foreign key: FOLIO takes ids of service points that are not there yet.

use octavo_kernel::{Kind, Outcome, Refusal};
use octavo_record::{
    ConstraintMessage, Field, Hooks, Index, Member, Persons, PlainErrors, RecordMessages, RecordType,
    Reference, Unique,
};
use serde_json::Value;

pub static INSTITUTION: RecordType = RecordType {
    table: "locinstitution",
    path: "/location-units/institutions",
    collection: "locinsts",
    schema: include_str!("../../../folio/records/mod-inventory-storage/locinst.tsv"),
    fields: &[Field::text("name"), Field::text("code")],
    unique: &[Unique::new(&["name"]).with_refusal("Institution already exists", "locinst")],
    ..location_unit("institution", "Illegal operation: Institution id cannot be changed")
};

pub static CAMPUS: RecordType = RecordType {
    table: "loccampus",
    path: "/location-units/campuses",
    collection: "loccamps",
    schema: include_str!("../../../folio/records/mod-inventory-storage/loccamp.tsv"),
    fields: &[Field::text("name"), Field::text("code"), Field::uuid("institutionId")],
    unique: &[Unique::new(&["name"]).with_refusal("Campus already exists", "loccamp")],
    references: &[Reference::new("institutionId", "locinstitution")],
    ..location_unit("campus", "Illegal operation:Campus  id cannot be changed")
};

pub static LIBRARY: RecordType = RecordType {
    table: "loclibrary",
    path: "/location-units/libraries",
    collection: "loclibs",
    schema: include_str!("../../../folio/records/mod-inventory-storage/loclib.tsv"),
    fields: &[Field::text("name"), Field::text("code"), Field::uuid("campusId")],
    unique: &[Unique::new(&["name"]).with_refusal("Library already exists", "loclib")],
    references: &[Reference::new("campusId", "loccampus")],
    ..location_unit("library", "Illegal operation: Library id cannot be changed")
};

/// The record type of a location unit: institution, campus or library. `another_id` is FOLIO's message for a changed id, copied with its
/// blanks.
const fn location_unit(name: &'static str, another_id: &'static str) -> RecordType {
    RecordType {
        name,
        messages: RecordMessages {
            duplicate_id_as_unique_key: true,
            id_mismatch: Some((Kind::BadRequest, another_id)),
            id_required: true,
            ..RecordMessages::RMB
        },
        snapshot: true,
        plain_errors: PlainErrors::Changes,
        ..RecordType::BASE
    }
}

pub static LOCATION: RecordType = RecordType {
    name: "location",
    table: "location",
    path: "/locations",
    collection: "locations",
    schema: include_str!("../../../folio/records/mod-inventory-storage/location.tsv"),
    fields: &[
        Field::text("name"),
        Field::text("code"),
        Field::uuid("primaryServicePoint"),
        Field::uuid("institutionId"),
        Field::uuid("campusId"),
        Field::uuid("libraryId"),
    ],
    unique: &[
        Unique::new(&["name"]).with_refusal("Location already exists", "shelflocation"),
        Unique::new(&["code"]).with_refusal("Location already exists", "shelflocation"),
    ],
    messages: RecordMessages {
        duplicate_id_as_unique_key: true,
        id_mismatch: Some((Kind::Refused, "Illegal operation: id cannot be changed")),
        id_required: true,
        on_replace: ConstraintMessage::Rmb,
        ..RecordMessages::RMB
    },
    references: &[
        Reference::new("institutionId", "locinstitution"),
        Reference::new("campusId", "loccampus"),
        Reference::new("libraryId", "loclibrary"),
    ],
    snapshot: true,
    hooks: Hooks {
        validate: Some(validate_location),
        validate_change: Some(each_service_point_once),
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

pub static SERVICE_POINT: RecordType = RecordType {
    name: "service point",
    table: "service_point",
    path: "/service-points",
    collection: "servicepoints",
    schema: include_str!("../../../folio/records/mod-inventory-storage/servicepoint.tsv"),
    fields: &[Field::text("name"), Field::text("code"), Field::text("pickupLocation")],
    unique: &[
        Unique::new(&["name"]).with_refusal("Service Point Exists", "name"),
        Unique::new(&["code"]).with_refusal("Service Point Exists", "name"),
    ],
    messages: RecordMessages {
        duplicate_id_as_unique_key: true,
        not_found_on_replace: "ServicePoint was not found",
        on_replace: ConstraintMessage::Database,
        ..RecordMessages::RMB
    },
    snapshot: true,
    hooks: Hooks {
        validate: Some(validate_service_point),
        cascade: &[NO_LONGER_ALLOWED, NAME_IN_REQUESTS],
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

/// Removes a service point that is no pickup location any more from all request policies. A policy no longer allows a type of request
/// whose last pickup location this was: without the list it would allow all of them.
const NO_LONGER_ALLOWED: &str = "\
update request_policy p
set doc = (
  select
    p.doc::jsonb - 'allowedServicePoints'
    || case s.allowed when '{}' then '{}' else jsonb_build_object('allowedServicePoints', s.allowed) end
    || jsonb_build_object('requestTypes', (
      select coalesce(jsonb_agg(t.kind order by t.place), '[]')
      from jsonb_array_elements_text(coalesce((p.doc -> 'requestTypes')::jsonb, '[]')) with ordinality t (kind, place)
      where t.kind <> all (s.emptied)
    ))
  from (
    select
      coalesce(jsonb_object_agg(a.kind, a.kept) filter (where a.kept <> '[]'), '{}') as allowed,
      coalesce(array_agg(a.kind) filter (where a.kept = '[]'), '{}') as emptied
    from (
      select
        e.kind,
        coalesce(
          (
            select jsonb_agg(i.point order by i.place)
            from jsonb_array_elements(e.ids) with ordinality i (point, place)
            where i.point <> to_jsonb($1::uuid::text)
          ),
          '[]'
        ) as kept
      from jsonb_each((p.doc -> 'allowedServicePoints')::jsonb) e (kind, ids)
      where jsonb_typeof(e.ids) = 'array'
    ) a
  ) s
)
where p.doc ->> 'allowedServicePoints' like '%' || $1::uuid::text || '%'
  and not exists (
    select from service_point s
    where s.id = $1::uuid
      and s.doc ->> 'pickupLocation' = 'true'
  )";

/// Gives the open requests for pickup at a service point its new name, by which clients sort them. They are found by their status: a
/// service point may have a million closed requests.
const NAME_IN_REQUESTS: &str = "\
update request r
set doc = jsonb_set(
  r.doc::jsonb,
  '{searchIndex}',
  coalesce((r.doc -> 'searchIndex')::jsonb, '{}') || jsonb_build_object('pickupServicePointName', s.doc -> 'name')
)
from service_point s
where s.id = $1::uuid
  and r.\"pickupServicePointId\" = s.id
  and r.status >= 'open'
  and r.status < 'opeo'
  and r.doc #>> '{searchIndex,pickupServicePointName}' is distinct from s.doc ->> 'name'";

pub static SERVICE_POINTS_USER: RecordType = RecordType {
    name: "service points user",
    table: "service_point_user",
    path: "/service-points-users",
    collection: "servicePointsUsers",
    schema: include_str!("../../../folio/records/mod-inventory-storage/servicepointsuser.tsv"),
    fields: &[
        Field::text("userId"),
        Field::uuid("defaultServicePointId").indexed(&[Index::Order]),
        Field::text("servicePointsIds"),
    ],
    unique: &[Unique::new(&["userId"])],
    references: &[Reference::new("defaultServicePointId", "service_point")],
    plain_errors: PlainErrors::Changes,
    persons: Some(&Persons::deleted_with_user(
        &[Member::patron_id("userId")],
        "t.\"userId\" = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};

fn refuse(message: &str, key: &str, value: &Value) -> Refusal {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Refusal::rmb(message).about(key, value)
}

/// Refuses a location without service points, or whose primary one is not among them.
fn validate_location(location: &Value) -> Vec<Refusal> {
    let served: &[Value] = location["servicePointIds"].as_array().map_or(&[], Vec::as_slice);
    if served.is_empty() {
        let message = "A location must have at least one Service Point assigned.";
        return vec![refuse(message, "servicePointIds", &location["id"])];
    }
    if !served.contains(&location["primaryServicePoint"]) {
        let message = "A Location's Primary Service point must be included as a Service Point.";
        return vec![refuse(message, "primaryServicePoint", &location["id"])];
    }
    Vec::new()
}

/// Refuses a changed location that names a service point twice; FOLIO takes that of a new one.
fn each_service_point_once(_: &Value, location: &Value) -> Outcome<()> {
    let served: &[Value] = location["servicePointIds"].as_array().map_or(&[], Vec::as_slice);
    if served.iter().enumerate().all(|(at, id)| !served[..at].contains(id)) {
        return Ok(());
    }
    let message = "A Service Point can only appear once on a Location.";
    Err(refuse(message, "servicePointIds", &location["id"]).into())
}

/// Refuses a pickup location without a hold shelf period, and a period elsewhere.
fn validate_service_point(service_point: &Value) -> Vec<Refusal> {
    let pickup = service_point["pickupLocation"] == true;
    let message = match (pickup, service_point["holdShelfExpiryPeriod"].is_object()) {
        (true, false) => {
            "Hold shelf expiry period must be specified when service point can be used for pickup."
        }
        (false, true) => {
            "Hold shelf expiry period cannot be specified when service point cannot be used for pickup"
        }
        _ => return Vec::new(),
    };
    vec![refuse(message, "name", &service_point["name"])]
}

octavo_pg::statements!(other = [NO_LONGER_ALLOWED, NAME_IN_REQUESTS]);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn messages(refusals: Vec<Refusal>) -> Vec<String> {
        refusals.into_iter().map(|refusal| refusal.message).collect()
    }

    #[test]
    fn a_location_is_served_by_its_primary_service_point() {
        let cases = [
            (json!([]), "A location must have at least one Service Point assigned."),
            (json!(["b"]), "A Location's Primary Service point must be included as a Service Point."),
        ];
        for (served, message) in cases {
            let refusals = validate_location(&json!({"primaryServicePoint": "a", "servicePointIds": served}));
            assert_eq!(messages(refusals), [message]);
        }
        for (served, once) in [(json!(["b", "a"]), true), (json!(["a", "b", "b"]), false)] {
            let served = json!({"primaryServicePoint": "a", "servicePointIds": served});
            assert_eq!(validate_location(&served), []);
            assert_eq!(each_service_point_once(&Value::Null, &served).is_ok(), once, "{served}");
        }
    }

    #[test]
    fn only_a_pickup_location_has_a_hold_shelf() {
        let period = json!({"duration": 3, "intervalId": "Weeks"});
        assert_eq!(
            validate_service_point(&json!({"pickupLocation": true, "holdShelfExpiryPeriod": period})),
            []
        );
        assert_eq!(validate_service_point(&json!({"pickupLocation": false})), []);
        assert_eq!(validate_service_point(&json!({"pickupLocation": true})).len(), 1);
        assert_eq!(validate_service_point(&json!({"holdShelfExpiryPeriod": period})).len(), 1);
    }
}
