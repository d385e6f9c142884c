//! Browses call numbers in shelving order: those of all types, or those of one type.

use std::collections::HashMap;

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::{ORDERED_CALL_NUMBERS, shelving_key};
use octavo_search::engine::{self, BrowseLines, TermFilter};
use octavo_search::records::{ReferenceTypes, View, instance_json, shelf_position};
use octavo_search::text::numbers::shelving_order;
use serde_json::Value;
use uuid::Uuid;

use super::asked::{BrowseRequest, Direction};
use super::headings::{CALL_NUMBERS, TYPED_CALL_NUMBERS, call_number_entry, is_in_locations};
use super::lines::{Line, List, read_lines};
use super::{MAX_COUNTED, Page, page_without_total};
use crate::asked::{boolean_parameter, run_search};
use crate::indexes::{StoredRecord, TITLES, Title, index_of, load_types};
use crate::refusals::unexpected_value;

pub(crate) async fn call_numbers(request: Request) -> Outcome<Response> {
    let kind = requested_type(&request)?;
    let list = kind.map_or(&CALL_NUMBERS, |(_, list)| list);
    let kind = kind.map(|(kind, _)| *kind);
    let view =
        if boolean_parameter(&request, "expandAll", false)? { View::Whole } else { View::CallNumberBrowse };
    let mut asked = BrowseRequest::read(&request, list)?;
    if asked.key.is_empty() {
        return Ok(Page::default().to_response(Value::Array(Vec::new())));
    }
    let (key, others) = anchor_keys(&asked, kind);
    asked.key = key;
    let index = index_of(&request.context, &TITLES).await?;
    let items = ShownItems { kind, locations: std::mem::take(&mut asked.locations) };
    let locations = items.locations.clone();
    let look = move |deadline| {
        let stands = |entry: &str| is_in_locations(entry, &locations);
        // A title whose items are all in one location does not store the location with its call numbers.
        let unless_several = TITLES.names.fields.field_number("items.effectiveLocationId");
        let keeps = (!locations.is_empty()).then_some(TermFilter { keeps_term: &stands, unless_several });
        let entries = index.browse_lines(list.name, asked.record_filter.as_ref(), keeps, deadline)?;
        if !others.is_empty() {
            let all = index.browse_lines(list.name, None, None, deadline)?;
            if !has_line((list, &*all), &asked.key)? {
                for other in others {
                    if has_line((list, &*all), &other)? {
                        asked.key = other;
                        break;
                    }
                }
            }
        }
        let found = Page {
            total: count_titles(&*entries, &asked)?,
            ..page_without_total((list, &*entries), &asked)?
        };
        // Only for a line with a single title there is one entry, and so one record to show.
        let record = |line: &Line| match line.records {
            1 => entries.record_of(&call_number_entry(line)),
            _ => Ok(None),
        };
        let records = found.lines.iter().map(record).collect::<engine::Result<Vec<_>>>()?;
        Ok((found, records))
    };
    let (found, records) = run_search(&request.context, look).await?;
    let instances = items.load_instances_json(&request.context, &records, view).await?;
    let item = |(line, record): (&Line, Option<Uuid>)| {
        let mut item = (list.to_json)(line);
        if let Some(instance) = record.and_then(|id| instances.get(&id)) {
            item["instance"] = instance.clone();
        }
        item
    };
    let items = found.lines.iter().zip(records).map(item).collect();
    Ok(found.to_response(items))
}

/// A type of call numbers with its list.
type TypedList = &'static (&'static str, List);

/// The requested type of call numbers; `None` for all types.
fn requested_type(request: &Request) -> Outcome<Option<TypedList>> {
    // mod-search takes the names of some parameters in any letter case.
    let given = request.query.iter().find(|(name, _)| name.eq_ignore_ascii_case("callNumberType"));
    let Some((_, given)) = given.filter(|(_, value)| !value.is_empty()) else { return Ok(None) };
    let known = TYPED_CALL_NUMBERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(given));
    known.map(Some).ok_or_else(|| unexpected_value("CallNumberType", given))
}

/// The sort key of the anchor, and the keys that it would have in each type of call numbers, if the request names no type.
fn anchor_keys(asked: &BrowseRequest, kind: Option<&str>) -> (String, Vec<String>) {
    let around = matches!(asked.direction, Direction::Around { .. });
    if !around && !matches!(asked.field.as_str(), "callNumber" | "typedCallNumber") {
        // The client sends the value of `prev` or `next`, which is a sort key already.
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

fn has_line((list, entries): (&List, &dyn BrowseLines), key: &str) -> engine::Result<bool> {
    let from = format!("{key}\0");
    let first = read_lines((list, entries), (&from, true, 1))?;
    Ok(first.first().is_some_and(|line| line.keys[0] == key))
}

/// Counts the titles with a call number before, at or after the anchor. As in FOLIO, a title with call numbers on both sides counts twice.
/// On each side at most as many are counted as lines in other lists.
fn count_titles(entries: &dyn BrowseLines, asked: &BrowseRequest) -> engine::Result<u64> {
    let (from, to) = (format!("{}\0", asked.key), format!("{}\u{1}", asked.key));
    let (before, after) = ((None, Some(to.as_str())), (Some(from.as_str()), None));
    let sides = match asked.direction {
        Direction::Back { .. } => vec![before],
        Direction::Forward { .. } => vec![after],
        Direction::Around { .. } => vec![before, after],
    };
    Ok(entries.records_between(&sides, MAX_COUNTED)?.iter().sum())
}

/// Which items of a title are shown.
struct ShownItems {
    kind: Option<&'static str>,
    /// The locations whose items are shown. If there are none, the items of all locations are shown.
    locations: Vec<String>,
}

impl ShownItems {
    /// The JSON of titles, by their ids.
    async fn load_instances_json(
        &self,
        context: &Context,
        records: &[Option<Uuid>],
        view: View,
    ) -> Outcome<HashMap<Uuid, Value>> {
        let ids: Vec<Uuid> = records.iter().flatten().copied().collect();
        let mut session = context.session().await?;
        let types = match self.kind {
            Some(_) => load_types(&mut session).await?,
            None => ReferenceTypes::default(),
        };
        let stored = TITLES.load_by_ids(&mut session, &ids).await?;
        drop(session);
        let show = |stored: &StoredRecord| {
            let mut title = Title::from_stored(stored);
            title.keep_items(|item| self.shows(item, &types));
            (stored.id, instance_json(&title.as_instance(), view))
        };
        Ok(stored.iter().map(show).collect())
    }

    fn shows(&self, item: &Value, types: &ReferenceTypes) -> bool {
        let location = item["effectiveLocationId"].as_str().unwrap_or_default();
        let is_there = self.locations.is_empty() || self.locations.iter().any(|one| one == location);
        let of_kind = |kind| shelf_position(item, types).is_some_and(|on_shelf| on_shelf.kind == Some(kind));
        is_there && self.kind.is_none_or(of_kind)
    }
}
