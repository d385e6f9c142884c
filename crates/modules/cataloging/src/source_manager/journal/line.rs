//! Summarises the journal lines of one record as FOLIO's log does: of several lines about an entity, only one counts.

use octavo_import::JournalEntry;
use uuid::Uuid;

/// A line of the journal. Missing texts are empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Line {
    /// The kind of entity; empty in the line that says whether the record was parsed.
    pub entity: String,
    pub action: String,
    pub error: String,
    pub entity_id: Option<Uuid>,
    pub hrid: Option<String>,
    pub title: Option<String>,
    pub instance: Option<Uuid>,
    pub holdings: Option<Uuid>,
    pub order: Option<Uuid>,
    pub location: Option<Uuid>,
}

octavo_pg::columns!(Line {
    entity,
    action,
    error,
    entity_id,
    hrid,
    title,
    instance,
    holdings,
    order,
    location
});

/// What the job did with an entity.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(crate) struct Step<'a> {
    pub status: &'static str,
    pub line: &'a Line,
}

/// The actions, the most significant one first.
const RANKS: [&str; 5] = ["CREATE", "UPDATE", "MODIFY", "NON_MATCH", "MATCH"];
/// The kinds of entities that a job reads: MARC records, and EDIFACT messages of vendors.
pub(crate) const SOURCES: [&str; 4] = ["MARC_BIBLIOGRAPHIC", "MARC_AUTHORITY", "MARC_HOLDINGS", "EDIFACT"];

impl From<JournalEntry> for Line {
    fn from(entry: JournalEntry) -> Line {
        Line {
            entity: entry.entity.name().to_owned(),
            action: entry.action.name().to_owned(),
            error: entry.error.unwrap_or_default(),
            entity_id: entry.entity_id,
            hrid: entry.entity_hrid,
            title: entry.title,
            instance: entry.instance,
            holdings: entry.holdings,
            order: None,
            location: entry.permanent_location,
        }
    }
}

impl Line {
    /// The line that says whether the record was parsed.
    pub(crate) fn parsed(error: Option<&str>) -> Line {
        Line { action: "PARSE".to_owned(), error: error.unwrap_or_default().to_owned(), ..Line::default() }
    }

    pub(crate) fn is_error(&self) -> bool {
        !self.error.is_empty()
    }

    fn rank(&self) -> usize {
        RANKS.iter().position(|action| *action == self.action).unwrap_or(RANKS.len())
    }
}

/// The most significant action of the lines about a kind of entity.
fn best_action<'a>(lines: &'a [Line], entity: &str) -> &'a str {
    let of_it = lines.iter().filter(|line| line.entity == entity);
    of_it.min_by_key(|line| line.rank()).map_or("", |line| line.action.as_str())
}

/// The lines that count: of those about the same entity, with or without an error, the one with the most significant action. A match counts
/// only if the job did nothing else with the record.
pub(crate) fn steps(lines: &[Line]) -> Vec<Step<'_>> {
    let only_matched = !lines.iter().any(|line| !matches!(line.action.as_str(), "MATCH" | "PARSE"));
    let mut chosen: Vec<&Line> = Vec::new();
    for line in lines.iter().filter(|line| line.action != "MATCH" || only_matched) {
        let same = chosen.iter_mut().find(|one| {
            one.entity == line.entity && one.entity_id == line.entity_id && one.is_error() == line.is_error()
        });
        match same {
            Some(one) if line.rank() < one.rank() => *one = line,
            Some(_) => {}
            None => chosen.push(line),
        }
    }
    let status = |line: &Line| match line.action.as_str() {
        _ if line.is_error() => "DISCARDED",
        "CREATE" => "CREATED",
        "UPDATE" | "MODIFY" => "UPDATED",
        "NON_MATCH" | "MATCH" => "DISCARDED",
        _ => "",
    };
    chosen.into_iter().map(|line| Step { status: status(line), line }).collect()
}

/// Whether the step is an error, or a match or failed match after which the job did nothing else with entities of its kind.
pub(super) fn is_discarded(step: &Step<'_>, lines: &[Line]) -> bool {
    let line = step.line;
    let last = best_action(lines, &line.entity) == line.action;
    line.is_error() || (matches!(line.action.as_str(), "NON_MATCH" | "MATCH") && last)
}

