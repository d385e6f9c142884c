//! Extended mappings: the locations from which items go to a location that stands for a storage. FOLIO shows one extended mapping for each
//! of these locations; they are stored in the mapping, in `originalLocationIds`.

use octavo_engine::{Request, Response, find, invalidate_caches, notify_statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::LOCATION;
use octavo_modules_base::remote_storage_records::MAPPING;
use octavo_pg::{Statement, read_each};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{id_parameter, page_parameters};
use super::uuid;

const SCHEMA: &str =
    include_str!("../../../folio/records/mod-remote-storage/extendedRemoteLocationConfigurationMapping.tsv");

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let asked = MappingQuery::from_request(&request)?;
    let original = id_parameter(&request, "originalLocationId")?.map(|id| id.to_string());
    let (found, total) = asked.load_page(&request, original.as_deref()).await?;
    let shown = found.iter().flat_map(extended_mappings);
    let wanted = |one: &Value| original.as_deref().is_none_or(|id| one["originalLocationId"] == id);
    Ok(mappings_response(&shown.filter(wanted).collect::<Vec<_>>(), total))
}

/// The parameters of a request for mappings.
pub(super) struct MappingQuery {
    offset: i64,
    limit: i64,
    location: Option<Uuid>,
    configuration: Option<Uuid>,
}

impl MappingQuery {
    pub(super) fn from_request(request: &Request) -> Outcome<MappingQuery> {
        let (offset, limit) = page_parameters(request)?;
        let location = id_parameter(request, "finalLocationId")?;
        let configuration = id_parameter(request, "remoteStorageConfigurationId")?;
        Ok(MappingQuery { offset, limit, location, configuration })
    }

    /// The mappings of the page, and the number of all mappings. With `original`, only mappings with this original location.
    pub(super) async fn load_page(
        &self,
        request: &Request,
        original: Option<&str>,
    ) -> Outcome<(Vec<Value>, i64)> {
        let of = |sql: &'static str| {
            let statement = Statement::new(sql).maybe_uuid(self.location).maybe_uuid(self.configuration);
            statement.maybe_text(original)
        };
        let mut session = request.context.session().await?;
        let answers = session.batch(vec![of(FOUND).long(self.offset).long(self.limit), of(COUNT)]).await?;
        let (found, total): (Vec<Value>, Option<i64>) = read_each(&answers);
        Ok((found, total.unwrap_or(0)))
    }
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = find(&mut session, &MAPPING, request.path_id(0)?).await?;
    let shown = extended_mappings(&found.ok_or_else(|| Fault::not_found_with("Mapping not found"))?);
    let total = i64::try_from(shown.len()).unwrap_or(i64::MAX);
    Ok(mappings_response(&shown, total))
}

/// Adds a location to a mapping. A location is an original location of the same storage only once.
pub(super) async fn map(request: Request) -> Outcome<Response> {
    let body = request.checked_json(SCHEMA)?;
    let [location, configuration, original] =
        ["finalLocationId", "remoteConfigurationId", "originalLocationId"]
            .map(|name| uuid(body[name].as_str()).unwrap_or_default());
    let put = Statement::new(PUT).uuid(location).uuid(configuration).text(original.to_string());
    run_and_announce(&request, location, vec![remove_statement(configuration, original), put]).await?;
    let shown =
        extended_mapping_json(&location.to_string(), &configuration.to_string(), Some(&original.to_string()));
    Ok(Response::json(201, &shown))
}

/// Removes a location from a mapping. The path names the storage, although FOLIO calls the parameter `finalLocationId`.
pub(super) async fn unmap(request: Request) -> Outcome<Response> {
    let (configuration, original) = (request.path_id(0)?, request.path_id(1)?);
    run_and_announce(&request, Uuid::nil(), vec![remove_statement(configuration, original)]).await?;
    Ok(Response::no_content())
}

async fn run_and_announce(request: &Request, location: Uuid, mut statements: Vec<Statement>) -> Outcome<()> {
    let context = &request.context;
    statements.extend(notify_statements(context, &MAPPING, location));
    context.session().await?.transaction(statements).await?;
    invalidate_caches(context, &MAPPING, location);
    Ok(())
}

fn remove_statement(configuration: Uuid, original: Uuid) -> Statement {
    Statement::new(REMOVE).uuid(configuration).text(original.to_string())
}

/// All locations that do not stand for a storage themselves, each with the storages to which its items go.
pub(super) async fn locations(request: Request) -> Outcome<Response> {
    let (offset, limit) = page_parameters(&request)?;
    let storage = id_parameter(&request, "remoteStorageConfigurationId")?.map(|id| id.to_string());
    let snapshot = request.context.snapshot().await?;
    let mut mappings: Vec<(&Uuid, &Value)> = snapshot.all(&MAPPING).collect();
    mappings.sort_by_key(|(id, _)| **id);
    let known: Vec<Value> = mappings.iter().flat_map(|(_, mapping)| extended_mappings(mapping)).collect();
    let mut locations: Vec<(&str, String)> = snapshot
        .all(&LOCATION)
        .filter(|(id, _)| snapshot.get(&MAPPING, **id).is_none())
        .map(|(id, location)| (location["name"].as_str().unwrap_or_default(), id.to_string()))
        .collect();
    locations.sort();
    let all: Vec<Value> =
        locations.iter().flat_map(|(_, id)| mappings_of_location(id, storage.as_deref(), &known)).collect();
    let [offset, limit] = [offset, limit].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    Ok(mappings_response(&all.into_iter().skip(offset).take(limit).collect::<Vec<_>>(), total))
}

