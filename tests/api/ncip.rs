//! mod-ncip: messages of partner libraries, from a user who has no permission but `ncip.post`.

mod doors;
mod items;
mod patrons;
mod requests;

use octavo_testkit::{Desk, Library, Reply, fresh_id};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use octavo_testkit::reference::CIRC_DESK;

const AGENCY: &str = "Relais";

struct NcipPartner {
    desk: Desk,
    library: Library,
    /// The user in whose name messages are sent.
    sender: Library,
}

impl NcipPartner {
    /// A library that has set everything for the agency.
    async fn open() -> NcipPartner {
        let partner = NcipPartner::without_settings().await;
        let location = partner.desk.get(&format!("/locations/{}", partner.desk.location)).await.json();
        let location = location["code"].as_str().unwrap().to_owned();
        let point = partner.desk.get(&format!("/service-points/{CIRC_DESK}")).await.json();
        let point = point["code"].as_str().unwrap().to_owned();
        for (code, value) in [
            ("instance.type.name", "text"),
            ("instance.source", "Relais"),
            ("item.material.type.name", "book"),
            ("item.perm.loan.type.name", "Can circulate"),
            ("item.status.name", "Available"),
            ("item.perm.location.code", &location),
            ("holdings.perm.location.code", &location),
            ("instance.custom.identifier.name", "System control number"),
            ("checkout.service.point.code", &point),
            ("checkin.service.point.code", &point),
        ] {
            partner.put_setting(code, value).await;
        }
        partner
    }

    async fn without_settings() -> NcipPartner {
        let library = Library::furnished().await;
        let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
        let sender = library.as_user(&["ncip.post"]).await;
        NcipPartner { desk, library, sender }
    }

    /// The names of agencies and of settings may be written in other letters than messages have them.
    async fn put_setting(&self, code: &str, value: &str) {
        let entry = json!({"module": "NCIP", "configName": "RELAIS", "code": code, "value": value});
        self.library.post("/configurations/entries", &entry).await.expect(201);
    }

    /// Sends a service's message with this content; returns the content of the answer.
    async fn send_message(&self, service: &str, inside: &str) -> Answer {
        let header = format!(
            "<InitiationHeader><FromAgencyId><AgencyId>{AGENCY}</AgencyId></FromAgencyId></InitiationHeader>"
        );
        self.send_without_header(service, &format!("{header}{inside}")).await
    }

    async fn send_without_header(&self, service: &str, inside: &str) -> Answer {
        let reply = self.sender.send("POST", "/ncip", message(service, inside)).await.expect(200);
        let answer = Answer::from_reply(&reply);
        assert!(!answer.texts_at(&[&format!("{service}Response")]).is_empty(), "{reply}");
        answer
    }
}

fn message(service: &str, inside: &str) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><NCIPMessage version='http://www.niso.org/schemas/ncip/v2_0/ncip_v2_0.xsd' \
         xmlns='http://www.niso.org/2008/ncip'><{service}>{inside}</{service}></NCIPMessage>"
    )
}

fn user(number: &str) -> String {
    format!("<UserId><AgencyId>A</AgencyId><UserIdentifierValue>{number}</UserIdentifierValue></UserId>")
}

fn item(barcode: &str) -> String {
    format!("<ItemId><AgencyId>A</AgencyId><ItemIdentifierValue>{barcode}</ItemIdentifierValue></ItemId>")
}

fn request_xml(number: &str) -> String {
    format!(
        "<RequestId><AgencyId>A</AgencyId><RequestIdentifierValue>{number}</RequestIdentifierValue></RequestId>"
    )
}

fn text(record: &Value, member: &str) -> String {
    record[member].as_str().unwrap_or_default().to_owned()
}

struct Answer(String);

impl Answer {
    fn from_reply(reply: &Reply) -> Answer {
        assert_eq!(reply.header("content-type"), Some("application/xml"));
        Answer(reply.text())
    }

    /// The texts of all elements of this path of names, from below `NCIPMessage`; they are in the protocol's namespace.
    fn texts_at(&self, path: &[&str]) -> Vec<String> {
        let document = Document::parse(&self.0).unwrap();
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "NCIPMessage");
        let mut found = vec![root];
        for name in path {
            let inner = found.iter().flat_map(Node::children);
            let named = inner.filter(|node| {
                node.tag_name().name() == *name
                    && node.tag_name().namespace() == Some("http://www.niso.org/2008/ncip")
            });
            found = named.collect();
        }
        found.iter().map(|node| node.text().unwrap_or_default().to_owned()).collect()
    }

    /// The same, below the only element of the answer.
    fn texts_inside(&self, path: &[&str]) -> Vec<String> {
        let document = Document::parse(&self.0).unwrap();
        let name = document.root_element().first_element_child().unwrap().tag_name().name().to_owned();
        self.texts_at(&[&[name.as_str()], path].concat())
    }

    fn text_at(&self, path: &[&str]) -> String {
        self.texts_inside(path).first().cloned().unwrap_or_default()
    }

    /// Type, element, value and detail of the problem.
    #[track_caller]
    fn assert_problem(&self, [kind, element, value, detail]: [&str; 4]) {
        let told = ["ProblemType", "ProblemElement", "ProblemValue", "ProblemDetail"]
            .map(|name| self.text_at(&["Problem", name]));
        assert_eq!(told, [kind, element, value, detail], "{}", self.0);
    }

    #[track_caller]
    fn assert_no_problem(&self) -> &Answer {
        assert!(self.texts_inside(&["Problem"]).is_empty(), "{}", self.0);
        self
    }
}
