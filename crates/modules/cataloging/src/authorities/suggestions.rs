//! `POST /links-suggestions/marc`: authorities for the fields of bibliographic records.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::from_json;
use octavo_pg::{Session, Statement};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::rules::switched_statement;
use super::suggest::{BibField, Candidate, LinkingOptions, SearchBy, authorities_to_find, link_fields};

/// The parameters of the query: how authorities are looked up, and whether fields are linked whose automatic linking is switched off.
pub(crate) fn linking_parameters(request: &Request) -> Outcome<(SearchBy, bool)> {
    let by = match request.query("authoritySearchParameter") {
        None | Some("NATURAL_ID") => SearchBy::NaturalId,
        Some("ID") => SearchBy::Id,
        Some(other) => {
            return Err(Fault::bad_request(format!(
                "Failed to convert value of type 'java.lang.String' to required type 'org.folio.entlinks.domain.dto.AuthoritySearchParameter'; Unexpected value '{other}'"
            )));
        }
    };
    Ok((by, request.query_flag("ignoreAutoLinkingEnabled")))
}

pub(super) async fn suggest(request: Request) -> Outcome<Response> {
    let (by, all) = linking_parameters(&request)?;
    let body = request.json()?;
    let malformed = |what: &str| Fault::bad_request(format!("{what} cannot be read"));
    let records = match &body["records"] {
        Value::Array(records) => records.as_slice(),
        Value::Null if body.is_object() => &[],
        _ => return Err(malformed("The list of records")),
    };
    let mut fields = Vec::new();
    let mut leaders = Vec::new();
    for record in records {
        let leader = record["leader"].as_str().ok_or_else(|| malformed("A leader"))?;
        let list = record["fields"].as_array().ok_or_else(|| malformed("A list of fields"))?;
        leaders.push((leader.to_owned(), list.len()));
        for field in list {
            fields.push(parse_field(field)?);
        }
    }
    suggest_links(&request.context, &mut fields, by, all).await?;
    let mut fields = fields.into_iter().map(field_to_json);
    let records: Vec<Value> = leaders
        .into_iter()
        .map(|(leader, count)| json!({"leader": leader, "fields": fields.by_ref().take(count).collect::<Vec<Value>>()}))
        .collect();
    Ok(Response::json(200, &json!({"records": records})))
}

/// Looks up authorities, and notes for each field its link or the reason why there is none.
pub(crate) async fn suggest_links(
    context: &Context,
    fields: &mut [BibField],
    by: SearchBy,
    all: bool,
) -> Outcome<()> {
    let mut session = context.session().await?;
    let switched: Vec<(i64, bool)> = session.read(switched_statement()).await?;
    let asked = LinkingOptions { by, link_all: all, switched: &switched };
    let wanted: Vec<String> = authorities_to_find(fields, asked).into_iter().collect();
    let (found, candidates) = find_candidates(&mut session, by, wanted).await?;
    link_fields(fields, &candidates, found, asked);
    Ok(())
}

/// Whether any authority has one of these numbers or ids, and those that have a MARC record.
async fn find_candidates(
    session: &mut Session,
    by: SearchBy,
    wanted: Vec<String>,
) -> Outcome<(bool, Vec<Candidate>)> {
    if wanted.is_empty() {
        return Ok((false, Vec::new()));
    }
    let statement = match by {
        SearchBy::NaturalId => Statement::new(BY_NATURAL_ID).texts(wanted),
        SearchBy::Id => {
            let ids = wanted.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect();
            Statement::new(BY_ID).uuids(ids)
        }
    };
    let rows: Vec<(Uuid, Option<String>, Option<String>, Option<Value>)> = session.read(statement).await?;
    let found = !rows.is_empty();
    let candidates = rows.into_iter().filter_map(|(id, natural_id, base_url, content)| {
        let record = from_json(&content?).ok()?;
        Some(Candidate { id, natural_id: natural_id.unwrap_or_default(), base_url, record })
    });
    Ok((found, candidates.collect()))
}

fn parse_field(field: &Value) -> Outcome<BibField> {
    let malformed = || Fault::bad_request("a field is not an object with its tag as the one member");
    let (tag, content) = field.as_object().and_then(|field| field.iter().next()).ok_or_else(malformed)?;
    let mut subfields: Vec<(String, Vec<String>)> = Vec::new();
    for subfield in content["subfields"].as_array().map_or(&[][..], Vec::as_slice) {
        for (code, value) in subfield.as_object().ok_or_else(malformed)? {
            let value = value.as_str().unwrap_or_default().to_owned();
            match subfields.iter_mut().find(|(found, _)| found == code) {
                Some((_, values)) => values.push(value),
                None => subfields.push((code.clone(), vec![value])),
            }
        }
    }
    Ok(BibField {
        tag: tag.clone(),
        indicators: [content["ind1"].clone(), content["ind2"].clone()],
        subfields,
        link: content["linkDetails"].clone(),
    })
}

fn field_to_json(field: BibField) -> Value {
    let BibField { tag, indicators: [first, second], subfields, link } = field;
    let subfields = subfields
        .iter()
        .flat_map(|(code, values)| values.iter().map(move |value| json!({code: value})))
        .collect::<Vec<Value>>();
    let mut content = Map::new();
    for (name, value) in
        [("ind1", first), ("ind2", second), ("subfields", json!(subfields)), ("linkDetails", link)]
    {
        if !value.is_null() {
            content.insert(name.to_owned(), value);
        }
    }
    json!({tag: content})
}

macro_rules! candidates {
    ($condition:literal) => {
        concat!(
            "\
select a.id, a.doc ->> 'naturalId', f.doc ->> 'baseUrl', (
  select (r.doc #> '{parsedRecord,content}')::text
  from records_lb r
  where r.\"externalIdsHolder.authorityId\" = a.id
  and r.state = 'ACTUAL'
  and r.doc ->> 'recordType' = 'MARC_AUTHORITY'
  order by r.generation desc
  limit 1)
from authority a
left join authority_source_file f on f.id = a.\"sourceFileId\"
where ",
            $condition,
            "\nlimit 10000"
        )
    };
}

const BY_NATURAL_ID: &str = candidates!("a.\"naturalId\" = any($1)");
const BY_ID: &str = candidates!("a.id = any($1)");

octavo_pg::statements!(other = [BY_NATURAL_ID, BY_ID]);
