//! mod-rtac 3.6.0, real-time availability: the locations, statuses and due dates of the copies of an instance, for discovery systems.
//!
//! FOLIO asks three modules, for loans in batches of fifty items. Here one round trip reads instances, holdings, items, open loans and
//! open requests, and names come from the snapshot. Facts: the mappers of mod-rtac 3.6.0.

mod availability;
mod edge;
mod names;
mod read;
mod xml;

use std::collections::HashSet;
use std::sync::LazyLock;

use octavo_engine::{Call, Context, Module, Request, Response, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{Reading, Schema};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use availability::{Brief, Copies};

pub static MODULE: Module = Module { name: "mod-rtac", calls: CALLS, edges: &[edge::EDGE], ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/rtac/{id}" => instance_availability, may_be_late;
    Post "/rtac-batch" => batch_availability, search, may_be_late;
};

/// The most instances of one request, because the answer is built in memory.
const MOST_INSTANCES: usize = 2000;

static BODY: LazyLock<Schema> =
    LazyLock::new(|| Schema::parse(include_str!("../../folio/records/mod-rtac/rtac-request.tsv")));

#[derive(Serialize)]
struct BriefAnswer<'a> {
    holdings: Vec<Brief<'a>>,
}

/// The older form of the answer: items only, with fewer members for each item.
async fn instance_availability(request: Request) -> Outcome<Response> {
    let missing = |message: &str| Fault::not_found_with(message);
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| missing("Could not find instance"))?;
    let answers = read::load_copies(&request.context, &[id]).await?;
    let names = names::load_names(&request.context).await?;
    let titles = read::by_instance(&answers);
    let title = titles.get(&id).ok_or_else(|| missing("Not Found"))?;
    let holdings = title.items.iter().map(|(_, item)| availability::brief_item(item, &names)).collect();
    Ok(Response::json_text(200, serde_json::to_string(&BriefAnswer { holdings }).map_err(Fault::internal)?))
}

async fn batch_availability(request: Request) -> Outcome<Response> {
    let mut body = request.json()?;
    let asked = take_instance_ids(&mut body);
    let body = BODY.check(body, Reading::FromClient).map_err(Fault::refused)?.0;
    let answer = availability_of(&request.context, &asked, body["fullPeriodicals"] == true).await?;
    Ok(Response::json(200, &answer))
}

/// The availability of instances by their ids, with a message for each that does not exist or has no holdings.
async fn availability_of(context: &Context, asked: &[String], full_periodicals: bool) -> Outcome<Value> {
    let mut seen = HashSet::new();
    let ids: Vec<Uuid> =
        asked.iter().filter_map(|id| Uuid::parse_str(id).ok()).filter(|id| seen.insert(*id)).collect();
    if ids.is_empty() {
        return Err(Fault::not_found_with("Could not find instances"));
    }
    if ids.len() > MOST_INSTANCES {
        return Err(Fault::bad_request(format!(
            "At most {MOST_INSTANCES} instances can be asked for at once"
        )));
    }
    let answers = read::load_copies(context, &ids).await?;
    let names = names::load_names(context).await?;
    let titles = read::by_instance(&answers);
    let held = |id: &Uuid| titles.get(id).filter(|title| !title.holdings.is_empty());
    let found: Vec<Copies<'_>> = ids
        .iter()
        .filter_map(|id| Some(availability::availability_of_title(*id, held(id)?, &names, full_periodicals)))
        .collect();
    let known = |id: &str| Uuid::parse_str(id).is_ok_and(|id| titles.contains_key(&id));
    let unknown =
        asked.iter().filter(|id| !known(id)).map(|id| format!("Instance {id} can not be retrieved"));
    let unheld = ids.iter().filter(|id| titles.contains_key(id) && held(id).is_none());
    let errors: Vec<Value> = unknown
        .chain(unheld.map(|id| format!("Holdings not found for instance {id}")))
        .map(|message| json!({"message": message, "code": "404"}))
        .collect();
    let mut answer = json!({"holdings": found});
    if !errors.is_empty() {
        answer["errors"] = json!(errors);
    }
    Ok(answer)
}

/// Takes the ids out of the body before the schema checks it. The schema would refuse the whole request for a text that is no UUID,
/// which FOLIO treats as an unknown instance.
fn take_instance_ids(body: &mut Value) -> Vec<String> {
    let Some(ids) = body.get_mut("instanceIds").and_then(Value::as_array_mut) else { return Vec::new() };
    let (texts, others): (Vec<Value>, _) = std::mem::take(ids).into_iter().partition(Value::is_string);
    *ids = others;
    texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

octavo_pg::statements!(within = [read]);
