//! The further databases that the settings name: opened and made ready.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use octavo_engine::Platform;
use octavo_engine::migrations::{self, Unusable};
use octavo_engine::places::{FIRST_DATABASE, NamedDatabase, TenantDirectory};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Database, Limits, Options};

use crate::config::Settings;

/// How this process connects to each database.
pub(crate) fn connection_options(settings: &Settings, limits: Limits) -> Options {
    let (names_requests, patience) = (settings.names_requests, settings.database_patience);
    Options { limits, names_requests, patience, ..Options::unlimited(settings.database_connections) }
}

/// Opens the further databases that the settings name; `None` if they name none.
pub(crate) fn open_directory(
    settings: &Settings,
    first: &Database,
    limits: Limits,
) -> Result<Option<Arc<TenantDirectory>>> {
    let Some(file) = &settings.databases else { return Ok(None) };
    let open = |(name, url): (String, String)| -> Result<NamedDatabase> {
        let database = Database::from_url(&url, connection_options(settings, limits))
            .with_context(|| format!("{}: the address of {name}", file.display()))?;
        Ok(NamedDatabase { name, database })
    };
    let further = read_addresses(file)?.into_iter().map(open).collect::<Result<Vec<NamedDatabase>>>()?;
    let for_new = settings.new_tenants_in.clone().unwrap_or_else(|| FIRST_DATABASE.to_owned());
    if for_new != FIRST_DATABASE && !further.iter().any(|place| place.name == for_new) {
        bail!("new-tenants-in: {} names no database {for_new}", file.display());
    }
    Ok(Some(Arc::new(TenantDirectory::new(first.clone(), further, for_new))))
}

/// Reads the names and addresses of the databases from a file.
pub(crate) fn read_addresses(file: &Path) -> Result<Vec<(String, String)>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
    parse_addresses(&text).map_err(|why| anyhow!("{}: {why}", file.display()))
}

fn parse_addresses(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, url) = line.split_once('=').ok_or_else(|| format!("line {number} is not NAME = URL"))?;
        let (name, url) = (name.trim(), url.trim());
        let plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("line {number}: a name has small letters, digits, - and _"));
        }
        if name == FIRST_DATABASE || found.iter().any(|(known, _)| known == name) {
            return Err(format!("line {number}: {name} is the name of another database"));
        }
        found.push((name.to_owned(), url.to_owned()));
    }
    Ok(found)
}

/// The platform of the database in which a tenant is; that of the first database if the tenant is in no other one.
pub(crate) async fn platform_of_tenant(
    first: Platform,
    places: Option<Arc<TenantDirectory>>,
    tenant: &str,
) -> Result<Platform> {
    let Some(places) = places else { return Ok(first) };
    let first = first.with_directory(Arc::clone(&places));
    places.load().await.map_err(|fault| anyhow!("{fault}"))?;
    let Ok(tenant) = TenantId::parse(tenant) else { return Ok(first) };
    let found = places.find_tenant(&tenant).await.map_err(|fault| anyhow!("{fault}"))?;
    match found {
        Some(name) if name != FIRST_DATABASE => platform_in(&first, &places, &name).await,
        _ => Ok(first),
    }
}

/// Migrates a database to this program's version and returns its platform.
pub(crate) async fn platform_in(first: &Platform, places: &TenantDirectory, name: &str) -> Result<Platform> {
    let place = places.find_database(name).map_err(|_| anyhow!("the settings name no database {name}"))?;
    if name == FIRST_DATABASE {
        return Ok(first.clone());
    }
    bring_up_to_date(places, place).await?;
    first.on_database(place).context("the settings name no further database")
}

/// Migrates a further database, and copies into it the tables of the first database that belong to no tenant. While the first database
/// cannot be reached, an older copy is used.
pub(crate) async fn bring_up_to_date(places: &TenantDirectory, place: &NamedDatabase) -> Result<()> {
    migrations::prepare(&place.database, MODULES).await.map_err(unusable_error)?;
    match places.mirror(place).await {
        Err(fault) if fault.status == 503 && places.has_copy(place).await.unwrap_or(false) => Ok(()),
        done => {
            done.map_err(|fault| anyhow!("{}", fault.cause().map_or(fault.to_string(), ToString::to_string)))
        }
    }
}

/// Makes an error for an operator that says why a database cannot be used.
pub(crate) fn unusable_error(why: Unusable) -> anyhow::Error {
    match why {
        Unusable::TooOld { found } => {
            anyhow!("the database is PostgreSQL {}; Octavo needs 15 or newer", found / 10_000)
        }
        Unusable::Newer { found, known } => anyhow!(
            "the database was brought to schema version {found} by a newer Octavo; this one knows version {known}. Use the newer program"
        ),
        Unusable::Database(error) => anyhow!(error).context("the database can't be used"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_databases_has_a_name_and_an_address_in_each_line() {
        let pair = |name: &str, url: &str| (name.to_owned(), url.to_owned());
        let text = "# further\n\neast = postgresql://octavo@east/octavo?sslmode=verify-full\nwest-2=host=west dbname=octavo\n";
        let expected = vec![
            pair("east", "postgresql://octavo@east/octavo?sslmode=verify-full"),
            pair("west-2", "host=west dbname=octavo"),
        ];
        assert_eq!(parse_addresses(text), Ok(expected));
        for wrong in ["east", "first = postgresql://x", "East = postgresql://x", "= x", "a = x\na = y"] {
            assert!(parse_addresses(wrong).is_err(), "{wrong}");
        }
    }
}
