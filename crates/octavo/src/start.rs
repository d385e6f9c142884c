//! Opens the database, and makes the platform on it, for every command that works on a database.

use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};
use octavo_engine::migrations;
use octavo_engine::{Entropy, Kafka, Laboratory, Platform, ProcessSettings, Uploads};
use octavo_kafka::{Brokers, Login};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Database, DbError, Limits, Options, embedded};
use tokio::runtime::Handle;

use crate::config::Settings;
use crate::databases::{self, connection_options, unusable_error};
use crate::entrances;

/// Opens the database that the settings name, or the private one.
pub(crate) async fn open_database(
    settings: &Settings,
    limits: Limits,
) -> Result<(Database, Option<embedded::Embedded>)> {
    let options = connection_options(settings, limits);
    if let Some(url) = &settings.database_url {
        let database = Database::from_url(url, options)?;
        match database.keeps_sessions().await {
            Ok(true) => {}
            Ok(false) => bail!(POOLER_REFUSED),
            // The tenants of further databases are served until it is back. A pooler before it is noticed at the next start.
            Err(DbError::Away(_)) if settings.databases.is_some() => {}
            Err(error) => return Err(error).context("the database can't be used"),
        }
        return Ok((database, None));
    }
    let counting =
        settings.statement_statistics.then_some(("shared_preload_libraries", "pg_stat_statements"));
    // If there are further databases, PostgreSQL is started for logical replication, by which tenants move between databases.
    let replicated: &[(&str, &str)] = match settings.databases {
        Some(_) => &[("wal_level", "logical"), ("max_logical_replication_workers", "4")],
        None => &[],
    };
    let own =
        counting.iter().chain(replicated).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let private = embedded::Embedded::start(embedded::EmbeddedOptions {
        data_dir: settings.data_dir.clone(),
        binaries: settings.postgres_bin.clone(),
        durable: true,
        settings: own.collect(),
    })
    .await?;
    let options = Options { folder: Some(private.data_dir().to_owned()), ..options };
    Ok((Database::new(private.config(), options), Some(private)))
}

/// The message that says why a connection pooler is refused that gives each transaction another session.
const POOLER_REFUSED: &str = "\
database-url leads to a pooler that gives the sessions of PostgreSQL from one connection to another, as PgBouncer does with \
pool_mode = transaction or statement. Octavo needs a session for each connection: it keeps the tenant's schema (search_path), limits of \
time, who acts and prepared statements in it, and hears of the changes of other processes by LISTEN. Octavo has a pool of its own \
(database-connections), so name PostgreSQL itself, or set pool_mode = session";

/// Opens the database for a command that may run beside a server: the server's private database is then shared.
pub(crate) async fn open_database_beside_server(
    settings: &Settings,
) -> Result<(Database, Option<embedded::Embedded>)> {
    if settings.database_url.is_none()
        && let Some(config) = embedded::running_config(&settings.data_dir)
    {
        // A move of a tenant uses several connections at the same time.
        let connections = if settings.databases.is_some() { 6 } else { 2 };
        return Ok((Database::new(config, Options::unlimited(connections)), None));
    }
    open_database(settings, Limits::NONE).await
}

/// A tenant that a command line names.
pub(crate) fn tenant_id(name: &str) -> Result<TenantId> {
    TenantId::parse(name).map_err(|_| anyhow!("{name} is no name of a tenant"))
}

/// Runs `work` on the platform of a database, and stops the private PostgreSQL afterwards.
pub(crate) fn with_platform(
    settings: &Settings,
    opened: impl Future<Output = Result<(Database, Option<embedded::Embedded>)>>,
    work: impl AsyncFnOnce(Platform) -> Result<()>,
) -> Result<()> {
    with_platform_of(settings, opened, "", work)
}

/// The same on the platform of a tenant's database, if there are several.
pub(crate) fn with_platform_of(
    settings: &Settings,
    opened: impl Future<Output = Result<(Database, Option<embedded::Embedded>)>>,
    tenant: &str,
    work: impl AsyncFnOnce(Platform) -> Result<()>,
) -> Result<()> {
    let runtime = octavo_pg::threads().build()?;
    runtime.block_on(async {
        let (database, private) = opened.await?;
        let prepared = async {
            let places = databases::open_directory(settings, &database, Limits::NONE)?;
            let first = open_platform(settings, database, None, &Handle::current()).await?;
            databases::platform_of_tenant(first, places, tenant).await
        };
        let done = match prepared.await {
            Ok(platform) => work(platform).await,
            Err(error) => Err(error),
        };
        if let Some(private) = private {
            private.stop().await;
        }
        done
    })
}