/// The extended mappings of a location whose items go to storages. If there are none, an object with only the location.
fn mappings_of_location(location: &str, storage: Option<&str>, known: &[Value]) -> Vec<Value> {
    let mut own = known.iter().filter(|one| one["originalLocationId"] == location);
    let found: Vec<Value> = match storage {
        Some(storage) => {
            own.find(|one| one["remoteConfigurationId"] == storage).into_iter().cloned().collect()
        }
        None => own.cloned().collect(),
    };
    if found.is_empty() { vec![json!({"originalLocationId": location})] } else { found }
}

fn extended_mappings(mapping: &Value) -> Vec<Value> {
    let text = |name: &str| mapping[name].as_str().unwrap_or_default();
    let (location, configuration) = (text("folioLocationId"), text("configurationId"));
    let originals = mapping["originalLocationIds"].as_array().map_or(&[][..], Vec::as_slice);
    if originals.is_empty() {
        return vec![extended_mapping_json(location, configuration, None)];
    }
    originals
        .iter()
        .map(|original| extended_mapping_json(location, configuration, original.as_str()))
        .collect()
}

fn extended_mapping_json(location: &str, configuration: &str, original: Option<&str>) -> Value {
    let mut shown = json!({"finalLocationId": location, "remoteConfigurationId": configuration});
    if let Some(original) = original {
        shown["originalLocationId"] = json!(original);
    }
    shown
}

pub(super) fn mappings_response(mappings: &[Value], total: i64) -> Response {
    Response::json(200, &json!({"mappings": mappings, "totalRecords": total}))
}

const FOUND: &str = "\
select doc::text
from location_mappings
where ($1::uuid is null or id = $1)
and ($2::uuid is null or \"configurationId\" = $2)
and ($3::text is null or coalesce((doc::jsonb -> 'originalLocationIds') ? $3, false))
order by id
offset $4
limit $5";

const COUNT: &str = "\
select count(*)
from location_mappings
where ($1::uuid is null or id = $1)
and ($2::uuid is null or \"configurationId\" = $2)
and ($3::text is null or coalesce((doc::jsonb -> 'originalLocationIds') ? $3, false))";

const REMOVE: &str = "\
update location_mappings
set doc = jsonb_set(doc::jsonb, '{originalLocationIds}', (doc::jsonb -> 'originalLocationIds') - $2::text)::json
where \"configurationId\" = $1
and coalesce((doc::jsonb -> 'originalLocationIds') ? $2, false)";

const PUT: &str = "\
insert into location_mappings as t (id, doc)
values ($1, json_build_object(
  'id', $1::uuid, 'folioLocationId', $1::uuid, 'configurationId', $2::uuid,
  'originalLocationIds', json_build_array($3::text)
))
on conflict (id) do update set doc = (t.doc::jsonb || jsonb_build_object(
  'configurationId', $2::uuid,
  'originalLocationIds',
  coalesce(t.doc::jsonb -> 'originalLocationIds', '[]') - $3::text || to_jsonb($3::text)
))::json";

octavo_pg::statements!(other = [FOUND, COUNT, REMOVE, PUT]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_shown_with_its_storages() {
        let known = [
            extended_mapping_json("cave", "one", Some("a")),
            extended_mapping_json("cellar", "two", Some("a")),
        ];
        for (location, storage, shown) in [
            ("a", None, vec!["cave", "cellar"]),
            ("a", Some("two"), vec!["cellar"]),
            ("a", Some("three"), vec![""]),
            ("b", None, vec![""]),
        ] {
            let found = mappings_of_location(location, storage, &known);
            let finals: Vec<&str> =
                found.iter().map(|one| one["finalLocationId"].as_str().unwrap_or_default()).collect();
            assert_eq!(finals, shown, "{location} {storage:?}");
            assert!(found.iter().all(|one| one["originalLocationId"] == location));
        }
    }

    #[test]
    fn a_mapping_is_shown_once_for_each_original_location() {
        let mapping = |originals: Value| json!({"folioLocationId": "l", "configurationId": "c", "originalLocationIds": originals});
        assert_eq!(extended_mappings(&mapping(json!(["a", "b"]))).len(), 2);
        for none in [json!([]), Value::Null] {
            assert_eq!(
                extended_mappings(&mapping(none)),
                [json!({"finalLocationId": "l", "remoteConfigurationId": "c"})]
            );
        }
    }
}
