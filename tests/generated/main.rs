//! Files that are generated and kept: each is compared with what would be written now. `make generated` writes them anew.

mod calls;
mod compatibility;
mod desk_types;
mod named_tests;
mod schema;
mod search_fields;

use std::path::Path;

/// Set, the files are written instead of compared.
const WRITE_VARIABLE: &str = "OCTAVO_WRITE_GENERATED";

/// Compares a file of the project with what it should hold.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "no setting of Octavo: how `make generated` says what it wants"
)]
fn assert_up_to_date(file: &str, text: &str, advice: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{file}: {error}"));
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = first_difference(&kept, text) {
        panic!("{file} is behind: {advice}\n{difference}");
    }
}

fn first_difference(kept: &str, text: &str) -> Option<String> {
    let (mut kept, mut now) = (kept.lines(), text.lines());
    (1..).find_map(|line| match (kept.next(), now.next()) {
        (None, None) => Some(None),
        (kept, now) if kept == now => None,
        (kept, now) => {
            let shown = |text: Option<&str>| text.unwrap_or("(the end)").to_owned();
            Some(Some(format!("line {line}\n  kept: {}\n  now:  {}", shown(kept), shown(now))))
        }
    })?
}
