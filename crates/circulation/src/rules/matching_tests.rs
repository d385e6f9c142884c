//! Which rule wins.

use proptest::prelude::*;

use super::{Criteria, Rules};

/// Policies whose loan policy is the given one.
fn loan(policy: &str) -> String {
    format!("l {policy} r r1 n n1 o o1 i i1")
}

fn rules(priority: &str, lines: &[&str]) -> Rules {
    let fallback = format!("fallback-policy: {}", loan("fallback"));
    let mut text = vec![format!("priority: {priority}")];
    let body = lines.iter().map(|line| match line.split_once(" -> ") {
        Some((criteria, policy)) => format!("{criteria}: {}", loan(policy)),
        None => (*line).to_owned(),
    });
    if priority == "first-line" {
        text.extend(body);
        text.push(fallback);
    } else {
        text.push(fallback);
        text.extend(body);
    }
    Rules::parse(&text.join("\n")).unwrap()
}

fn question<'a>(material_type: &'a str, loan_type: &'a str, patron_group: &'a str) -> Criteria<'a> {
    Criteria {
        material_type,
        loan_type,
        patron_group,
        location: "stacks",
        library: "main",
        campus: "city",
        institution: "uni",
    }
}

fn all(rules: &Rules, criteria: &Criteria<'_>) -> Vec<String> {
    let found = rules.all_matches(criteria);
    assert_eq!(rules.best_match(criteria), found.first().cloned());
    found.iter().map(|found| found.policies.loan.clone()).collect()
}

#[test]
fn every_matching_rule_is_listed_the_highest_score_first() {
    let rules = rules(
        "t, s, c, b, a, m, g",
        &[
            "m book cd -> pa",
            "m news + g all -> pc",
            "m film -> c2",
            "    g visitor -> in-house-film",
            "m book cd + t short -> in-house",
            "t short -> pd",
            "    g visitor alumni -> in-house-short",
            "a uni -> university",
        ],
    );
    for (criteria, expected) in [
        (question("xx", "xx", "xx"), vec!["university", "fallback"]),
        (question("book", "xx", "student"), vec!["university", "pa", "fallback"]),
        (question("book", "short", "student"), vec!["in-house", "pd", "university", "pa", "fallback"]),
        (
            question("book", "short", "visitor"),
            vec!["in-house-short", "in-house", "pd", "university", "pa", "fallback"],
        ),
        (question("news", "xx", "student"), vec!["university", "pc", "fallback"]),
        (question("film", "xx", "visitor"), vec!["university", "in-house-film", "c2", "fallback"]),
    ] {
        assert_eq!(all(&rules, &criteria), expected, "{criteria:?}");
    }
}

#[test]
fn the_priority_decides_between_rules() {
    let lines = ["m book -> pa", "g student -> pb", "m dvd -> pc", "    g visitor -> pd"];
    let by_letter = "criterium(t, s, c, b, a, m, g), number-of-criteria, first-line";
    for (priority, criteria, expected) in [
        ("last-line", question("book", "xx", "student"), "pb"),
        ("first-line", question("book", "xx", "student"), "pa"),
        ("number-of-criteria, first-line", question("book", "xx", "student"), "pa"),
        ("number-of-criteria, last-line", question("book", "xx", "student"), "pb"),
        ("number-of-criteria, first-line", question("dvd", "xx", "student"), "pb"),
        ("number-of-criteria, first-line", question("dvd", "xx", "visitor"), "pd"),
        (by_letter, question("dvd", "xx", "student"), "pc"),
        (by_letter, question("dvd", "xx", "visitor"), "pd"),
    ] {
        let found = rules(priority, &lines).best_match(&criteria).unwrap();
        assert_eq!(found.policies.loan, expected, "{priority} {criteria:?}");
    }
}

