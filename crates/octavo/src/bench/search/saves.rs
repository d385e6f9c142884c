//! From a save to a search that finds it: of the same person at once, of others soon.

use std::time::Duration;

use anyhow::{Result, bail};
use octavo_lab::clock;
use octavo_lab::load::{Login, Session};
use octavo_lab::statistics::Latencies;
use octavo_lab::table::format_number;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Run, compare_with_goal};
use crate::bench::print_progress;

const POLL: Duration = Duration::from_millis(2);
const LONGEST_SEARCH: Duration = Duration::from_secs(30);
/// How long a search waits for what its user has saved (`OWN_CHANGES` of the searches).
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The milliseconds within which 95 in 100 saves are found by others.
const GOAL_MS: f64 = 500.0;

const SEARCH: &str = "search.instances.collection.get";

/// Saves titles, each with a unique word. The user who saved them searches for every other title, another user for the rest. The titles
/// and the other user are deleted again.
pub(super) async fn measure(run: &Run<'_>, saves: usize) -> Result<String> {
    print_progress("saves, and searches that find them");
    let mut staff = run.session();
    let id = format!("00000000-1111-4555-9999-{:012x}", std::process::id());
    let mut reader = create_reader(run, &mut staff, &id).await?;
    let done = save_and_search(&mut staff, &mut reader, saves).await;
    for path in
        [format!("/perms/users/{id}"), format!("/authn/credentials?userId={id}"), format!("/users/{id}")]
    {
        staff.ask("DELETE", &path, "", 204).await?;
    }
    let (OwnSearches { found_at_once: found, not_found_in_time: late }, others) = done?;
    let times = others.percentiles();
    Ok(format!(
        "Of {saves} saved titles {found} were found by the next search of who saved them ({}), {late} were not in the index within the \
         second that it waits, and {} were not found although it did not wait so long; as many others were found by somebody else after \
         {} ms, p95 {}.",
        if found == saves { "all have to be" } else { "ALL have to be" },
        saves - found - late,
        format_number(times.p50, 0),
        compare_with_goal(times.p95, GOAL_MS, 0, "ms"),
    ))
}

/// A second user: searches of the same one wait for what they have saved.
async fn create_reader(run: &Run<'_>, staff: &mut Session, id: &str) -> Result<Session> {
    let name = format!("octavo-bench-reader-{}", std::process::id());
    let user = json!({"id": id, "username": name, "active": true, "personal": {"lastName": "Reader"}});
    let credentials = json!({"userId": id, "username": name, "password": name});
    let granted = json!({"id": id, "userId": id, "permissions": [SEARCH]});
    for (path, body) in [("/users", user), ("/authn/credentials", credentials), ("/perms/users", granted)] {
        staff.ask("POST", path, &body.to_string(), 201).await?;
    }
    let login = Login { username: name.clone(), password: name };
    let mut reader = Session::new(&run.server.address, run.tenant.as_str(), Some(login));
    reader.log_in().await?;
    Ok(reader)
}

/// The results of searches by the user who saved the title.
#[derive(Default)]
struct OwnSearches {
    found_at_once: usize,
    /// The number of searches that waited as long as a search may, and did not find the title.
    not_found_in_time: usize,
}

/// Saves titles. For every other title: whether the user who saved it finds it at once. For the rest: the time until another user finds
/// it.
async fn save_and_search(
    staff: &mut Session,
    reader: &mut Session,
    saves: usize,
) -> Result<(OwnSearches, Latencies)> {
    let types = staff.ask("GET", "/instance-types?limit=1", "", 200).await?.answer.json()?;
    let kind = types["instanceTypes"][0]["id"].clone();
    let (mut own, mut others) = (OwnSearches::default(), Latencies::default());
    for number in 0..2 * saves {
        let word = format!("qzxsave{}x{number}", std::process::id());
        let title = json!({"title": word, "source": "FOLIO", "instanceTypeId": kind});
        let saved = staff.ask("POST", "/instance-storage/instances", &title.to_string(), 201).await?;
        let began = clock::now();
        let id = saved.answer.json()?["id"].clone();
        let path = format!("/search/instances?query=title%3D{word}");
        if number % 2 == 0 {
            match is_found(staff, &path).await? {
                true => own.found_at_once += 1,
                false if began.elapsed() >= LONGEST_WAIT => own.not_found_in_time += 1,
                false => {}
            }
        } else {
            while !is_found(reader, &path).await? {
                if began.elapsed() > LONGEST_SEARCH {
                    bail!("{word} was not found within {} s", LONGEST_SEARCH.as_secs());
                }
                sleep(POLL).await;
            }
            others.push(began.elapsed().as_micros());
        }
        let id = id.as_str().unwrap_or_default();
        staff.ask("DELETE", &format!("/instance-storage/instances/{id}"), "", 204).await?;
    }
    Ok((own, others))
}

async fn is_found(user: &mut Session, path: &str) -> Result<bool> {
    let answer: Value = user.ask("GET", path, "", 200).await?.answer.json()?;
    Ok(answer["totalRecords"] == 1)
}
