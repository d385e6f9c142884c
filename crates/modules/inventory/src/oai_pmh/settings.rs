//! A library's settings for harvesters: its configuration entries `behavior`, `general` and `technical` of module `OAIPMH`. Members that an
//! entry lacks have FOLIO's defaults. Pure, but for [`install`].

use octavo_engine::{Context, Snapshot, create};
use octavo_kernel::Outcome;
use octavo_modules_base::configuration::{self, ENTRY};
use octavo_pg::Statement;
use serde_json::{Value, json};

/// The ids of the entries that a tenant gets with the module. They are the same in every tenant, so that a tenant's configuration can be
/// exported to files and imported into another tenant.
const IDS: [&str; 3] = [
    "75e2632e-d721-4025-9623-165331ed6fef",
    "061a86cb-00d2-41fb-b6cc-291bbbb87a06",
    "114df15f-a12e-487a-9571-e4ac353c18de",
];

/// The configuration entries by name, each with its members and their default values, which are all texts.
const DEFAULTS: &[(&str, &[(&str, &str)])] = &[
    (
        "behavior",
        &[
            ("deletedRecordsSupport", "persistent"),
            ("suppressedRecordsProcessing", "true"),
            ("errorsProcessing", "200"),
            ("recordsSource", "Source record storage"),
        ],
    ),
    (
        "general",
        &[
            ("enableOaiService", "true"),
            ("repositoryName", "FOLIO_OAI_Repository"),
            ("baseUrl", "http://folio.org/oai"),
            ("administratorEmail", "oai-pmh@folio.org"),
            ("timeGranularity", "YYYY-MM-DDThh:mm:ssZ"),
        ],
    ),
    (
        "technical",
        &[
            ("maxRecordsPerResponse", "50"),
            ("enableValidation", "false"),
            ("formattedOutput", "false"),
            ("srsHttpRequestRetryAttempts", "50"),
            ("srsClientIdleTimeoutSec", "20"),
            ("fetchingChunkSize", "5000"),
            ("cleanErrorsInterval", "30"),
        ],
    ),
];

/// The most records of an answer, whatever is configured, because an answer is built in memory.
const MOST_RECORDS: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) enabled: bool,
    pub(super) repository: String,
    pub(super) base_url: String,
    pub(super) administrators: Vec<String>,
    /// Datestamps have the precision of a day instead of a second.
    pub(super) by_day: bool,
    pub(super) deleted: Deleted,
    /// Records that are suppressed from discovery are harvested, and marked so.
    pub(super) shows_suppressed: bool,
    /// Errors of the protocol are answered with 200 instead of 400, 404 and 422.
    pub(super) errors_are_200: bool,
    pub(super) source: Source,
    pub(super) page_size: usize,
    /// How many days the statistics of harvests are kept.
    pub(super) keep_harvest_days: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deleted {
    No,
    Transient,
    Persistent,
}

impl Deleted {
    pub(super) fn name(self) -> &'static str {
        match self {
            Deleted::No => "no",
            Deleted::Transient => "transient",
            Deleted::Persistent => "persistent",
        }
    }
}

/// Which records are harvested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// MARC records of mod-source-record-storage.
    Marc,
    /// Instances without a MARC record, from which one is made.
    Inventory,
    Both,
}

impl Source {
    /// The values of `source` of the harvested instances, in lower case. `None` means any value.
    pub(super) fn instance_sources(self) -> Option<&'static [&'static str]> {
        match self {
            Source::Marc => Some(&["marc", "marc_shared", "consortium-marc"]),
            Source::Inventory => Some(&["folio", "consortium-folio"]),
            Source::Both => None,
        }
    }
}

impl Settings {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Settings {
        Settings::read(|name| configuration::settings(snapshot, "OAIPMH", name))
    }

