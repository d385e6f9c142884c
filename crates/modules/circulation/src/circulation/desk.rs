//! The settings that the desk uses without asking the database: parsed rules and policies, locations with the names of their units,
//! service points, groups. They are computed once for each version of the tenant's snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use octavo_circulation::anonymize::LoanHistory;
use octavo_circulation::blocks::BlockLimits;
use octavo_circulation::closed_library::Calendar;
use octavo_circulation::facts::{
    Charging, Location, PatronGroup, PersonNames, RemoteStorage, RemoteStorages, TitleTemplates,
};
use octavo_circulation::policy::Policies;
use octavo_circulation::request::{RequestOptions, TitleLevel};
use octavo_circulation::rules::{AppliedConditions, PolicyIds, Rules};
use octavo_engine::{Context, Snapshot};
use octavo_kernel::Outcome;
use octavo_modules_base::configuration::settings;
use octavo_modules_base::inventory_records::{BORROWED_ITEMS_LOCATION, LOCATION};
use octavo_modules_base::remote_storage_records::{CAIA_SOFT, CONFIGURATION, MAPPING, SCANNED_TO_FOLIO};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::calendar::Calendars;

#[derive(Debug)]
pub struct Desk {
    /// The snapshot that this was made from.
    pub version: i64,
    pub time_zone: TimeZone,
    pub policies: Arc<Policies>,
    pub calendar: Arc<dyn Calendar>,
    /// The items of which a loan policy limits how many a patron may have.
    pub item_limits: ItemLimits,
    pub title_level: TitleLevel,
    /// Octavo's additions to requests that the library has switched on.
    pub request_options: Arc<RequestOptions>,
    pub title_templates: Arc<TitleTemplates>,
    pub remote_storages: Arc<RemoteStorages>,
    pub block_limits: BlockLimits,
    pub charging: Arc<Charging>,
    pub person_names: Arc<PersonNames>,
    /// The id of the note type `General note`.
    pub general_note_type: Option<Arc<str>>,
    /// When closed loans forget their borrowers.
    pub loan_history: LoanHistory,
    pub service_points: Arc<HashMap<String, Value>>,
    pub locations: Arc<HashMap<String, Arc<Location>>>,
    /// Whether the library lends to and borrows from libraries with which it has a hub in common.
    pub has_partners: bool,
    material_types: HashMap<String, String>,
    loan_types: HashMap<String, String>,
    groups: HashMap<String, PatronGroup>,
}

impl Desk {
    /// The desk of the newest known snapshot. Ask before a connection is taken: it may need one.
    pub async fn current(context: &Context) -> Outcome<Arc<Desk>> {
        Ok(Desk::from_snapshot(&*context.snapshot().await?))
    }

    pub fn from_snapshot(snapshot: &Snapshot) -> Arc<Desk> {
        snapshot.derive_once(Desk::make)
    }

    fn make(snapshot: &Snapshot) -> Desk {
        let policies = policies(snapshot);
        Desk {
            version: snapshot.version,
            time_zone: time_zone(snapshot),
            title_level: title_level(snapshot),
            request_options: Arc::new(request_options(snapshot)),
            title_templates: Arc::new(title_templates(snapshot)),
            remote_storages: Arc::new(remote_storages(snapshot)),
            item_limits: ItemLimits::read(snapshot, &policies),
            block_limits: BlockLimits::read(
                snapshot.table("patron_block_conditions").map(|(_, record)| record),
                snapshot.table("patron_block_limits").map(|(_, record)| record),
            ),
            loan_history: settings(snapshot, "LOAN_HISTORY", "loan_history")
                .map_or_else(LoanHistory::default, LoanHistory::read),
            policies: Arc::new(policies),
            calendar: Calendars::from_snapshot(snapshot),
            charging: Arc::new(Charging::read(
                snapshot.table("feefines").map(|(_, record)| record),
                snapshot.table("owners").map(|(_, record)| record),
            )),
            person_names: Arc::new(PersonNames {
                departments: names_by_id(snapshot, "departments", "name"),
                address_types: names_by_id(snapshot, "addresstype", "addressType"),
            }),
            general_note_type: snapshot
                .table("note_type")
                .find(|(_, record)| record["name"] == "General note")
                .map(|(id, _)| id.to_string().into()),
            service_points: Arc::new(records_by_id(snapshot, "service_point")),
            has_partners: snapshot.get(&LOCATION, BORROWED_ITEMS_LOCATION).is_some(),
            locations: Arc::new(locations(snapshot)),
            material_types: names_by_id(snapshot, "material_type", "name"),
            loan_types: names_by_id(snapshot, "loan_type", "name"),
            groups: snapshot
                .table("groups")
                .map(|(id, record)| (id.to_string(), group(id, record)))
                .collect(),
        }
    }

