//! `ListRecords`, `ListIdentifiers` and `GetRecord`.

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, Xml};
use uuid::Uuid;

use super::arguments::Verb;
use super::copies::Copies;
use super::dates::{Span, format_day, format_second, is_day, parse_span};
use super::envelope::{Envelope, identifier_prefix};
use super::errors::{Code, ProtocolError, nothing_found, unknown_format, unknown_record};
use super::harvests::Figures;
use super::names::Names;
use super::page::{self, FoundRecord, PageRequest};
use super::record::{self, MetadataFormat};
use super::settings::Settings;
use super::token::{Harvest, Unusable, expiry};

/// A request for a list of records, with its parsed arguments.
pub(super) struct ListRequest {
    harvest: Harvest,
    format: MetadataFormat,
    span: Span,
}

/// The harvest that the request's resumption token continues; an error if the token is invalid.
pub(super) fn resumed_harvest(
    request: &Request,
    envelope: &Envelope<'_>,
) -> Result<Option<Harvest>, ProtocolError> {
    let Some(token) = envelope.arguments.get("resumptionToken") else { return Ok(None) };
    let tenant = request.context.tenant.id.as_str();
    Harvest::parse_token(token, tenant, envelope.now).map(Some).map_err(|unusable| {
        Code::BadResumptionToken.with_message(match unusable {
            Unusable::Invalid => {
                let verb = envelope.verb.map(Verb::message_name).unwrap_or_default();
                format!("Verb '{verb}', argument resumptionToken is invalid")
            }
            Unusable::Expired => "The value of the resumptionToken argument is expired".to_owned(),
        })
    })
}

/// The requested list, from the arguments or from the resumption token.
pub(super) fn list_request(
    request: &Request,
    envelope: &Envelope<'_>,
    resumed: Option<Harvest>,
) -> Result<ListRequest, Vec<ProtocolError>> {
    let settings = envelope.settings;
    let argument = |name: &str| envelope.arguments.get(name).map(str::to_owned);
    let harvest = resumed.unwrap_or_else(|| Harvest {
        prefix: argument("metadataPrefix").unwrap_or_default(),
        from: argument("from"),
        until: argument("until"),
        set: argument("set"),
        id: request.context.fresh_id(),
        ..Harvest::default()
    });
    let mut errors = Vec::new();
    let format = MetadataFormat::from_prefix(&harvest.prefix);
    if format.is_none() {
        errors.push(unknown_format());
    }
    if harvest.set.as_deref().is_some_and(|set| set != "all") {
        errors.push(nothing_found());
    }
    match parse_span(harvest.from.as_deref(), harvest.until.as_deref(), settings) {
        Ok(span) if errors.is_empty() => match format {
            Some(format) => Ok(ListRequest { harvest, format, span }),
            None => Err(errors),
        },
        Ok(_) => Err(errors),
        Err(more) => {
            errors.extend(more);
            Err(errors)
        }
    }
}

pub(super) async fn list(
    request: &Request,
    envelope: &Envelope<'_>,
    asked: ListRequest,
) -> Outcome<Response> {
    let (context, settings) = (&request.context, envelope.settings);
    let ListRequest { mut harvest, format, span } = asked;
    let headers_only = envelope.verb == Some(Verb::ListIdentifiers);
    let resumed = harvest.last.is_some();
    let counted = !resumed && (headers_only || format != MetadataFormat::MarcWithHoldings);
    let wanted = PageRequest::List(span, harvest.last);
    let names = context.snapshot().await?.derive_once(Names::new);
    // If the page is read from a replica, open transactions have to be looked up in the primary database before.
    let before = match context.usage.may_read_from_replica() {
        true => Some(page::load_oldest_open_change(context).await?),
        false => None,
    };
    let page::Page { mut found, size, oldest_open_change: under_way } = {
        let mut session = context.session().await?;
        page::read(&mut session, settings, &wanted, !headers_only, counted).await?
    };
    let envelope = &envelope.limit_response_date(before.unwrap_or(under_way));
    harvest.size = size.or(harvest.size);
    let next = (found.len() > settings.page_size).then(|| found.pop()).flatten().map(|next| next.id);
    let Some(last) = found.last().map(|last| (last.changed_at, last.id)) else {
        return Ok(envelope.refuse(&[match resumed {
            true => unknown_token(),
            false => nothing_found(),
        }]));
    };
    let mut copies = load_copies(request, &found, (!headers_only).then_some(format)).await?;
    let identifiers = identifier_prefix(settings, context.tenant.id.as_str());
    let (mut body, mut failed) = (Xml::default(), Vec::new());
    for one in &found {
        if headers_only {
            record::write_header(&mut body, one, &identifiers, settings);
        } else if !write_record(
            &mut body,
            one,
            copies.remove(&one.id),
            &names,
            (format, settings, &identifiers),
        ) {
            failed.push(one.id);
        }
    }
    let cursor = harvest.offset;
    harvest.offset += i64::try_from(found.len()).unwrap_or(0);
    harvest.last = Some(last);
    fix_until(&mut harvest, envelope);
    let returned = found.len() - failed.len();
    let figures =
        Figures { harvest: harvest.id, is_resumed: resumed, returned, failed, ended: next.is_none() };
    if !figures.store(context).await? {
        return Ok(envelope.refuse(&[unknown_token()]));
    }
    let verb = envelope.verb.map(Verb::name).unwrap_or_default();
    let tenant = context.tenant.id.as_str();
    Ok(envelope.respond_with(|xml| {
        xml.element(verb, &[], |xml| {
            xml.append(&body);
            if next.is_some() || resumed {
                let token = next.map(|next| harvest.to_token(tenant, next, envelope.now));
                write_resumption_token(xml, &harvest, cursor, token.as_deref(), envelope);
            }
        });
    }))
}

