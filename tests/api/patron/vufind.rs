//! The calls that VuFind's FOLIO driver makes, in the order of its functions, and the members of the answers that it reads. Source: the driver
//! `VuFind\ILS\Driver\Folio` of VuFind 10.

use octavo_testkit::{Client, Reply, encode, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::{Reader, id};

/// What the driver reads of an answer, as JSON pointers that must lead to something.
type Members<'a> = &'a [&'a str];

/// The driver asks as a user of its own, by the older log-in or the newer one.
async fn log_in_driver(reader: &Reader) -> Client {
    let desk = &reader.desk;
    let user = json!({"id": fresh_id(), "username": "vufind", "active": true});
    desk.post("/users", &user).await.expect(201);
    desk.post("/authn/credentials", &json!({"userId": user["id"], "password": "Vufind-2026"}))
        .await
        .expect(201);
    let body = json!({
        "tenant": reader.library.tenant.as_str(), "username": "vufind", "password": "Vufind-2026",
    });
    let asking = Client::new(reader.library.octavo.address)
        .with("accept", "application/json")
        .with("x-okapi-tenant", reader.library.tenant.as_str());
    let newer = asking.post("/authn/login-with-expiry", &body).await.expect(201);
    assert!(
        newer.headers("set-cookie").iter().any(|cookie| cookie.starts_with("folioAccessToken=")),
        "{newer}"
    );
    let older = asking.post("/authn/login", &body).await.expect(201);
    let token = older.header("x-okapi-token").expect("a token").to_owned();
    let permissions = json!({"userId": user["id"], "permissions": PERMISSIONS});
    desk.post("/perms/users", &permissions).await.expect(201);
    asking.with("x-okapi-token", token)
}

const PERMISSIONS: [&str; 19] = [
    "users.collection.get",
    "usergroups.collection.get",
    "proxiesfor.collection.get",
    "inventory-storage.instances.collection.get",
    "inventory-storage.holdings.collection.get",
    "inventory-storage.holdings.item.get",
    "inventory-storage.items.collection.get",
    "inventory-storage.items.item.get",
    "inventory-storage.locations.collection.get",
    "inventory-storage.locations.item.get",
    "inventory-storage.service-points.collection.get",
    "inventory.instances.item.get",
    "circulation.loans.collection.get",
    "circulation.renew-by-id.post",
    "circulation.requests.item.post",
    "circulation.requests.item.get",
    "circulation.requests.item.put",
    "circulation-storage.requests.collection.get",
    "accounts.collection.get",
];

fn assert_members(reply: &Reply, members: Members<'_>) {
    let body = reply.json();
    for member in members {
        assert!(body.pointer(member).is_some_and(|value| !value.is_null()), "no {member}\n{reply}");
    }
}

/// A call by what it is for, its path, and what the driver reads of the answer.
type Call<'a> = (&'a str, String, Members<'a>);

async fn send_calls(vufind: &Client, calls: &[Call<'_>]) {
    for (what, path, members) in calls {
        let reply = vufind.get(path).await;
        assert_eq!(reply.status, 200, "{what}\n{reply}");
        assert_members(&reply, members);
    }
}

fn query(path: &str, query: &str) -> String {
    format!("{path}?query={}", encode(query))
}

/// The driver reads lists in pages.
fn paged(path: &str, text: &str) -> String {
    format!("{}&offset=0&limit=1000", query(path, text))
}

#[tokio::test]
async fn vufind_shows_what_the_library_has() {
    let reader = Reader::open().await;
    let vufind = log_in_driver(&reader).await;
    let [beloved, _] = &reader.copies;
    let title = id(&reader.titles[0]);
    reader.desk.check_out(beloved, &reader.patron).await.expect(201);
    let holdings = beloved["holdingsRecordId"].as_str().unwrap();
    let location = beloved["effectiveLocationId"].as_str().unwrap();
    let calls: &[Call<'_>] = &[
        // checkTenantToken
        ("the token is still valid", "/users".into(), &["/users"]),
        // getInstanceById
        ("an item's holdings", format!("/item-storage/items/{}", id(beloved)), &["/holdingsRecordId"]),
        ("holdings' title", format!("/holdings-storage/holdings/{holdings}"), &["/instanceId"]),
        ("a title", format!("/inventory/instances/{title}"), &["/id", "/hrid"]),
        // getInstanceByBibId
        (
            "a title by its id",
            query("/instance-storage/instances", &format!("(id==\"{title}\")")),
            &["/instances/0/id"],
        ),
        (
            "a title by its number",
            query(
                "/instance-storage/instances",
                &format!("(hrid==\"{}\")", reader.titles[0]["hrid"].as_str().unwrap()),
            ),
            &["/instances/0/id"],
        ),
        // getLocations, getLocationData
        (
            "locations",
            "/locations?offset=0&limit=1000".into(),
            &["/totalRecords", "/locations/0/id", "/locations/0/name", "/locations/0/code"],
        ),
        ("a location", format!("/locations/{location}"), &["/name", "/code"]),
        // getHolding
        (
            "holdings of a title",
            paged(
                "/holdings-storage/holdings",
                &format!("(instanceId==\"{title}\" NOT discoverySuppress==true)"),
            ),
            &[
                "/totalRecords",
                "/holdingsRecords/0/id",
                "/holdingsRecords/0/notes",
                "/holdingsRecords/0/holdingsStatements",
            ],
        ),
        (
            "items of holdings",
            paged(
                "/item-storage/items",
                &format!("(holdingsRecordId==\"{holdings}\" NOT discoverySuppress==true)"),
            ),
            &[
                "/items/0/id",
                "/items/0/status/name",
                "/items/0/effectiveLocationId",
                "/items/0/barcode",
                "/items/0/notes",
            ],
        ),
        (
            "items of holdings, sorted",
            paged(
                "/item-storage/items",
                &format!("(holdingsRecordId==\"{holdings}\" NOT discoverySuppress==true) sortby volume"),
            ),
            &["/items/0/id"],
        ),
        // getDueDate
        (
            "loans of an item",
            paged("/circulation/loans", &format!("itemId=={}", id(beloved))),
            &["/loans/0/dueDate"],
        ),
    ];
    send_calls(&vufind, calls).await;
}

#[tokio::test]
async fn vufind_shows_what_a_patron_has() {
    let reader = Reader::open().await;
    let vufind = log_in_driver(&reader).await;
    let [beloved, _] = &reader.copies;
    let patron = id(&reader.patron);
    reader.desk.check_out(beloved, &reader.patron).await.expect(201);
    reader.charge_patron(2.5, json!({"itemId": beloved["id"], "title": "Beloved"})).await;
    let proxy = reader.desk.patron().await;
    let relation = json!({
        "userId": reader.patron["id"], "proxyUserId": proxy["id"], "requestForSponsor": "Yes", "status": "Active",
        "notificationsTo": "Sponsor", "accrueTo": "Sponsor",
    });
    reader.desk.post("/proxiesfor", &relation).await.expect(201);
    let username = reader.patron["username"].as_str().unwrap();
    let barcode = reader.patron["barcode"].as_str().unwrap();
    let calls: &[Call<'_>] = &[
        // patronLogin, getMyProfile
        (
            "a user who has logged in",
            query("/users", &format!("username == {username}")),
            &["/users/0/id", "/users/0/personal/lastName"],
        ),
        (
            "a user by barcode",
            query("/users", &format!("barcode == \"{barcode}\"")),
            &["/users/0/id", "/users/0/username"],
        ),
        (
            "a profile",
            query("/users", &format!("id == \"{patron}\"")),
            &["/users/0/id", "/users/0/personal/firstName"],
        ),
        // getMyTransactions
        (
            "loans of a patron",
            paged("/circulation/loans", &format!("userId=={patron} and status.name==Open")),
            &[
                "/totalRecords",
                "/loans/0/dueDate",
                "/loans/0/item/instanceId",
                "/loans/0/item/id",
                "/loans/0/item/barcode",
                "/loans/0/item/title",
            ],
        ),
        // getPickupLocations
        (
            "pickup service points",
            paged("/service-points", "pickupLocation=true"),
            &["/servicepoints/0/id", "/servicepoints/0/discoveryDisplayName"],
        ),
        // getMyFines
        (
            "fees and fines",
            paged("/accounts", &format!("userId=={patron} and status.name==Open")),
            &[
                "/accounts/0/metadata/createdDate",
                "/accounts/0/amount",
                "/accounts/0/remaining",
                "/accounts/0/title",
                "/accounts/0/paymentStatus/name",
                "/accounts/0/feeFineType",
                "/accounts/0/instanceId",
            ],
        ),
        // getProxiedUsers, getProxyingUsers
        (
            "sponsors",
            paged("/proxiesfor", &format!("(proxyUserId==\"{}\")", id(&proxy))),
            &["/proxiesFor/0/userId", "/proxiesFor/0/status", "/proxiesFor/0/requestForSponsor"],
        ),
        ("proxies", paged("/proxiesfor", &format!("(userId==\"{patron}\")")), &["/proxiesFor/0/proxyUserId"]),
    ];
    send_calls(&vufind, calls).await;
}

#[tokio::test]
async fn vufind_renews_places_and_cancels() {
    let reader = Reader::open().await;
    let vufind = log_in_driver(&reader).await;
    let [beloved, emma] = &reader.copies;
    reader.desk.check_out(beloved, &reader.patron).await.expect(201);
    let patron = id(&reader.patron);

    // renewMyItems
    let renew = json!({"itemId": beloved["id"], "userId": patron});
    let renewed = vufind.post("/circulation/renew-by-id", &renew).await;
    assert!((200..300).contains(&renewed.status), "{renewed}");
    assert_members(&renewed, &["/dueDate", "/itemId", "/action"]);
    let refused =
        vufind.post("/circulation/renew-by-id", &json!({"itemId": emma["id"], "userId": patron})).await;
    assert_eq!(refused.status, 422, "{refused}");
    assert_members(&refused, &["/errors/0/message"]);

    // placeHold: a copy on the shelf is paged. The driver sends `null` where the patron has named no last day.
    let mut body = json!({
        "itemId": emma["id"], "requestType": "Page", "requesterId": patron, "requestDate": "2026-11-27T10:00:00+01:00",
        "fulfillmentPreference": "Hold Shelf", "requestExpirationDate": null, "pickupServicePointId": CIRC_DESK,
    });
    let placed = vufind.post("/circulation/requests", &body).await.expect(201);
    assert_members(&placed, &["/status", "/id"]);
    let refused = vufind.post("/circulation/requests", &body).await.expect(422);
    assert_members(&refused, &["/errors/0/message"]);
    // The last day comes without a time; a proxy asks for a sponsor.
    let borrower = reader.desk.patron().await;
    reader.desk.check_in(beloved).await.expect(200);
    reader.desk.check_out(beloved, &borrower).await.expect(201);
    body["itemId"] = beloved["id"].clone();
    body["requestType"] = json!("Hold");
    body["requestExpirationDate"] = json!("2027-01-15");
    body["patronComments"] = json!("Before Friday");
    let second = vufind.post("/circulation/requests", &body).await.expect(201).json();
    assert_eq!(second["requestExpirationDate"], "2027-01-15T23:59:59.000+00:00");

    // getMyHolds
    let mine = format!("((requesterId == \"{patron}\" or proxyUserId == \"{patron}\") and status == Open*)");
    let holds = vufind
        .get(&format!("/request-storage/requests?query={}&offset=0&limit=1000", encode(&mine)))
        .await
        .expect(200);
    assert_eq!(holds.total(), 2);
    assert_members(
        &holds,
        &[
            "/requests/0/requestDate",
            "/requests/0/requestType",
            "/requests/0/instanceId",
            "/requests/0/id",
            "/requests/0/instance/title",
            "/requests/0/status",
            "/requests/0/position",
            "/requests/0/holdingsRecordId",
            "/requests/0/itemId",
        ],
    );

    let days = holds.field_values("requests", "requestExpirationDate");
    assert!(days.contains(&"2027-01-15T23:59:59.000+00:00".to_owned()), "{holds}");

    // cancelHolds: the request as it was read, with another status.
    let path = format!("/circulation/requests/{}", second["id"].as_str().unwrap());
    let read_again = vufind.get(&path).await.expect(200);
    assert_members(&read_again, &["/requesterId", "/itemId"]);
    let reason = json!({"id": REASON, "name": "By the patron", "description": "In VuFind"});
    let reasons = reader.desk.post("/cancellation-reason-storage/cancellation-reasons", &reason).await;
    assert!([201, 422].contains(&reasons.status), "{reasons}");
    let mut cancelled: Value = read_again.json();
    cancelled["status"] = json!("Closed - Cancelled");
    cancelled["cancellationReasonId"] = json!(REASON);
    vufind.put(&path, &cancelled).await.expect(204);
    assert_eq!(vufind.get(&path).await.expect(200).json()["status"], "Closed - Cancelled");
}

/// The reason that the driver names unless it is told another.
const REASON: &str = "75187e8d-e25a-47a7-89ad-23ba612338de";

#[tokio::test]
async fn vufind_learns_which_release_of_mod_circulation_it_talks_to() {
    let reader = Reader::open().await;
    let tenant = reader.library.tenant.as_str();
    let path = format!("/_/proxy/tenants/{tenant}/modules?filter=mod-circulation&latest=1");
    let reply = log_in_driver(&reader).await.get(&path).await.expect(200);
    let modules: Vec<Value> = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(modules[0]["id"], "mod-circulation-24.2.5", "{reply}");
}

#[tokio::test]
async fn vufinds_course_reserves_are_told_that_there_are_none() {
    let reader = Reader::open().await;
    for path in ["departments", "courselistings", "courses", "reserves"] {
        reader.desk.get(&format!("/coursereserves/{path}?offset=0&limit=1000")).await.expect(404);
    }
}