    /// Chooses between what is asked about the library's own items, and about those too that it has from partners.
    pub(crate) fn choose_for_stock<T>(&self, [own, all]: &'static [T; 2]) -> &'static T {
        if self.has_partners { all } else { own }
    }

    /// Of statements about the library's own items and about those that it has from partners: those that find anything.
    pub(crate) fn choose_for_stocks<T>(&self, [own, borrowed]: &'static [T; 2]) -> Vec<&'static T> {
        if self.has_partners { vec![own, borrowed] } else { vec![own] }
    }

    pub fn location(&self, id: Option<&str>) -> Option<Arc<Location>> {
        self.locations.get(id?).cloned()
    }

    /// The locations whose items staff of the service point fetch.
    pub fn locations_of<'a>(&'a self, service_point_id: &'a str) -> impl Iterator<Item = &'a str> {
        let served = move |location: &&Arc<Location>| {
            location.primary_service_point_id.as_deref() == Some(service_point_id)
        };
        self.locations.values().filter(served).map(|location| location.id.as_str())
    }

    /// The locations that the service point serves, whoever fetches from them.
    pub fn locations_served_by<'a>(&'a self, service_point_id: &'a str) -> impl Iterator<Item = &'a str> {
        let served = move |location: &&Arc<Location>| location.is_served_by(service_point_id);
        self.locations.values().filter(served).map(|location| location.id.as_str())
    }

    pub fn groups(&self) -> impl Iterator<Item = &PatronGroup> {
        self.groups.values()
    }

    pub fn material_type(&self, id: Option<&str>) -> Option<String> {
        self.material_types.get(id?).cloned()
    }

    pub fn loan_type(&self, id: Option<&str>) -> Option<String> {
        self.loan_types.get(id?).cloned()
    }

    pub fn group(&self, id: Option<&str>) -> Option<PatronGroup> {
        self.groups.get(id?).cloned()
    }
}

/// The items that a loan policy limits. Only for these the patron's loans are counted, because the count reads the item of each.
#[derive(Debug, PartialEq, Eq)]
pub enum ItemLimits {
    Nowhere,
    /// Material type and loan type, with a blank between them.
    For(Vec<String>),
    Everywhere,
}

/// With more pairs of types than these, all items count as limited, because each check-out sends the list.
const MOST_PAIRS: usize = 200;

impl ItemLimits {
    fn read(snapshot: &Snapshot, policies: &Policies) -> ItemLimits {
        let Some(rules) = &policies.rules else { return ItemLimits::Nowhere };
        let limited = |ids: &PolicyIds, applied: AppliedConditions| {
            let policy = policies.loan.get(&ids.loan);
            (applied.material_type || applied.loan_type)
                && policy.is_some_and(|policy| policy.item_limit().is_some())
        };
        let mut pairs = Vec::new();
        for (material_type, _) in snapshot.table("material_type") {
            for (loan_type, _) in snapshot.table("loan_type") {
                let (material_type, loan_type) = (material_type.to_string(), loan_type.to_string());
                if rules.may_apply(&material_type, &loan_type, limited) {
                    pairs.push(format!("{material_type} {loan_type}"));
                }
            }
        }
        match pairs.len() {
            0 => ItemLimits::Nowhere,
            1..=MOST_PAIRS => ItemLimits::For(pairs),
            _ => ItemLimits::Everywhere,
        }
    }
}

fn policies(snapshot: &Snapshot) -> Policies {
    let text = snapshot.table("circulation_rules").find_map(|(_, record)| record["rulesAsText"].as_str());
    Policies {
        // Rules are checked when they are stored. Rules that cannot be parsed nevertheless apply to nothing, as blank ones do.
        rules: text.filter(|text| !text.trim().is_empty()).and_then(|text| Rules::parse(text).ok()),
        loan: parsed_by_id(snapshot, "loan_policy"),
        fixed_due_date_schedules: parsed_by_id(snapshot, "fixed_due_date_schedule"),
        overdue_fine: parsed_by_id(snapshot, "overdue_fine_policy"),
        lost_item: parsed_by_id(snapshot, "lost_item_fee_policy"),
        request: parsed_by_id(snapshot, "request_policy"),
        notice: parsed_by_id(snapshot, "patron_notice_policy"),
    }
}

fn parsed_by_id<T: DeserializeOwned>(snapshot: &Snapshot, table: &str) -> HashMap<String, T> {
    let read = |(id, record): (&uuid::Uuid, &Value)| match serde_json::from_value(record.clone()) {
        Ok(policy) => Some((id.to_string(), policy)),
        Err(error) => {
            tracing::error!(table, %id, %error, "a stored policy cannot be read and applies to nothing");
            None
        }
    };
    snapshot.table(table).filter_map(read).collect()
}

fn records_by_id(snapshot: &Snapshot, table: &str) -> HashMap<String, Value> {
    snapshot.table(table).map(|(id, record)| (id.to_string(), record.clone())).collect()
}

fn names_by_id(snapshot: &Snapshot, table: &str, field: &str) -> HashMap<String, String> {
    let name =
        |(id, record): (&uuid::Uuid, &Value)| Some((id.to_string(), record[field].as_str()?.to_owned()));
    snapshot.table(table).filter_map(name).collect()
}

fn locations(snapshot: &Snapshot) -> HashMap<String, Arc<Location>> {
    let libraries = names_by_id(snapshot, "loclibrary", "name");
    let campuses = names_by_id(snapshot, "loccampus", "name");
    let institutions = names_by_id(snapshot, "locinstitution", "name");
    let location = |(id, record): (&uuid::Uuid, &Value)| {
        let text = |field: &str| record[field].as_str().map(str::to_owned);
        let name = |names: &HashMap<String, String>, field: &str| names.get(record[field].as_str()?).cloned();
        let points = record["servicePointIds"].as_array().into_iter().flatten();
        let location = Location {
            id: id.to_string(),
            name: text("name"),
            code: text("code"),
            discovery_display_name: text("discoveryDisplayName"),
            library_name: name(&libraries, "libraryId"),
            library_id: text("libraryId"),
            campus_name: name(&campuses, "campusId"),
            campus_id: text("campusId"),
            institution_name: name(&institutions, "institutionId"),
            institution_id: text("institutionId"),
            primary_service_point_id: text("primaryServicePoint"),
            service_point_ids: points.filter_map(|point| point.as_str().map(str::to_owned)).collect(),
        };
        (id.to_string(), Arc::new(location))
    };
    snapshot.table("location").map(location).collect()
}

/// Of locations that stand for a storage whose configuration is gone, nothing is known but its id.
fn remote_storages(snapshot: &Snapshot) -> RemoteStorages {
    let storage = |(location, mapping): (&uuid::Uuid, &Value)| {
        let id = mapping["configurationId"].as_str()?;
        let known = uuid::Uuid::parse_str(id).ok().and_then(|id| snapshot.get(&CONFIGURATION, id));
        let told_of_returns = known.is_some_and(|storage| {
            storage["providerName"] == CAIA_SOFT && storage["returningWorkflowDetails"] == SCANNED_TO_FOLIO
        });
        Some((
            location.to_string(),
            RemoteStorage { id: id.to_owned(), notified_of_returns: told_of_returns },
        ))
    };
    snapshot.all(&MAPPING).filter_map(storage).collect()
}

fn group(id: &uuid::Uuid, record: &Value) -> PatronGroup {
    let text = |field: &str| record[field].as_str().map(str::to_owned);
    PatronGroup { id: id.to_string(), name: text("group"), description: text("desc") }
}

/// From configuration entry ORG/localeSettings; UTC without one.
fn time_zone(snapshot: &Snapshot) -> TimeZone {
    let settings = settings(snapshot, "ORG", "localeSettings");
    let name = settings.as_ref().and_then(|settings| settings["timezone"].as_str());
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}

/// From configuration entry SETTINGS/TLR; without it, there are requests for items only.
fn title_level(snapshot: &Snapshot) -> TitleLevel {
    let settings = settings(snapshot, "SETTINGS", "TLR").unwrap_or_default();
    TitleLevel {
        enabled: settings["titleLevelRequestsFeatureEnabled"] == true,
        holds_follow_rules: settings["tlrHoldShouldFollowCirculationRules"] == true,
    }
}

/// From configuration entry OCTAVO/requests; without it, requests work as in FOLIO.
fn request_options(snapshot: &Snapshot) -> RequestOptions {
    let settings = settings(snapshot, "OCTAVO", "requests").unwrap_or_default();
    serde_json::from_value(settings).unwrap_or_default()
}

fn title_templates(snapshot: &Snapshot) -> TitleTemplates {
    let settings = settings(snapshot, "SETTINGS", "TLR").unwrap_or_default();
    let template = |name: &str| settings[name].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
    TitleTemplates {
        confirmation: template("confirmationPatronNoticeTemplateId"),
        cancellation: template("cancellationPatronNoticeTemplateId"),
        expiration: template("expirationPatronNoticeTemplateId"),
    }
}
