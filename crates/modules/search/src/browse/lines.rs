//! The lines of a browse list, merged from the entries of the index: headings that differ only in spelling share a line.

use std::collections::BTreeSet;

use octavo_search::engine::{self, BrowseLines, Deadline, SearchEngine, read_browse_lines};
use serde_json::Value;

/// A browse list.
pub(crate) struct List {
    /// The name of the list in the index.
    pub(super) name: &'static str,
    /// mod-search's name for the request.
    pub(super) operation: &'static str,
    pub(crate) resource: &'static str,
    /// The CQL indexes by which a query can browse the list.
    pub(super) fields: &'static [&'static str],
    /// The highest limit of a page.
    pub(super) max_limit: i32,
    /// How many parts of an entry identify its line.
    pub(super) key_count: usize,
    /// The value of `prev` and `next` for a line, from which a client can go on.
    pub(super) cursor: fn(&Line) -> &str,
    pub(super) to_json: fn(&Line) -> Value,
}

/// One line of a browse list.
#[derive(Debug)]
pub(crate) struct Line {
    /// The parts by which entries belong to this line: the heading in lower case, the id of its authority, the type of name.
    pub(super) keys: Vec<String>,
    /// The heading as it is written.
    pub(super) heading: String,
    /// The types of contributor, or the ids of the locations.
    pub(super) types: BTreeSet<String>,
    pub(super) records: u64,
    pub(super) is_anchor: bool,
}

impl Line {
    /// The line for an anchor that no title has. It has no records.
    pub(super) fn missing_anchor(key: &str, asked: &str) -> Line {
        let keys = vec![key.to_owned()];
        Line { keys, heading: asked.to_owned(), types: BTreeSet::new(), records: 0, is_anchor: true }
    }

    /// The values of the line for a field of mod-search's facets of contributors or subjects, in a library that belongs to no consortium.
    pub(crate) fn values<'l>(&'l self, field: &str, tenant: &'l str) -> Vec<&'l str> {
        let key = |number: usize| self.keys.get(number).map(String::as_str).filter(|key| !key.is_empty());
        match field {
            "name" | "value" => vec![&self.heading],
            "authorityId" => key(1).into_iter().collect(),
            "contributorNameTypeId" => key(2).into_iter().collect(),
            "instances.contributorTypeId" => self.types.iter().map(String::as_str).collect(),
            "instances.tenantId" => vec![tenant],
            "instances.shared" => vec!["false"],
            _ => Vec::new(),
        }
    }

    /// Adds the records and types of another entry of the same line.
    fn merge(&mut self, other: Line) {
        self.records += other.records;
        self.types.extend(other.types);
    }

    fn read(list: &List, term: &str, records: u64) -> Line {
        let mut parts: Vec<String> = term.split('\0').map(str::to_owned).collect();
        let shown = parts.pop().unwrap_or_default();
        let types = parts.split_off(list.key_count.min(parts.len()));
        let types = types.iter().flat_map(|types| types.split(',')).filter(|one| !one.is_empty());
        let types = types.map(str::to_owned).collect();
        Line { keys: parts, heading: shown, types, records, is_anchor: false }
    }
}

/// The type of name of an entry in the list of contributors, or the type of number in one of classification numbers.
pub(super) fn type_of_entry(entry: &str) -> &str {
    entry.split('\0').nth(2).unwrap_or_default()
}

/// Counts the lines of a list, up to `most`.
pub(super) fn count_lines((list, entries): (&List, &dyn BrowseLines), most: u64) -> engine::Result<u64> {
    let mut counted = 0;
    for_each_line((list, entries), |_| {
        counted += 1;
        counted < most
    })?;
    Ok(counted)
}

/// Calls `take` with the lines of a list in their order, until it returns `false`.
pub(crate) fn for_each_index_line(
    index: &dyn SearchEngine,
    list: &List,
    deadline: Deadline,
    take: impl FnMut(&Line) -> bool,
) -> engine::Result<()> {
    for_each_line((list, &*index.browse_lines(list.name, None, None, deadline)?), take)
}

fn for_each_line(
    (list, entries): (&List, &dyn BrowseLines),
    mut take: impl FnMut(&Line) -> bool,
) -> engine::Result<()> {
    let (mut last, mut goes_on): (Option<Line>, bool) = (None, true);
    entries.for_each_line("", true, &mut |term, records| {
        let line = Line::read(list, term, records);
        match last.as_mut().filter(|last| last.keys == line.keys) {
            Some(last) => last.merge(line),
            None => goes_on = last.replace(line).is_none_or(|done| take(&done)),
        }
        goes_on
    })?;
    if goes_on && let Some(done) = last {
        take(&done);
    }
    Ok(())
}

/// Reads the lines from a position on, up to the wanted number, in the given direction.
pub(super) fn read_lines(
    (list, entries): (&List, &dyn BrowseLines),
    (from, forward, most): (&str, bool, usize),
) -> engine::Result<Vec<Line>> {
    let mut ask = 2 * most + 10;
    loop {
        let found = read_browse_lines(entries, (from, forward, ask))?;
        let is_all = found.len() < ask;
        let mut lines: Vec<Line> = Vec::new();
        for heading in found {
            let line = Line::read(list, &heading.term, heading.records);
            match lines.last_mut().filter(|last| last.keys == line.keys) {
                None => lines.push(line),
                Some(last) => {
                    if !forward {
                        last.heading.clone_from(&line.heading);
                    }
                    last.merge(line);
                }
            }
        }
        if !is_all {
            // Further entries with the same key as the last line may not have been read, so that line is dropped.
            let last = lines.last().map(|line| line.keys[0].clone());
            lines.truncate(lines.partition_point(|line| Some(&line.keys[0]) != last.as_ref()));
        }
        if !forward {
            // Lines with equal headings stand in the same order in both directions, as in mod-search.
            lines.chunk_by_mut(|one, next| one.keys[0] == next.keys[0]).for_each(<[Line]>::reverse);
        }
        if is_all || lines.len() >= most {
            lines.truncate(most);
            return Ok(lines);
        }
        ask *= 4;
    }
}
