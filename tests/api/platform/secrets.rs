//! Secrets that settings hold are used and not shown.

use octavo_testkit::Library;
use serde_json::{Value, json};

/// The path of a record type, the name of its list, a record with a secret, and the secret's member.
fn secret_settings() -> [(&'static str, &'static str, Value, &'static str); 3] {
    [
        (
            "/smtp-configuration",
            "smtpConfigurations",
            json!({"host": "mail.example.org", "port": 25, "username": "library", "password": "Sesame-1",
                "ssl": false, "startTlsOptions": "DISABLED", "loginOption": "DISABLED", "from": "a@example.org"}),
            "password",
        ),
        (
            "/remote-storage/configurations",
            "configurations",
            json!({"name": "Depot", "providerName": "CAIA_SOFT", "url": "https://depot.example.org", "apiKey": "Sesame-2"}),
            "apiKey",
        ),
        (
            "/copycat/profiles",
            "profiles",
            json!({"name": "Union catalogue", "url": "z.example.org", "authentication": "Sesame-3",
                "createJobProfileId": "d0ebb7b0-2f0f-11eb-adc1-0242ac120002",
                "updateJobProfileId": "91f9b8d6-d80e-4727-9783-73fb53e3c786",
                "allowedCreateJobProfileIds": ["d0ebb7b0-2f0f-11eb-adc1-0242ac120002"],
                "allowedUpdateJobProfileIds": ["91f9b8d6-d80e-4727-9783-73fb53e3c786"]}),
            "authentication",
        ),
    ]
}

#[tokio::test]
async fn a_secret_is_in_no_answer_and_stays_when_its_record_is_sent_back() {
    for (path, list, record, member) in secret_settings() {
        let library = Library::open().await;
        let secret = record[member].as_str().unwrap().to_owned();
        let made = library.post(path, &record).await.expect(201);
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let one = format!("{path}/{id}");
        let all = library.get(path).await.expect(200);
        let mut shown = library.get(&one).await.expect(200).json();
        for text in [made.text(), all.text(), shown.to_string()] {
            assert!(!text.contains("Sesame") && text.contains("(secret, not shown)"), "{path}: {text}");
        }
        assert_eq!(all.field_values(list, "id"), [id.as_str()]);

        shown["name"] = json!("Another name");
        if path == "/smtp-configuration" {
            shown.as_object_mut().unwrap().remove("name");
        }
        library.put(&one, &shown).await.expect(204);
        assert_eq!(stored_secret(&library, path, member).await, secret, "{path}");
        shown[member] = json!("Sesame-new");
        library.put(&one, &shown).await.expect(204);
        assert_eq!(stored_secret(&library, path, member).await, "Sesame-new", "{path}");
        shown[member] = json!("");
        library.put(&one, &shown).await.expect(204);
        assert_eq!(library.get(&one).await.expect(200).json()[member], "", "{path}");
    }
}

/// Whoever may search could otherwise guess letter by letter.
#[tokio::test]
async fn a_secret_is_not_searched_and_nothing_is_put_into_its_order() {
    for (path, _, record, member) in secret_settings() {
        let library = Library::open().await;
        library.post(path, &record).await.expect(201);
        for query in [format!("{member}==\"S*\""), format!("cql.allRecords=1 sortby {member}")] {
            library.find(path, &query).await.expect(400);
        }
    }
}

async fn stored_secret(library: &Library, path: &str, member: &str) -> String {
    let table = match path {
        "/smtp-configuration" => "smtp_configuration",
        "/copycat/profiles" => "copycat_profile",
        _ => "remote_storage_configurations",
    };
    let sql = format!("select doc ->> '{member}' from {table}");
    let context = library.context().await;
    octavo_testkit::on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.rows(octavo_pg::Statement::new(sql)).await.unwrap()[0].text(0).to_owned()
    })
    .await
}
