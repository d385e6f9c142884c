//! The calls that `octavo bench calls` measures, and the records that they ask for.

use serde_json::{Value, json};

use octavo_lab::clock;
use octavo_lab::encode_value;
use octavo_lab::table::format_number;

use super::keys::Keys;
use crate::bench::call::{CHECK_IN, CHECK_OUT, Call};

/// The most times that each call is made.
pub(in crate::bench) const MOST_REQUESTS: usize = 3000;

/// Makes the request with a number; `None` when there are no more requests.
type CallByNumber = Box<dyn Fn(usize) -> Option<Call>>;

pub(in crate::bench) struct MeasuredCall {
    pub(in crate::bench) name: String,
    pub(in crate::bench) status: u16,
    pub(in crate::bench) call: CallByNumber,
    /// Whether the same requests are sent a second time and measured separately, because their records are then in memory.
    pub(in crate::bench) is_repeated: bool,
    /// The call that undoes the change of the request with a number.
    pub(in crate::bench) undo: Option<CallByNumber>,
}

pub(in crate::bench) fn all_calls(keys: &Keys) -> Vec<MeasuredCall> {
    let mut calls = vec![
        by_key("item by id", &keys.items, "/item-storage/items/{}"),
        by_key("item by barcode", &keys.barcodes, "/inventory/items?query=barcode%3D%3D%22{}%22"),
        by_key(
            "open loans of a patron",
            &keys.borrowers,
            "/circulation/loans?query=(userId%3D%3D{}%20and%20status.name%3D%3DOpen)&limit=100",
        ),
        check_out(keys),
    ];
    for (holdings, instance) in &keys.with_holdings {
        let name = format!("items-and-holdings, 1 instance with {holdings} holdings");
        calls.push(post(name, HIERARCHY, &hierarchy_body(&[instance])));
    }
    for count in [50, 964, 5325] {
        let some: Vec<&String> = keys.instances.iter().take(count).collect();
        let name = format!("items-and-holdings, {} instances", format_number(some.len() as f64, 0));
        calls.push(post(name, HIERARCHY, &hierarchy_body(&some)));
    }
    if let Some((holdings, instance)) = keys.with_holdings.last() {
        let name = format!("RTAC of an instance with {holdings} holdings");
        let path = format!("/rtac/{instance}");
        calls.push(measured_call(name, 200, move |_| Some(Call::get(path.clone()))));
    }
    let fifty: Vec<&String> = keys.instances.iter().take(50).collect();
    calls.push(post("RTAC of 50 instances".to_owned(), "/rtac-batch", &json!({"instanceIds": fifty})));
    calls.extend(search_calls(keys));
    calls
}

const HIERARCHY: &str = "/inventory-hierarchy/items-and-holdings";
const KEYWORD: &str = "/search/instances?query=keyword%20all%20%22{}%22";

fn hierarchy_body(instances: &[&String]) -> Value {
    json!({"instanceIds": instances, "skipSuppressedFromDiscoveryRecords": false})
}

/// Each keyword in turn; a page of a hundred titles with their items, and how many there are.
fn search_calls(keys: &Keys) -> Vec<MeasuredCall> {
    let pairs = || {
        keys.common_words
            .iter()
            .zip(keys.common_words.iter().skip(1))
            .map(|(one, other)| format!("{one} {other}"))
    };
    let common: Vec<String> = keys.common_words.iter().map(|word| encode_value(word)).collect();
    let rare: Vec<String> = keys.rare_words.iter().map(|word| encode_value(word)).collect();
    let mut calls = Vec::new();
    if !common.is_empty() {
        let name = format!("keyword search, {} words of the most titles", common.len());
        calls.push(MeasuredCall { is_repeated: false, ..by_key(&name, &repeat_in_turn(&common), KEYWORD) });
        let pairs: Vec<String> = pairs().map(|pair| encode_value(&pair)).collect();
        let name = format!("keyword search, {} pairs of them", pairs.len());
        calls.push(MeasuredCall { is_repeated: false, ..by_key(&name, &repeat_in_turn(&pairs), KEYWORD) });
    }
    calls.push(by_key("keyword search, words of one title", &rare, KEYWORD));
    calls
}

/// Checks each item out once, in random order. Each patron borrows two items, which is within the limit of every policy.
pub(in crate::bench) fn check_out(keys: &Keys) -> MeasuredCall {
    let (barcodes, patrons) = (keys.barcodes_to_lend.clone(), keys.patrons.clone());
    let (shelf, desk) = (keys.barcodes_to_lend.clone(), keys.service_point.clone());
    let lend = measured_call("check-out".to_owned(), 201, move |number| {
        let body = json!({
            "itemBarcode": barcodes.get(number).filter(|_| number < 2 * patrons.len())?,
            "userBarcode": patrons[number % patrons.len()],
            "servicePointId": desk,
        });
        Some(Call::post(CHECK_OUT, body.to_string()))
    });
    let (desk, today) = (keys.service_point.clone(), format!("{}T23:59:59.000Z", clock::date()));
    let undo: CallByNumber = Box::new(move |number| {
        let body = json!({"itemBarcode": shelf.get(number)?, "servicePointId": desk, "checkInDate": today});
        Some(Call::post(CHECK_IN, body.to_string()))
    });
    MeasuredCall { is_repeated: true, undo: Some(undo), ..lend }
}

/// A call for each value, which takes the place of `{}` in the path.
fn by_key(name: &str, values: &[String], path: &'static str) -> MeasuredCall {
    let values = values.to_vec();
    let read = measured_call(name.to_owned(), 200, move |number| {
        Some(Call::get(path.replace("{}", values.get(number)?)))
    });
    MeasuredCall { is_repeated: true, ..read }
}

fn post(name: String, path: &'static str, body: &Value) -> MeasuredCall {
    let body = body.to_string();
    measured_call(name, 200, move |_| Some(Call::post(path, body.clone())))
}

fn measured_call(name: String, status: u16, nth: impl Fn(usize) -> Option<Call> + 'static) -> MeasuredCall {
    MeasuredCall { name, status, call: Box::new(nth), is_repeated: false, undo: None }
}

/// Repeats the words in turn, up to the most requests of a call.
fn repeat_in_turn(words: &[String]) -> Vec<String> {
    words.iter().cloned().cycle().take(MOST_REQUESTS).collect()
}
