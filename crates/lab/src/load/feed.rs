//! Loads the rows of feeders before a run, from files and from the server.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::progress::Progress;
use crate::chance::SeededRandom;
use crate::shelf::Shelf;
use crate::workflow::{Amount, Feeder, Having, Origin, Workflow, as_text};

use super::render::{Values, render_target, resolve_amount};
use super::rows::Rows;
use super::session::Session;

const PAGE_SIZE: usize = 1000;

/// Loads the rows of each feeder of the workflow.
pub(crate) async fn load_feeders(
    workflow: &Workflow,
    values: &Values,
    session: &mut Session,
    shelf: &Shelf,
    progress: Progress,
) -> Result<Vec<Rows>> {
    let mut all = Vec::new();
    for feeder in &workflow.feeders {
        let mut rows = match &feeder.origin {
            Origin::File(file) => rows_from_csv(&shelf.read_feeder_file(file)?, feeder)?,
            Origin::Api { .. } => rows_from_api(feeder, values, session, progress).await?,
        };
        if rows.is_empty() {
            bail!("the feeder {} of {} found nothing at {}", feeder.name, workflow.name, session.url());
        }
        if feeder.once && matches!(feeder.origin, Origin::Api { .. }) {
            shuffle(&mut rows);
        }
        all.push(Rows::new(&feeder.name, rows, feeder.once));
    }
    Ok(all)
}

/// Shuffles the rows of a feeder. A server lists its records in the same order each time, so records that one run could not use (such as
/// items that are not lent) would be first in the next run, and soon there would be no others.
fn shuffle(rows: &mut [Vec<String>]) {
    let mut chance = SeededRandom::new(rows.len() as u64);
    for last in (1..rows.len()).rev() {
        let other = chance.below(last + 1);
        rows.swap(last, other);
    }
}

fn rows_from_csv(text: &str, feeder: &Feeder) -> Result<Vec<Vec<String>>> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    let columns = feeder.fields.iter().map(|field| {
        let at = names.iter().position(|name| *name == field.name);
        at.with_context(|| format!("the file of feeder {} has no column {}", feeder.name, field.name))
    });
    let columns: Vec<usize> = columns.collect::<Result<_>>()?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        columns.iter().map(|at| cells.get(*at).copied().unwrap_or_default().to_owned()).collect()
    };
    Ok(lines.map(row).collect())
}

async fn rows_from_api(
    feeder: &Feeder,
    values: &Values,
    session: &mut Session,
    progress: Progress,
) -> Result<Vec<Vec<String>>> {
    let Origin::Api { target: path, each, most, having } = &feeder.origin else { return Ok(Vec::new()) };
    let path_text = render_target(path, values);
    let joint = if path_text.contains('?') { '&' } else { '?' };
    let (mut rows, mut counts, mut offset) = (Vec::new(), BTreeMap::<String, (u64, Vec<String>)>::new(), 0);
    loop {
        let page = format!("{path_text}{joint}limit={PAGE_SIZE}&offset={offset}");
        let document = session.get(&page).await.with_context(|| format!("feeder {}", feeder.name))?;
        let records = each.find(&document);
        for record in &records {
            let Some(row) = record_to_row(feeder, record) else { continue };
            match having.as_ref().map(|having| having.field.texts(record)) {
                None => rows.push(row),
                Some(keys) => {
                    for key in keys {
                        counts.entry(key).or_insert_with(|| (0, row.clone())).0 += 1;
                    }
                }
            }
        }
        offset += PAGE_SIZE;
        progress.print_rows(&feeder.name, rows.len());
        if records.len() < PAGE_SIZE || (having.is_none() && rows.len() >= *most) {
            break;
        }
    }
    progress.end_line();
    if let Some(having) = having {
        rows.extend(rows_with_count(counts, having, values)?);
    }
    rows.truncate(*most);
    Ok(rows)
}

/// The rows of those keys whose number of records is within the bounds. No such row is an error: other rows would make another test.
fn rows_with_count(
    counts: BTreeMap<String, (u64, Vec<String>)>,
    having: &Having,
    values: &Values,
) -> Result<Vec<Vec<String>>> {
    let bound = |of: Amount| resolve_amount(of, values);
    let (least, most) = (bound(having.least)?, bound(having.most)?);
    let largest = counts.values().map(|(count, _)| *count).max().unwrap_or(0);
    let fitting = counts.into_values().filter(|(count, _)| (least..=most).contains(count));
    let rows: Vec<Vec<String>> = fitting.map(|(_, row)| row).collect();
    if rows.is_empty() {
        bail!("nothing has between {least} and {most} of them; the most that is there is {largest}");
    }
    Ok(rows)
}

/// The values of a record as a row; None if the record lacks a field.
fn record_to_row(feeder: &Feeder, record: &Value) -> Option<Vec<String>> {
    let field = |field: &crate::workflow::Field| as_text(field.path.as_ref()?.find(record).first()?);
    feeder.fields.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_of_no_use_does_not_pile_up_in_front() {
        let mut rows: Vec<Vec<String>> = (0..1000).map(|row| vec![row.to_string()]).collect();
        shuffle(&mut rows);
        // The first hundred are of no use: about ten of them are met among the next hundred that are drawn.
        let useless = rows[..100].iter().filter(|row| row[0].parse::<u32>().unwrap() < 100).count();
        assert!((3..=20).contains(&useless), "{useless}");
        let mut all: Vec<u32> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1000), "each of them once");
    }
}
