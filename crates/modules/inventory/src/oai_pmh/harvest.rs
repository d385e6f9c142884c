//! `ListRecords`, `ListIdentifiers` and `GetRecord`.

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, Xml};
use uuid::Uuid;

use super::arguments::Verb;
use super::copies::Copies;
use super::dates::{Span, day, is_day, second, span};
use super::envelope::{Envelope, identifier_prefix};
use super::errors::{Code, Wrong, nothing_found, unknown_format, unknown_record};
use super::harvests::Figures;
use super::names::Names;
use super::page::{self, Found, Wanted};
use super::record::{self, Metadata};
use super::settings::Settings;
use super::token::{Harvest, Unusable, expiry};

/// A harvest and what its arguments mean.
pub(super) struct Asked {
    harvest: Harvest,
    format: Metadata,
    span: Span,
}

/// The token of the request, or what is wrong with it.
pub(super) fn resumed(request: &Request, envelope: &Envelope<'_>) -> Result<Option<Harvest>, Wrong> {
    let Some(token) = envelope.arguments.get("resumptionToken") else { return Ok(None) };
    let tenant = request.context.tenant.id.as_str();
    Harvest::resumed(token, tenant, envelope.now).map(Some).map_err(|unusable| {
        Code::BadResumptionToken.says(match unusable {
            Unusable::Invalid => {
                let verb = envelope.verb.map(Verb::in_messages).unwrap_or_default();
                format!("Verb '{verb}', argument resumptionToken is invalid")
            }
            Unusable::Expired => "The value of the resumptionToken argument is expired".to_owned(),
        })
    })
}

/// The list that is asked for, by its arguments or by a token.
pub(super) fn asked(
    request: &Request,
    envelope: &Envelope<'_>,
    resumed: Option<Harvest>,
) -> Result<Asked, Vec<Wrong>> {
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
    let format = Metadata::of(&harvest.prefix);
    if format.is_none() {
        errors.push(unknown_format());
    }
    if harvest.set.as_deref().is_some_and(|set| set != "all") {
        errors.push(nothing_found());
    }
    match span(harvest.from.as_deref(), harvest.until.as_deref(), settings) {
        Ok(span) if errors.is_empty() => match format {
            Some(format) => Ok(Asked { harvest, format, span }),
            None => Err(errors),
        },
        Ok(_) => Err(errors),
        Err(more) => {
            errors.extend(more);
            Err(errors)
        }
    }
}

pub(super) async fn list(request: &Request, envelope: &Envelope<'_>, asked: Asked) -> Outcome<Response> {
    let (context, settings) = (&request.context, envelope.settings);
    let Asked { mut harvest, format, span } = asked;
    let headers_only = envelope.verb == Some(Verb::ListIdentifiers);
    let resumed = harvest.last.is_some();
    let counted = !resumed && (headers_only || format != Metadata::MarcWithHoldings);
    let wanted = Wanted::List(span, harvest.last);
    let names = context.snapshot().await?.derived(Names::new);
    // A replica does not know what is under way in the database.
    let before = match context.usage.is_late() {
        true => Some(page::changes_under_way(context).await?),
        false => None,
    };
    let page::Page { mut found, size, under_way } = {
        let mut session = context.session().await?;
        page::read(&mut session, settings, &wanted, !headers_only, counted).await?
    };
    let envelope = &envelope.answered_at(before.unwrap_or(under_way));
    harvest.size = size.or(harvest.size);
    let next = (found.len() > settings.page).then(|| found.pop()).flatten().map(|next| next.id);
    let Some(last) = found.last().map(|last| (last.at, last.id)) else {
        return Ok(envelope.refuse(&[match resumed {
            true => Code::BadResumptionToken.says("Specified resumption token doesn't exists."),
            false => nothing_found(),
        }]));
    };
    let mut copies = of_these(request, &found, (!headers_only).then_some(format)).await?;
    let identifiers = identifier_prefix(settings, context.tenant.id.as_str());
    let (mut body, mut failed) = (Xml::default(), Vec::new());
    for one in &found {
        if headers_only {
            record::header(&mut body, one, &identifiers, settings);
        } else if !entry(&mut body, one, copies.remove(&one.id), &names, (format, settings, &identifiers)) {
            failed.push(one.id);
        }
    }
    let cursor = harvest.offset;
    harvest.offset += i64::try_from(found.len()).unwrap_or(0);
    harvest.last = Some(last);
    until_today(&mut harvest, envelope);
    let returned = found.len() - failed.len();
    Figures { harvest: harvest.id, returned, failed, ended: next.is_none() }.keep(context).await?;
    let verb = envelope.verb.map(Verb::name).unwrap_or_default();
    let tenant = context.tenant.id.as_str();
    Ok(envelope.with(|xml| {
        xml.element(verb, &[], |xml| {
            xml.append(&body);
            if next.is_some() || resumed {
                let token = next.map(|next| harvest.token(tenant, next, envelope.now));
                resumption(xml, &harvest, cursor, token.as_deref(), envelope);
            }
        });
    }))
}

