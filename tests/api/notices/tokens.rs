//! Each token of FOLIO's list is filled, in notices and on slips, by a library that knows all there is to know.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::Branch;

/// Of the reference records.
const HOME: &str = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";
const WORK: &str = "1c4b225f-f669-4e9b-afcd-ebc0e273a34e";
const NEEDED_FOR_COURSES: &str = "1c0e9ba1-6a97-4bbc-94fc-83eecc32f5fd";
const PATRON_CANCELLED: &str = "75187e8d-e25a-47a7-89ad-23ba612338de";
const SECOND_DESK: &str = "c4c90014-c8c9-4ade-8f24-b5e313319f4b";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}

struct FullLibrary {
    branch: Branch,
    patron: Value,
    item: Value,
    instance: String,
}

impl FullLibrary {
    async fn open() -> FullLibrary {
        let branch = Branch::open(&[]).await;
        let department = fresh_id();
        let law = json!({"id": department, "name": "Law", "code": "L"});
        branch.post("/departments", &law).await.expect(201);
        let mut patron = branch.patron().await;
        patron["departments"] = json!([department]);
        patron["personal"] = json!({
            "lastName": "Hopper", "firstName": "Grace", "middleName": "Brewster", "preferredFirstName": "Amazing",
            "preferredContactTypeId": "002", "email": "grace@example.com",
            "addresses": [
                {"addressTypeId": HOME, "addressLine1": "1 Home St", "addressLine2": "Flat 2", "city": "Arlington",
                    "region": "VA", "postalCode": "22201", "countryId": "US", "primaryAddress": true},
                {"addressTypeId": WORK, "addressLine1": "2 Navy Yard", "addressLine2": "Dock 3", "city": "Boston",
                    "region": "MA", "postalCode": "02129", "countryId": "GB"},
            ],
        });
        branch.put(&format!("/users/{}", id(&patron)), &patron).await.expect(204);

        let path = format!("/locations/{}", branch.location);
        let mut location = branch.get(&path).await.expect(200).json();
        location["discoveryDisplayName"] = json!("Fiction, upstairs");
        branch.put(&path, &location).await.expect(204);

        let item = branch.item().await;
        let path = format!("/item-storage/items/{}", id(&item));
        let mut stored = branch.get(&path).await.expect(200).json();
        for (name, value) in [
            ("enumeration", json!("no. 4")),
            ("volume", json!("vol. 5")),
            ("chronology", json!("1952")),
            ("yearCaption", json!(["1952", "1953"])),
            ("copyNumber", json!("c. 6")),
            ("numberOfPieces", json!("7")),
            ("displaySummary", json!("v.5:no.4")),
            ("descriptionOfPieces", json!("maps")),
            ("itemLevelCallNumber", json!("QA 76")),
            ("itemLevelCallNumberPrefix", json!("REF")),
            ("itemLevelCallNumberSuffix", json!("oversize")),
        ] {
            stored[name] = value;
        }
        branch.put(&path, &stored).await.expect(204);
        let holdings = format!("/holdings-storage/holdings/{}", item["holdingsRecordId"].as_str().unwrap());
        let holdings = branch.get(&holdings).await.expect(200).json();
        let instance = holdings["instanceId"].as_str().unwrap().to_owned();
        let path = format!("/instance-storage/instances/{instance}");
        let mut title = branch.get(&path).await.expect(200).json();
        title["contributors"] = json!([
            {"name": "Eckert, J.", "contributorNameTypeId": PERSONAL_NAME, "primary": false},
            {"name": "Mauchly, J.", "contributorNameTypeId": PERSONAL_NAME, "primary": true},
        ]);
        branch.put(&path, &title).await.expect(204);
        FullLibrary { branch, patron, item, instance }
    }

