//! The kinds of value that settings have, and how they are written.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Time;
use octavo_gateway::{Network, Readers};
use octavo_kafka::Mechanism;
use octavo_kernel::TenantId;
use octavo_remote::Address;
use tracing_subscriber::EnvFilter;

use crate::log::LogFormat;

pub(super) struct Kind<T> {
    /// The name of the value in `--help`.
    pub value_name: &'static str,
    /// The rest of a sentence that begins with "must be".
    pub must_be: &'static str,
    /// Whether a value may hold a password.
    pub secret: bool,
    pub parse: fn(&str) -> Option<T>,
}

const fn kind<T>(value_name: &'static str, must_be: &'static str, parse: fn(&str) -> Option<T>) -> Kind<T> {
    Kind { value_name, must_be, secret: false, parse }
}

pub(super) const ADDRESS: Kind<SocketAddr> =
    kind("ADDRESS", "an IP address and a port, such as 127.0.0.1:9130", |raw| raw.parse().ok());

pub(super) const FOLDER: Kind<PathBuf> =
    kind("FOLDER", "the path of a folder", |raw| (!raw.is_empty()).then(|| raw.into()));

pub(super) const FILE: Kind<PathBuf> =
    kind("FILE", "the path of a file", |raw| (!raw.is_empty()).then(|| raw.into()));

pub(super) const TENANT: Kind<String> = kind("TENANT", "the id of a tenant, such as diku", |raw| {
    TenantId::parse(raw).ok().map(|tenant| tenant.as_str().to_owned())
});

pub(super) const DATABASE_URL: Kind<String> = Kind {
    secret: true,
    ..kind("URL", "a PostgreSQL address, such as postgresql://octavo@db.example.org/octavo", |raw| {
        let known = ["postgresql://", "postgres://"].iter().any(|scheme| raw.starts_with(scheme));
        (known || raw.contains("host=") || raw.contains("dbname=")).then(|| raw.into())
    })
};

pub(super) const DATABASE_URLS: Kind<Vec<String>> = Kind {
    secret: true,
    ..kind(
        "URLS",
        "PostgreSQL addresses with commas between them, such as postgresql://octavo@db-2/octavo,postgresql://octavo@db-3/octavo",
        database_urls,
    )
};

pub(super) const LAG: Kind<Duration> = kind("SECONDS", "a whole number of seconds from 1 to 60", |raw| {
    positive(raw).filter(|seconds| *seconds <= 60).map(|seconds| Duration::from_secs(seconds as u64))
});

pub(super) const BYTES: Kind<u64> = kind("BYTES", "a number of bytes, such as 1048576 or \"1 MiB\"", bytes);

pub(super) const COUNT: Kind<usize> = kind("NUMBER", "a whole number, 1 or more", positive);

/// A migration holds one connection while it works on another.
pub(super) const CONNECTIONS: Kind<usize> =
    kind("NUMBER", "a whole number, 2 or more", |raw| positive(raw).filter(|number| *number > 1));

pub(super) const DAYS: Kind<u32> =
    kind("DAYS", "a whole number of days, 0 for ever", |raw| raw.parse().ok().filter(|days| *days <= 36_500));

pub(super) const SECONDS: Kind<Duration> = kind("SECONDS", "a whole number of seconds, 1 or more", |raw| {
    positive(raw).map(|seconds| Duration::from_secs(seconds as u64))
});

pub(super) const TIMES: Kind<Vec<Time>> =
    kind("TIMES", "times of day, with commas between them, such as 02:00 or 02:00,14:30", |raw| {
        raw.split(',').map(|time| Time::strptime("%H:%M", time.trim()).ok()).collect()
    });

pub(super) const LONG_SECONDS: Kind<u64> = kind("SECONDS", "a whole number of seconds, or 0", |raw| {
    raw.parse().ok().filter(|seconds| *seconds <= 3_153_600_000)
});

pub(super) const PERCENT: Kind<u8> =
    kind("PERCENT", "a whole number from 0 to 100", |raw| raw.parse().ok().filter(|percent| *percent <= 100));

pub(super) const COLLECTOR: Kind<Address> =
    kind("URL", "the address of a server, such as http://localhost:4318", |raw| Address::parse(raw).ok());

pub(super) const SERVER_PATH: Kind<String> =
    kind("URL", "an address, such as https://acme.example.org/directory", |raw| {
        Address::parse(raw).is_ok().then(|| raw.into())
    });

pub(super) const LOG_FORMAT: Kind<LogFormat> =
    kind("FORMAT", "text or json", |raw| one_of(raw, [("text", LogFormat::Text), ("json", LogFormat::Json)]));

pub(super) const SWITCH: Kind<bool> =
    kind("SWITCH", "on or off", |raw| one_of(raw, [("on", true), ("off", false)]));

pub(super) const READERS: Kind<Readers> = kind("WHO", "loopback, anyone or nobody", |raw| {
    one_of(raw, [("loopback", Readers::Loopback), ("anyone", Readers::Anyone), ("nobody", Readers::Nobody)])
});

pub(super) const SERVER: Kind<String> =
    kind("URL", "the address of a server, such as http://octavo:9130", |raw| {
        match servers(raw)?.as_slice() {
            [one] => Some(one.trim_end_matches('/').to_owned()),
            _ => None,
        }
    });

pub(super) const SERVERS: Kind<Vec<String>> =
    kind("URLS", "addresses of servers, with commas between them, such as http://octavo-test:9130", servers);