#[test]
fn scores_follow_the_published_formula() {
    let lines = ["m book + s stacks + c main -> pa", "  g student -> pb"];
    let criteria = question("book", "xx", "student");
    for (priority, expected) in [
        // the rules stand on lines 3 and 4; s, c count as one criterium
        ("last-line", vec![4, 3, 2]),
        ("number-of-criteria, last-line", vec![30_000_004, 20_000_003, 2]),
        ("number-of-criteria, first-line", vec![39_999_996, 29_999_997, 9_999_998]),
        ("t, s, c, b, a, m, g", vec![630_000_004, 620_000_003, 2]),
        ("g, t, s, c, b, a, m", vec![730_000_004, 520_000_003, 2]),
        ("number-of-criteria, criterium(g, t, s, c, b, a, m), last-line", vec![370_000_004, 250_000_003, 2]),
    ] {
        let found: Vec<i64> =
            rules(priority, &lines).all_matches(&criteria).iter().map(|found| found.score).collect();
        assert_eq!(found, expected, "{priority}");
    }
}

#[test]
fn names_are_alternatives_and_a_bang_excludes() {
    let rules = rules("last-line", &["m !dvd !music -> pa", "g student staff -> pb", "b city + a all -> pc"]);
    assert_eq!(all(&rules, &question("dvd", "xx", "xx")), ["pc", "fallback"]);
    assert_eq!(all(&rules, &question("book", "xx", "staff")), ["pc", "pb", "pa", "fallback"]);
}

#[test]
fn applied_conditions_include_those_of_enclosing_lines() {
    let rules = rules("last-line", &["g all", "  m !dvd", "    t short -> pa", "s stacks -> pb"]);
    let found = rules.all_matches(&question("book", "short", "xx"));
    let applied: Vec<(bool, bool, bool)> = found
        .iter()
        .map(|found| (found.applied.material_type, found.applied.loan_type, found.applied.patron_group))
        .collect();
    assert_eq!(applied, [(false, false, false), (true, true, true), (false, false, false)]);
    assert_eq!(found[0].line, 6);
}

proptest! {
    #[test]
    fn the_best_rule_is_the_first_of_all_and_scores_never_rise(
        lines in prop::collection::vec((0usize..4, 0usize..4, 0usize..3), 0..30),
        priority in prop::sample::select(vec![
            "last-line", "number-of-criteria, first-line", "t, s, c, b, a, m, g",
            "criterium(g, s, c, b, a, m, t), first-line",
        ]),
    ) {
        const NAMES: [&str; 4] = ["xx", "yy", "!xx", "all"];
        let lines: Vec<String> = lines
            .iter()
            .map(|(m, g, form)| match form {
                0 => format!("m {} -> pp", NAMES[*m]),
                1 => format!("g {} -> pp", NAMES[*g]),
                _ => format!("m {} + g {} -> pp", NAMES[*m], NAMES[*g]),
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let rules = rules(priority, &lines);
        let criteria = question("xx", "xx", "yy");
        let found = rules.all_matches(&criteria);
        prop_assert_eq!(rules.best_match(&criteria), found.first().cloned());
        prop_assert!(found.windows(2).all(|pair| pair[0].score > pair[1].score));
        prop_assert_eq!(&found.last().unwrap().policies.loan, "fallback");
    }
}

#[test]
fn types_of_items_tell_which_rules_can_apply_to_them() {
    let rules = rules(
        "t, s, c, b, a, m, g",
        &[
            "m film -> limited",
            "m book + t short + g visitor -> limited",
            "m !film + g staff -> free",
            "s stacks -> limited",
        ],
    );
    for (material_type, loan_type, by_type) in
        [("film", "long", true), ("book", "short", true), ("book", "long", false), ("map", "short", false)]
    {
        let limited = |material_only: bool| {
            rules.may_apply(material_type, loan_type, |policies, applied| {
                policies.loan == "limited" && (applied.material_type || !material_only)
            })
        };
        assert_eq!(limited(true), by_type, "{material_type} {loan_type}");
        assert!(limited(false), "the stacks are everywhere");
    }
}
