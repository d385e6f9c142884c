//! `octavo bench calls`: how long the calls of a desk and of a discovery system take on a library that
//! `octavo load synthetic` made, of any size. Run on a small library and on a large one, it tells what size costs.

mod keys;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Arg, ArgMatches, Command};
use octavo_kernel::TenantId;
use serde_json::{Value, json};

use self::keys::Keys;
use super::figures::{Latencies, told};
use super::http::{Connection, request};
use super::process::memory;
use super::scratch::Scratch;
use super::server::Server;
use super::table::Page;
use super::{clock, say};
use crate::{config, start};

const LONGEST: Duration = Duration::from_secs(5);
/// Of a call that takes longer, at least so many are made.
const LEAST: usize = 20;
const MOST: usize = 3000;

pub(crate) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let command = Command::new("calls")
        .about("Time the calls of a desk and of a discovery system on a library of `octavo load synthetic`")
        .arg(option("tenant", "TENANT", "The tenant that was made [default: synthetic]"))
        .arg(option("admin-password", "PASSWORD", "The password that it was made with").required(true));
    config::args(command)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let settings = config::load(flags)?.settings;
    let tenant = flags.get_one::<String>("tenant").map_or("synthetic", String::as_str);
    let password = flags.get_one::<String>("admin-password").map_or("", String::as_str);
    // One thread: the generator of load shall leave the cores to those who are measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let page = runtime.block_on(async {
        let scratch = Scratch::make()?;
        let (database, private) = start::database(&settings).await?;
        let url = private.as_ref().map(octavo_pg::embedded::Embedded::url).or(settings.database_url);
        let url = url.context("no database")?;
        say("choosing instances, items and patrons");
        let keys = Keys::choose(&database, &TenantId::parse(tenant)?).await?;
        let server = Server::start(scratch.path(), &url).await?;
        let page = measure(&server, tenant, password, &keys).await;
        server.stop().await?;
        if let Some(private) = private {
            private.stop().await;
        }
        page
    })?;
    Ok(std::io::stdout().write_all(page.markdown().as_bytes())?)
}

