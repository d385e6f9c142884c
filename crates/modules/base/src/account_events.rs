//! Events of a user's account, such as a changed password, and the messages that are sent about them.
//!
//! The record type is mod-event-config 2.7.1's. Which templates an event has, and by which channel, is a setting of the library.

use octavo_engine::Snapshot;
use octavo_kernel::{Fault, Outcome};
use octavo_record::{Field, PlainErrors, RecordType, Unique};
use serde_json::{Value, json};

use crate::template_engine::{TemplateRequest, fill_template, locale};

pub static EVENT_CONFIGURATION: RecordType = RecordType {
    name: "event configuration",
    table: "event_configurations",
    path: "/eventConfig",
    collection: "eventEntity",
    schema: include_str!("../../folio/records/mod-event-config/event_config_entity.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])],
    snapshot: true,
    plain_errors: PlainErrors::Everything,
    ..RecordType::BASE
};

/// An event of a user's account about which messages are written. `template_values` are the values of the tokens in the templates.
#[derive(Debug, Clone, Copy)]
pub struct AccountEvent<'a> {
    pub event: &'a str,
    pub language: &'a str,
    pub template_values: &'a Value,
}

/// The messages of an event, as `messages` of mod-sender: one for each of its templates, none if it is inactive.
pub fn messages(snapshot: &Snapshot, about: AccountEvent<'_>) -> Outcome<Vec<Value>> {
    let mut events = snapshot.all(&EVENT_CONFIGURATION).map(|(_, event)| event);
    let named =
        |event: &&Value| event["name"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(about.event));
    let event = events.find(named).ok_or_else(|| Fault::bad_request("Cannot fetch event entity"))?;
    if event["active"] != true {
        return Ok(Vec::new());
    }
    let locale = locale(snapshot);
    let templates = event["templates"].as_array().into_iter().flatten();
    let write = |template: &Value| {
        let output_format = template["outputFormat"].as_str().unwrap_or("text/html");
        let wanted = TemplateRequest {
            template_id: template["templateId"].as_str().unwrap_or_default(),
            language: about.language,
            output_format,
            context: about.template_values,
        };
        let rendered = fill_template(snapshot, &locale, wanted)?;
        Ok(json!({
            "deliveryChannel": template["deliveryChannel"],
            "header": rendered.header,
            "body": rendered.body,
            "outputFormat": output_format,
            "attachments": rendered.attachments,
        }))
    };
    templates.map(write).collect()
}
