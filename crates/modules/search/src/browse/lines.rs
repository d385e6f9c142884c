//! The lines of a list, as the index has them: headings that differ only in how they are written are one line.

use std::collections::BTreeSet;

use octavo_search::engine::{self, Deadline, Lines, SearchEngine, stretch};
use serde_json::Value;

/// A list to browse.
pub(crate) struct List {
    /// In the index.
    pub(super) name: &'static str,
    /// What mod-search calls the request.
    pub(super) operation: &'static str,
    pub(crate) resource: &'static str,
    /// The names of the field that a query browses.
    pub(super) fields: &'static [&'static str],
    /// The longest page.
    pub(super) most: i32,
    /// How many keys a line is by.
    pub(super) keys: usize,
    /// What `prev` and `next` say of a line, to go on from there.
    pub(super) place: fn(&Line) -> &str,
    pub(super) show: fn(&Line) -> Value,
}

/// One line of a list.
#[derive(Debug)]
pub(crate) struct Line {
    /// What the line is by: the heading in lower case, the id of its authority, the type of name.
    pub(super) keys: Vec<String>,
    /// The heading as it is written.
    pub(super) shown: String,
    /// The types of contributor, or the ids of the locations.
    pub(super) types: BTreeSet<String>,
    pub(super) records: u64,
    pub(super) is_anchor: bool,
}

impl Line {
    /// The line that stands for an anchor that no title has.
    pub(super) fn empty(key: &str, asked: &str) -> Line {
        let keys = vec![key.to_owned()];
        Line { keys, shown: asked.to_owned(), types: BTreeSet::new(), records: 0, is_anchor: true }
    }

    /// What it has in a field of mod-search's list of contributors or of subjects, in a library that is in no consortium.
    pub(crate) fn values<'l>(&'l self, field: &str, tenant: &'l str) -> Vec<&'l str> {
        let key = |number: usize| self.keys.get(number).map(String::as_str).filter(|key| !key.is_empty());
        match field {
            "name" | "value" => vec![&self.shown],
            "authorityId" => key(1).into_iter().collect(),
            "contributorNameTypeId" => key(2).into_iter().collect(),
            "instances.contributorTypeId" => self.types.iter().map(String::as_str).collect(),
            "instances.tenantId" => vec![tenant],
            "instances.shared" => vec!["false"],
            _ => Vec::new(),
        }
    }

    /// Adds what another entry of the same line has.
    fn join(&mut self, other: Line) {
        self.records += other.records;
        self.types.extend(other.types);
    }

    fn read(list: &List, term: &str, records: u64) -> Line {
        let mut parts: Vec<String> = term.split('\0').map(str::to_owned).collect();
        let shown = parts.pop().unwrap_or_default();
        let types = parts.split_off(list.keys.min(parts.len()));
        let types = types.iter().flat_map(|types| types.split(',')).filter(|one| !one.is_empty());
        let types = types.map(str::to_owned).collect();
        Line { keys: parts, shown, types, records, is_anchor: false }
    }
}

/// The type of name of an entry in the list of contributors, or the type of number in one of classification numbers.
pub(super) fn kind_of(entry: &str) -> &str {
    entry.split('\0').nth(2).unwrap_or_default()
}

/// How many lines a list has; no more than `most` are counted.
pub(super) fn count((list, entries): (&List, &dyn Lines), most: u64) -> engine::Result<u64> {
    let mut counted = 0;
    each((list, entries), |_| {
        counted += 1;
        counted < most
    })?;
    Ok(counted)
}

/// Hands over the lines of a list in their order, until `take` says no.
pub(crate) fn each_line(
    index: &dyn SearchEngine,
    list: &List,
    deadline: Deadline,
    take: impl FnMut(&Line) -> bool,
) -> engine::Result<()> {
    each((list, &*index.lines(list.name, None, None, deadline)?), take)
}

fn each((list, entries): (&List, &dyn Lines), mut take: impl FnMut(&Line) -> bool) -> engine::Result<()> {
    let (mut last, mut goes_on): (Option<Line>, bool) = (None, true);
    entries.each_line("", true, &mut |term, records| {
        let line = Line::read(list, term, records);
        match last.as_mut().filter(|last| last.keys == line.keys) {
            Some(last) => last.join(line),
            None => goes_on = last.replace(line).is_none_or(|done| take(&done)),
        }
        goes_on
    })?;
    if goes_on && let Some(done) = last {
        take(&done);
    }
    Ok(())
}

/// The lines from a place on, as many as are wanted, in the direction of reading.
pub(super) fn lines(
    (list, entries): (&List, &dyn Lines),
    (from, forward, most): (&str, bool, usize),
) -> engine::Result<Vec<Line>> {
    let mut ask = 2 * most + 10;
    loop {
        let found = stretch(entries, (from, forward, ask))?;
        let is_all = found.len() < ask;
        let mut lines: Vec<Line> = Vec::new();
        for heading in found {
            let line = Line::read(list, &heading.term, heading.records);
            match lines.last_mut().filter(|last| last.keys == line.keys) {
                None => lines.push(line),
                Some(last) => {
                    if !forward {
                        last.shown.clone_from(&line.shown);
                    }
                    last.join(line);
                }
            }
        }
        if !is_all {
            // The rest of what is equal to the last line may not have been read.
            let last = lines.last().map(|line| line.keys[0].clone());
            lines.truncate(lines.partition_point(|line| Some(&line.keys[0]) != last.as_ref()));
        }
        if !forward {
            // Among equal headings mod-search's order is the same in both directions, from the anchor on.
            lines.chunk_by_mut(|one, next| one.keys[0] == next.keys[0]).for_each(<[Line]>::reverse);
        }
        if is_all || lines.len() >= most {
            lines.truncate(most);
            return Ok(lines);
        }
        ask *= 4;
    }
}
