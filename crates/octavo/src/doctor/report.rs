//! The doctor's report: as text for people, and as JSON for programs.

use serde_json::{Value, json};

use super::finding::{Finding, Level, Report};

pub(super) fn report_text(report: &Report) -> String {
    let mut lines = vec![format!("Octavo {}", env!("CARGO_PKG_VERSION"))];
    for (part, seen) in &report.looked_at {
        lines.push(format!("looked at  {part}: {seen}"));
    }
    for finding in &report.findings {
        lines.extend(finding_paragraph(finding));
    }
    let open: Vec<&Finding> = report.findings.iter().filter(|finding| !finding.is_repaired()).collect();
    let of = |level: Level| open.iter().filter(|finding| finding.level == level).count();
    let repairable =
        open.iter().filter(|finding| finding.repair.is_some() && finding.repaired.is_none()).count();
    lines.push(match (of(Level::Problem), of(Level::Advice)) {
        (0, 0) => "In order".to_owned(),
        (problems, advice) => format!("Problems: {problems}. Advice: {advice}"),
    });
    if repairable > 0 {
        lines.push(format!("`octavo doctor --repair` repairs {repairable} of them"));
    }
    lines.join("\n")
}

fn finding_paragraph(finding: &Finding) -> Vec<String> {
    let tenant = finding.tenant.as_ref().map_or(String::new(), |tenant| format!(" of tenant {tenant}"));
    let word = match (&finding.repaired, finding.level) {
        (Some(Ok(())), _) => "repaired ",
        (_, Level::Problem) => "PROBLEM  ",
        (_, Level::Advice) => "advice   ",
    };
    let mut lines = vec![format!("{word}  {}{tenant}: {}", finding.part, finding.what)];
    lines.extend(finding.cases.iter().map(|case| format!("             {case}")));
    if let Some(Err(error)) = &finding.repaired {
        lines.push(format!("           It could not be repaired: {error}"));
    }
    if !finding.is_repaired() && !finding.advice.is_empty() {
        lines.push(format!("           {}", finding.advice));
    }
    lines
}

pub(super) fn report_json(report: &Report) -> String {
    let looked_at: Vec<Value> =
        report.looked_at.iter().map(|(part, seen)| json!({"part": part, "seen": seen})).collect();
    let findings: Vec<Value> = report.findings.iter().map(finding_json).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "inOrder": report.count_problems() == 0,
        "lookedAt": looked_at,
        "findings": findings,
    })
    .to_string()
}

fn finding_json(finding: &Finding) -> Value {
    let mut shown = json!({
        "part": finding.part,
        "level": match finding.level {
            Level::Problem => "problem",
            Level::Advice => "advice",
        },
        "what": finding.what,
        "advice": finding.advice,
        "repairable": finding.repair.is_some(),
        "repaired": finding.is_repaired(),
    });
    if let Some(tenant) = &finding.tenant {
        shown["tenant"] = json!(tenant.as_str());
    }
    if !finding.cases.is_empty() {
        shown["cases"] = json!(finding.cases);
    }
    if let Some(Err(error)) = &finding.repaired {
        shown["error"] = json!(error);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::finding::Repair;
    use super::*;

    fn report() -> Report {
        let mut report = Report::default();
        report.looked_at("server", "PostgreSQL 15.18");
        report
            .problem("indexes", "an index is not valid")
            .cases(vec!["a".into(), "b".into()])
            .advice("Make it anew");
        report.hint("disk", "100 MiB are free").advice("Make room");
        report
    }

    #[test]
    fn people_read_what_is_wrong_and_what_to_do() {
        let mut report = report();
        report.findings[0].repair = Some(Repair::Sql(Vec::new()));
        let expected = "\
looked at  server: PostgreSQL 15.18
PROBLEM    indexes: an index is not valid
             a
             b
           Make it anew
advice     disk: 100 MiB are free
           Make room
Problems: 1. Advice: 1
`octavo doctor --repair` repairs 1 of them";
        assert_eq!(report_text(&report).split_once('\n').unwrap().1, expected);
        report.findings.truncate(1);
        report.findings[0].repaired = Some(Ok(()));
        assert!(report_text(&report).ends_with(
            "repaired   indexes: an index is not valid\n             a\n             b\nIn order"
        ));
        assert_eq!(report.count_problems(), 0);
        report.findings[0].repaired = Some(Err("the disk is full".into()));
        assert!(report_text(&report).contains("It could not be repaired: the disk is full"));
        assert_eq!(report.count_problems(), 1);
    }

    #[test]
    fn programs_read_the_same() {
        let report: Value = serde_json::from_str(&report_json(&report())).unwrap();
        assert_eq!(report["inOrder"], false);
        assert_eq!(report["findings"][0]["cases"], json!(["a", "b"]));
        assert_eq!(report["findings"][1]["level"], "advice");
    }
}
