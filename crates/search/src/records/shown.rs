//! What of a record an answer shows: the fields that mod-search 3.2.6 declares for it (`showInResponse`), or all that it keeps.
//!
//! The shape is that of mod-search's own schemas: members without a value are left out, but some lists are there even when empty.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::{Heading, Instance, authority_fields, instance_fields};
use crate::fields::{Field, Fields};

/// An answer that shows records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `/search/instances`, `/search/authorities`.
    Search,
    /// `/browse/authorities`.
    Browse,
    /// `/browse/call-numbers/instances`.
    CallNumberBrowse,
    /// Any of them with `expandAll=true`: all declared members, not the computed ones.
    Whole,
}

impl View {
    const ALL: [View; 4] = [View::Search, View::Browse, View::CallNumberBrowse, View::Whole];

    fn shows(self, field: &Field) -> bool {
        match self {
            View::Search => field.shown.search,
            View::Browse => field.shown.browse,
            View::CallNumberBrowse => field.shown.call_number_browse,
            View::Whole => field.is_stored,
        }
    }
}

/// A member that is shown.
#[derive(Debug, Default)]
struct ShownMember {
    key: &'static str,
    children: Vec<ShownMember>,
    default: Option<Value>,
}

impl ShownMember {
    fn tree(fields: &Fields, view: View) -> ShownMember {
        let mut root = ShownMember::default();
        let shown =
            |field: &&Field| view.shows(field) && field.processor.is_none() && field.heading.is_none();
        for field in fields.list().iter().filter(shown) {
            // Each note says whether it is for staff alone.
            let default = if field.name.ends_with(".staffOnly") { Some("false") } else { field.default };
            root.add(field.name, default);
        }
        root
    }

    fn add(&mut self, path: &'static str, default: Option<&str>) {
        let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
        let known = self.children.iter().position(|member| member.key == key);
        let at = known.unwrap_or_else(|| {
            self.children.push(ShownMember { key, ..ShownMember::default() });
            self.children.len() - 1
        });
        match rest {
            Some(rest) => self.children[at].add(rest, default),
            None => self.children[at].default = default.map(default_to_json),
        }
    }

    fn member(&self, key: &str) -> Option<&ShownMember> {
        self.children.iter().find(|member| member.key == key)
    }

    /// The part of a value that this member shows; `None` if it shows nothing of it.
    ///
    /// A list without anything to show is left out, unless the whole record is shown.
    fn select_shown(&self, value: &Value, whole: bool) -> Option<Value> {
        match value {
            Value::Null => None,
            _ if self.children.is_empty() => Some(value.clone()),
            Value::Array(list) => {
                let list: Vec<Value> =
                    list.iter().filter_map(|value| self.select_shown(value, whole)).collect();
                Some(list).filter(|list| whole || !list.is_empty()).map(Value::Array)
            }
            Value::Object(members) => {
                let shown = |inner: &ShownMember| {
                    let value = members.get(inner.key).and_then(|value| inner.select_shown(value, whole));
                    Some((inner.key.to_owned(), value.or_else(|| inner.default.clone())?))
                };
                let shown: Map<String, Value> = self.children.iter().filter_map(shown).collect();
                Some(shown).filter(|shown| !shown.is_empty()).map(Value::Object)
            }
            _ => None,
        }
    }

    fn select_members(&self, value: &Value, whole: bool) -> Map<String, Value> {
        match self.select_shown(value, whole) {
            Some(Value::Object(members)) => members,
            _ => Map::new(),
        }
    }
}

fn default_to_json(default: &str) -> Value {
    default.parse::<bool>().map_or_else(|_| Value::from(default), Value::Bool)
}

static INSTANCE: LazyLock<[ShownMember; 4]> =
    LazyLock::new(|| View::ALL.map(|view| ShownMember::tree(instance_fields(), view)));
static AUTHORITY: LazyLock<[ShownMember; 4]> =
    LazyLock::new(|| View::ALL.map(|view| ShownMember::tree(authority_fields(), view)));

fn tree(trees: &'static [ShownMember; 4], view: View) -> &'static ShownMember {
    let at = View::ALL.iter().position(|each| *each == view).unwrap_or_default();
    &trees[at]
}

/// The JSON of a title in a response.
///
/// Holdings are shown with the whole title only. What is not declared is not shown: the call number of a holdings record is
/// missing, and the holdings record of an item.
#[must_use]
pub fn instance_json(record: &Instance<'_>, view: View) -> Value {
    let root = tree(&INSTANCE, view);
    let mut members = root.select_members(record.instance, view == View::Whole);
    let truths = [("shared", record.shared), ("isBoundWith", record.bound_with)];
    for (key, truth) in truths.into_iter().filter(|(key, _)| root.member(key).is_some()) {
        members.insert(key.to_owned(), Value::Bool(truth));
    }
    with_tenant(&mut members, root, record.tenant);
    for (key, records, lists) in [
        ("holdings", record.holdings, &["electronicAccess", "notes"][..]),
        ("items", record.items, &["notes"]),
    ] {
        let copies = root.member(key).into_iter().flat_map(|place| {
            records.iter().filter_map(|copy| copy_json(copy, place, record.tenant, view, lists))
        });
        members.insert(key.to_owned(), copies.collect());
    }
    with_lists(&mut members, &["electronicAccess", "notes"]);
    Value::Object(members)
}

/// The JSON of a holdings record or item in a response; `None` if it has no member that is shown.
fn copy_json(
    copy: &Value,
    place: &ShownMember,
    tenant: Option<&str>,
    view: View,
    lists: &[&str],
) -> Option<Value> {
    let mut members = place.select_members(copy, view == View::Whole);
    with_tenant(&mut members, place, tenant);
    if members.is_empty() {
        return None;
    }
    with_lists(&mut members, lists);
    Some(Value::Object(members))
}

fn with_tenant(members: &mut Map<String, Value>, place: &ShownMember, tenant: Option<&str>) {
    if let (Some(tenant), Some(_)) = (tenant, place.member("tenantId")) {
        members.insert("tenantId".to_owned(), Value::from(tenant));
    }
}

/// Adds the lists that mod-search's schemas require, and that are there even when empty.
fn with_lists(members: &mut Map<String, Value>, lists: &[&str]) {
    for list in lists {
        members.entry(*list).or_insert_with(|| Value::Array(Vec::new()));
    }
}

/// The JSON of an authority in a response, as the document of one of its headings.
///
/// The whole record holds the member of this heading alone, not those of the others.
#[must_use]
pub fn heading_json(
    authority: &Value,
    heading: &Heading<'_>,
    (tenant, shared): (&str, bool),
    view: View,
) -> Value {
    let root = tree(&AUTHORITY, view);
    let mut members = root.select_members(authority, view == View::Whole);
    with_tenant(&mut members, root, Some(tenant));
    if root.member("shared").is_some() {
        members.insert("shared".to_owned(), Value::Bool(shared));
    }
    let kind = heading.kind();
    members.insert("headingType".to_owned(), kind.map_or("Other", |kind| kind.heading_type).into());
    if let (Some(kind), Some(field)) = (kind, heading.field) {
        members.insert("authRefType".to_owned(), kind.reference.into());
        members.insert("headingRef".to_owned(), heading.text.into());
        if view == View::Whole {
            let text = Value::from(heading.text);
            let value = if heading.is_in_list { Value::Array(vec![text]) } else { text };
            members.insert(authority_fields().list()[field].name.to_owned(), value);
        }
    }
    Value::Object(members)
}