pub(super) const BROKERS: Kind<Vec<String>> = kind(
    "BROKERS",
    "hosts with their ports, with commas between them, such as kafka-1:9092,kafka-2:9092",
    |raw| {
        let brokers: Vec<String> = raw.split(',').map(|broker| broker.trim().to_owned()).collect();
        brokers.iter().all(|broker| is_broker(broker)).then_some(brokers)
    },
);

pub(super) const NAME: Kind<String> = kind("NAME", "a name", |raw| (!raw.is_empty()).then(|| raw.into()));

pub(super) const MECHANISM: Kind<Mechanism> =
    kind("MECHANISM", "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", |raw| {
        one_of(
            raw,
            [
                ("PLAIN", Mechanism::Plain),
                ("SCRAM-SHA-256", Mechanism::ScramSha256),
                ("SCRAM-SHA-512", Mechanism::ScramSha512),
            ],
        )
    });

pub(super) const NETWORKS: Kind<Vec<Network>> = kind(
    "ADDRESSES",
    "IP addresses, or networks of them, with commas between them, such as 127.0.0.1,10.0.0.0/8",
    |raw| raw.split(',').map(|network| network.trim().parse().ok()).collect(),
);

pub(super) const ORIGINS: Kind<Vec<String>> = kind(
    "ORIGINS",
    "origins of web pages, with commas between them, such as https://folio.example.org,http://localhost:3000",
    servers,
);

pub(super) const HOSTS: Kind<Vec<String>> =
    kind("NAMES", "host names without ports, with commas between them, such as folio.example.org", |raw| {
        let names: Vec<String> = raw.split(',').map(|name| name.trim().to_owned()).collect();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let is_name = |name: &String| !name.is_empty() && name.chars().all(plain);
        names.iter().all(is_name).then_some(names)
    });

pub(super) const LOG_FILTER: Kind<String> =
    kind("FILTER", "a level, or levels by part, such as info or warn,octavo_pg=debug", |raw| {
        EnvFilter::try_new(raw).is_ok().then(|| raw.into())
    });

/// Addresses with a scheme, with commas between them. An address may have commas itself, between its hosts.
fn database_urls(raw: &str) -> Option<Vec<String>> {
    let is_first =
        |part: &str| ["postgresql://", "postgres://"].iter().any(|scheme| part.starts_with(scheme));
    let mut urls: Vec<String> = Vec::new();
    for part in raw.split(',').map(str::trim) {
        match urls.last_mut() {
            _ if is_first(part) => urls.push(part.to_owned()),
            Some(url) => *url = format!("{url},{part}"),
            None => return None,
        }
    }
    Some(urls)
}

fn one_of<T, const N: usize>(raw: &str, known: [(&str, T); N]) -> Option<T> {
    known.into_iter().find(|(name, _)| *name == raw).map(|(_, value)| value)
}

fn servers(raw: &str) -> Option<Vec<String>> {
    let servers = raw.split(',').map(|url| url.trim().trim_end_matches('/').to_owned());
    let servers: Vec<String> = servers.collect();
    servers.iter().all(|url| is_server(url)).then_some(servers)
}

/// Scheme, host and, perhaps, port.
fn is_server(url: &str) -> bool {
    let host = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.:[]".contains(letter);
    host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}

/// Host and port.
fn is_broker(broker: &str) -> bool {
    let port = broker.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    is_server(&format!("http://{broker}")) && matches!(port, Some(Ok(_)))
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
        assert!((TIMES.parse)("02:00, 14:30").is_some_and(|times| times.len() == 2));
        for wrong in ["", "2", "25:00", "02:00,", "02:00Z"] {
            assert!((TIMES.parse)(wrong).is_none(), "{wrong}");
        }
        assert!((SERVERS.parse)("https://folio.example.org/, http://[::1]:9130").is_some());
        assert!((SERVERS.parse)("folio.example.org").is_none());
        assert!((SERVERS.parse)("http://admin:secret@folio.example.org").is_none());
        assert!((BROKERS.parse)("kafka-1:9092, [::1]:9093").is_some());
        for wrong in ["", "kafka-1", "kafka-1:9092,", "http://kafka-1:9092", "kafka-1:port"] {
            assert!((BROKERS.parse)(wrong).is_none(), "{wrong}");
        }
        assert!((NETWORKS.parse)("127.0.0.1, ::1,10.0.0.0/8").is_some_and(|networks| networks.len() == 3));
        assert!((NETWORKS.parse)("proxy.example.org").is_none());
        assert!((ORIGINS.parse)("http://localhost:3000").is_some());
        assert!((ORIGINS.parse)("*").is_none());
        assert!((HOSTS.parse)("folio.example.org, octavo").is_some());
        assert!((HOSTS.parse)("folio.example.org:443").is_none());
        assert!((PERCENT.parse)("101").is_none() && (PERCENT.parse)("0") == Some(0));
        assert!((COLLECTOR.parse)("http://localhost:4318").is_some());
        assert!((COLLECTOR.parse)("localhost:4318").is_none());
        assert!((LOG_FILTER.parse)("warn,octavo_pg=debug").is_some());
        assert!((LOG_FILTER.parse)("octavo_pg=loud").is_none());
        assert!((DATABASE_URL.parse)("mysql://db/octavo").is_none());
        let urls = (DATABASE_URLS.parse)("postgresql://a,b/octavo, postgres://c/octavo");
        assert_eq!(urls.unwrap(), ["postgresql://a,b/octavo", "postgres://c/octavo"]);
        assert!((DATABASE_URLS.parse)("host=a").is_none() && (DATABASE_URLS.parse)("").is_none());
        assert!((LAG.parse)("61").is_none() && (LAG.parse)("0").is_none());
        assert!((DATABASE_URL.parse)("host=/run/postgresql dbname=octavo").is_some());
    }
}
