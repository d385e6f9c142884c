//! The commands as a tester types them, against fakes in which faults were planted.

use std::fs;

use crate::{command, fake, run};

const WORKFLOW: &str = "about = 'Two calls'\n[[transaction]]\nname = 'Both'\nsteps = [\n\
    { get = '/quick', find = { token = 'token\": \"(.)' } },\n{ get = '/maybe-slow/{token}', label = 'GET /maybe-slow' },\n]\n";
const EXPERIMENT: &str =
    "about = 'Planted'\nworkflow = 'two'\nduration = '1 s'\n[[test]]\nname = 't'\nusers = 2\n";
const BUDGETS: &str = "[[budget]]\nname = 'two trips'\nworkflow = 'two'\ncall = 'GET /quick'\nround-trips = 2\nfailed = 0\n\
    [[budget]]\nname = 'as quick as the other'\nworkflow = 'two'\ncall = 'GET /maybe-slow'\nratio = { to = 'GET /quick', most = 3 }\n";

/// A folder with the experiment in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    fs::create_dir_all(at("workflows")).unwrap();
    fs::create_dir_all(at("experiments")).unwrap();
    fs::write(at("workflows/two.toml"), WORKFLOW).unwrap();
    fs::write(at("experiments/two.toml"), EXPERIMENT).unwrap();
    fs::write(at("budgets.toml"), BUDGETS).unwrap();
    folder
}

fn lab(folder: &tempfile::TempDir, words: &[&str]) -> anyhow::Result<String> {
    let inside = folder.path().to_str().unwrap();
    let words: Vec<String> = words.iter().map(|word| word.replace("FOLDER", inside)).collect();
    let more = ["--tenant", "", "--folder", inside].map(str::to_owned);
    run(&command().try_get_matches_from(["lab".to_owned()].into_iter().chain(words).chain(more))?)
}

#[test]
#[ignore = "measures two servers in turns, and needs a machine that has time for it"]
fn a_delay_in_one_endpoint_is_found_and_named_by_compare() {
    let (folder, before) = (folder(), fake::serve(&[("/maybe-slow", 10)]));
    let after = fake::serve(&[("/maybe-slow", 110)]);
    let told = lab(
        &folder,
        &["compare", "two", "--url", &before, "--with", &after, "--rounds", "5", "--seconds", "1"],
    )
    .unwrap();
    let slower = told.lines().find(|line| line.starts_with("- Slower:")).unwrap_or_else(|| panic!("{told}"));
    assert!(slower.contains("GET /maybe-slow (t)"), "{told}");
    assert!(!told.contains("- Faster"), "{told}");
}

#[test]
fn a_delay_in_one_endpoint_is_found_and_named_by_the_report() {
    let (folder, url) = (folder(), fake::serve(&[("/maybe-slow", 300)]));
    let told = lab(&folder, &["run", "two", "--url", &url, "--out", "FOLDER/out"]).unwrap();
    assert!(told.contains("GET /maybe-slow ("), "{told}");
    let page = told.lines().find(|line| line.ends_with(".md")).unwrap();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Begin with GET /maybe-slow: it takes "), "{page}");
    assert!(page.contains("Where the time of one \"Both\" goes: one user, 5 loops"), "{page}");
}

#[test]
fn a_gate_tells_by_its_exit_whether_budgets_are_kept() {
    let folder = folder();
    let gate =
        |url: &str| lab(&folder, &["gate", "--url", url, "--budgets", "FOLDER/budgets.toml", "--loops", "3"]);
    let kept = gate(&fake::serve(&[("/quick", 200)])).unwrap();
    assert!(kept.contains("kept: two trips: GET /quick: 2 round trips to the database; 2 allowed"), "{kept}");
    let error = gate(&fake::serve(&[("/quick", 20), ("/maybe-slow", 600)])).unwrap_err().to_string();
    assert!(
        error.starts_with("1 budget is exceeded:\n  as quick as the other: GET /maybe-slow: "),
        "{error}"
    );
}

