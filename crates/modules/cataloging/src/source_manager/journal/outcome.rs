//! The summary of one record: the columns of its row, and its share in the totals of its job.

use super::line::{Line, Step, is_discarded, source_step, steps, steps_of_entity};

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

/// The entities that a summary counts: the name in the table, the member in the summary, the kinds of entities in the journal. As in FOLIO,
/// EDIFACT messages are not among the source records.
pub(crate) const COUNTED: [(&str, &str, &[&str]); 7] = [
    ("source", "sourceRecordSummary", &["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY"]),
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

/// The numbers of created, updated, discarded and failed entities. FOLIO counts the ids of instances, the lines about holdings, items and
/// authorities, and the records of the file for orders and invoices, which are never updated.
fn count_steps(steps: &[Step<'_>], lines: &[Line], name: &str, entities: &[&str]) -> [i64; 4] {
    let mut counts = [0; 4];
    for step in steps.iter().filter(|step| entities.contains(&step.line.entity.as_str())) {
        let (error, action) = (step.line.is_error(), step.line.action.as_str());
        let is_done = !error && (name != "instance" || step.line.entity_id.is_some());
        let adds = [
            is_done && (action == "CREATE" || name == "invoice"),
            is_done && action == "UPDATE" && !matches!(name, "order" | "invoice"),
            is_discarded(step, lines),
            error,
        ];
        for (count, adds) in counts.iter_mut().zip(adds) {
            *count += i64::from(adds);
        }
    }
    let of_record: &mut [i64] = match name {
        "source" => &mut counts[..2],
        "order" | "invoice" => &mut counts,
        _ => &mut [],
    };
    of_record.iter_mut().for_each(|count| *count = (*count).min(1));
    counts
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn line(entity: &str, action: &str, error: &str) -> Line {
        Line {
            entity: entity.to_owned(),
            action: action.to_owned(),
            error: error.to_owned(),
            entity_id: error.is_empty().then(|| Uuid::from_u128(1)),
            title: (entity == "INSTANCE").then(|| "Emma".to_owned()),
            ..Line::default()
        }
    }

    #[test]
    fn a_summary_counts_as_folio_does() {
        let of_entity =
            |id: u128, line: Line| Line { entity_id: (id > 0).then(|| Uuid::from_u128(id)), ..line };
        let marc = |action, error| line("MARC_BIBLIOGRAPHIC", action, error);
        // What is counted, the lines of a record, and the created, updated, discarded and failed entities.
        let cases: Vec<(&str, Vec<Line>, [i64; 4])> = vec![
            ("source", vec![marc("CREATE", "")], [1, 0, 0, 0]),
            ("source", vec![marc("CREATE", ""), of_entity(2, marc("CREATE", ""))], [1, 0, 0, 0]),
            ("source", vec![marc("UPDATE", ""), line("MARC_HOLDINGS", "CREATE", "")], [1, 1, 0, 0]),
            ("source", vec![marc("MODIFY", "")], [0; 4]),
            ("source", vec![marc("CREATE", "a"), of_entity(2, marc("UPDATE", "b"))], [0, 0, 2, 2]),
            ("source", vec![line("EDIFACT", "CREATE", "")], [0; 4]),
            ("source", vec![line("EDIFACT", "CREATE", "a")], [0; 4]),
            ("source", vec![marc("NON_MATCH", "")], [0, 0, 1, 0]),
            ("source", vec![marc("NON_MATCH", ""), of_entity(2, marc("UPDATE", ""))], [0, 1, 0, 0]),
            ("instance", vec![line("INSTANCE", "CREATE", "")], [1, 0, 0, 0]),
            ("instance", vec![of_entity(0, line("INSTANCE", "CREATE", ""))], [0; 4]),
            ("instance", vec![line("INSTANCE", "MATCH", "")], [0, 0, 1, 0]),
            ("instance", vec![line("INSTANCE", "MATCH", ""), line("INSTANCE", "UPDATE", "")], [0, 1, 0, 0]),
            ("instance", vec![line("INSTANCE", "UPDATE", ""), line("ITEM", "CREATE", "a")], [0, 1, 0, 0]),
            (
                "holdings",
                vec![line("HOLDINGS", "CREATE", ""), of_entity(2, line("HOLDINGS", "CREATE", ""))],
                [2, 0, 0, 0],
            ),
            (
                "item",
                vec![of_entity(0, line("ITEM", "UPDATE", "")), line("ITEM", "UPDATE", "a")],
                [0, 1, 1, 1],
            ),
            ("authority", vec![line("AUTHORITY", "CREATE", "")], [1, 0, 0, 0]),
            ("order", vec![line("PO_LINE", "UPDATE", "")], [0; 4]),
            (
                "order",
                vec![line("PO_LINE", "CREATE", "a"), of_entity(2, line("PO_LINE", "CREATE", "b"))],
                [0, 0, 1, 1],
            ),
            ("invoice", vec![line("INVOICE", "UPDATE", "")], [1, 0, 0, 0]),
            (
                "invoice",
                vec![line("INVOICE", "CREATE", ""), of_entity(2, line("INVOICE", "CREATE", "a"))],
                [1, 0, 1, 1],
            ),
        ];
        for (name, lines, expected) in cases {
            let at = COUNTED.iter().position(|(known, ..)| *known == name).unwrap();
            assert_eq!(summarize(&lines).counts[at], expected, "{name}: {lines:?}");
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