/// A call, and its n-th request: method, path, body. None when there are no more.
struct Call {
    name: String,
    status: u16,
    nth: Box<dyn Fn(usize) -> Option<(&'static str, String, String)>>,
}

async fn measure(server: &Server, tenant: &str, password: &str, keys: &Keys) -> Result<Page> {
    let headers = log_in(server, tenant, password).await?;
    let mut rows =
        vec![["call", "calls", "p50 ms", "p95 ms", "p99 ms", "answer kB"].map(str::to_owned).to_vec()];
    for call in calls(keys) {
        say(&call.name);
        rows.push(time(server, &headers, &call).await?);
    }
    let mut page = Page::default();
    page.text(format!(
        "{} instances, {} holdings, {} items; database {} GB. Server's memory at most {} MB.",
        told(keys.sizes[0], 0),
        told(keys.sizes[1], 0),
        told(keys.sizes[2], 0),
        told(keys.bytes / 1e9, 1),
        told(memory(server.pid, "VmHWM")? as f64 / 1024.0, 0),
    ));
    page.table(rows);
    Ok(page)
}

async fn log_in(server: &Server, tenant: &str, password: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let who = json!({"username": format!("{tenant}_admin"), "password": password});
    request(&mut bytes, "POST", "/authn/login", &format!("X-Okapi-Tenant: {tenant}\r\n"), &who.to_string());
    let mut connection = Connection::open(server.address).await?;
    let answer = connection.exchange(&bytes).await?;
    answer.expect(201, "logging in; was the library made with --admin-password?")?;
    let token = answer.header("x-okapi-token").context("logging in gave no token")?;
    Ok(format!("X-Okapi-Tenant: {tenant}\r\nX-Okapi-Token: {token}\r\nAccept: application/json\r\n"))
}

/// One after the other over one connection; the first three do not count.
async fn time(server: &Server, headers: &str, call: &Call) -> Result<Vec<String>> {
    let mut connection = Connection::open(server.address).await?;
    let (mut latencies, mut bytes, mut size) = (Latencies::default(), Vec::new(), 0);
    let started = clock::now();
    for number in 0..MOST {
        let Some((method, path, body)) = (call.nth)(number) else { break };
        request(&mut bytes, method, &path, headers, &body);
        let sent = clock::now();
        let answer = connection.exchange(&bytes).await?;
        let elapsed = sent.elapsed();
        // What the library's rules do not lend does not count.
        if call.name == CHECK_OUT && answer.status == 422 {
            continue;
        }
        answer.expect(call.status, &format!("{method} {path} {body}"))?;
        size = answer.body.len();
        if number >= 3 {
            latencies.push(elapsed.as_micros());
        }
        if latencies.len() >= LEAST && started.elapsed() > LONGEST {
            break;
        }
    }
    let count = latencies.len();
    ensure!(count > 0, "{}: nothing was answered as expected", call.name);
    let figures = latencies.percentiles();
    let times = [figures.p50, figures.p95, figures.p99].map(|figure| told(figure, 2));
    let mut row = vec![call.name.clone(), told(count as f64, 0)];
    row.extend(times);
    row.push(told(size as f64 / 1000.0, 1));
    Ok(row)
}

fn calls(keys: &Keys) -> Vec<Call> {
    let get = |name: &str, values: &[String], path: &'static str| {
        let values = values.to_vec();
        call(name, 200, move |number| {
            let value = values.get(number % values.len().max(1))?;
            Some(("GET", path.replace("{}", value), String::new()))
        })
    };
    let post = |name: String, path: &'static str, body: Value| {
        call(&name, 200, move |_| Some(("POST", path.to_owned(), body.to_string())))
    };
    let mut calls = vec![
        get("item by id", &keys.items, "/item-storage/items/{}"),
        get("item by barcode", &keys.barcodes, "/inventory/items?query=barcode%3D%3D%22{}%22"),
        get(
            "open loans of a patron",
            &keys.borrowers,
            "/circulation/loans?query=(userId%3D%3D{}%20and%20status.name%3D%3DOpen)&limit=100",
        ),
    ];
    let (barcodes, patrons, desk) =
        (keys.available.clone(), keys.patrons.clone(), keys.service_point.clone());
    calls.push(call(CHECK_OUT, 201, move |number| {
        let body = json!({
            // Two each: no patron comes to the limit of a policy.
            "itemBarcode": barcodes.get(number).filter(|_| number < 2 * patrons.len())?,
            "userBarcode": patrons[number % patrons.len()],
            "servicePointId": desk,
        });
        Some(("POST", super::trips::CHECK_OUT.to_owned(), body.to_string()))
    }));
    for (holdings, instance) in &keys.with_holdings {
        let name = format!("items-and-holdings, 1 instance with {holdings} holdings");
        calls.push(post(name, HIERARCHY, hierarchy(&[instance])));
    }
    for count in [50, 964, 5325] {
        let some: Vec<&String> = keys.instances.iter().take(count).collect();
        let name = format!("items-and-holdings, {} instances", told(some.len() as f64, 0));
        calls.push(post(name, HIERARCHY, hierarchy(&some)));
    }
    if let Some((holdings, instance)) = keys.with_holdings.last() {
        let name = format!("RTAC of an instance with {holdings} holdings");
        calls.push(get(&name, std::slice::from_ref(instance), "/rtac/{}"));
    }
    let fifty: Vec<&String> = keys.instances.iter().take(50).collect();
    calls.push(post("RTAC of 50 instances".to_owned(), "/rtac-batch", json!({"instanceIds": fifty})));
    calls
}

const CHECK_OUT: &str = "check-out";
const HIERARCHY: &str = "/inventory-hierarchy/items-and-holdings";

fn hierarchy(instances: &[&String]) -> Value {
    json!({"instanceIds": instances, "skipSuppressedFromDiscoveryRecords": false})
}

fn call(
    name: &str,
    status: u16,
    nth: impl Fn(usize) -> Option<(&'static str, String, String)> + 'static,
) -> Call {
    Call { name: name.to_owned(), status, nth: Box::new(nth) }
}