#[test]
fn the_knee_of_a_server_that_takes_its_time_is_not_reached_by_few_users() {
    let (folder, url) = (folder(), fake::serve(&[("/maybe-slow", 20)]));
    let words = ["knee", "two", "--url", &url, "--seconds", "1", "--most", "4", "--out", "FOLDER/out"];
    let told = lab(&folder, &words).unwrap();
    assert!(told.contains("No knee up to 4 users"), "{told}");
}

#[test]
fn branches_defaults_and_texts_that_are_put_together_are_sent() {
    let folder = folder();
    let workflow = "about = 'w'\n[parameters]\nall = ''\n[[transaction]]\nname = 'T'\nsteps = [\n\
        { get = '/first', headers = { Origin = '{server}' }, any = { id = '$..id' }, take = { none = '$.none' }, else = { id = 'x', none = 'NONE' } },\n\
        { set = { all = '{all}{id},' } },\n{ get = '/list/{all}', label = 'list' },\n\
        { if = 'none', is = 'NONE', get = '/absent' },\n{ if = 'none', not = 'NONE', get = '/present' },\n\
        { choice = [{ share = 0, steps = [{ get = '/never' }] }, { share = 1, steps = [{ get = '/always' }] }] },\n]\n";
    let experiment =
        "about = 'e'\nworkflow = 'put'\nduration = '20 s'\n[[test]]\nname = 't'\nusers = 1\nloops = 2\n";
    fs::write(folder.path().join("workflows/put.toml"), workflow).unwrap();
    fs::write(folder.path().join("experiments/put.toml"), experiment).unwrap();
    let (url, asked) = fake::serve_and_record(&[]);
    lab(&folder, &["run", "put", "--url", &url, "--out", "FOLDER/out"]).unwrap();
    let of_loops: Vec<String> = asked
        .lock()
        .unwrap()
        .iter()
        .filter(|path| {
            ["first", "list", "absent", "present", "never", "always"].iter().any(|one| path.contains(one))
        })
        .cloned()
        .collect();
    assert_eq!(
        of_loops,
        [
            "GET /first",
            "GET /list/1%2C",
            "GET /absent",
            "GET /always",
            "GET /first",
            "GET /list/1%2C1%2C",
            "GET /absent",
            "GET /always",
        ]
    );
}

#[test]
fn a_first_call_that_always_fails_is_not_made_again_and_again_at_once() {
    let folder = folder();
    let workflow = "about = 'w'\n[[transaction]]\nname = 'T'\nsteps = [{ get = '/refused' }]\n";
    let experiment =
        "about = 'e'\nworkflow = 'no'\nduration = '2 s'\n[[test]]\nname = 't'\nusers = 1\nloops = 1000\n";
    fs::write(folder.path().join("workflows/no.toml"), workflow).unwrap();
    fs::write(folder.path().join("experiments/no.toml"), experiment).unwrap();
    let (url, asked) = fake::serve_and_record(&[]);
    let told = lab(&folder, &["run", "no", "--url", &url, "--out", "FOLDER/out"]).unwrap();
    let made = asked.lock().unwrap().iter().filter(|path| path.contains("/refused")).count();
    // After 50, 100, 200, 400, 800 ms.
    assert!((3..=7).contains(&made), "{made} in two seconds");
    assert!(told.contains("no transaction came to its end"), "{told}");
}

#[test]
fn an_earlier_run_is_laid_beside_a_new_one() {
    let (folder, url) = (folder(), fake::serve(&[]));
    let run = |more: &[&str]| {
        let words = [&["run", "two", "--url", &url, "--out", "FOLDER/out"][..], more].concat();
        lab(&folder, &words).unwrap()
    };
    let first = run(&[]);
    let json = first.lines().find(|line| line.ends_with(".json")).unwrap();
    let second = run(&["--baseline", json]);
    let page = second.lines().find(|line| line.ends_with(".md")).unwrap();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Beside the run of 2") && page.contains("| before, ms | here, ms |"), "{page}");
}
