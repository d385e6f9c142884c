//! The kinds of value that settings have, and how they are written.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use octavo_gateway::{Network, Readers};
use tracing_subscriber::EnvFilter;

pub(super) struct Kind<T> {
    /// The name of the value in `--help`.
    pub value_name: &'static str,
    /// Goes on from "must be".
    pub must_be: &'static str,
    pub parse: fn(&str) -> Option<T>,
}

pub(super) static ADDRESS: Kind<SocketAddr> = Kind {
    value_name: "ADDRESS",
    must_be: "an IP address and a port, such as 127.0.0.1:9130",
    parse: |raw| raw.parse().ok(),
};

pub(super) static FOLDER: Kind<PathBuf> = Kind {
    value_name: "FOLDER",
    must_be: "the path of a folder",
    parse: |raw| (!raw.is_empty()).then(|| raw.into()),
};

pub(super) static DATABASE_URL: Kind<String> = Kind {
    value_name: "URL",
    must_be: "a PostgreSQL address, such as postgresql://octavo@db.example.org/octavo",
    parse: |raw| {
        let known = ["postgresql://", "postgres://"].iter().any(|scheme| raw.starts_with(scheme));
        (known || raw.contains("host=") || raw.contains("dbname=")).then(|| raw.into())
    },
};

pub(super) static BYTES: Kind<u64> =
    Kind { value_name: "BYTES", must_be: "a number of bytes, such as 1048576 or \"1 MiB\"", parse: bytes };

pub(super) static COUNT: Kind<usize> =
    Kind { value_name: "NUMBER", must_be: "a whole number, 1 or more", parse: |raw| positive(raw) };

pub(super) static DAYS: Kind<u32> = Kind {
    value_name: "DAYS",
    must_be: "a whole number of days, 0 for ever",
    parse: |raw| raw.parse().ok().filter(|days| *days <= 36_500),
};

pub(super) static SECONDS: Kind<Duration> = Kind {
    value_name: "SECONDS",
    must_be: "a whole number of seconds, 1 or more",
    parse: |raw| positive(raw).map(|seconds| Duration::from_secs(seconds as u64)),
};

pub(super) static SWITCH: Kind<bool> = Kind {
    value_name: "SWITCH",
    must_be: "on or off",
    parse: |raw| match raw {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    },
};

pub(super) static READERS: Kind<Readers> = Kind {
    value_name: "WHO",
    must_be: "loopback, anyone or nobody",
    parse: |raw| match raw {
        "loopback" => Some(Readers::Loopback),
        "anyone" => Some(Readers::Anyone),
        "nobody" => Some(Readers::Nobody),
        _ => None,
    },
};

pub(super) static SERVERS: Kind<Vec<String>> = Kind {
    value_name: "URLS",
    must_be: "addresses of servers, with commas between them, such as http://octavo-test:9130",
    parse: |raw| {
        let servers = raw.split(',').map(|url| url.trim().trim_end_matches('/').to_owned());
        let servers: Vec<String> = servers.collect();
        servers.iter().all(|url| is_server(url)).then_some(servers)
    },
};

pub(super) static NETWORKS: Kind<Vec<Network>> = Kind {
    value_name: "ADDRESSES",
    must_be: "IP addresses, or networks of them, with commas between them, such as 127.0.0.1,10.0.0.0/8",
    parse: |raw| raw.split(',').map(|network| network.trim().parse().ok()).collect(),
};

pub(super) static ORIGINS: Kind<Vec<String>> = Kind {
    value_name: "ORIGINS",
    must_be: "origins of web pages, with commas between them, such as https://folio.example.org,http://localhost:3000",
    parse: |raw| (SERVERS.parse)(raw),
};

pub(super) static HOSTS: Kind<Vec<String>> = Kind {
    value_name: "NAMES",
    must_be: "host names without ports, with commas between them, such as folio.example.org",
    parse: |raw| {
        let names: Vec<String> = raw.split(',').map(|name| name.trim().to_owned()).collect();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let is_name = |name: &String| !name.is_empty() && name.chars().all(plain);
        names.iter().all(is_name).then_some(names)
    },
};

pub(super) static LOG_FILTER: Kind<String> = Kind {
    value_name: "FILTER",
    must_be: "a level, or levels by part, such as info or warn,octavo_pg=debug",
    parse: |raw| EnvFilter::try_new(raw).is_ok().then(|| raw.into()),
};

/// Scheme, host and, perhaps, port.
fn is_server(url: &str) -> bool {
    let host = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.:[]".contains(letter);
    host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}

fn positive(raw: &str) -> Option<usize> {
    raw.parse().ok().filter(|number| *number > 0)
}

fn bytes(raw: &str) -> Option<u64> {
    let digits = raw.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = raw.split_at(digits);
    let unit: u64 = match unit.trim_start() {
        "" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_plain_or_have_a_unit() {
        for (raw, value) in [
            ("1048576", Some(1 << 20)),
            ("16 MiB", Some(16 << 20)),
            ("16MiB", Some(16 << 20)),
            ("2 KiB", Some(2048)),
            ("1 GiB", Some(1 << 30)),
            ("0", None),
            ("16 MB", None),
            ("MiB", None),
            ("-1", None),
            ("99999999999 GiB", None),
        ] {
            assert_eq!(bytes(raw), value, "{raw}");
        }
    }

    #[test]
    fn what_cannot_work_is_refused() {
        assert!((ADDRESS.parse)("9130").is_none());
        assert!((ADDRESS.parse)("[::]:9130").is_some());
        assert!((SECONDS.parse)("0").is_none());
        assert!((SECONDS.parse)("1.5").is_none());
        assert_eq!((SECONDS.parse)("90"), Some(Duration::from_secs(90)));
        assert!((SERVERS.parse)("https://folio.example.org/, http://[::1]:9130").is_some());
        assert!((SERVERS.parse)("folio.example.org").is_none());
        assert!((SERVERS.parse)("http://admin:secret@folio.example.org").is_none());
        assert!((NETWORKS.parse)("127.0.0.1, ::1,10.0.0.0/8").is_some_and(|networks| networks.len() == 3));
        assert!((NETWORKS.parse)("proxy.example.org").is_none());
        assert!((ORIGINS.parse)("http://localhost:3000").is_some());
        assert!((ORIGINS.parse)("*").is_none());
        assert!((HOSTS.parse)("folio.example.org, octavo").is_some());
        assert!((HOSTS.parse)("folio.example.org:443").is_none());
        assert!((LOG_FILTER.parse)("warn,octavo_pg=debug").is_some());
        assert!((LOG_FILTER.parse)("octavo_pg=loud").is_none());
        assert!((DATABASE_URL.parse)("mysql://db/octavo").is_none());
        assert!((DATABASE_URL.parse)("host=/run/postgresql dbname=octavo").is_some());
    }
}
