use super::*;

fn settings() -> Settings {
    Settings {
        url: "ldap://127.0.0.1".to_owned(),
        base: "dc=example,dc=org".to_owned(),
        filter: "(uid={value})".to_owned(),
        ..Settings::default()
    }
}

fn read(change: impl FnOnce(&mut Settings)) -> Result<(), Member> {
    let mut changed = settings();
    change(&mut changed);
    Directory::new(changed).map(drop).map_err(|defect| defect.member)
}

#[test]
fn settings_that_cannot_work_are_told_from_those_that_may() {
    assert_eq!(read(|_| {}), Ok(()));
    for (filter, expected) in [
        ("(uid={value})", Ok(())),
        ("(&(objectClass=person)(|(uid={value})(mail={value})))", Ok(())),
        ("uid={value}", Ok(())),
        ("(uid=jane)", Err(Member::Filter)),
        ("(uid={value}", Err(Member::Filter)),
        ("", Err(Member::Filter)),
    ] {
        assert_eq!(read(|settings| filter.clone_into(&mut settings.filter)), expected, "{filter}");
    }
    let deep = |depth| format!("{}(uid={{value}}){}", "(!".repeat(depth), ")".repeat(depth));
    assert_eq!(read(|settings| settings.filter = deep(MAX_FILTER_NESTING - 1)), Ok(()));
    assert_eq!(read(|settings| settings.filter = deep(10_000)), Err(Member::Filter));
    let named = |name: &str| {
        read(|settings| {
            *settings = Settings {
                url: "ldaps://[::1]:6360/".to_owned(),
                name: name.to_owned(),
                ..Settings::default()
            };
        })
    };
    assert_eq!(named("uid={value},dc=example,dc=org"), Ok(()));
    assert_eq!(named("uid=jane,dc=example,dc=org"), Err(Member::Name));
    assert_eq!(
        read(|settings| settings.name = "uid={value}".to_owned()),
        Err(Member::Name),
        "named and searched"
    );
    assert_eq!(read(|settings| settings.base.clear()), Err(Member::Base));
    assert_eq!(read(|settings| settings.account = "cn=octavo".to_owned()), Err(Member::Password));
    assert_eq!(read(|settings| settings.password = "secret".to_owned()), Err(Member::Account));
    assert_eq!(read(|settings| settings.authorities = "no certificate".to_owned()), Err(Member::Authorities));
}

#[test]
fn an_address_says_how_what_is_sent_is_encrypted() {
    use Encryption::{Nothing, StartTls, Tls};
    for (url, is_unencrypted, expected) in [
        ("ldaps://ldap.example.org", false, Some(("ldap.example.org", 636, Tls))),
        ("ldap://ldap.example.org/", false, Some(("ldap.example.org", 389, StartTls))),
        ("ldap://[::1]:3890", true, Some(("::1", 3890, Nothing))),
        ("ldaps://ldap.example.org", true, None),
        ("https://ldap.example.org", false, None),
        ("ldap.example.org", false, None),
        ("ldap://", false, None),
        ("ldap://user@ldap.example.org", false, None),
        ("ldap://ldap.example.org/dc=example", false, None),
        ("ldap://ldap.example.org:99999", false, None),
    ] {
        let read = Address::read(url, is_unencrypted).ok();
        let read = read.as_ref().map(|address| (address.host.as_str(), address.port, address.encryption));
        assert_eq!(read, expected, "{url}");
    }
}

#[tokio::test]
async fn an_empty_password_is_wrong_and_not_sent() {
    // Nobody listens there: to be asked would be trouble.
    let directory = Directory::new(Settings { url: "ldap://127.0.0.1:1".to_owned(), ..settings() }).unwrap();
    let turn = directory.wait_for_turn().await.unwrap();
    assert_eq!(directory.check(&turn, "jane", "").await, Ok(Answer::Wrong));
    assert_eq!(directory.check(&turn, "", "secret").await, Ok(Answer::NoEntry));
    assert!(directory.check(&turn, "jane", "secret").await.is_err());
}

#[test]
fn no_password_is_printed() {
    let printed =
        format!("{:?}", Settings { account: "cn=o".to_owned(), password: "hidden".to_owned(), ..settings() });
    assert!(!printed.contains("hidden"), "{printed}");
}