    /// The texts that replace the tokens in a notice about this.
    async fn preview_tokens(&self, about: Value, tokens: &[(&str, &str)]) -> Vec<(String, String)> {
        let lines: Vec<String> = tokens.iter().map(|(token, _)| format!("{token}={{{{{token}}}}}")).collect();
        let mut wanted = about;
        wanted["header"] = json!("Tokens");
        wanted["body"] = json!(lines.join("\n"));
        wanted["outputFormat"] = json!("text/plain");
        let preview = self.branch.post("/notice-ledger/preview", &wanted).await.expect(200).json();
        assert_eq!(
            (&preview["unknownTokens"], &preview["emptyTokens"]),
            (&json!([]), &json!([])),
            "{preview}"
        );
        let body = preview["body"].as_str().unwrap();
        let pair = |line: &str| line.split_once('=').map(|(token, text)| (token.to_owned(), text.to_owned()));
        body.lines().filter_map(pair).collect()
    }

    async fn assert_tokens(&self, about: Value, tokens: &[(&str, &str)]) {
        let expected: Vec<(String, String)> =
            tokens.iter().map(|(token, text)| ((*token).to_owned(), (*text).to_owned())).collect();
        assert_eq!(self.preview_tokens(about, tokens).await, expected);
    }

    /// Checks the item out, with two comments for the patron, one for staff, and a later action.
    async fn lend(&self) -> Value {
        let loan = self.branch.check_out(&self.item, &self.patron).await.expect(201).json();
        let path = format!("/circulation/loans/{}/add-info", id(&loan));
        for (action, comment) in [
            ("patronInfoAdded", "the map was loose"),
            ("patronInfoAdded", "the map is missing"),
            ("staffInfoAdded", "look under the desk"),
        ] {
            self.branch.post(&path, &json!({"action": action, "actionComment": comment})).await.expect(204);
        }
        self.branch.renew(&self.item, &self.patron).await.expect(200);
        let path = format!("/circulation/loans/{}/change-due-date", id(&loan));
        self.branch.post(&path, &json!({"dueDate": "2031-05-06T10:00:00Z"})).await.expect(204);
        let path = format!("/loan-storage/loans/{}", id(&loan));
        let mut stored = self.branch.get(&path).await.expect(200).json();
        stored["loanDate"] = json!("2031-04-06T10:00:00.000+00:00");
        self.branch.put(&path, &stored).await.expect(204);
        loan
    }

    /// A hold for the item, or for its title.
    fn hold_request(&self, patron: &Value, level: &str) -> Value {
        let mut body = json!({
            "id": fresh_id(), "requestType": "Hold", "requestLevel": level, "instanceId": self.instance,
            "requesterId": patron["id"], "requestDate": "2031-01-02T10:00:00Z",
            "requestExpirationDate": "2031-06-07T10:00:00Z", "patronComments": "soon",
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK,
        });
        if level == "Item" {
            body["itemId"] = self.item["id"].clone();
            body["holdingsRecordId"] = self.item["holdingsRecordId"].clone();
        }
        body
    }
}

const USER: &[(&str, &str)] = &[
    ("user.firstName", "Grace"),
    ("user.preferredFirstName", "Amazing"),
    ("user.lastName", "Hopper"),
    ("user.middleName", "Brewster"),
    ("user.patronGroup", "faculty"),
    ("user.departments", "Law"),
    ("user.primaryDeliveryAddressType", "Home"),
    ("user.primaryAddressLine1", "1 Home St"),
    ("user.primaryAddressLine2", "Flat 2"),
    ("user.primaryCity", "Arlington"),
    ("user.primaryStateProvRegion", "VA"),
    ("user.primaryZipPostalCode", "22201"),
    ("user.primaryCountry", "United States"),
];

const ITEM: &[(&str, &str)] = &[
    ("item.title", "Beloved"),
    ("item.primaryContributor", "Mauchly, J."),
    ("item.allContributors", "Eckert, J.; Mauchly, J."),
    ("item.status", "Checked out"),
    ("item.enumeration", "no. 4"),
    ("item.volume", "vol. 5"),
    ("item.chronology", "1952"),
    ("item.yearCaption", "1952; 1953"),
    ("item.materialType", "book"),
    ("item.loanType", "Can circulate"),
    ("item.copy", "c. 6"),
    ("item.numberOfPieces", "7"),
    ("item.displaySummary", "v.5:no.4"),
    ("item.descriptionOfPieces", "maps"),
    ("item.effectiveLocationSpecific", "Fiction"),
    ("item.effectiveLocationLibrary", "Harbour"),
    ("item.effectiveLocationCampus", "Town"),
    ("item.effectiveLocationInstitution", "Westhaven"),
    ("item.effectiveLocationDiscoveryDisplayName", "Fiction, upstairs"),
    ("item.effectiveLocationPrimaryServicePointName", "Circ Desk 1"),
    ("item.callNumber", "QA 76"),
    ("item.callNumberPrefix", "REF"),
    ("item.callNumberSuffix", "oversize"),
];

