//! Which calls are made, with which records.

use serde_json::{Value, json};

use octavo_lab::clock;
use octavo_lab::encode_value;
use octavo_lab::table::figure as written;

use super::keys::Keys;
use crate::bench::call::{CHECK_IN, CHECK_OUT, Call};

/// The most times that each call is made.
pub(in crate::bench) const MOST: usize = 3000;

/// The request of a number; none when there are no more.
type Nth = Box<dyn Fn(usize) -> Option<Call>>;

pub(in crate::bench) struct Asked {
    pub(in crate::bench) name: String,
    pub(in crate::bench) status: u16,
    pub(in crate::bench) nth: Nth,
    /// Each request asks for records of its own, so that to make it again is another thing.
    pub(in crate::bench) again: bool,
    /// The call that undoes the change of the n-th request.
    pub(in crate::bench) undo: Option<Nth>,
}

pub(in crate::bench) fn all(keys: &Keys) -> Vec<Asked> {
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
        calls.push(post(name, HIERARCHY, &hierarchy(&[instance])));
    }
    for count in [50, 964, 5325] {
        let some: Vec<&String> = keys.instances.iter().take(count).collect();
        let name = format!("items-and-holdings, {} instances", written(some.len() as f64, 0));
        calls.push(post(name, HIERARCHY, &hierarchy(&some)));
    }
    if let Some((holdings, instance)) = keys.with_holdings.last() {
        let name = format!("RTAC of an instance with {holdings} holdings");
        let path = format!("/rtac/{instance}");
        calls.push(call(name, 200, move |_| Some(Call::get(path.clone()))));
    }
    let fifty: Vec<&String> = keys.instances.iter().take(50).collect();
    calls.push(post("RTAC of 50 instances".to_owned(), "/rtac-batch", &json!({"instanceIds": fifty})));
    calls.extend(searches(keys));
    calls
}

const HIERARCHY: &str = "/inventory-hierarchy/items-and-holdings";
const KEYWORD: &str = "/search/instances?query=keyword%20all%20%22{}%22";

fn hierarchy(instances: &[&String]) -> Value {
    json!({"instanceIds": instances, "skipSuppressedFromDiscoveryRecords": false})
}

/// Each keyword in turn; a page of a hundred titles with their items, and how many there are.
fn searches(keys: &Keys) -> Vec<Asked> {
    let pairs =
        || keys.common.iter().zip(keys.common.iter().skip(1)).map(|(one, other)| format!("{one} {other}"));
    let common: Vec<String> = keys.common.iter().map(|word| encode_value(word)).collect();
    let rare: Vec<String> = keys.rare.iter().map(|word| encode_value(word)).collect();
    let mut calls = Vec::new();
    if !common.is_empty() {
        let name = format!("keyword search, {} words of the most titles", common.len());
        calls.push(Asked { again: false, ..by_key(&name, &in_turn(&common), KEYWORD) });
        let pairs: Vec<String> = pairs().map(|pair| encode_value(&pair)).collect();
        let name = format!("keyword search, {} pairs of them", pairs.len());
        calls.push(Asked { again: false, ..by_key(&name, &in_turn(&pairs), KEYWORD) });
    }
    calls.push(by_key("keyword search, words of one title", &rare, KEYWORD));
    calls
}

/// Each item once, in no order of the shelves; two for each patron, which is within the limit of every policy.
pub(in crate::bench) fn check_out(keys: &Keys) -> Asked {
    let (barcodes, patrons) = (keys.shelf.clone(), keys.patrons.clone());
    let (shelf, desk) = (keys.shelf.clone(), keys.service_point.clone());
    let lend = call("check-out".to_owned(), 201, move |number| {
        let body = json!({
            "itemBarcode": barcodes.get(number).filter(|_| number < 2 * patrons.len())?,
            "userBarcode": patrons[number % patrons.len()],
            "servicePointId": desk,
        });
        Some(Call::post(CHECK_OUT, body.to_string()))
    });
    let (desk, today) = (keys.service_point.clone(), format!("{}T23:59:59.000Z", clock::date()));
    let undo: Nth = Box::new(move |number| {
        let body = json!({"itemBarcode": shelf.get(number)?, "servicePointId": desk, "checkInDate": today});
        Some(Call::post(CHECK_IN, body.to_string()))
    });
    Asked { again: true, undo: Some(undo), ..lend }
}

/// Each value in the place of `{}` of the path.
fn by_key(name: &str, values: &[String], path: &'static str) -> Asked {
    let values = values.to_vec();
    let read =
        call(name.to_owned(), 200, move |number| Some(Call::get(path.replace("{}", values.get(number)?))));
    Asked { again: true, ..read }
}

fn post(name: String, path: &'static str, body: &Value) -> Asked {
    let body = body.to_string();
    call(name, 200, move |_| Some(Call::post(path, body.clone())))
}

fn call(name: String, status: u16, nth: impl Fn(usize) -> Option<Call> + 'static) -> Asked {
    Asked { name, status, nth: Box::new(nth), again: false, undo: None }
}

/// Over and over, as often as a call is made at most.
fn in_turn(words: &[String]) -> Vec<String> {
    words.iter().cloned().cycle().take(MOST).collect()
}