/// The error for a token whose harvest is unknown, or has no further records.
fn unknown_token() -> ProtocolError {
    Code::BadResumptionToken.with_message("Specified resumption token doesn't exists.")
}

/// The holdings and items that are written into the records, if the format includes them.
async fn load_copies(
    request: &Request,
    found: &[FoundRecord],
    format: Option<MetadataFormat>,
) -> Outcome<HashMap<Uuid, Copies>> {
    if format != Some(MetadataFormat::MarcWithHoldings) {
        return Ok(HashMap::new());
    }
    let instances = found.iter().filter(|one| !one.deleted).map(|one| one.id).collect();
    page::load_copies(&request.context, instances).await
}

/// Writes a record. Returns `false` if its documents cannot be converted.
fn write_record(
    xml: &mut Xml,
    found: &FoundRecord,
    copies: Option<Copies>,
    names: &Names,
    (format, settings, identifiers): (MetadataFormat, &Settings, &str),
) -> bool {
    let marc = (!found.deleted).then(|| record::marc_record(found, copies, names, settings));
    if matches!(marc, Some(None)) {
        return false;
    }
    xml.element("record", &[], |xml| {
        record::write_header(xml, found, identifiers, settings);
        if let Some(marc) = marc.flatten() {
            record::write_metadata(xml, &marc, format);
        }
    });
    true
}

/// Sets the end of a harvest that has none. As in FOLIO, a harvest that starts from a day ends with the day on which its first page was
/// read.
fn fix_until(harvest: &mut Harvest, envelope: &Envelope<'_>) {
    if harvest.until.is_none() {
        let by_day = harvest.from.as_deref().is_some_and(is_day);
        harvest.until = Some(if by_day { format_day(envelope.now) } else { String::new() });
    }
}

/// Writes the resumption token. On the last page it is empty.
fn write_resumption_token(
    xml: &mut Xml,
    harvest: &Harvest,
    cursor: i64,
    token: Option<&str>,
    envelope: &Envelope<'_>,
) {
    let expires = format_second(expiry(envelope.now));
    let (cursor, size) = (cursor.to_string(), harvest.size.map(|size| size.to_string()));
    let mut attributes = vec![("cursor", cursor.as_str())];
    if token.is_some() {
        attributes.extend(size.as_deref().map(|size| ("completeListSize", size)));
        attributes.push(("expirationDate", &expires));
    }
    xml.element("resumptionToken", &attributes, |xml| xml.text(token.unwrap_or_default()));
}

/// The instance id in an OAI identifier of this repository; `None` if the identifier has no valid UUID.
fn instance_of_identifier(identifier: &str, identifiers: &str) -> Result<Option<Uuid>, ProtocolError> {
    match identifier.strip_prefix(identifiers) {
        Some(id) => Ok(Uuid::parse_str(id).ok()),
        None => Err(Code::BadArgument.with_message("Identifier has invalid structure.")),
    }
}

/// The record with this OAI identifier, if harvesters may see it.
pub(super) async fn find_record(
    request: &Request,
    envelope: &Envelope<'_>,
    identifier: &str,
) -> Outcome<Result<FoundRecord, ProtocolError>> {
    let identifiers = identifier_prefix(envelope.settings, request.context.tenant.id.as_str());
    let id = match instance_of_identifier(identifier, &identifiers) {
        Ok(Some(id)) => id,
        Ok(None) => return Ok(Err(unknown_record())),
        Err(wrong) => return Ok(Err(wrong)),
    };
    let mut session = request.context.session().await?;
    let page = page::read(&mut session, envelope.settings, &PageRequest::Ids(vec![id]), true, false).await?;
    Ok(page.found.into_iter().next().ok_or_else(unknown_record))
}

pub(super) async fn get(request: &Request, envelope: &Envelope<'_>) -> Outcome<Response> {
    let settings = envelope.settings;
    let format = envelope.arguments.get("metadataPrefix").and_then(MetadataFormat::from_prefix);
    let identifiers = identifier_prefix(settings, request.context.tenant.id.as_str());
    let identifier = envelope.arguments.get("identifier").unwrap_or_default();
    let mut errors: Vec<ProtocolError> =
        instance_of_identifier(identifier, &identifiers).err().into_iter().collect();
    let Some(format) = format.filter(|_| errors.is_empty()) else {
        if format.is_none() {
            errors.push(unknown_format());
        }
        return Ok(envelope.refuse(&errors));
    };
    let names = request.context.snapshot().await?.derive_once(Names::new);
    let found = match find_record(request, envelope, identifier).await? {
        Ok(found) => found,
        Err(wrong) => return Ok(envelope.refuse(&[wrong])),
    };
    let mut copies = load_copies(request, std::slice::from_ref(&found), Some(format)).await?;
    let mut body = Xml::default();
    let copies = copies.remove(&found.id);
    if !write_record(&mut body, &found, copies, &names, (format, settings, &identifiers)) {
        let wrong = Code::InvalidRecordContent.with_message("Invalid character in the record.");
        return Ok(envelope.refuse(&[wrong]));
    }
    Ok(envelope.respond_with(|xml| xml.element("GetRecord", &[], |xml| xml.append(&body))))
}
