//! edge-patron: the calls of mod-patron by API key.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use octavo_testkit::{ApiKey, Client, encode, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::{Reader, hold_body, id};

/// A discovery system with a key that opens these edge modules to a user with these permissions.
struct DiscoverySystem {
    reader: Reader,
    client: Client,
    key: String,
    patron: String,
}

impl DiscoverySystem {
    async fn open() -> DiscoverySystem {
        DiscoverySystem::with_key("edge-patron", &["patron.all"]).await
    }

    async fn with_key(edges: &str, permissions: &[&str]) -> DiscoverySystem {
        let reader = Reader::open().await;
        let key = ApiKey::create_accepted(&reader.library, "discovery", edges, permissions).await;
        let client = Client::new(reader.library.octavo.address);
        let patron = format!("/patron/account/{}", reader.patron["externalSystemId"].as_str().unwrap());
        DiscoverySystem { reader, client, key, patron }
    }

    /// A path of the patron's account with the key; `rest` may have a query.
    fn keyed_path(&self, rest: &str) -> String {
        let separator = if rest.contains('?') { '&' } else { '?' };
        format!("{}{rest}{separator}apikey={}", self.patron, encode(&self.key))
    }

    async fn assert_refused(&self, method: &str, path: &str, body: &Value, status: u16, message: &str) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let reply = self.client.send(method, path, body).await.expect(status);
        assert_eq!(reply.header("content-type"), Some("application/json"), "{reply}");
        assert_eq!(reply.json(), json!({"code": status, "errorMessage": message}), "{method} {path}");
    }
}

#[tokio::test]
async fn a_discovery_system_does_all_that_a_patron_may() {
    let discovery = DiscoverySystem::open().await;
    let reader = &discovery.reader;
    let [beloved, emma] = &reader.copies;
    reader.desk.check_out(beloved, &reader.patron).await.expect(201);
    let renew = discovery.keyed_path(&format!("/item/{}/renew", id(beloved)));
    let renewed = discovery.client.send("POST", &renew, "").await.expect(201).json();
    assert_eq!(renewed["item"]["itemId"], beloved["id"]);

    // The date is that of the call, whatever the client says; an expiration that is no date is left out.
    let wish = json!({"pickupLocationId": CIRC_DESK, "requestDate": "2001-01-01T00:00:00Z", "expirationDate": "soon"});
    let place = discovery.keyed_path(&format!("/item/{}/hold", id(emma)));
    let placed = discovery.client.post(&place, &wish).await.expect(201).json();
    assert!(placed["requestDate"].as_str().unwrap() > "2026", "{placed}");
    assert_eq!((&placed["item"]["itemId"], &placed["expirationDate"]), (&emma["id"], &Value::Null));

    let account = discovery
        .keyed_path("?includeLoans=TRUE&includeHolds=true&sortBy=metadata.createdDate&limit=5&offset=0");
    let account = discovery.client.get(&account).await.expect(200).json();
    assert_eq!(
        (&account["loans"][0]["id"], &account["holds"][0]["requestId"]),
        (&renewed["id"], &placed["requestId"])
    );
    assert_eq!(account["charges"], json!([]));

    let points = discovery.keyed_path(&format!("/instance/{}/allowed-service-points", id(&reader.titles[0])));
    discovery.client.get(&points).await.expect(200);

    let reason = json!({"name": "Patron", "description": "By the patron"});
    let reason = reader
        .desk
        .post("/cancellation-reason-storage/cancellation-reasons", &reason)
        .await
        .expect(201)
        .json();
    let cancel = discovery.keyed_path(&format!("/hold/{}/cancel", placed["requestId"].as_str().unwrap()));
    let said = json!({"holdId": placed["requestId"], "cancellationReasonId": reason["id"]});
    let cancelled = discovery.client.post(&cancel, &said).await.expect(200).json();
    assert_eq!(
        (&cancelled["status"], &cancelled["canceledByUserId"]),
        (&json!("Closed - Cancelled"), &reader.patron["id"])
    );
    assert_eq!(reader.desk.status(emma).await, "Available");

    let title = discovery.keyed_path(&format!("/instance/{}/hold", id(&reader.titles[1])));
    let placed = discovery.client.post(&title, &wish).await.expect(201).json();
    assert_eq!(placed["item"]["itemId"], emma["id"]);
    // Who has asked is the key's user.
    let path = format!("/circulation/requests/{}", placed["requestId"].as_str().unwrap());
    let request = reader.desk.get(&path).await.expect(200).json();
    let user = reader.library.find("/users", "username==discovery").await.expect(200).json();
    assert_eq!(request["metadata"]["createdByUserId"], user["users"][0]["id"]);
    assert_eq!(request["requesterId"], reader.patron["id"]);
}

#[tokio::test]
async fn a_key_comes_three_ways_and_a_wrong_one_in_none() {
    let discovery = DiscoverySystem::open().await;
    let DiscoverySystem { client, key, patron, .. } = &discovery;
    client.get(&discovery.keyed_path("")).await.expect(200);
    let own = format!("?alternateTenantId={}", discovery.reader.library.tenant.as_str());
    client.get(&discovery.keyed_path(&own)).await.expect(200);
    client.get(&discovery.keyed_path("?alternateTenantId=college")).await.expect(404);
    for value in [format!("apikey {key}"), format!("ApiKey {key}"), key.clone()] {
        client.with("authorization", value).get(patron).await.expect(200);
    }
    // A key counts more than a tenant and a token; without one the path is mod-patron's, whose patrons have UUIDs.
    client.with("x-okapi-tenant", "elsewhere").get(&discovery.keyed_path("")).await.expect(200);
    discovery.reader.desk.get(patron).await.expect(400);
    let wrong = URL_SAFE.encode(json!({"s": "other", "t": "diku", "u": "discovery"}).to_string());
    let unaccepted =
        json!({"s": "other", "t": discovery.reader.library.tenant.as_str(), "u": "discovery"}).to_string();
    for key in ["", "x", &*wrong, &*URL_SAFE.encode(unaccepted)] {
        let path = format!("{patron}?apikey={}", encode(key));
        discovery.assert_refused("GET", &path, &Value::Null, 401, "Access Denied").await;
    }
    discovery.assert_refused("GET", patron, &Value::Null, 401, "Access Denied").await;
    discovery
        .assert_refused(
            "POST",
            &format!("{patron}/item/{}/hold", fresh_id()),
            &hold_body(),
            401,
            "Access Denied",
        )
        .await;
}

