//! Fills in a template of the library in one language and format.

use jiff::tz::TimeZone;
use octavo_engine::{Request, Response, Snapshot};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_template::{Escape, Locale, Notice, Picture, missing_attachments};
use serde_json::{Value, json};
use uuid::Uuid;

use super::TEMPLATE;
use crate::configuration;

#[derive(Debug, Clone, Copy)]
pub struct TemplateRequest<'a> {
    pub template_id: &'a str,
    pub language: &'a str,
    pub output_format: &'a str,
    pub context: &'a Value,
}

#[derive(Debug)]
pub struct Rendered {
    pub header: String,
    pub body: String,
    pub attachments: Vec<Value>,
    /// Messages about tokens without a value, barcodes that cannot be drawn and missing pictures.
    pub remarks: Vec<String>,
}

/// The language and time zone of the library, from the configuration entry ORG/localeSettings.
pub fn locale(snapshot: &Snapshot) -> Locale {
    let settings = configuration::settings(snapshot, "ORG", "localeSettings").unwrap_or_default();
    let default = Locale::default();
    Locale {
        tag: settings["locale"].as_str().map_or(default.tag, str::to_owned),
        zone: settings["timezone"].as_str().and_then(|name| TimeZone::get(name).ok()).unwrap_or(default.zone),
    }
}

/// How many remarks are kept about one text.
const MAX_REMARKS: usize = 100;
/// Characters of a barcode that a remark shows.
const MAX_BARCODE_CHARACTERS: usize = 80;

/// Fills the template in; the error is FOLIO's message.
pub fn fill_template(snapshot: &Snapshot, locale: &Locale, order: TemplateRequest<'_>) -> Outcome<Rendered> {
    let id = order.template_id;
    let template = Uuid::parse_str(id).ok().and_then(|id| snapshot.get(&TEMPLATE, id));
    let template =
        template.ok_or_else(|| Fault::bad_request(format!("Template with id {id} does not exist")))?;
    let format = order.output_format;
    let formats = template["outputFormats"].as_array();
    if !formats.is_some_and(|formats| formats.iter().any(|known| known == format)) {
        let message = format!("Requested template does not support '{format}' output format");
        return Err(Fault::bad_request(message));
    }
    let language = order.language;
    let localised = template["localizedTemplates"].get(language).ok_or_else(|| {
        Fault::bad_request(format!(
            "Requested template does not have localized template for language '{language}'"
        ))
    })?;
    let escape = if format == "text/plain" { Escape::Nothing } else { Escape::Html };
    let notice = Notice::write(super::wording(localised), order.context, locale, escape);
    let notice = notice.map_err(|unwritten| Fault::bad_request(unwritten.to_string()))?;
    let mut attachments: Vec<Value> = notice.pictures.iter().map(Picture::attachment).collect();
    attachments.extend(template_attachments(localised));
    let mut remarks: Vec<String> = notice
        .unfilled_names
        .iter()
        .map(|name| format!("The token {{{{{name}}}}} has no value here"))
        .collect();
    remarks.extend(notice.undrawable_barcodes.iter().map(|code| {
        let code: String = code.chars().take(MAX_BARCODE_CHARACTERS).collect();
        format!("The barcode {code} cannot be drawn as Code 128")
    }));
    let missing = missing_attachments(&notice.body, &attachments);
    remarks
        .extend(missing.iter().map(|name| format!("The picture cid:{name} is not attached to the template")));
    if remarks.len() > MAX_REMARKS {
        let more = remarks.len() - MAX_REMARKS;
        remarks.truncate(MAX_REMARKS);
        remarks.push(format!("There are {more} more remarks"));
    }
    Ok(Rendered { header: notice.header, body: notice.body, attachments, remarks })
}

/// Pictures and other files that go with a template in one language.
pub fn template_attachments(localised: &Value) -> impl Iterator<Item = Value> {
    localised["attachments"].as_array().into_iter().flatten().cloned()
}

const REQUEST_FIELDS: &str =
    include_str!("../../../folio/records/mod-template-engine/templateProcessingRequest.tsv");

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let wanted = request.checked_json(REQUEST_FIELDS)?;
    let text = |name: &str| wanted[name].as_str().unwrap_or_default();
    let (template_id, language, output_format) = (text("templateId"), text("lang"), text("outputFormat"));
    let snapshot = request.context.snapshot().await?;
    let rendered = fill_template(
        &snapshot,
        &locale(&snapshot),
        TemplateRequest { template_id, language, output_format, context: &wanted["context"] },
    )?;
    if !rendered.remarks.is_empty() {
        tracing::debug!(template_id, remarks = ?rendered.remarks, "a template was filled in with gaps");
    }
    let size = rendered.body.encode_utf16().count();
    Ok(Response::json(
        200,
        &json!({
            "templateId": template_id,
            "result": {
                "header": rendered.header,
                "body": rendered.body,
                "attachments": rendered.attachments,
            },
            "meta": {
                "size": size,
                "dateCreate": folio_time(request.context.now),
                "lang": language,
                "outputFormat": output_format,
            },
        }),
    ))
}