/// Migrates the database and opens the platform on it.
pub(crate) async fn open_platform(
    settings: &Settings,
    database: Database,
    laboratory: Option<Laboratory>,
    in_bulk: &Handle,
) -> Result<Platform> {
    migrations::prepare(&database, MODULES).await.map_err(unusable_error)?;
    platform_without_migration(settings, database, laboratory, in_bulk)
}

/// Opens the platform on a database without migrating it.
pub(crate) fn platform_without_migration(
    settings: &Settings,
    database: Database,
    laboratory: Option<Laboratory>,
    in_bulk: &Handle,
) -> Result<Platform> {
    let entropy = Entropy { id: fresh_id, secret: fresh_secret };
    let scheme = entrances::scheme_of(settings);
    let own_address = || format!("{scheme}://localhost:{}", settings.listen.port());
    let started = ProcessSettings {
        url: settings.okapi_url.clone().unwrap_or_else(own_address),
        module_timeout: settings.module_timeout,
        access_token_seconds: settings.access_token.as_secs().cast_signed(),
        refresh_token_seconds: settings.refresh_token.as_secs().cast_signed(),
        decision_days: settings.decision_days.into(),
        circulation_log_days: settings.circulation_log_days.into(),
        security_event_days: settings.security_event_days.into(),
        notice_days: settings.notice_days.into(),
        event_days: settings.event_days.into(),
        import_log_days: settings.import_log_days.into(),
        private_webhooks: settings.private_webhooks,
        kafka: kafka_from_settings(settings)?,
        laboratory,
        demo_operator: OnceLock::new(),
        derived_folder: settings.data_dir.join("derived"),
        uploads: Uploads {
            folder: settings.upload_dir.clone().unwrap_or_else(|| settings.data_dir.join("uploads")),
            file_bytes: settings.max_upload_size,
            tenant_bytes: settings.upload_space,
            keep_days: settings.upload_days.into(),
        },
        request_runtime: Handle::current(),
        bulk_runtime: in_bulk.clone(),
    };
    Ok(Platform::new(database, MODULES, entropy, started))
}

/// The brokers of Kafka that the settings name.
fn kafka_from_settings(settings: &Settings) -> Result<Option<Kafka>> {
    if settings.kafka_brokers.is_empty() {
        return Ok(None);
    }
    let login = match (&settings.kafka_user, &settings.kafka_password_file) {
        (None, None) => None,
        (Some(user), Some(password)) => Some(Login {
            mechanism: settings.kafka_mechanism,
            user: user.clone(),
            password_file: password.clone(),
        }),
        _ => bail!("to log in to Kafka needs both kafka-user and kafka-password-file"),
    };
    let brokers = Brokers {
        addresses: settings.kafka_brokers.clone(),
        tls: settings.kafka_tls,
        ca_file: settings.kafka_authorities.clone(),
        login,
        partitions: settings.kafka_partitions.try_into().context("kafka-partitions is too large")?,
        replicas: settings.kafka_replicas.try_into().context("kafka-replicas is too large")?,
    };
    Ok(Some(Kafka { brokers, environment: settings.kafka_environment.clone() }))
}

#[expect(clippy::disallowed_methods, reason = "the one place where the program reads the clock")]
pub(crate) fn clock() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// A new id. It begins with the time, so that new rows are neighbours in their indexes. Random ids would change a page each, and the
/// write-ahead log would then hold each page as a whole. It is marked as version 4, because FOLIO's schemas allow no version after 5.
fn fresh_id() -> uuid::Uuid {
    let mut bytes = *random_uuid().as_bytes();
    let now = u64::try_from(clock().as_millisecond()).unwrap_or_default();
    bytes[..6].copy_from_slice(&now.to_be_bytes()[2..]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

fn fresh_secret() -> [u8; 32] {
    let mut secret = [0; 32];
    for half in secret.chunks_mut(16) {
        half.copy_from_slice(random_uuid().as_bytes());
    }
    secret
}

#[expect(clippy::disallowed_methods, reason = "the one place where the program draws random numbers")]
fn random_uuid() -> uuid::Uuid {
    uuid::Uuid::new_v4()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_the_clock_and_pass_for_version_4() {
        let before = clock().as_millisecond();
        let id = fresh_id();
        let time = i64::try_from(id.as_u128() >> 80).unwrap();
        assert!((before..=clock().as_millisecond()).contains(&time), "{id}");
        assert_eq!((id.get_version_num(), id.get_variant()), (4, uuid::Variant::RFC4122));
        assert_ne!(fresh_id(), id);
    }
}