/// The copies of the records that are shown with them.
async fn of_these(
    request: &Request,
    found: &[Found],
    format: Option<Metadata>,
) -> Outcome<HashMap<Uuid, Copies>> {
    if format != Some(Metadata::MarcWithHoldings) {
        return Ok(HashMap::new());
    }
    let instances = found.iter().filter(|one| !one.deleted).map(|one| one.id).collect();
    page::copies(&request.context, instances).await
}

/// Writes a record; `false` if none can be made of its documents.
fn entry(
    xml: &mut Xml,
    found: &Found,
    copies: Option<Copies>,
    names: &Names,
    (format, settings, identifiers): (Metadata, &Settings, &str),
) -> bool {
    let marc = (!found.deleted).then(|| record::marc(found, copies, names, settings));
    if matches!(marc, Some(None)) {
        return false;
    }
    xml.element("record", &[], |xml| {
        record::header(xml, found, identifiers, settings);
        if let Some(marc) = marc.flatten() {
            record::metadata(xml, &marc, format);
        }
    });
    true
}

/// A harvest that begins with a day ends with the day on which it began, as in FOLIO.
fn until_today(harvest: &mut Harvest, envelope: &Envelope<'_>) {
    if harvest.until.is_none() {
        let by_day = harvest.from.as_deref().is_some_and(is_day);
        harvest.until = Some(if by_day { day(envelope.now) } else { String::new() });
    }
}

/// Of the last page the token is empty.
fn resumption(xml: &mut Xml, harvest: &Harvest, cursor: i64, token: Option<&str>, envelope: &Envelope<'_>) {
    let expires = second(expiry(envelope.now));
    let (cursor, size) = (cursor.to_string(), harvest.size.map(|size| size.to_string()));
    let mut attributes = vec![("cursor", cursor.as_str())];
    if token.is_some() {
        attributes.extend(size.as_deref().map(|size| ("completeListSize", size)));
        attributes.push(("expirationDate", &expires));
    }
    xml.element("resumptionToken", &attributes, |xml| xml.text(token.unwrap_or_default()));
}

/// The id of the instance that an identifier of this repository names.
fn instance(identifier: &str, identifiers: &str) -> Result<Option<Uuid>, Wrong> {
    match identifier.strip_prefix(identifiers) {
        Some(id) => Ok(Uuid::parse_str(id).ok()),
        None => Err(Code::BadArgument.says("Identifier has invalid structure.")),
    }
}

/// The record that an identifier names, if harvesters may see it.
pub(super) async fn one(
    request: &Request,
    envelope: &Envelope<'_>,
    identifier: &str,
) -> Outcome<Result<Found, Wrong>> {
    let identifiers = identifier_prefix(envelope.settings, request.context.tenant.id.as_str());
    let id = match instance(identifier, &identifiers) {
        Ok(Some(id)) => id,
        Ok(None) => return Ok(Err(unknown_record())),
        Err(wrong) => return Ok(Err(wrong)),
    };
    let mut session = request.context.session().await?;
    let page = page::read(&mut session, envelope.settings, &Wanted::These(vec![id]), true, false).await?;
    Ok(page.found.into_iter().next().ok_or_else(unknown_record))
}

pub(super) async fn get(request: &Request, envelope: &Envelope<'_>) -> Outcome<Response> {
    let settings = envelope.settings;
    let format = envelope.arguments.get("metadataPrefix").and_then(Metadata::of);
    let identifiers = identifier_prefix(settings, request.context.tenant.id.as_str());
    let identifier = envelope.arguments.get("identifier").unwrap_or_default();
    let mut errors: Vec<Wrong> = instance(identifier, &identifiers).err().into_iter().collect();
    let Some(format) = format.filter(|_| errors.is_empty()) else {
        if format.is_none() {
            errors.push(unknown_format());
        }
        return Ok(envelope.refuse(&errors));
    };
    let names = request.context.snapshot().await?.derived(Names::new);
    let found = match one(request, envelope, identifier).await? {
        Ok(found) => found,
        Err(wrong) => return Ok(envelope.refuse(&[wrong])),
    };
    let mut copies = of_these(request, std::slice::from_ref(&found), Some(format)).await?;
    let mut body = Xml::default();
    let copies = copies.remove(&found.id);
    if !entry(&mut body, &found, copies, &names, (format, settings, &identifiers)) {
        let wrong = Code::InvalidRecordContent.says("Invalid character in the record.");
        return Ok(envelope.refuse(&[wrong]));
    }
    Ok(envelope.with(|xml| xml.element("GetRecord", &[], |xml| xml.append(&body))))
}
