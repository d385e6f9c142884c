//! Parses what the user wants to collect: `KIND`, `KIND=VALUE` or `KIND:NAME=VALUE`, on the command line (`--collect`) and in experiments.

use anyhow::{Result, bail};

use crate::files::suggestion;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CollectorSpec {
    pub(crate) source: Source,
    pub(crate) name: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The address of a page of metrics. None: the page `/metrics` of the server under test.
    Metrics(Option<String>),
    Process(ProcessSelector),
    Postgres(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ProcessSelector {
    Id(u32),
    /// A process and those that it started.
    Family(u32),
    /// Every process of this name or, if there is none, whose command line has it.
    Named(String),
}

const KINDS: [&str; 3] = ["metrics", "process", "postgres"];

pub(crate) fn parse_collector(text: &str) -> Result<CollectorSpec> {
    let (before, value) = match text.split_once('=') {
        Some((before, value)) => (before, Some(value.trim()).filter(|value| !value.is_empty())),
        None => (text, None),
    };
    let (kind, name) = match before.split_once(':') {
        Some((kind, name)) => (kind.trim(), Some(name.trim()).filter(|name| !name.is_empty())),
        None => (before.trim(), None),
    };
    let (source, usual) = match (kind, value) {
        ("metrics", None) => (Source::Metrics(None), "the server".to_owned()),
        ("metrics", Some(url)) => (Source::Metrics(Some(metrics_url(url))), host(url).to_owned()),
        ("process", Some(which)) => {
            let which =
                which.parse().map_or_else(|_| ProcessSelector::Named(which.to_owned()), ProcessSelector::Id);
            let usual = match &which {
                ProcessSelector::Id(id) | ProcessSelector::Family(id) => format!("process {id}"),
                ProcessSelector::Named(name) => name.clone(),
            };
            (Source::Process(which), usual)
        }
        ("process", None) => bail!("process needs an id or a name, as in process=4711 or process=postgres"),
        ("postgres", Some(url)) => (Source::Postgres(url.to_owned()), "database".to_owned()),
        ("postgres", None) => {
            bail!("postgres needs an address, as in postgres=postgresql://octavo@localhost/octavo")
        }
        _ => {
            bail!(
                "\"{text}\" can't be collected: there is no {kind}; {}",
                suggestion(kind, KINDS.into_iter())
            )
        }
    };
    Ok(CollectorSpec { source, name: name.map_or(usual, str::to_owned) })
}

/// The URL of a page of metrics; without a path it is `/metrics`.
fn metrics_url(url: &str) -> String {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    if place.trim_end_matches('/').contains('/') {
        url.to_owned()
    } else {
        format!("{}/metrics", url.trim_end_matches('/'))
    }
}

fn host(url: &str) -> &str {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    place.split('/').next().unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_watched_is_said_in_a_word() {
        let wanted = |source, name: &str| CollectorSpec { source, name: name.to_owned() };
        let url = |url: &str| Some(url.to_owned());
        for (text, expected) in [
            ("metrics", wanted(Source::Metrics(None), "the server")),
            ("metrics=http://h:8081", wanted(Source::Metrics(url("http://h:8081/metrics")), "h:8081")),
            (
                "metrics:mod-users=http://h:8081/actuator/prometheus",
                wanted(Source::Metrics(url("http://h:8081/actuator/prometheus")), "mod-users"),
            ),
            ("process=4711", wanted(Source::Process(ProcessSelector::Id(4711)), "process 4711")),
            (
                "process:db=postgres",
                wanted(Source::Process(ProcessSelector::Named("postgres".to_owned())), "db"),
            ),
            (
                "postgres=postgresql://o@h/x?host=%2Ftmp&port=5432",
                wanted(Source::Postgres("postgresql://o@h/x?host=%2Ftmp&port=5432".to_owned()), "database"),
            ),
        ] {
            assert_eq!(parse_collector(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_told_with_what_was() {
        let told = |text: &str| parse_collector(text).unwrap_err().to_string();
        assert!(told("proces=1").contains("did you mean process"), "{}", told("proces=1"));
        assert!(told("process").contains("process=4711"));
        assert!(told("postgres=").contains("postgres=postgresql://"));
    }
}
