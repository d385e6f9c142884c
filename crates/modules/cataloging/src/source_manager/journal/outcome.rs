//! The summary of one record: the columns of its row, and its share in the totals of its job.

use super::line::{Line, SOURCES, Step, is_discarded, source_step, steps, steps_of_entity};

/// The kinds of entities; the position of each is that of its bit.
const BITS: [&str; 11] = [
    "MARC_BIBLIOGRAPHIC",
    "MARC_HOLDINGS",
    "MARC_AUTHORITY",
    "EDIFACT",
    "INSTANCE",
    "HOLDINGS",
    "ITEM",
    "AUTHORITY",
    "ORDER",
    "PO_LINE",
    "INVOICE",
];

/// The entities that a summary counts: the name in the table, the member in the summary, the kinds of entities in the journal.
pub(crate) const COUNTED: [(&str, &str, &[&str]); 7] = [
    ("source", "sourceRecordSummary", &SOURCES),
    ("instance", "instanceSummary", &["INSTANCE"]),
    ("holdings", "holdingSummary", &["HOLDINGS"]),
    ("item", "itemSummary", &["ITEM"]),
    ("authority", "authoritySummary", &["AUTHORITY"]),
    ("order", "orderSummary", &["PO_LINE"]),
    ("invoice", "invoiceSummary", &["INVOICE"]),
];

/// The bits for a filter of a client: `MARC`, `INSTANCE`, ..., `ALL`.
pub(crate) fn filter_bits(filter: &str) -> Option<i64> {
    let names: &[&str] = match filter {
        "ALL" => &BITS,
        "MARC" => &["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY"],
        "ORDER" => &["ORDER", "PO_LINE"],
        "INSTANCE" | "HOLDINGS" | "ITEM" | "AUTHORITY" | "INVOICE" => return Some(entity_bit(filter)),
        _ => return None,
    };
    Some(names.iter().map(|name| entity_bit(name)).sum())
}

fn entity_bit(entity: &str) -> i64 {
    BITS.iter().position(|name| *name == entity).map_or(0, |at| 1 << at)
}

/// The data that are stored with a record besides its journal. A missing status is empty.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct RecordSummary {
    pub title: Option<String>,
    pub entities: i64,
    pub errors: i64,
    /// The statuses of source record, instance, holdings, item, order, invoice.
    pub statuses: [&'static str; 6],
    pub error: String,
    /// The numbers of created, updated, discarded and failed entities, for each entity in [`COUNTED`].
    pub counts: [[i64; 4]; COUNTED.len()],
    /// Whether any line has an error.
    pub failed: bool,
}

pub(crate) fn summarize(lines: &[Line]) -> RecordSummary {
    let steps = steps(lines);
    let of_all = |wanted: &dyn Fn(&Line) -> bool| {
        lines.iter().filter(|line| wanted(line)).fold(0, |bits, line| bits | entity_bit(&line.entity))
    };
    let status = |entity: &str| steps_of_entity(&steps, entity).first().map_or("", |step| step.status);
    let source = source_step(&steps);
    RecordSummary {
        title: lines.iter().find_map(|line| line.title.clone()),
        entities: of_all(&|_| true),
        errors: of_all(&Line::is_error),
        statuses: [
            source.map_or("", |step| step.status),
            status("INSTANCE"),
            status("HOLDINGS"),
            status("ITEM"),
            status("PO_LINE"),
            status("INVOICE"),
        ],
        error: lines.iter().find(|line| line.is_error()).map(|line| line.error.clone()).unwrap_or_default(),
        counts: COUNTED.map(|(name, _, entities)| count_steps(&steps, lines, name, entities)),
        failed: lines.iter().any(Line::is_error),
    }
}

/// The numbers of created, updated, discarded and failed entities.
fn count_steps(steps: &[Step<'_>], lines: &[Line], name: &str, entities: &[&str]) -> [i64; 4] {
    let mut counts = [0; 4];
    for step in steps.iter().filter(|step| entities.contains(&step.line.entity.as_str())) {
        let error = step.line.is_error();
        let adds = [
            !error && step.line.action == "CREATE",
            !error && step.line.action == "UPDATE",
            is_discarded(step, lines),
            error,
        ];
        for (count, adds) in counts.iter_mut().zip(adds) {
            *count += i64::from(adds);
        }
    }
    // A record is made or changed once, however many lines say so.
    if matches!(name, "source" | "order" | "invoice") {
        counts[..2].iter_mut().for_each(|count| *count = (*count).min(1));
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entity: &str, action: &str, error: &str) -> Line {
        Line {
            entity: entity.to_owned(),
            action: action.to_owned(),
            error: error.to_owned(),
            title: (entity == "INSTANCE").then(|| "Emma".to_owned()),
            ..Line::default()
        }
    }

    #[test]
    fn a_record_that_was_created_counts_as_created() {
        let lines =
            [line("", "PARSE", ""), line("MARC_BIBLIOGRAPHIC", "CREATE", ""), line("INSTANCE", "CREATE", "")];
        let short = summarize(&lines);
        assert_eq!(short.title.as_deref(), Some("Emma"));
        assert_eq!(short.counts[..3], [[1, 0, 0, 0], [1, 0, 0, 0], [0; 4]]);
        assert_eq!((short.statuses[0], short.statuses[1], short.failed), ("CREATED", "CREATED", false));
        assert_eq!(short.entities, entity_bit("MARC_BIBLIOGRAPHIC") + entity_bit("INSTANCE"));
    }

    #[test]
    fn an_error_is_discarded_and_counts_as_both() {
        let lines = [line("", "PARSE", "no leader"), line("MARC_BIBLIOGRAPHIC", "CREATE", "no leader")];
        let short = summarize(&lines);
        assert_eq!(short.counts[0], [0, 0, 1, 1]);
        assert_eq!((short.statuses[0], short.error.as_str(), short.failed), ("DISCARDED", "no leader", true));
        assert_eq!(short.errors, entity_bit("MARC_BIBLIOGRAPHIC"));
    }

    #[test]
    fn filters_are_bits() {
        assert_eq!(filter_bits("MARC"), Some(7));
        assert_eq!(filter_bits("ALL"), Some((1 << 11) - 1));
        assert_eq!(filter_bits("PERSON"), None);
    }
}
