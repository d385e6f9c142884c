use super::*;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn policy() -> Policy {
    toml::from_str(
        r#"
        [licenses]
        allow = ["MIT"]
        unused-allowed-license = "allow"
        [bans]
        multiple-versions = "deny"
        wildcards = "deny"
        allow-wildcard-paths = true
        deny = [{ crate = "openssl-sys", reason = "TLS is rustls" }]
        skip = [{ crate = "base64@0.22", reason = "a release behind" }]
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
        allow-registry = ["https://github.com/rust-lang/crates.io-index"]
        "#,
    )
    .unwrap()
}

fn package(name: &str, version: &str) -> Package {
    Package {
        name: name.into(),
        version: version.into(),
        license: Some("MIT".into()),
        source: Some(CRATES_IO.into()),
        dependencies: Vec::new(),
    }
}

/// Two versions of base64, one of them skipped: nothing to report.
fn good() -> Vec<Package> {
    vec![package("base64", "0.22.1"), package("base64", "0.23.1"), package("hyper", "1.12.0")]
}

fn problems_with(more: Package) -> Vec<String> {
    let mut packages = good();
    packages.push(more);
    problems(&policy(), &packages)
}

#[test]
fn an_allowed_tree_passes() {
    assert_eq!(problems(&policy(), &good()), Vec::<String>::new());
}

#[test]
fn a_banned_crate_fails_with_the_reason() {
    let problems = problems_with(package("openssl-sys", "0.9.1"));
    assert_eq!(problems, ["openssl-sys 0.9.1: banned by [bans] in deny.toml: TLS is rustls"]);
}

#[test]
fn a_licence_that_is_not_allowed_fails() {
    let mut gpl = package("readline", "1.0.0");
    gpl.license = Some("GPL-3.0-only".into());
    assert!(problems_with(gpl.clone())[0].contains("licence GPL-3.0-only is not allowed"));
    gpl.license = None;
    assert!(problems_with(gpl)[0].contains("names no licence"));
}

#[test]
fn a_second_version_fails_until_it_is_skipped() {
    assert!(problems_with(package("hyper", "0.14.0"))[0].contains("hyper: 0.14.0 and 1.12.0 are all built"));
    assert!(problems_with(package("base64", "0.21.0"))[0].contains("base64: 0.21.0 and 0.23.1"));
}

#[test]
fn a_skip_that_nothing_needs_fails() {
    let problems = problems(&policy(), &[package("base64", "0.23.1")]);
    assert_eq!(problems, ["deny.toml: [bans] skip of base64@0.22 is no longer needed"]);
}

#[test]
fn a_source_other_than_the_registry_fails() {
    for source in ["git+https://github.com/a/b", "registry+https://mirror.example/index"] {
        let mut foreign = package("b", "1.0.0");
        foreign.source = Some(source.into());
        assert!(problems_with(foreign)[0].contains(source));
    }
}

#[test]
fn the_workspaces_own_crates_state_their_versions() {
    let mut own = package("octavo", "0.1.0");
    own.source = None;
    own.dependencies = vec![
        Dependency { name: "tokio".into(), req: "*".into(), path: None },
        Dependency { name: "octavo-kernel".into(), req: "*".into(), path: Some("crates/kernel".into()) },
    ];
    assert_eq!(problems_with(own), ["octavo 0.1.0: depends on any version of tokio"]);
}

#[test]
fn a_key_that_only_cargo_deny_knows_is_refused() {
    let unknown = "[advisories]\nversion = 2\n";
    assert!(toml::from_str::<Policy>(unknown).is_err());
}
