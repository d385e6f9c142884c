//! What a publication costs, and the reports about it.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{create_record, get, id};

async fn request(library: &Library, more: Value) -> Value {
    create_record(library, "/oa/publicationRequest", &more).await
}

#[tokio::test]
async fn a_charge_tells_what_it_comes_to() {
    let library = Library::furnished().await;
    let owner = request(&library, json!({})).await;
    let rate = |coefficient: Value| json!({"toCurrency": "EUR", "coefficient": coefficient});
    for (discount, kind, tax, coefficient, invoice, price) in [
        (json!(10), "percentage", json!(20), json!(0.5), 108.0, Some(54.0)),
        (json!("10"), "subtracted", json!(20), json!("2"), 108.0, Some(216.0)),
        (json!(10), "nothing", json!(20), json!(2), 100.0, Some(200.0)),
        (json!(25), "percentage", Value::Null, json!(0), 75.0, None),
        (json!(0), "subtracted", json!(7.5), json!(1.1), 107.5, Some(118.25)),
    ] {
        let charge = json!({
            "amount": {"baseCurrency": "USD", "value": 100}, "exchangeRate": rate(coefficient), "discount": discount,
            "discountType": kind, "tax": tax, "category": "APC", "owner": {"id": owner["id"]}, "paymentPeriod": "2026",
            "payers": [{"payer": "Library", "payerAmount": 50}],
        });
        let made = create_record(&library, "/oa/charges", &charge).await;
        assert_eq!(made["estimatedInvoicePrice"]["value"].as_f64(), Some(invoice), "{made}");
        assert_eq!(made["estimatedInvoicePrice"]["baseCurrency"], "USD");
        assert_eq!(made["estimatedPrice"]["value"].as_f64(), price, "{made}");
        assert_eq!(made["exchangeRate"]["fromCurrency"], "USD", "the charge's own, where no other is named");
        assert_eq!(made["payers"][0]["payer"]["value"], "library");
        assert!(made.get("owner").is_none());
    }
    let shown = get(&library, &format!("/oa/publicationRequest/{}", id(&owner))).await;
    assert_eq!(shown["charges"].as_array().unwrap().len(), 5);
    let found = get(
        &library,
        "/oa/charges?filters=amount.value%3E=100%26%26exchangeRate.coefficient%3E1.05&stats=true",
    )
    .await;
    assert_eq!(found["total"], 3);
    for (charge, message) in [
        (
            json!({"amount": {"value": 1}}),
            "Property [baseCurrency] of class [class org.olf.oa.finance.MonetaryValue] cannot be null",
        ),
        (json!({}), "Property [amount] of class [class org.olf.oa.Charge] cannot be null"),
        (
            json!({"amount": {"baseCurrency": "EUR", "value": "much"}}),
            "Property value must be a valid number",
        ),
        (
            json!({"amount": {"baseCurrency": "EUR"}, "paymentPeriod": "26"}),
            "Property [paymentPeriod] of class [class org.olf.oa.Charge] with value [26] does not match the required pattern [^([0-9]{4})?$]",
        ),
    ] {
        let mut charge = charge;
        charge["owner"] = json!({"id": owner["id"]});
        let refused = library.post("/oa/charges", &charge).await.expect(422).json();
        assert_eq!(refused["message"], message, "{refused}");
    }
}

#[tokio::test]
async fn reports_list_charges_and_agreements_as_csv() {
    let library = Library::furnished().await;
    let citation = json!({
        "title": "Annals", "type": "serial", "oaStatus": "Hybrid",
        "instances": [{"ids": [{"ns": "issn", "id": "1111-1111"}], "subType": "print"},
                      {"ids": [{"ns": "issn", "id": "2222-2222"}], "subType": "electronic"}],
    });
    let work = library.post("/oa/works/citation", &citation).await.expect(200).json();
    let article = request(&library, json!({
        "publicationUrl": "https://example.org/=1", "publisher": "Publisher 1", "work": {"id": work["id"]}, "workOAStatus": "Hybrid",
        "agreement": {"remoteId": "ag"},
        "publicationStatuses": [{"publicationStatus": "Submitted", "statusDate": "2026-02-01"}],
    })).await;
    let book = request(
        &library,
        json!({
            "publicationTitle": "A \"book\"", "doi": "10.1/b", "retrospectiveOA": true,
            "identifiers": [{"type": "ISBN", "publicationIdentifier": "978"}],
        }),
    )
    .await;
    for (owner, category, status, period) in
        [(&article, "APC", "Paid", "2026"), (&book, "BPC", "Expected", "2025")]
    {
        let charge = json!({
            "amount": {"baseCurrency": "USD", "value": 100}, "exchangeRate": {"toCurrency": "EUR", "coefficient": 0.9},
            "category": category, "chargeStatus": status, "paymentPeriod": period, "owner": {"id": owner["id"]},
        });
        create_record(&library, "/oa/charges", &charge).await;
    }
    let report = async |path: &str| {
        let reply = library.get(&format!("/oa/reports/{path}")).await.expect(200);
        assert_eq!(reply.header("content-disposition"), Some("attachment; filename=export.csv"));
        reply.text()
    };
    let head = "\"institution\",\"period\",\"euro\",\"doi\",\"is_hybrid\",\"publisher\",\"journal_full_title\",\"issn\",\"url\"\n";
    let line = "\"Graz\",\"2026\",\"90.00\",,\"true\",\"Publisher 1\",\"Annals\",\"2222-2222\",\"https://example.org/=1\"\n";
    let asked =
        "openApcChargesReport?institution=Graz&paymentPeriod=2026&chargeCategory=apc,bpc&chargeStatus=paid";
    assert_eq!(report(asked).await, format!("{head}{line}"));
    assert_eq!(report("openApcChargesReport?paymentPeriod=1999").await, head);
    let all = report("openApcChargesReport").await;
    assert_eq!(all.lines().count(), 3, "{all}");

    let books = report("openApcBpcReport?chargeCategory=bpc").await;
    let expected = "\"institution\",\"period\",\"euro\",\"doi\",\"backlist_oa\",\"book_title\",\"isbn\"\n\
                    ,\"2025\",\"90.00\",\"10.1/b\",\"true\",\"A \"\"book\"\"\",\n";
    assert_eq!(books, expected);

    let agreement =
        "openApcTransformativeAgreementReport?agreementId=ag&publicationStatus=submitted&institution=Graz";
    let line =
        "\"Graz\",\"2026\",,\"true\",\"Publisher 1\",\"Annals\",\"2222-2222\",\"https://example.org/=1\"\n";
    assert!(report(&format!("{agreement}&paymentPeriod=2026")).await.ends_with(line));
    assert_eq!(report(&format!("{agreement}&paymentPeriod=2025")).await.lines().count(), 1);
    library.get(&format!("/oa/reports/{agreement}&paymentPeriod=soon")).await.expect(400);
    library.get("/oa/reports/other").await.expect(404);
}
