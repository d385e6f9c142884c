//! PostgreSQL's settings for a small machine and one client, as the text of `octavo.conf`.
//! That file includes what initdb wrote and overrides it, so what is not named here keeps PostgreSQL's default.

use std::path::Path;

use super::error::EmbeddedError;

pub(super) const PORT: u16 = 5432;

const ALWAYS: &[(&str, &str)] = &[
    // No network: only the socket, guarded by the rights on its folder.
    ("listen_addresses", ""),
    ("port", "5432"),
    ("unix_socket_permissions", "0700"),
    ("max_connections", "100"),
    // Nobody replicates tables from here, and the process that waits for it ends with what looks like an error.
    ("max_logical_replication_workers", "0"),
    // A quarter of the memory of a small machine, taken only as it is used.
    ("shared_buffers", "512MB"),
    // Short keyed queries: compiling them costs more than it saves.
    ("jit", "off"),
    ("random_page_cost", "1.1"),
    // What a backup still has to fetch is kept, but not until the disk is full.
    ("max_slot_wal_keep_size", "4GB"),
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    ("log_line_prefix", "%m [%p] "),
    ("log_destination", "stderr"),
    ("logging_collector", "off"),
];

const DURABLE: &[(&str, &str)] = &[("fsync", "on"), ("synchronous_commit", "on"), ("full_page_writes", "on")];

/// Fast, and lost with the machine: for tests.
const VOLATILE: &[(&str, &str)] =
    &[("fsync", "off"), ("synchronous_commit", "off"), ("full_page_writes", "off")];

/// LZ4 takes a fraction of the time of PostgreSQL's own method, but not every PostgreSQL is built with it.
const COMPRESSION: &[(&str, &str)] = &[("wal_compression", "lz4"), ("default_toast_compression", "lz4")];
const OWN_COMPRESSION: &[(&str, &str)] = &[("wal_compression", "on")];

/// For backups that hold only what has changed since another.
const SUMMARIES: &[(&str, &str)] = &[("summarize_wal", "on")];
const WITH_SUMMARIES: u32 = 17;

/// The text of `octavo.conf`; of a setting named twice PostgreSQL takes the last, so the operator's own go last.
pub(super) fn configuration_text(
    socket_folder: &Path,
    durable: bool,
    lz4: bool,
    major: u32,
    operators: &[(String, String)],
) -> Result<String, EmbeddedError> {
    let mut text = String::from(
        "# Written by Octavo on each start; changes here are lost.\ninclude 'postgres/postgresql.conf'\n",
    );
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name} = {}\n", quote(value)));
    let durability = if durable { DURABLE } else { VOLATILE };
    let compression = if lz4 { COMPRESSION } else { OWN_COMPRESSION };
    let summaries = if major >= WITH_SUMMARIES { SUMMARIES } else { &[] };
    for (name, value) in ALWAYS.iter().chain(durability).chain(compression).chain(summaries) {
        line(name, value);
    }
    line("unix_socket_directories", &socket_folder.to_string_lossy());
    for (name, value) in operators {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        if name.is_empty() || !name.chars().all(plain) {
            return Err(EmbeddedError::SettingName { name: name.clone() });
        }
        line(name, value);
    }
    Ok(text)
}

/// Quotes as the configuration file's grammar wants it, which knows no line breaks but by escape.
fn quote(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('\'', "''").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operators_settings_win() {
        let operators = [("shared_buffers".to_owned(), "1GB".to_owned())];
        let text = configuration_text(Path::new("/data/run"), true, true, 15, &operators).unwrap();
        assert!(text.contains("unix_socket_directories = '/data/run'\n"), "{text}");
        assert!(text.contains("synchronous_commit = 'on'\n"), "{text}");
        assert!(text.ends_with("shared_buffers = '1GB'\n"), "{text}");
    }

    #[test]
    fn a_value_stays_a_value() {
        assert_eq!(quote("o'hara\\\nfsync = off"), "'o''hara\\\\\\nfsync = off'");
    }

    #[test]
    fn a_name_stays_a_name() {
        let operators = [("x = 1\ny".to_owned(), String::new())];
        assert!(configuration_text(Path::new("/data/run"), true, true, 15, &operators).is_err());
    }
}
