//! `octavo bench` in its smallest size: it runs through, and says what it measured.

use std::process::Command;

use crate::load::load;
use crate::octavo::{Folder, program_path};

fn bench(arguments: &[&str]) -> String {
    let output = Command::new(program_path()).arg("bench").args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The cells of the row that begins so.
fn row_cells(page: &str, name: &str) -> Vec<String> {
    let line = page.lines().find(|line| line.starts_with(&format!("| {name} ")));
    let line = line.unwrap_or_else(|| panic!("no {name} in {page}"));
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn requests_and_notices_are_measured() {
    let page = bench(&[
        "requests",
        "--queue",
        "8",
        "--calls",
        "52",
        "--slips",
        "5",
        "--notices",
        "30",
        "--seconds",
        "1",
    ]);
    for level in ["an item", "a title"] {
        for (name, trips) in [("placing a request for", "2"), ("check-in that fills the first for", "2")] {
            let cells = row_cells(&page, &format!("{name} {level}"));
            assert_eq!((cells[1].as_str(), cells[5].as_str()), ("2", trips), "{page}");
        }
        assert_eq!(
            row_cells(&page, &format!("all for {level} in another order, then shown"))[1],
            "17",
            "{page}"
        );
    }
    assert_eq!(row_cells(&page, "pick slips")[6], "p95 300 ms", "{page}");
    let notices: f64 =
        row_cells(&page, "patron notices written and handed over, a second")[1].parse().unwrap();
    assert!(notices > 0.0, "{page}");
}

#[test]
fn long_histories_and_ageing_are_measured() {
    let page = bench(&[
        "loans",
        "--overdue",
        "20",
        "--closed",
        "10",
        "--open",
        "5",
        "--calls",
        "52",
        "--seconds",
        "1",
    ]);
    assert_eq!(row_cells(&page, "renewal")[1], "2", "{page}");
    assert!(page.contains("20 items aged to lost in"), "{page}");
}

#[test]
fn searches_are_measured_and_find_what_sql_finds() {
    let folder = Folder::new();
    let size = ["synthetic", "--instances", "1500", "--admin-password", "secret"];
    let (content, said) = load(&folder.data_dir(), &size);
    assert!(content, "{said}");
    let data = folder.data_dir();
    let page = bench(&[
        "search",
        "--admin-password",
        "secret",
        "--data-dir",
        data.to_str().unwrap(),
        "--titles",
        "1000",
        "--queries",
        "500",
        "--saves",
        "2",
        "--calls",
        "5",
    ]);
    assert!(
        page.contains("500 random queries (seed 1) were compared with SQL on 1,000 titles: none found other"),
        "{page}"
    );
    // A busy machine may take longer than the second that a search waits for a save; a search that answers sooner has to find it.
    assert!(page.contains("and 0 were not found although it did not wait so long"), "{page}");
    for (name, found) in [("one title by its HRID", "1"), ("all titles sorted by title, 100 titles", "1,500")]
    {
        assert_eq!(row_cells(&page, name)[1], found, "{page}");
    }
}

#[test]
fn a_backup_is_measured() {
    let page = bench(&["backup", "--items", "2000", "--seconds", "1", "--fast"]);
    assert_ne!(row_cells(&page, "during the backup")[1], "0", "{page}");
}

#[test]
fn the_way_in_is_measured() {
    let page = bench(&["gateway", "--rounds", "1", "--seconds", "1", "--tenants", "1"]);
    for measured in [
        "A call of a module outside of the process",
        "readers of items",
        "A refused call takes",
        "1 tenants with the modules of a desk",
    ] {
        assert!(page.contains(measured), "no {measured:?} in {page}");
    }
}
