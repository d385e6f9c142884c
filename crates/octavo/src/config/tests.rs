use std::net::SocketAddr;
use std::time::Duration;

use clap::{ArgMatches, Command};

use super::*;

fn parse_flags(flags: &[&str]) -> ArgMatches {
    add_setting_args(Command::new("octavo")).try_get_matches_from([&["octavo"], flags].concat()).unwrap()
}

fn environment(variables: &[(&str, &str)]) -> ProcessEnvironment {
    let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ProcessEnvironment {
        variables: environment.chain([("HOME".into(), "/home/ada".into())]).collect(),
        is_root: false,
    }
}

fn settings_file(text: &str) -> SettingsFile {
    SettingsFile { path: "octavo.toml".into(), text: text.into() }
}

#[test]
fn without_any_configuration_every_default_holds() {
    let settings = resolve(&parse_flags(&[]), &environment(&[]), None).unwrap().settings;
    assert_eq!(
        settings,
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 9130)),
            data_dir: "/home/ada/.local/share/octavo".into(),
            database_url: None,
            databases: None,
            new_tenants_in: None,
            postgres_bin: None,
            database_connections: 16,
            worker_threads: None,
            replica_url: Vec::new(),
            replica_lag: Duration::from_secs(10),
            database_patience: None,
            search_timeout: Duration::from_secs(30),
            report_timeout: Duration::from_secs(300),
            names_requests: false,
            statement_statistics: false,
            max_body_size: 16 * 1024 * 1024,
            max_open_body_size: 64 << 10,
            transfer_memory: 64 << 20,
            upload_dir: None,
            max_upload_size: 2 << 30,
            upload_space: 20 << 30,
            upload_days: 30,
            backup_dir: None,
            backup_at: vec![jiff::civil::time(2, 0, 0, 0)],
            backup_days: 14,
            backup_full_days: 7,
            backup_rate: 48 << 20,
            max_connections: 1000,
            max_connections_per_address: 256,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            stall_timeout: Duration::from_secs(10),
            least_rate: 2 << 10,
            trusted_proxies: Vec::new(),
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            tls_certificate: None,
            tls_key: None,
            acme_names: Vec::new(),
            acme_directory: "https://acme-v02.api.letsencrypt.org/directory".to_owned(),
            acme_contact: None,
            http_redirect: None,
            strict_transport: 31_536_000,
            okapi_url: None,
            module_timeout: Duration::from_secs(120),
            open_tenants: false,
            access_token: Duration::from_secs(600),
            refresh_token: Duration::from_secs(7 * 24 * 3600),
            decision_days: 730,
            circulation_log_days: 730,
            security_event_days: 365,
            notice_days: 730,
            event_days: 7,
            import_log_days: 0,
            private_webhooks: false,
            kafka_brokers: Vec::new(),
            kafka_environment: "folio".to_owned(),
            kafka_tls: false,
            kafka_authorities: None,
            kafka_user: None,
            kafka_password_file: None,
            kafka_mechanism: octavo_kafka::Mechanism::ScramSha512,
            kafka_partitions: 1,
            kafka_replicas: 1,
            drain: 0,
            shutdown: Duration::from_secs(30),
            sip2: None,
            sip2_tenant: None,
            sip2_terminals: None,
            sip2_certificate: None,
            sip2_key: None,
            sip2_max_connections: 1000,
            sip2_max_connections_per_address: 600,
            sip2_idle_timeout: Duration::from_secs(86_400),
            metrics_for: octavo_gateway::Readers::Loopback,
            lab_reports: None,
            lab_servers: Vec::new(),
            traces_to: None,
            traces_percent: 100,
            log_format: crate::log::LogFormat::Text,
            log: "info".into(),
        }
    );
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let file = settings_file("log = \"error\"\nshutdown-seconds = 3\n");
    let log = |flag: &[&str], variable: &[(&str, &str)]| {
        resolve(&parse_flags(flag), &environment(variable), Some(&file)).unwrap().settings.log
    };
    assert_eq!(log(&["--log", "trace"], &[("OCTAVO_LOG", "debug")]), "trace");
    assert_eq!(log(&[], &[("OCTAVO_LOG", "debug")]), "debug");
    assert_eq!(log(&[], &[("OCTAVO_LOG", "")]), "error");
    assert_eq!(log(&[], &[]), "error");
}

