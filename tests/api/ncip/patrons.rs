//! `LookupUser`.

use serde_json::json;

use super::{AGENCY, Answer, NcipPartner, text, user};

const FAILED: &str = "Lookup User Failed";
const EVERYTHING: &str = "<UserElementType>Name Information</UserElementType><UserElementType>User Address Information</UserElementType>\
    <UserElementType>User Privilege</UserElementType><UserElementType>User Id</UserElementType>";

async fn look_up_user(partner: &NcipPartner, number: &str, wished: &str) -> Answer {
    partner.send_message("LookupUser", &format!("{}{wished}", user(number))).await
}

fn input(kind: &str, value: &str) -> String {
    format!(
        "<AuthenticationInput><AuthenticationInputData>{value}</AuthenticationInputData><AuthenticationDataFormatType>text\
         </AuthenticationDataFormatType><AuthenticationInputType>{kind}</AuthenticationInputType></AuthenticationInput>"
    )
}

fn status(answer: &Answer) -> String {
    let path = ["UserOptionalFields", "UserPrivilege", "UserPrivilegeStatus", "UserPrivilegeStatusType"];
    answer.texts_inside(&path).last().cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_patron_is_told_as_far_as_the_message_wishes() {
    let partner = NcipPartner::open().await;
    let mut patron = partner.desk.patron().await;
    patron["externalSystemId"] = json!("e-1");
    patron["personal"]["preferredFirstName"] = json!("Fred & Co");
    patron["personal"]["email"] = json!("f@example.org");
    patron["personal"]["phone"] = json!("12");
    let kind = partner.desk.post("/addresstypes", &json!({"addressType": "Summer"})).await.expect(201).json();
    patron["personal"]["addresses"] = json!([
        {"addressLine1": "Harbour 1", "city": "Westhaven", "postalCode": "4711", "addressTypeId": kind["id"]},
    ]);
    let id = text(&patron, "id");
    partner.desk.put(&format!("/users/{id}"), &patron).await.expect(204);

    for number in [text(&patron, "barcode"), text(&patron, "username"), "e-1".to_owned()] {
        let answer = look_up_user(&partner, &number, EVERYTHING).await;
        let answer = answer.assert_no_problem();
        assert_eq!(answer.text_at(&["UserId", "AgencyId"]), AGENCY);
        assert_eq!(answer.text_at(&["UserId", "UserIdentifierValue"]), text(&patron, "barcode"));
        let told = |path: &[&str]| answer.texts_inside(&[&["UserOptionalFields"], path].concat());
        assert_eq!(told(&["UserId", "UserIdentifierValue"]), [id.as_str()]);
        let name = ["NameInformation", "PersonalNameInformation"];
        assert_eq!(told(&[&name[..], &["UnstructuredPersonalUserName"]].concat()), ["Fred & Co Nielsen"]);
        let structured = [&name[..], &["StructuredPersonalUserName"]].concat();
        assert_eq!(told(&[&structured[..], &["GivenName"]].concat()), ["Fred & Co"]);
        assert_eq!(told(&[&structured[..], &["Surname"]].concat()), ["Nielsen"]);
        let electronic = ["UserAddressInformation", "ElectronicAddress"];
        assert_eq!(
            told(&[&electronic[..], &["ElectronicAddressType"]].concat()),
            ["electronic mail address", "TEL"]
        );
        assert_eq!(told(&[&electronic[..], &["ElectronicAddressData"]].concat()), ["f@example.org", "12"]);
        assert_eq!(told(&["UserAddressInformation", "PhysicalAddress"]).len(), 0);
        assert_eq!(told(&["UserPrivilege", "AgencyUserPrivilegeType"]), ["PROFILE", "LIBRARY", "STATUS"]);
        let value = ["UserPrivilege", "UserPrivilegeStatus", "UserPrivilegeStatusType"];
        assert_eq!(told(&value), ["faculty", "", "ACTIVE"]);
    }
    let briefly = look_up_user(&partner, "e-1", "<UserElementType>Name Information</UserElementType>").await;
    assert_eq!(briefly.text_at(&["UserId", "UserIdentifierValue"]), text(&patron, "barcode"));
    assert!(briefly.texts_inside(&["UserOptionalFields", "UserPrivilege"]).is_empty());
    assert_eq!(briefly.texts_inside(&["UserOptionalFields", "NameInformation"]).len(), 1);
    let nothing = look_up_user(&partner, "e-1", "").await;
    assert_eq!(
        nothing.assert_no_problem().text_at(&["UserId", "UserIdentifierValue"]),
        text(&patron, "barcode")
    );
    assert!(nothing.texts_inside(&["UserOptionalFields"]).is_empty());

    partner.put_setting("response.includes.physical.address", "true").await;
    partner.put_setting("user.email.type", "mailto").await;
    let answer = look_up_user(&partner, "e-1", EVERYTHING).await;
    let address = ["UserOptionalFields", "UserAddressInformation"];
    let line = [&address[..], &["PhysicalAddress", "StructuredAddress", "Line1"]].concat();
    assert_eq!(answer.texts_inside(&line), ["Harbour 1"]);
    assert_eq!(
        answer.texts_inside(&[&address[..], &["UserAddressRoleType"]].concat()),
        ["OTH", "OTH", "Summer"]
    );
    assert_eq!(
        answer.text_at(&[&address[..], &["ElectronicAddress", "ElectronicAddressType"]].concat()),
        "mailto"
    );
}

#[tokio::test]
async fn who_is_blocked_or_not_active_is_blocked_in_the_agencys_words() {
    let partner = NcipPartner::open().await;
    let wished = "<UserElementType>User Privilege</UserElementType>";
    for (kind, borrowing, requests, expected) in [
        ("nothing that counts", false, false, "ACTIVE"),
        ("borrowing", true, false, "BLOCKED"),
        ("requests", false, true, "BLOCKED"),
    ] {
        let patron = partner.desk.patron().await;
        let block = json!({
            "type": "Manual", "desc": kind, "userId": patron["id"], "borrowing": borrowing, "renewals": true, "requests": requests,
        });
        partner.desk.post("/manualblocks", &block).await.expect(201);
        assert_eq!(
            status(&look_up_user(&partner, &text(&patron, "barcode"), wished).await),
            expected,
            "{kind}"
        );
    }
    let mut left = partner.desk.patron().await;
    left["active"] = json!(false);
    partner.desk.put(&format!("/users/{}", text(&left, "id")), &left).await.expect(204);
    partner.put_setting("user.priv.blocked.status", "NO").await;
    partner.put_setting("user.priv.ok.status", "YES").await;
    assert_eq!(status(&look_up_user(&partner, &text(&left, "barcode"), wished).await), "NO");
    let patron = partner.desk.patron().await;
    assert_eq!(status(&look_up_user(&partner, &text(&patron, "barcode"), wished).await), "YES");
}

#[tokio::test]
async fn a_patron_is_found_by_what_was_typed_in_and_shows_a_pin() {
    let partner = NcipPartner::open().await;
    let patron = partner.desk.patron().await;
    partner.desk.post("/patron-pin", &json!({"id": patron["id"], "pin": "4711"})).await.expect(201);
    let name = text(&patron, "username");
    let wished = "<UserElementType>User Id</UserElementType>";
    for (inputs, is_right) in [
        (input("username", &name), true),
        (input("Barcode", &text(&patron, "barcode")), true),
        (format!("{}{}", input("username", &name), input("PIN", "4711")), true),
        (format!("{}{}", input("username", &name), input("PIN", "0000")), false),
    ] {
        let answer = partner.send_message("LookupUser", &format!("{inputs}{wished}")).await;
        match is_right {
            true => {
                let told = answer.assert_no_problem().text_at(&["UserId", "UserIdentifierValue"]);
                assert_eq!(told, text(&patron, "barcode"));
            }
            false => answer.assert_problem(["", "General Error", "Lookup User Failed: PIN check failed", ""]),
        }
    }
}

#[tokio::test]
async fn who_cannot_be_found_is_a_problem_in_mod_ncips_words() {
    let partner = NcipPartner::open().await;
    look_up_user(&partner, "nobody", EVERYTHING).await.assert_problem([
        "",
        "Userid",
        "Did not find a user with that id",
        "",
    ]);
    // What is sent is a number, and never a query.
    look_up_user(&partner, "*", EVERYTHING).await.assert_problem([
        "",
        "Userid",
        "Did not find a user with that id",
        "",
    ]);
    let unknown = "User id missing from request or user id provided in authentication input does not exist";
    let invalid = "Problem occurred validating user id";
    partner.send_message("LookupUser", "").await.assert_problem([invalid, invalid, unknown, unknown]);
    let typed = input("username", "nobody");
    partner.send_message("LookupUser", &typed).await.assert_problem([invalid, invalid, unknown, unknown]);
    let other = partner.send_message("LookupUser", &input("Shoe size", "44")).await;
    other.assert_problem([invalid, invalid, unknown, unknown]);
    let patron = partner.desk.patron().await;
    let barcode = input("barcode", &text(&patron, "barcode"));
    let found = partner.send_message("LookupUser", &format!("{}{barcode}", input("Shoe size", "44"))).await;
    assert_eq!(
        found.assert_no_problem().text_at(&["UserId", "UserIdentifierValue"]),
        text(&patron, "barcode")
    );
    // Of many numbers that are no patron's only the first few are looked up.
    let many = input("barcode", "none").repeat(10) + &barcode;
    partner.send_message("LookupUser", &many).await.assert_problem([invalid, invalid, unknown, unknown]);
    let anonymous = partner.send_without_header("LookupUser", &user("1")).await;
    anonymous.assert_problem([FAILED, "Agency ID", "Could not determine FromAgency", ""]);
}
