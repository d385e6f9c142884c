//! Who may send a message, by token or by key, and what is no message.

use octavo_testkit::{ApiKey, Client, encode, fresh_id};

use super::{Answer, NcipPartner, message, text, user};

const AGENCY: &str =
    "<InitiationHeader><FromAgencyId><AgencyId>Relais</AgencyId></FromAgencyId></InitiationHeader>";
const USER_ID_WISHED: &str = "<UserElementType>User Id</UserElementType>";

/// A key of a new user who has these permissions.
async fn create_api_key(partner: &NcipPartner, permissions: &[&str]) -> String {
    ApiKey::create_accepted(&partner.library, &format!("partner-{}", fresh_id()), "edge-ncip", permissions)
        .await
}

#[tokio::test]
async fn messages_come_by_key_in_the_path_or_the_query() {
    let partner = NcipPartner::open().await;
    let patron = partner.desk.patron().await;
    let asked =
        message("LookupUser", &format!("{AGENCY}{}{USER_ID_WISHED}", user(&text(&patron, "barcode"))));
    let client = Client::new(partner.library.octavo.address);
    let (good, poor) =
        (create_api_key(&partner, &["ncip.all"]).await, create_api_key(&partner, &["users.all"]).await);
    for path in [format!("/ncip/{}", encode(&good)), format!("/ncip?apikey={}", encode(&good))] {
        let reply = client.send("POST", &path, asked.clone()).await.expect(200);
        let number = Answer::from_reply(&reply).text_at(&["UserId", "UserIdentifierValue"]);
        assert_eq!(number, text(&patron, "barcode"));
    }
    let check = format!("/ncipconfigcheck?apikey={}", encode(&good));
    client.get(&check).await.says(200, "OK");
    client.get(&format!("/ncipconfigcheck?apikey={}", encode(&poor))).await.expect(403);
    for (path, status) in [
        (format!("/ncip/{}", encode(&poor)), 403),
        ("/ncip?apikey=none".to_owned(), 401),
        (format!("/ncip?apikey={}x", encode(&good)), 401),
    ] {
        client.send("POST", &path, asked.clone()).await.expect(status);
    }
}

#[tokio::test]
async fn other_permissions_than_ncips_open_nothing_and_its_own_nothing_else() {
    let partner = NcipPartner::open().await;
    let asked = message("LookupUser", &format!("{AGENCY}{}", user("1")));
    let stranger = partner.library.as_user(&["users.all", "circulation.all"]).await;
    stranger.send("POST", "/ncip", asked.clone()).await.expect(403);
    partner.sender.send("POST", "/ncip", asked).await.expect(200);
    partner.sender.get("/users").await.expect(403);
    partner.sender.get("/ncipconfigcheck").await.expect(403);
}

#[tokio::test]
async fn what_is_no_message_is_400_and_an_unknown_service_a_problem() {
    let partner = NcipPartner::open().await;
    for (body, why) in [
        ("", "the document does not have a root node"),
        ("<html/>", "the message is no NCIPMessage"),
        ("{\"a\": 1}", "unknown token at 1:1"),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><NCIPMessage>&b;</NCIPMessage>",
            "XML with DTD detected",
        ),
    ] {
        let reply = partner.sender.send("POST", "/ncip", body.to_owned()).await.expect(400);
        let told = "<Problem><message>problem processing NCIP request</message><exception>";
        assert_eq!(reply.text(), format!("{told}{why}</exception></Problem>"));
    }
    let reply = partner.sender.send("POST", "/ncip", message("UndoCheckOutItem", "")).await.expect(200);
    let answer = Answer::from_reply(&reply);
    assert_eq!(answer.texts_at(&["Problem", "ProblemType"]), ["Unsupported Service"]);
    assert_eq!(answer.texts_at(&["Problem", "ProblemValue"]), ["UndoCheckOutItem"]);
}

#[tokio::test]
async fn the_settings_are_checked() {
    let partner = NcipPartner::without_settings().await;
    let checks = partner.library.as_user(&["ncip.ncipconfigcheck.get"]).await;
    let told = |why: &str| {
        format!(
            "<Problem><message>problem processing NCIP request</message><exception>{why}</exception></Problem>"
        )
    };
    let nothing = checks.get("/ncipconfigcheck").await.expect(422);
    assert_eq!(nothing.text(), told("No NCP configurations found in mod-configuration"));
    partner.put_setting("instance.source", "what names no record").await;
    partner.put_setting("item.material.type.name", "book").await;
    assert_eq!(checks.get("/ncipconfigcheck").await.expect(200).text(), "OK");
    partner.put_setting("instance.type.name", "PALCI_NOTREAL").await;
    let wrong = checks.get("/ncipconfigcheck").await.expect(422);
    assert_eq!(wrong.text(), told("The lookup of PALCI_NOTREAL could not be found for instance.type.name"));
}