#[test]
fn everything_that_is_wrong_is_said_at_once_with_its_place() {
    let file = settings_file("listen = \"here\"\ndatabase = 1\n");
    let variables = environment(&[("OCTAVO_SHUTDOWN_SECONDS", "soon"), ("OCTAVO_DATABASE_CONNECTIONS", "1")]);
    let problems = resolve(&parse_flags(&["--max-body-size", "1 MB"]), &variables, Some(&file)).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "octavo.toml:2: there is no setting database; did you mean database-url?\n\
         octavo.toml:1: listen must be an IP address and a port, such as 127.0.0.1:9130, not \"here\"\n\
         OCTAVO_DATABASE_CONNECTIONS: database-connections must be a whole number, 2 or more, not \"1\"\n\
         --max-body-size: max-body-size must be a number of bytes, such as 1048576 or \"1 MiB\", not \"1 MB\"\n\
         OCTAVO_SHUTDOWN_SECONDS: shutdown-seconds must be a whole number of seconds, 1 or more, not \"soon\""
    );
}

#[test]
fn a_misspelt_variable_is_warned_about() {
    let warnings =
        |name: &str| resolve(&parse_flags(&[]), &environment(&[(name, "x")]), None).unwrap().warnings;
    assert_eq!(
        warnings("OCTAVO_DATABSE_URL"),
        ["OCTAVO_DATABSE_URL sets nothing; did you mean OCTAVO_DATABASE_URL?"]
    );
    assert_eq!(warnings("OCTAVO_CONFIG"), [] as [&str; 0]);
    assert_eq!(warnings("PATH"), [] as [&str; 0]);
}

#[test]
fn the_table_says_where_each_value_comes_from_and_no_password() {
    let variables = environment(&[("OCTAVO_DATABASE_URL", "postgresql://octavo:s3cret@db/octavo")]);
    let file = settings_file("\nlog = \"debug\"\n");
    let resolved = resolve(&parse_flags(&["--listen", "[::]:80"]), &variables, Some(&file)).unwrap();
    let table = render::settings_table(&resolved);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        vec!["listen", "[::]:80", "--listen"],
        vec!["database-url", "postgresql://octavo:***@db/octavo", "OCTAVO_DATABASE_URL"],
        vec!["log", "debug", "octavo.toml:2"],
        vec!["shutdown-seconds", "30", "default"],
    ] {
        assert!(rows.contains(&row), "{row:?} in\n{table}");
    }
    assert_eq!(resolved.settings.database_url.as_deref(), Some("postgresql://octavo:s3cret@db/octavo"));
}

#[test]
fn a_password_stays_out_of_messages() {
    let variables = environment(&[("OCTAVO_DATABASE_URL", "mysql://octavo:s3cret@db/octavo")]);
    let problems = resolve(&parse_flags(&[]), &variables, None).unwrap_err().to_string();
    assert!(problems.contains("mysql://octavo:***@db/octavo") && !problems.contains("s3cret"), "{problems}");
}

#[test]
fn the_file_is_the_named_one_or_the_usual_one() {
    let place = |flag: &[&str], variable: &[(&str, &str)]| {
        file::config_path(&parse_flags(flag), &environment(variable))
    };
    let named = [("OCTAVO_CONFIG", "/etc/octavo.toml")];
    assert_eq!(place(&["--config", "own.toml"], &named), file::ConfigPath::Required("own.toml".into()));
    assert_eq!(place(&[], &named), file::ConfigPath::Required("/etc/octavo.toml".into()));
    assert_eq!(place(&[], &[]), file::ConfigPath::Optional("octavo.toml".into()));
}

#[test]
fn the_example_on_the_page_is_a_file_that_octavo_reads() {
    let page = render::markdown_page();
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let with_example =
        resolve(&parse_flags(&[]), &environment(&[]), Some(&settings_file(example))).unwrap().settings;
    assert_eq!(with_example, resolve(&parse_flags(&[]), &environment(&[]), None).unwrap().settings);
}

#[test]
fn the_file_of_all_settings_says_nothing_until_a_line_is_put_in_force() {
    let text = render::example_file();
    let defaults = resolve(&parse_flags(&[]), &environment(&[]), None).unwrap().settings;
    assert_eq!(
        resolve(&parse_flags(&[]), &environment(&[]), Some(&settings_file(&text))).unwrap().settings,
        defaults
    );
    assert!(settings_file(&text).entries().0.is_empty());
    let in_force: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert!(in_force.len() > 20, "{in_force:?}");
    let settings = resolve(&parse_flags(&[]), &environment(&[]), Some(&settings_file(&in_force.join("\n"))))
        .unwrap()
        .settings;
    assert_eq!(settings, defaults);
}

#[test]
fn the_page_of_settings_is_in_step() {
    let page = include_str!("../../../../docs/configuration.md");
    assert!(
        page == render::markdown_page(),
        "docs/configuration.md is behind; `make generated` writes it anew"
    );
}
