//! Mail servers whose certificates an authority of the system has signed, and what the log tells of them.

use std::fs::{self, File};

use octavo_testkit::sink::{AUTHORITY, Certificate, Encryption, Login, SinkOptions};
use octavo_testkit::{MailSink, eventually, fresh_id};
use serde_json::json;

use crate::octavo::{Folder, Octavo, serve};

const PASSWORD: &str = "open sesame";

#[tokio::test]
async fn a_certificate_of_a_known_authority_counts_for_its_own_server_and_no_password_is_logged() {
    let folder = Folder::new();
    let (authority, log) = (folder.path_of("authority.pem"), folder.path_of("log"));
    fs::write(&authority, AUTHORITY).unwrap();
    let mut command = serve(&folder.data_dir(), &["--log", "trace"]);
    command.env("SSL_CERT_FILE", &authority).env_remove("SSL_CERT_DIR").stderr(File::create(&log).unwrap());
    let octavo = Octavo::start_command(command);
    let library = octavo.tenant(&["mod-email-1.17.0"]).await;
    let login = Some(Login { user: "desk", password: PASSWORD, mechanisms: "PLAIN" });
    let options = |encryption, certificate| SinkOptions { encryption, certificate, login };
    let email = json!({"notificationId": fresh_id(), "to": "ada@example.com", "header": "Due", "body": "Soon",
        "outputFormat": "text/plain"});

    let another = MailSink::with_options(options(Encryption::FromTheStart, Certificate::OfAnother)).await;
    let settings = library.post("/smtp-configuration", &another.configuration()).await.expect(201).json();
    let path = format!("/smtp-configuration/{}", settings["id"].as_str().unwrap());
    library.post("/email", &email).await.expect(200);
    let why = "the certificate of the mail server is not accepted: certificate not valid for name";
    eventually("the certificate of another server is refused", async || {
        library.get("/email").await.expect(200).text().contains(why)
    })
    .await;

    for encryption in [Encryption::FromTheStart, Encryption::Offered] {
        let sink = MailSink::with_options(options(encryption, Certificate::Trusted)).await;
        library.put(&path, &sink.configuration()).await.expect(204);
        library.post("/email", &email).await.expect(200);
        eventually("the certificate of a known authority is accepted", async || sink.count_mails() > 0).await;
        let mail = sink.mails().remove(0);
        assert!(mail.encrypted && mail.user == Some("desk"));
    }
    assert_eq!(another.count_mails(), 0);
    octavo.stop();
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("POST /email"), "the log is not written");
    for secret in [PASSWORD, "AGRlc2sAb3BlbiBzZXNhbWU="] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}