const LOAN: &[(&str, &str)] = &[
    ("loan.initialBorrowDate", "4/6/31"),
    ("loan.initialBorrowDateTime", "4/6/31, 10:00 AM"),
    ("loan.dueDate", "5/6/31"),
    ("loan.dueDateTime", "5/6/31, 10:00 AM"),
    ("loan.numberOfRenewalsTaken", "1"),
    ("loan.numberOfRenewalsAllowed", "2"),
    ("loan.numberOfRenewalsRemaining", "1"),
    ("loan.additionalInfo", "the map is missing"),
];

#[tokio::test]
async fn notices_about_a_loan_fill_every_token_of_patron_item_and_loan() {
    let house = FullLibrary::open().await;
    let loan = house.lend().await;
    let barcodes = [
        ("user.barcode", house.patron["barcode"].as_str().unwrap()),
        ("item.barcode", house.item["barcode"].as_str().unwrap()),
    ];
    let all: Vec<(&str, &str)> = [USER, ITEM, LOAN, &barcodes].concat();
    house.assert_tokens(json!({"loanId": loan["id"]}), &all).await;

    let back = json!({"itemBarcode": house.item["barcode"], "servicePointId": CIRC_DESK,
        "checkInDate": "2031-05-05T10:00:00Z"});
    house.branch.post("/circulation/check-in-by-barcode", &back).await.expect(200);
    let returned = [
        ("loan.checkedInDate", "5/5/31"),
        ("loan.checkedInDateTime", "5/5/31, 10:00 AM"),
        ("loan.additionalInfo", "the map is missing"),
    ];
    house.assert_tokens(json!({"loanId": loan["id"]}), &returned).await;
}

#[tokio::test]
async fn notices_about_a_request_fill_every_token_and_tell_of_the_loan_of_its_item() {
    let house = FullLibrary::open().await;
    house.lend().await;
    let requester = house.branch.patron().await;
    let mut body = house.hold_request(&requester, "Item");
    body["fulfillmentPreference"] = json!("Delivery");
    body["deliveryAddressTypeId"] = json!(WORK);
    let path = format!("/circulation/requests/{}", id(&body));
    house.branch.post("/circulation/requests", &body).await.expect(201);
    let mut shown = house.branch.get(&path).await.expect(200).json();
    shown["holdShelfExpirationDate"] = json!("2031-06-08T10:00:00Z");
    shown["status"] = json!("Closed - Cancelled");
    shown["cancellationReasonId"] = json!(NEEDED_FOR_COURSES);
    shown["cancellationAdditionalInformation"] = json!("until July");
    house.branch.put(&path, &shown).await.expect(204);
    let request_id = id(&body).to_owned();
    let request = [
        ("request.requestID", request_id.as_str()),
        ("request.servicePointPickup", "Circ Desk 1"),
        ("request.requestDate", "1/2/31"),
        ("request.requestDateTime", "1/2/31, 10:00 AM"),
        ("request.requestExpirationDate", "6/7/31"),
        ("request.requestExpirationDateTime", "6/7/31, 11:59 PM"),
        ("request.holdShelfExpirationDate", "6/8/31"),
        ("request.holdShelfExpirationDateTime", "6/8/31, 10:00 AM"),
        ("request.additionalInfo", "until July"),
        // What the public is told, not what staff call it.
        ("request.reasonForCancellation", "Item is no longer available for request"),
        ("request.deliveryAddressType", "Work"),
        ("request.patronComments", "soon"),
    ];
    let all: Vec<(&str, &str)> = [&request[..], ITEM, LOAN].concat();
    house.assert_tokens(json!({"requestId": request_id}), &all).await;
}

