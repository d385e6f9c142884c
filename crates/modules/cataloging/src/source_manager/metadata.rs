//! The data that the mapping of a job's records uses: the mapping rules, and the library's lists of types and codes.
//!
//! FOLIO stores a copy of both with each job. Octavo reads those that are valid at the time of the request.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Kind;
use octavo_pg::{Row, Session, Statement};
use octavo_record::table_name;
use serde_json::{Value, json};
use uuid::Uuid;

use super::rules;

/// The members of FOLIO's `MappingParameters`, each with the path of its records in the interface.
const LISTS: [(&str, &str); 28] = [
    ("identifierTypes", "/identifier-types"),
    ("classificationTypes", "/classification-types"),
    ("instanceTypes", "/instance-types"),
    ("electronicAccessRelationships", "/electronic-access-relationships"),
    ("instanceFormats", "/instance-formats"),
    ("contributorTypes", "/contributor-types"),
    ("contributorNameTypes", "/contributor-name-types"),
    ("instanceNoteTypes", "/instance-note-types"),
    ("alternativeTitleTypes", "/alternative-title-types"),
    ("issuanceModes", "/modes-of-issuance"),
    ("instanceStatuses", "/instance-statuses"),
    ("natureOfContentTerms", "/nature-of-content-terms"),
    ("instanceRelationshipTypes", "/instance-relationship-types"),
    ("holdingsTypes", "/holdings-types"),
    ("holdingsNoteTypes", "/holdings-note-types"),
    ("illPolicies", "/ill-policies"),
    ("callNumberTypes", "/call-number-types"),
    ("statisticalCodes", "/statistical-codes"),
    ("statisticalCodeTypes", "/statistical-code-types"),
    ("locations", "/locations"),
    ("materialTypes", "/material-types"),
    ("itemDamagedStatuses", "/item-damaged-statuses"),
    ("loanTypes", "/loan-types"),
    ("itemNoteTypes", "/item-note-types"),
    ("authorityNoteTypes", "/authority-note-types"),
    ("authoritySourceFiles", "/authority-source-files"),
    ("marcFieldProtectionSettings", "/field-protection-settings/marc"),
    ("linkingRules", "/linking-rules/instance-authority"),
];

pub(super) async fn of_job(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let missing =
        || Fault::not_found_with(format!("Mapping parameters snapshot is not found for JobExecution '{id}'"));
    let job = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let kind: Option<Option<String>> = session.read(Statement::new(KIND).uuid(job)).await?;
    let kind = match kind.ok_or_else(missing)?.as_deref() {
        Some("MARC_HOLDING") => Kind::Holdings,
        Some("MARC_AUTHORITY") => Kind::Authority,
        _ => Kind::Bibliographic,
    };
    metadata_response(&request.context, &mut session, Some(job), kind).await
}

pub(super) async fn of_type(request: Request) -> Outcome<Response> {
    let kind = rules::metadata_kind_in_path(&request)?;
    let mut session = request.context.session().await?;
    metadata_response(&request.context, &mut session, None, kind).await
}

async fn metadata_response(
    context: &Context,
    session: &mut Session,
    job: Option<Uuid>,
    kind: Kind,
) -> Outcome<Response> {
    // FOLIO's clients search this text, which must not have white space.
    let rules: Value =
        serde_json::from_str(&rules::current_rules(session, kind).await?).map_err(Fault::internal)?;
    let rules = rules.to_string();
    let mut told = json!({"mappingRules": rules, "mappingParams": parameters_json(context, session).await?});
    if let Some(job) = job {
        told["jobExecutionId"] = json!(job);
    }
    Ok(Response::json(200, &told))
}

/// FOLIO's `MappingParameters` as JSON text. A list whose records no module has is empty.
async fn parameters_json(context: &Context, session: &mut Session) -> Outcome<String> {
    let record = |path: &str| context.platform.record_types().find(|record| record.path == path);
    let found: Vec<_> = LISTS.iter().filter_map(|(name, path)| Some((*name, record(path)?))).collect();
    let all = |record| Statement::new(format!("select doc::text from {} order by id", table_name(record)));
    let mut statements: Vec<Statement> = found.iter().map(|(_, record)| all(*record)).collect();
    statements.push(Statement::new(LOCALE));
    let answers = session.batch(statements).await?;
    let mut text = "{\"initialized\":true".to_owned();
    for (name, _) in LISTS {
        let at = found.iter().position(|(known, _)| *known == name);
        let rows = at.and_then(|at| answers.get(at)).map_or(&[][..], Vec::as_slice);
        let records: Vec<&str> = rows.iter().map(Row::read).collect();
        text += &format!(",\"{name}\":[{}]", records.join(","));
    }
    let locale: Option<Option<&str>> = answers.last().and_then(|rows| rows.first()).map(Row::read);
    if let Some(locale) = locale.flatten() {
        text += &format!(",\"tenantConfiguration\":{}", json!(locale));
    }
    Ok(text + "}")
}

const KIND: &str = "\
select (select r.kind from incoming_record r where r.job = j.id and r.kind is not null order by r.place limit 1)
from job_execution j
where j.id = $1 and not j.is_deleted";

const LOCALE: &str = "\
select doc ->> 'value'
from config_data
where doc ->> 'module' = 'ORG' and doc ->> 'configName' = 'localeSettings'
limit 1";

octavo_pg::statements!(other = [KIND, LOCALE]);