#[tokio::test]
async fn a_key_opens_what_its_entry_names_with_the_rights_of_its_user() {
    let other = DiscoverySystem::with_key("edge-rtac", &["patron.all", "rtac.all"]).await;
    other.assert_refused("GET", &other.keyed_path(""), &Value::Null, 401, "Access Denied").await;
    let poor =
        DiscoverySystem::with_key("edge-patron edge-rtac", &["patron.account.item.get", "users.all"]).await;
    poor.client.get(&poor.keyed_path("")).await.expect(200);
    let user = poor.reader.library.find("/users", "username==discovery").await.expect(200).json();
    let user = user["users"][0]["id"].as_str().unwrap();
    let lacking = format!("Access for user 'discovery' ({user}) requires permission: patron.renew.item.post");
    let renew = poor.keyed_path(&format!("/item/{}/renew", fresh_id()));
    poor.assert_refused("POST", &renew, &Value::Null, 403, &lacking).await;
    // Calls of no edge module are not opened.
    let users = format!("/users?apikey={}", encode(&poor.key));
    poor.client.get(&users).await.expect(404);
    poor.client
        .with("x-okapi-tenant", poor.reader.library.tenant.as_str())
        .send("DELETE", &poor.keyed_path(""), "")
        .await
        .expect(404);
}

#[tokio::test]
async fn what_is_wrong_is_told_in_edge_patrons_words() {
    let discovery = DiscoverySystem::open().await;
    let reader = &discovery.reader;
    let item = id(&reader.copies[0]);
    let key = encode(&discovery.key);
    let stranger = format!("/patron/account/nobody%20%2A?apikey={key}");
    let number = |name: &str, value: &str| {
        format!(
            "'{name}' parameter is incorrect. parameter value {{{value}}} is not valid: must be an integer, greater than or equal to 0"
        )
    };
    let (place, cancel) = (
        discovery.keyed_path(&format!("/item/{item}/hold")),
        discovery.keyed_path(&format!("/hold/{}/cancel", fresh_id())),
    );
    let unknown_hold = fresh_id();
    let missing = "required fields for cancelling holds are missing (holdId, cancellationReasonId)";
    let not_lent =
        format!("No open loan could be found for item {}", reader.copies[0]["barcode"].as_str().unwrap());
    let said = json!({"holdId": unknown_hold, "cancellationReasonId": fresh_id()});
    let cases: [(&str, String, Value, u16, String); 12] = [
        ("GET", stranger, Value::Null, 404, "Unable to find patron nobody *".into()),
        ("GET", discovery.keyed_path("?limit=-1"), Value::Null, 400, number("limit", "-1")),
        ("GET", discovery.keyed_path("?offset="), Value::Null, 400, number("offset", "")),
        ("GET", discovery.keyed_path("?limit=9999999999"), Value::Null, 400, number("limit", "9999999999")),
        ("POST", place.clone(), Value::Null, 400, "No hold data provided".into()),
        ("POST", place.clone(), json!([]), 400, "No hold data provided".into()),
        (
            "POST",
            discovery.keyed_path(&format!("/instance/{item}/hold")),
            Value::Null,
            400,
            "No hold data provided".into(),
        ),
        ("POST", discovery.keyed_path(&format!("/item/{item}/renew")), Value::Null, 422, not_lent),
        ("POST", cancel.clone(), json!({"holdId": "x"}), 422, missing.into()),
        (
            "POST",
            cancel.clone(),
            json!({"holdId": "x", "cancellationReasonId": fresh_id()}),
            422,
            "invalid values for one of the required fields (holdId, cancellationReasonId)".into(),
        ),
        (
            "POST",
            discovery.keyed_path(&format!("/hold/{unknown_hold}/cancel")),
            said,
            404,
            format!("requests record with ID \"{unknown_hold}\" cannot be found"),
        ),
        ("POST", place.clone(), json!({}), 422, "must not be null".into()),
    ];
    for (method, path, body, status, message) in cases {
        discovery.assert_refused(method, &path, &body, status, &message).await;
    }
    let broken = discovery.client.send("POST", &place, "{").await.expect(400).json();
    assert!(broken["errorMessage"].as_str().unwrap().starts_with("The body is not JSON"), "{broken}");
    let broken = discovery.client.send("POST", &cancel, "{").await.expect(422).json();
    assert!(
        broken["errorMessage"].as_str().unwrap().starts_with("invalid holdCancellationRequest. "),
        "{broken}"
    );
    let large = json!({"patronComments": "x".repeat(2 << 20)});
    discovery.client.post(&place, &large).await.expect(413);
}

#[tokio::test]
async fn an_account_by_key_is_few_round_trips() {
    let discovery = DiscoverySystem::open().await;
    let path = discovery.keyed_path("?includeLoans=true&includeHolds=true&includeCharges=true");
    discovery.client.get(&path).await.expect(200);
    // The key's user, the patron by the external system id, the account.
    let reply = discovery.client.get(&path).await.expect(200);
    assert_eq!(reply.round_trips(), 3, "{reply}");
}
