//! Any file is a plan, or an error that says why not, in a time that its length bounds; and a plan of which nothing is missing is
//! a workflow and an experiment that the laboratory reads.

use octavo_fuzz::Fuzzer;

use super::{import, validate_written_files};

const PLANS: Fuzzer = Fuzzer {
    seeds: include_str!("seeds.txt"),
    words: &[
        b"<hashTree>",
        b"</hashTree>",
        b"<hashTree/>",
        b"${",
        b"}",
        b"${__",
        b"${__P(a,1)}",
        b"${__UUID()}",
        b"-1",
        b"1e400",
        b"NaN",
        b"true",
        b"false",
        b"\"",
        b"{",
        b"&lt;",
        b"\xC3\xBC",
        b"$..",
        b"[*]",
        b"*",
        b"TransactionController",
        b"LoopController",
        b"IfController",
        b"ForeachController",
        b"WhileController",
        b"ModuleController",
        b"ThroughputController",
        b"RegexExtractor",
        b"ThreadGroup",
    ],
    check,
};

fn check(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return "no text".to_owned() };
    match import("p", text, |_| Some("100;a\n200;b\n".to_owned())) {
        Err(error) => {
            format!("{error:#}").chars().filter(|letter| !letter.is_ascii_digit()).take(60).collect()
        }
        Ok(imported) => {
            if imported.missing.is_empty() {
                let wrong = validate_written_files("p", &imported.files[0], &imported.files[1]);
                assert!(wrong.is_empty(), "{wrong:?}\n{}", imported.files[0].1);
            }
            let calls = imported.files[0].1.matches("label = ").count();
            format!(
                "{} files, {} notes, {} missing, {calls} calls",
                imported.files.len(),
                imported.notes.len(),
                imported.missing.len()
            )
        }
    }
}

#[test]
fn any_file_is_a_plan_or_an_error() {
    PLANS.run_briefly(600);
}

#[test]
#[ignore = "runs for OCTAVO_FUZZ_SECONDS"]
fn any_file_is_a_plan_or_an_error_at_length() {
    PLANS.run_at_length();
}

#[test]
fn a_plan_that_is_cut_off_anywhere_is_an_error() {
    let whole = octavo_fuzz::parse_seeds(PLANS.seeds).swap_remove(0);
    for end in (0..whole.len() - 20).step_by(37) {
        assert!(check(&whole[..end]).starts_with("this is no XML"), "{end}");
    }
}

#[test]
fn a_plan_that_is_too_deep_or_stands_for_too_much_is_told_and_not_read() {
    let group = |inside: &str| {
        let group = "<ThreadGroup testname=\"g\"/>";
        format!("<jmeterTestPlan><hashTree>{group}<hashTree>{inside}</hashTree></hashTree></jmeterTestPlan>")
    };
    let deep = "<GenericController/><hashTree>".repeat(50_000) + &"</hashTree>".repeat(50_000);
    assert!(check(group(&deep).as_bytes()).contains("deep"));
    let module = "<ModuleController><collectionProp name=\"ModuleController.node_path\"><stringProp>all</stringProp>\
                  </collectionProp></ModuleController><hashTree/>";
    let all = format!("<GenericController testname=\"all\"/><hashTree>{}</hashTree>", module.repeat(30));
    assert!(check(group(&all).as_bytes()).starts_with("the plan has no call"));
}