/// The steps of a kind of entity that the log shows: those with an id if there are any. For holdings and items, steps without a status are
/// left out, and discarded steps without an error if another step created one (or updated one, for items).
pub(crate) fn steps_of_entity<'a>(steps: &[Step<'a>], entity: &str) -> Vec<Step<'a>> {
    let all: Vec<Step<'_>> = steps.iter().filter(|step| step.line.entity == entity).copied().collect();
    let made: &[&str] = match entity {
        "HOLDINGS" => &["CREATED"],
        "ITEM" => &["CREATED", "UPDATED"],
        "MARC_HOLDINGS" | "PO_LINE" => return all,
        _ => {
            let with_id: Vec<Step<'_>> =
                all.iter().filter(|step| step.line.entity_id.is_some()).copied().collect();
            return if with_id.is_empty() { all } else { with_id };
        }
    };
    let was_made = all.iter().any(|step| made.contains(&step.status));
    let is_shown = |step: &Step<'_>| match step.status {
        "" => false,
        "DISCARDED" => step.line.is_error() || !was_made,
        _ => true,
    };
    all.into_iter().filter(is_shown).collect()
}

/// The step of the source record: a MARC record or an EDIFACT message.
pub(crate) fn source_step<'a>(steps: &[Step<'a>]) -> Option<Step<'a>> {
    SOURCES.iter().find_map(|entity| steps_of_entity(steps, entity).first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn line(entity: &str, action: &str, id: u128, error: &str) -> Line {
        Line {
            entity: entity.to_owned(),
            action: action.to_owned(),
            error: error.to_owned(),
            entity_id: (id > 0).then(|| Uuid::from_u128(id)),
            ..Line::default()
        }
    }

    fn statuses_of(lines: &[Line], entity: &str) -> Vec<(&'static str, u128)> {
        let steps = steps(lines);
        steps_of_entity(&steps, entity)
            .iter()
            .map(|step| (step.status, step.line.entity_id.map_or(0, |id| id.as_u128())))
            .collect()
    }

    #[test]
    fn what_counts_of_several_lines() {
        let lines = |list: &[(&str, &str, u128, &str)]| {
            list.iter()
                .map(|(entity, action, id, error)| line(entity, action, *id, error))
                .collect::<Vec<_>>()
        };
        let cases = [
            (lines(&[("", "PARSE", 0, ""), ("INSTANCE", "CREATE", 1, "")]), "INSTANCE", vec![("CREATED", 1)]),
            (
                lines(&[("INSTANCE", "MODIFY", 1, ""), ("INSTANCE", "CREATE", 1, "")]),
                "INSTANCE",
                vec![("CREATED", 1)],
            ),
            (lines(&[("INSTANCE", "CREATE", 0, "no title")]), "INSTANCE", vec![("DISCARDED", 0)]),
            (
                lines(&[("INSTANCE", "NON_MATCH", 0, ""), ("INSTANCE", "CREATE", 1, "")]),
                "INSTANCE",
                vec![("CREATED", 1)],
            ),
            (
                lines(&[("INSTANCE", "MATCH", 1, ""), ("INSTANCE", "UPDATE", 1, "")]),
                "INSTANCE",
                vec![("UPDATED", 1)],
            ),
            (
                lines(&[("", "PARSE", 0, ""), ("INSTANCE", "MATCH", 1, "")]),
                "INSTANCE",
                vec![("DISCARDED", 1)],
            ),
            (
                lines(&[
                    ("HOLDINGS", "NON_MATCH", 0, ""),
                    ("HOLDINGS", "CREATE", 2, ""),
                    ("HOLDINGS", "CREATE", 3, ""),
                ]),
                "HOLDINGS",
                vec![("CREATED", 2), ("CREATED", 3)],
            ),
            (
                lines(&[("ITEM", "CREATE", 0, "no barcode"), ("ITEM", "CREATE", 3, "")]),
                "ITEM",
                vec![("DISCARDED", 0), ("CREATED", 3)],
            ),
        ];
        for (lines, entity, expected) in cases {
            assert_eq!(statuses_of(&lines, entity), expected, "{lines:?}");
        }
    }
}