#[tokio::test]
async fn a_reason_without_public_words_is_called_by_its_name() {
    let house = FullLibrary::open().await;
    house.branch.check_out(&house.item, &house.patron).await.expect(201);
    let mut body = house.hold_request(&house.branch.patron().await, "Item");
    house.branch.post("/circulation/requests", &body).await.expect(201);
    body["status"] = json!("Closed - Cancelled");
    body["cancellationReasonId"] = json!(PATRON_CANCELLED);
    house.branch.put(&format!("/circulation/requests/{}", id(&body)), &body).await.expect(204);
    let expected = [("request.reasonForCancellation", "Patron Cancelled")];
    house.assert_tokens(json!({"requestId": body["id"]}), &expected).await;
}

#[tokio::test]
async fn notices_about_a_request_for_a_title_name_its_contributors() {
    let house = FullLibrary::open().await;
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": value});
    house.branch.post("/configurations/entries", &entry).await.expect(201);
    house.branch.check_out(&house.item, &house.patron).await.expect(201);
    let body = house.hold_request(&house.branch.patron().await, "Title");
    house.branch.post("/circulation/requests", &body).await.expect(201);
    let expected = [
        ("item.title", "Beloved"),
        ("item.primaryContributor", "Mauchly, J."),
        ("item.allContributors", "Eckert, J.; Mauchly, J."),
        ("request.servicePointPickup", "Circ Desk 1"),
    ];
    house.assert_tokens(json!({"requestId": body["id"]}), &expected).await;
}

#[tokio::test]
async fn notices_about_a_fee_say_what_is_meant_for_the_patron() {
    let house = FullLibrary::open().await;
    let loan = house.lend().await;
    let (owner, kind, account) = (fresh_id(), fresh_id(), fresh_id());
    house.branch.post("/owners", &json!({"id": owner, "owner": "Main desk"})).await.expect(201);
    let record = json!({"id": kind, "feeFineType": "Damage", "ownerId": owner});
    house.branch.post("/feefines", &record).await.expect(201);
    let record = json!({
        "id": account, "userId": house.patron["id"], "feeFineId": kind, "ownerId": owner, "feeFineType": "Damage",
        "feeFineOwner": "Main desk", "amount": 12.5, "remaining": 12.5, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "loanId": loan["id"],
    });
    let stored = house.branch.post("/accounts", &record).await.expect(201).json();
    let act = async |kind: &str, amount: f64, balance: f64, comments: &str| {
        let action = json!({"id": fresh_id(), "accountId": account, "userId": house.patron["id"],
            "typeAction": kind, "amountAction": amount, "balance": balance, "comments": comments,
            "dateAction": "2031-03-04T10:00:00Z"});
        house.branch.post("/feefineactions", &action).await.expect(201).json()
    };
    act("Damage", 12.5, 12.5, "STAFF : coffee \n PATRON : page 7 is brown").await;
    let paid = act("Paid partially", 2.5, 10.0, "STAFF : in coins \n PATRON : thank you").await;
    let charged = stored["metadata"]["createdDate"].as_str().and_then(octavo_kernel::parse_time).unwrap();
    let charged = charged.to_zoned(jiff::tz::TimeZone::UTC);
    let day = charged.strftime("%-m/%-d/%y").to_string();
    let minute = charged.strftime("%-m/%-d/%y, %-I:%M %p").to_string();
    let expected = [
        ("feeCharge.owner", "Main desk"),
        ("feeCharge.type", "Damage"),
        ("feeCharge.paymentStatus", "Outstanding"),
        ("feeCharge.amount", "12.50"),
        ("feeCharge.remainingAmount", "12.50"),
        ("feeCharge.chargeDate", day.as_str()),
        ("feeCharge.chargeDateTime", minute.as_str()),
        ("feeCharge.additionalInfo", "page 7 is brown"),
        ("feeAction.type", "Paid partially"),
        ("feeAction.actionDate", "3/4/31"),
        ("feeAction.actionDateTime", "3/4/31, 10:00 AM"),
        ("feeAction.amount", "2.50"),
        ("feeAction.remainingAmount", "10.00"),
        ("feeAction.additionalInfo", "thank you"),
        ("loan.additionalInfo", "the map is missing"),
        ("item.title", "Beloved"),
        ("user.lastName", "Hopper"),
    ];
    house.assert_tokens(json!({"feeFineActionId": paid["id"], "loanId": loan["id"]}), &expected).await;
}

