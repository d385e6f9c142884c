//! `POST /records-editor/links/suggestion`: authorities for the fields of a record in the editor.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_marc::Subfield;
use serde_json::{Value, json};

use super::sent::{check_types, json_body};
use super::view::{restore_subfields, show_subfields};
use crate::authorities::suggest::BibField;
use crate::authorities::suggestions::{linking_parameters, suggest_links};

const VIEW: &str = include_str!("../../../folio/records/mod-quick-marc/quickMarcView.tsv");

pub(super) async fn suggest(request: Request) -> Outcome<Response> {
    let (by, all) = linking_parameters(&request)?;
    let mut body = json_body(&request)?;
    check_types(&body, VIEW)?;
    let mut fields = body["fields"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let (places, mut bibs): (Vec<usize>, Vec<BibField>) =
        fields.iter().enumerate().filter_map(|(at, field)| Some((at, parse_field(field)?))).unzip();
    suggest_links(&request.context, &mut bibs, by, all).await?;
    for (at, bib) in places.into_iter().zip(bibs) {
        fields[at]["content"] = json!(show_content(&bib));
        if !bib.link.is_null() {
            fields[at]["linkDetails"] = bib.link;
        }
    }
    for field in fields.iter_mut().filter_map(Value::as_object_mut) {
        field.remove("isProtected");
    }
    // Of the record that was sent, mod-quick-marc answers these members alone.
    let view = json!({
        "_actionType": "view", "leader": body["leader"], "fields": fields, "suppressDiscovery": false,
    });
    Ok(Response::json(200, &view))
}

/// A field that has subfields.
fn parse_field(field: &Value) -> Option<BibField> {
    let tag = field["tag"].as_str().filter(|tag| !tag.starts_with("00"))?;
    let mut subfields: Vec<(String, Vec<String>)> = Vec::new();
    for subfield in restore_subfields(field["content"].as_str()?).ok()? {
        let code = subfield.code.to_string();
        match subfields.iter_mut().find(|(found, _)| *found == code) {
            Some((_, values)) => values.push(subfield.value),
            None => subfields.push((code, vec![subfield.value])),
        }
    }
    let indicators = [field["indicators"][0].clone(), field["indicators"][1].clone()];
    Some(BibField { tag: tag.to_owned(), indicators, subfields, link: field["linkDetails"].clone() })
}

fn show_content(bib: &BibField) -> String {
    let subfields = bib.subfields.iter().flat_map(|(code, values)| {
        let code = code.chars().next().unwrap_or(' ');
        values.iter().map(move |value| Subfield { code, value: value.clone() })
    });
    show_subfields(&subfields.collect::<Vec<Subfield>>())
}
