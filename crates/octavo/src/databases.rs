//! The further databases that the settings name: opened and made ready.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use octavo_engine::Platform;
use octavo_engine::migrations::{self, Unusable};
use octavo_engine::places::{FIRST, Place, Places};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Database, Limits, Options};

use crate::config::Settings;

/// How this process connects to each database.
pub(crate) fn options(settings: &Settings, limits: Limits) -> Options {
    let (names_requests, patience) = (settings.names_requests, settings.database_patience);
    Options { limits, names_requests, patience, ..Options::unlimited(settings.database_connections) }
}

/// The directory of the databases; `None` if the settings name no further ones.
pub(crate) fn of(settings: &Settings, first: &Database, limits: Limits) -> Result<Option<Arc<Places>>> {
    let Some(file) = &settings.databases else { return Ok(None) };
    let open = |(name, url): (String, String)| -> Result<Place> {
        let database = Database::from_url(&url, options(settings, limits))
            .with_context(|| format!("{}: the address of {name}", file.display()))?;
        Ok(Place { name, database })
    };
    let further = named(file)?.into_iter().map(open).collect::<Result<Vec<Place>>>()?;
    let for_new = settings.new_tenants_in.clone().unwrap_or_else(|| FIRST.to_owned());
    if for_new != FIRST && !further.iter().any(|place| place.name == for_new) {
        bail!("new-tenants-in: {} names no database {for_new}", file.display());
    }
    Ok(Some(Arc::new(Places::new(first.clone(), further, for_new))))
}

/// The names and addresses in a file of databases.
pub(crate) fn named(file: &Path) -> Result<Vec<(String, String)>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
    read(&text).map_err(|why| anyhow!("{}: {why}", file.display()))
}

fn read(text: &str) -> Result<Vec<(String, String)>, String> {
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
        if name == FIRST || found.iter().any(|(known, _)| known == name) {
            return Err(format!("line {number}: {name} is the name of another database"));
        }
        found.push((name.to_owned(), url.to_owned()));
    }
    Ok(found)
}

/// The platform of the database of a tenant, or that of the first if none is named or there is none such.
pub(crate) async fn home(first: Platform, places: Option<Arc<Places>>, tenant: &str) -> Result<Platform> {
    let Some(places) = places else { return Ok(first) };
    let first = first.first_of(Arc::clone(&places));
    places.read().await.map_err(|fault| anyhow!("{fault}"))?;
    let Ok(tenant) = TenantId::parse(tenant) else { return Ok(first) };
    let found = places.find(&tenant).await.map_err(|fault| anyhow!("{fault}"))?;
    match found {
        Some(name) if name != FIRST => on(&first, &places, &name).await,
        _ => Ok(first),
    }
}

/// The platform of a further database that is brought up to date.
pub(crate) async fn on(first: &Platform, places: &Places, name: &str) -> Result<Platform> {
    let place = places.place(name).map_err(|_| anyhow!("the settings name no database {name}"))?;
    if name == FIRST {
        return Ok(first.clone());
    }
    ready(places, place).await?;
    first.beside(place).context("the settings name no further database")
}

/// Brings a further database up to date, with its copy of what is no tenant's. While the first database is away, an older copy does.
pub(crate) async fn ready(places: &Places, place: &Place) -> Result<()> {
    migrations::prepare(&place.database, MODULES).await.map_err(unusable)?;
    match places.mirror(place).await {
        Err(fault) if fault.status == 503 && places.has_copy(place).await.unwrap_or(false) => Ok(()),
        done => {
            done.map_err(|fault| anyhow!("{}", fault.cause().map_or(fault.to_string(), ToString::to_string)))
        }
    }
}

/// Why a database cannot be used, for an operator.
pub(crate) fn unusable(why: Unusable) -> anyhow::Error {
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
        assert_eq!(read(text), Ok(expected));
        for wrong in ["east", "first = postgresql://x", "East = postgresql://x", "= x", "a = x\na = y"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