/// The requester as slips show them.
const REQUESTER: &[(&str, &str)] = &[
    ("firstName", "Grace"),
    ("preferredFirstName", "Amazing"),
    ("lastName", "Hopper"),
    ("middleName", "Brewster"),
    ("patronGroup", "faculty"),
    ("departments", "Law"),
    ("addressType", "Work"),
    ("addressLine1", "2 Navy Yard"),
    ("addressLine2", "Dock 3"),
    ("city", "Boston"),
    ("region", "MA"),
    ("postalCode", "02129"),
    ("countryId", "GB"),
    ("primaryDeliveryAddressType", "Home"),
    ("primaryAddressLine1", "1 Home St"),
    ("primaryAddressLine2", "Flat 2"),
    ("primaryCity", "Arlington"),
    ("primaryStateProvRegion", "VA"),
    ("primaryZipPostalCode", "22201"),
    ("primaryCountry", "United States"),
];

fn assert_slip(slip: &Value, item_status: &str) {
    for (token, text) in REQUESTER {
        assert_eq!(slip["requester"][token], *text, "requester.{token} of {slip}");
    }
    for (token, text) in [
        ("deliveryAddressType", "Work"),
        ("patronComments", "soon"),
        ("servicePointPickup", "Circ Desk 1"),
        ("requestDate", "2031-01-02T10:00:00.000Z"),
        ("requestExpirationDate", "2031-06-07T23:59:59.000Z"),
    ] {
        assert_eq!(slip["request"][token], text, "request.{token} of {slip}");
    }
    for (token, text) in ITEM {
        let token = token.trim_start_matches("item.");
        let text = if token == "status" { item_status } else { text };
        assert_eq!(slip["item"][token], text, "item.{token} of {slip}");
    }
    assert!(slip["currentDateTime"].is_string(), "{slip}");
}

#[tokio::test]
async fn slips_fill_every_token_of_item_request_and_requester() {
    let house = FullLibrary::open().await;
    let mut body = house.hold_request(&house.patron, "Item");
    body["requestType"] = json!("Page");
    body["fulfillmentPreference"] = json!("Delivery");
    body["deliveryAddressTypeId"] = json!(WORK);
    house.branch.check_in(&house.item).await.expect(200);
    house.branch.post("/circulation/requests", &body).await.expect(201);
    let slips = house.branch.get(&format!("/circulation/pick-slips/{CIRC_DESK}")).await.expect(200).json();
    let slip = &slips["pickSlips"][0];
    assert_slip(slip, "Paged");
    assert_eq!(slip["request"]["requestID"], body["id"]);
    assert!(slip["item"]["lastCheckedInDateTime"].is_string(), "{slip}");

    let slip = house.branch.check_in(&house.item).await.expect(200).json()["staffSlipContext"].take();
    assert_slip(&slip, "Awaiting delivery");
    assert_eq!(slip["item"]["fromServicePoint"], "Circ Desk 1");
    assert!(slip["item"]["lastCheckedInDateTime"].is_string(), "{slip}");
    house.branch.check_out(&house.item, &house.patron).await.expect(201);

    let mut body = house.hold_request(&house.branch.patron().await, "Item");
    body["deliveryAddressTypeId"] = json!(WORK);
    house.branch.post("/circulation/requests", &body).await.expect(201);
    let back = json!({"itemBarcode": house.item["barcode"], "servicePointId": SECOND_DESK,
        "checkInDate": "2031-05-05T10:00:00Z"});
    let slip = house.branch.post("/circulation/check-in-by-barcode", &back).await.expect(200).json();
    let item = &slip["staffSlipContext"]["item"];
    assert_eq!(
        (&item["fromServicePoint"], &item["toServicePoint"]),
        (&json!("Circ Desk 2"), &json!("Circ Desk 1"))
    );
}