    fn read(entry: impl Fn(&str) -> Option<Value>) -> Settings {
        let entries: Vec<Option<Value>> = DEFAULTS.iter().map(|(name, _)| entry(name)).collect();
        let text = |wanted: &str| {
            let mut all = DEFAULTS.iter().zip(&entries).flat_map(|((_, members), entry)| {
                members.iter().map(move |(member, default)| (*member, *default, entry))
            });
            let found = all.find(|(member, ..)| *member == wanted);
            let (_, default, entry) = found.unwrap_or((wanted, "", &None));
            match entry.as_ref().map(|entry| &entry[wanted]) {
                Some(Value::String(told)) => told.clone(),
                Some(told @ (Value::Bool(_) | Value::Number(_))) => told.to_string(),
                _ => default.to_owned(),
            }
        };
        let number = |wanted: &str, otherwise: usize| text(wanted).trim().parse().unwrap_or(otherwise);
        let source = match text("recordsSource").as_str() {
            "Inventory" => Source::Inventory,
            "Source record storage and Inventory" | "Source records storage and Inventory" => Source::Both,
            _ => Source::Marc,
        };
        let deleted = match text("deletedRecordsSupport").to_ascii_lowercase().as_str() {
            "persistent" => Deleted::Persistent,
            "transient" => Deleted::Transient,
            _ => Deleted::No,
        };
        Settings {
            enabled: text("enableOaiService").eq_ignore_ascii_case("true"),
            repository: text("repositoryName"),
            base_url: text("baseUrl"),
            administrators: text("administratorEmail").split(',').map(|one| one.trim().to_owned()).collect(),
            by_day: text("timeGranularity") == "YYYY-MM-DD",
            deleted,
            shows_suppressed: text("suppressedRecordsProcessing").eq_ignore_ascii_case("true"),
            errors_are_200: text("errorsProcessing") == "200",
            source,
            page_size: number("maxRecordsPerResponse", 50).clamp(1, MOST_RECORDS),
            keep_harvest_days: i64::try_from(number("cleanErrorsInterval", 30)).unwrap_or(30).clamp(1, 3650),
        }
    }

    #[cfg(test)]
    pub(super) fn default_for_tests() -> Settings {
        Settings::read(|_| None)
    }

    pub(super) fn granularity(&self) -> &'static str {
        if self.by_day { "YYYY-MM-DD" } else { "YYYY-MM-DDThh:mm:ssZ" }
    }

    /// The host of the base URL, which is the name of the repository in identifiers.
    pub(super) fn host(&self) -> &str {
        let after = self.base_url.split_once("://").map_or(self.base_url.as_str(), |(_, after)| after);
        let host = after.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        host.rsplit_once(':').map_or(host, |(host, _)| host)
    }
}

/// Creates those configuration entries that a tenant does not have when it enables the module.
pub(super) async fn install(context: Context) -> Outcome<()> {
    let mut session = context.session().await?;
    let there: Vec<String> = session.read(Statement::new(NAMES)).await?;
    let lacking = DEFAULTS.iter().zip(IDS).filter(|((name, _), _)| !there.iter().any(|known| known == name));
    for ((name, members), id) in lacking {
        let members: serde_json::Map<String, Value> =
            members.iter().map(|(member, value)| ((*member).to_owned(), json!(value))).collect();
        let value = Value::Object(members).to_string();
        let entry =
            json!({"id": id, "module": "OAIPMH", "configName": name, "enabled": true, "value": value});
        create(&context, &mut session, &ENTRY, entry).await?;
    }
    Ok(())
}

const NAMES: &str = "\
select doc ->> 'configName'
from config_data
where module = 'oaipmh'
and doc ->> 'configName' is not null";

octavo_pg::statements!(other = [NAMES]);

#[cfg(test)]
mod tests {
    use super::*;

    fn read(behavior: &Value, general: &Value, technical: &Value) -> Settings {
        Settings::read(|name| match name {
            "behavior" => Some(behavior.clone()),
            "general" => Some(general.clone()),
            _ => Some(technical.clone()),
        })
    }

    #[test]
    fn what_is_not_configured_is_as_in_folio() {
        let defaults = Settings::read(|_| None);
        assert_eq!(defaults, read(&json!({}), &json!({}), &json!({})));
        assert!(defaults.enabled && defaults.shows_suppressed && defaults.errors_are_200);
        assert_eq!(
            (defaults.deleted, defaults.source, defaults.page_size),
            (Deleted::Persistent, Source::Marc, 50)
        );
        assert_eq!((defaults.host(), defaults.granularity()), ("folio.org", "YYYY-MM-DDThh:mm:ssZ"));
    }

    #[test]
    fn settings_are_read_from_three_entries() {
        let settings = read(
            &json!({"deletedRecordsSupport": "No", "suppressedRecordsProcessing": false, "errorsProcessing": "500",
                "recordsSource": "Source record storage and Inventory"}),
            &json!({"enableOaiService": "false", "baseUrl": "https://u@oai.example.org:8443/oai?x",
                "administratorEmail": "a@example.org, b@example.org", "timeGranularity": "YYYY-MM-DD"}),
            &json!({"maxRecordsPerResponse": "100000"}),
        );
        assert!(
            !settings.enabled && !settings.shows_suppressed && !settings.errors_are_200 && settings.by_day
        );
        assert_eq!(
            (settings.deleted, settings.source, settings.page_size),
            (Deleted::No, Source::Both, 1000)
        );
        assert_eq!(settings.administrators, ["a@example.org", "b@example.org"]);
        assert_eq!(settings.host(), "oai.example.org");
    }
}
