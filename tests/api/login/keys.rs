//! Keys that sign tokens, replaced without ending anybody's session.

use octavo_kernel::Outcome;
use octavo_modules::operator;
use octavo_modules::tokens::{Claims, Kind, sign_with_current_key, verify};
use octavo_pg::Statement;
use octavo_testkit::{Client, Octavo, SeparatePostgres, eventually, on_runtime};
use std::sync::Arc;

async fn operators_token(octavo: &Octavo) -> String {
    let platform = octavo.platform.clone();
    on_runtime(async move { operator::token(&platform).await.unwrap() }).await
}

async fn rotate_keys(octavo: &Octavo) -> Option<i64> {
    let platform = octavo.platform.clone();
    on_runtime(async move { platform.token_keys.rotate().await.unwrap() }).await
}

async fn end_key(octavo: &Octavo, number: i64) -> Option<i64> {
    let platform = octavo.platform.clone();
    on_runtime(async move { platform.token_keys.delete_key(number).await.unwrap() }).await
}

/// Sets the moment from which a key signs to the SQL expression `when`.
async fn set_signing_time(octavo: &Octavo, number: i64, when: &'static str) {
    let platform = octavo.platform.clone();
    on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        let change = format!("update octavo.token_keys set signs = {when} where number = $1");
        session.rows(Statement::new(change).long(number)).await.unwrap();
    })
    .await;
}

/// The answer's status to the operator's list of modules outside of the process.
async fn status(octavo: &Octavo, token: &str) -> u16 {
    let client = Client::new(octavo.address).with("x-okapi-token", token);
    client.get("/_/discovery/modules").await.status
}

#[tokio::test]
async fn a_new_key_ends_no_session_and_an_ended_key_ends_its_own() {
    let elsewhere = SeparatePostgres::start().await;
    let [one, other] = &elsewhere.servers;
    let old = operators_token(one).await;
    assert_eq!([status(one, &old).await, status(other, &old).await], [200, 200]);

    assert_eq!(rotate_keys(one).await, Some(2));
    let new = operators_token(one).await;
    assert_ne!(old, new);
    assert_eq!([status(one, &old).await, status(one, &new).await], [200, 200]);
    eventually("the other server hears of the key", async || status(other, &new).await == 200).await;
    assert_eq!(status(other, &old).await, 200);

    assert_eq!(end_key(one, 1).await, None, "the new key does not sign yet");
    set_signing_time(one, 2, "now()").await;
    assert_eq!(end_key(one, 2).await, None, "no key is after it");
    assert_eq!(end_key(one, 7).await, None, "there is no such key");
    assert_eq!(end_key(one, 1).await, Some(1));
    assert_eq!([status(one, &old).await, status(one, &new).await], [401, 200]);
    eventually("the other server hears of the end", async || status(other, &old).await == 401).await;
    assert_eq!(status(other, &new).await, 200);

    // A token is tried with each key, so there are not more than eight.
    for number in 3..=9 {
        assert_eq!(rotate_keys(one).await, Some(number));
    }
    assert_eq!(rotate_keys(one).await, None);
    set_signing_time(one, 9, "now()").await;
    assert_eq!(end_key(one, 3).await, Some(3));
    assert_eq!(rotate_keys(one).await, Some(10));
}

#[tokio::test]
async fn a_key_signs_when_its_minute_is_over() {
    let elsewhere = SeparatePostgres::start().await;
    let [one, _] = &elsewhere.servers;
    rotate_keys(one).await.unwrap();
    let (platform, now) = (one.platform.clone(), one.now().as_second());
    let signers = on_runtime(async move {
        let keys = platform.token_keys.get().await?;
        let made: Vec<Vec<u8>> = keys.accepted_secrets().map(<[u8]>::to_vec).collect();
        let mut signers = Vec::new();
        for later in [0, 120] {
            let token =
                sign_with_current_key(&platform, &Claims::new(Kind::Access, "diku", "a"), now + later)
                    .await?;
            signers.push(made.iter().rposition(|key| verify(&token, [key.as_slice()], now).is_some()));
        }
        Outcome::Ok(signers)
    })
    .await;
    assert_eq!(signers.unwrap(), [Some(1), Some(0)], "the newest key is the first");
}
