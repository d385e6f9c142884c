//! Call numbers in the order of the shelf, of all types or of one.

use std::collections::HashMap;

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::{ORDERED_CALL_NUMBERS, shelving_key};
use octavo_search::engine::{self, Keeps, Lines};
use octavo_search::records::{Types, View, on_shelf, shown};
use octavo_search::text::numbers::shelving_order;
use serde_json::Value;
use uuid::Uuid;

use super::asked::{Asked, Way};
use super::headings::{CALL_NUMBERS, TYPED_CALL_NUMBERS, call_number_of_line, stands_in};
use super::lines::{Line, List, lines};
use super::{COUNTED, Page, page};
use crate::asked::{find, truth};
use crate::indexes::{Stored, TITLES, Title, index_of, types};
use crate::refusals::unexpected;

pub(crate) async fn call_numbers(request: Request) -> Outcome<Response> {
    let kind = kind(&request)?;
    let list = kind.map_or(&CALL_NUMBERS, |(_, list)| list);
    let kind = kind.map(|(kind, _)| *kind);
    let view = if truth(&request, "expandAll", false)? { View::Whole } else { View::CallNumberBrowse };
    let mut asked = Asked::read(&request, list)?;
    if asked.key.is_empty() {
        return Ok(Page::default().answer(Value::Array(Vec::new())));
    }
    let (key, others) = keys(&asked, kind);
    asked.key = key;
    let index = index_of(&request.context, &TITLES).await?;
    let items = Items { kind, locations: std::mem::take(&mut asked.locations) };
    let locations = items.locations.clone();
    let look = move |deadline| {
        let stands = |entry: &str| stands_in(entry, &locations);
        // The call numbers of a title whose items are all in one location stand there.
        let unless_several = TITLES.names.fields.number("items.effectiveLocationId");
        let keeps = (!locations.is_empty()).then_some(Keeps { term: &stands, unless_several });
        let entries = index.lines(list.name, asked.only.as_ref(), keeps, deadline)?;
        if !others.is_empty() {
            let all = index.lines(list.name, None, None, deadline)?;
            if !has_line((list, &*all), &asked.key)? {
                for other in others {
                    if has_line((list, &*all), &other)? {
                        asked.key = other;
                        break;
                    }
                }
            }
        }
        let found = Page { total: titles(&*entries, &asked)?, ..page((list, &*entries), &asked)? };
        // A line that one title has is of one entry.
        let record = |line: &Line| match line.records {
            1 => entries.record_of(&call_number_of_line(line)),
            _ => Ok(None),
        };
        let records = found.lines.iter().map(record).collect::<engine::Result<Vec<_>>>()?;
        Ok((found, records))
    };
    let (found, records) = find(&request.context, look).await?;
    let instances = items.instances(&request.context, &records, view).await?;
    let item = |(line, record): (&Line, Option<Uuid>)| {
        let mut item = (list.show)(line);
        if let Some(instance) = record.and_then(|id| instances.get(&id)) {
            item["instance"] = instance.clone();
        }
        item
    };
    let items = found.lines.iter().zip(records).map(item).collect();
    Ok(found.answer(items))
}

/// A type of call numbers with its list.
type Kind = &'static (&'static str, List);

/// The type whose call numbers are asked for; none for all.
fn kind(request: &Request) -> Outcome<Option<Kind>> {
    // mod-search takes the names of some parameters in any letter case.
    let given = request.query.iter().find(|(name, _)| name.eq_ignore_ascii_case("callNumberType"));
    let Some((_, given)) = given.filter(|(_, value)| !value.is_empty()) else { return Ok(None) };
    let known = TYPED_CALL_NUMBERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(given));
    known.map(Some).ok_or_else(|| unexpected("CallNumberType", given))
}

/// The key of the anchor, and others that it may have where nobody says of which type it is.
fn keys(asked: &Asked, kind: Option<&str>) -> (String, Vec<String>) {
    let around = matches!(asked.way, Way::Around { .. });
    if !around && !matches!(asked.field.as_str(), "callNumber" | "typedCallNumber") {
        // What `prev` and `next` say.
        return (asked.term.clone(), Vec::new());
    }
    let as_written = shelving_order(&asked.term).to_uppercase();
    let key = |(_, id): &(&str, &str)| shelving_key(id, &asked.term).map(|key| key.to_uppercase());
    match kind {
        Some(kind) => {
            let ordered = ORDERED_CALL_NUMBERS.iter().find(|(known, _)| *known == kind);
            (ordered.and_then(key).unwrap_or(as_written), Vec::new())
        }
        None if around => (as_written, ORDERED_CALL_NUMBERS.iter().filter_map(key).collect()),
        None => (as_written, Vec::new()),
    }
}

fn has_line((list, entries): (&List, &dyn Lines), key: &str) -> engine::Result<bool> {
    let from = format!("{key}\0");
    let first = lines((list, entries), (&from, true, 1))?;
    Ok(first.first().is_some_and(|line| line.keys[0] == key))
}

/// How many titles have a call number on the sides that are asked for, or the anchor's. Those that have one on each side count twice,
/// as in FOLIO. On each side no more are counted than lines of other lists.
fn titles(entries: &dyn Lines, asked: &Asked) -> engine::Result<u64> {
    let (from, to) = (format!("{}\0", asked.key), format!("{}\u{1}", asked.key));
    let (before, after) = ((None, Some(to.as_str())), (Some(from.as_str()), None));
    let sides = match asked.way {
        Way::Back { .. } => vec![before],
        Way::Forward { .. } => vec![after],
        Way::Around { .. } => vec![before, after],
    };
    Ok(entries.records_between(&sides, COUNTED)?.iter().sum())
}

/// The items that are shown of titles.
struct Items {
    kind: Option<&'static str>,
    /// All, if none is said.
    locations: Vec<String>,
}

impl Items {
    /// What is shown of titles, by their ids.
    async fn instances(
        &self,
        context: &Context,
        records: &[Option<Uuid>],
        view: View,
    ) -> Outcome<HashMap<Uuid, Value>> {
        let ids: Vec<Uuid> = records.iter().flatten().copied().collect();
        let mut session = context.session().await?;
        let types = match self.kind {
            Some(_) => types(&mut session).await?,
            None => Types::default(),
        };
        let stored = TITLES.stored(&mut session, &ids).await?;
        drop(session);
        let show = |stored: &Stored| {
            let mut title = Title::of(stored);
            title.keep_items(|item| self.shows(item, &types));
            (stored.id, shown(&title.record(), view))
        };
        Ok(stored.iter().map(show).collect())
    }

    fn shows(&self, item: &Value, types: &Types) -> bool {
        let location = item["effectiveLocationId"].as_str().unwrap_or_default();
        let is_there = self.locations.is_empty() || self.locations.iter().any(|one| one == location);
        let of_kind = |kind| on_shelf(item, types).is_some_and(|on_shelf| on_shelf.kind == Some(kind));
        is_there && self.kind.is_none_or(of_kind)
    }
}
