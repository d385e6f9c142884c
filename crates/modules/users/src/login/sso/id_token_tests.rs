//! Tokens that Node.js's cryptography has signed, with keys made for this test: another implementation than the one that is tried. Nothing
//! else is signed with the keys, and their private parts were not kept.

use std::collections::HashSet;

use serde_json::json;

use super::*;

/// All tokens have these claims; the time is in 2033.
fn expected() -> ExpectedClaims<'static> {
    let now = Timestamp::from_second(2_000_000_100).unwrap();
    ExpectedClaims { issuer: "https://login.example.org", client: "octavo", nonce: "n-1", now }
}

fn claims() -> Value {
    json!({
        "iss": "https://login.example.org", "sub": "s-1", "aud": "octavo", "nonce": "n-1",
        "iat": 2_000_000_000, "exp": 2_000_000_600,
    })
}

fn keys() -> Keys {
    Keys::read(&serde_json::from_str(include_str!("test_tokens/keys.json")).unwrap())
}

/// Each algorithm with its token.
fn tokens() -> Vec<(&'static str, &'static str)> {
    include_str!("test_tokens/tokens.tsv").lines().map(|line| line.split_once('\t').unwrap()).collect()
}

fn read(token: &str, keys: &Keys) -> Result<Value, TokenDefect> {
    Token::read(token)?.claims(keys, &expected())
}

#[test]
fn tokens_of_every_algorithm_are_believed() {
    let tokens = tokens();
    let names: HashSet<&str> = tokens.iter().map(|(algorithm, _)| *algorithm).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    for (algorithm, token) in tokens {
        assert_eq!(read(token, &keys()), Ok(claims()), "{algorithm}");
    }
}

#[test]
fn a_token_that_was_changed_is_not() {
    for (algorithm, token) in tokens() {
        let [head, payload, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
        let other = BASE64.encode(json!({"iss": "https://login.example.org", "sub": "s-2"}).to_string());
        assert_eq!(
            read(&format!("{head}.{other}.{signature}"), &keys()),
            Err(TokenDefect::Signature),
            "{algorithm}"
        );
        let mut bytes = BASE64.decode(signature).unwrap();
        bytes.pop();
        let cut = BASE64.encode(bytes);
        assert_eq!(
            read(&format!("{head}.{payload}.{cut}"), &keys()),
            Err(TokenDefect::Signature),
            "{algorithm}"
        );
        assert_eq!(read(&format!("{head}.{payload}."), &keys()), Err(TokenDefect::Signature), "{algorithm}");
        assert_eq!(read(token, &Keys::default()), Err(TokenDefect::Signature), "no keys");
        for head in [
            json!({"alg": "none"}),
            json!({"alg": "HS256", "kid": "rsa"}),
            json!({"alg": "RS1", "kid": "rsa"}),
            json!({"kid": "rsa"}),
            json!({"alg": algorithm, "crit": ["b64"], "b64": false}),
        ] {
            let head = BASE64.encode(head.to_string());
            assert_eq!(read(&format!("{head}.{payload}.{signature}"), &keys()), Err(TokenDefect::Algorithm));
        }
    }
    for garbage in ["", "a", "a.b", "a.b.c", "....", "ä.ö.ü", &"a".repeat(100_000)] {
        assert_eq!(read(garbage, &keys()), Err(TokenDefect::Unreadable), "{garbage:.20}");
    }
}

#[test]
fn a_key_signs_only_what_it_is_for() {
    let set: Value = serde_json::from_str(include_str!("test_tokens/keys.json")).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut set = set.clone();
        set["keys"].as_array_mut().unwrap().iter_mut().for_each(change);
        Keys::read(&set)
    };
    let by = |algorithm| tokens().into_iter().find(|(name, _)| *name == algorithm).unwrap().1;
    let no_id = with(&|key| key["kid"] = Value::Null);
    assert_eq!(read(by("RS256"), &no_id), Err(TokenDefect::Signature), "the token names a key");
    let other_id = with(&|key| key["kid"] = json!("other"));
    assert!(
        !other_id.has_key_for(Some("rsa"), Algorithm::Rs256) && other_id.has_key_for(None, Algorithm::Rs256)
    );
    let for_encryption = with(&|key| key["use"] = json!("enc"));
    assert!(for_encryption.is_empty());
    let only = with(&|key| key["alg"] = json!("RS512"));
    assert_eq!(read(by("RS256"), &only), Err(TokenDefect::Signature));
    assert_eq!(read(by("RS512"), &only), Ok(claims()));
    let unknown = with(&|key| key["alg"] = json!("RS1"));
    assert!(unknown.is_empty());
    let broken = with(&|key| key["x"] = json!("AAAA"));
    assert_eq!(read(by("ES256"), &broken), Err(TokenDefect::Signature), "no point of the curve");
    assert_eq!(read(by("RS256"), &broken), Ok(claims()), "other keys still count");
}

#[test]
fn the_claims_have_to_be_of_this_log_in() {
    let now = 2_000_000_100;
    type Change = (&'static str, Value);
    let cases: Vec<(Change, Result<(), TokenDefect>)> = vec![
        (("aud", json!(["octavo"])), Ok(())),
        (("aud", json!(["octavo", "other"])), Err(TokenDefect::Audience)),
        (("aud", json!("other")), Err(TokenDefect::Audience)),
        (("aud", Value::Null), Err(TokenDefect::Audience)),
        (("azp", json!("octavo")), Ok(())),
        (("azp", json!("other")), Err(TokenDefect::Audience)),
        (("azp", json!(7)), Err(TokenDefect::Audience)),
        (("iss", json!("https://login.example.org/")), Err(TokenDefect::Issuer)),
        (("iss", Value::Null), Err(TokenDefect::Issuer)),
        (("exp", json!(now - 59)), Ok(())),
        (("exp", json!(now - 60)), Err(TokenDefect::Expired)),
        (("exp", json!(i64::MAX)), Ok(())),
        (("exp", json!("2000000600")), Err(TokenDefect::Expired)),
        (("exp", Value::Null), Err(TokenDefect::Expired)),
        (("iat", json!(now + 60)), Ok(())),
        (("iat", json!(now + 61)), Err(TokenDefect::IssuedAt)),
        (("iat", json!(2_000_000_000.5)), Ok(())),
        (("iat", Value::Null), Err(TokenDefect::IssuedAt)),
        (("nonce", json!("n-2")), Err(TokenDefect::Nonce)),
        (("nonce", Value::Null), Err(TokenDefect::Nonce)),
        (("sub", json!("")), Err(TokenDefect::NoSubject)),
        (("sub", json!(1)), Err(TokenDefect::NoSubject)),
    ];
    for ((member, value), outcome) in cases {
        let mut claims = claims();
        claims[member] = value;
        assert_eq!(check(&claims, &expected()), outcome, "{claims}");
    }
    let mut several = claims();
    (several["aud"], several["azp"]) = (json!(["other", "octavo"]), json!("octavo"));
    assert_eq!(check(&several, &expected()), Ok(()));
    several["aud"] = json!(["other"]);
    assert_eq!(check(&several, &expected()), Err(TokenDefect::Audience));
}
