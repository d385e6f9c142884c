//! The element around every answer of the protocol. Pure.

use jiff::Timestamp;
use octavo_engine::Response;
use octavo_kernel::Xml;

use super::arguments::{Arguments, Verb};
use super::dates::format_second;
use super::errors::{Code, ProtocolError, http_status};
use super::settings::Settings;

const ATTRIBUTES: [(&str, &str); 3] = [
    ("xmlns", "http://www.openarchives.org/OAI/2.0/"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    (
        "xsi:schemaLocation",
        "http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd",
    ),
];

/// A request that is being answered.
pub(super) struct Envelope<'r> {
    pub(super) settings: &'r Settings,
    pub(super) verb: Option<Verb>,
    pub(super) arguments: &'r Arguments,
    pub(super) now: Timestamp,
    /// `responseDate`
    pub(super) response_date: Timestamp,
}

impl<'r> Envelope<'r> {
    /// The same envelope with a `responseDate` that is not later than `under_way`, the beginning of the oldest open transaction in
    /// microseconds since 1970. A harvester next asks for the changes since the `responseDate`, and changes that are not committed yet may
    /// get datestamps from then on.
    pub(super) fn limit_response_date(&self, under_way: Option<i64>) -> Envelope<'r> {
        let began = under_way.and_then(|began| Timestamp::from_microsecond(began).ok());
        let answered = began.map_or(self.response_date, |began| began.min(self.response_date));
        Envelope {
            response_date: answered,
            settings: self.settings,
            verb: self.verb,
            arguments: self.arguments,
            now: self.now,
        }
    }

    pub(super) fn respond_with(&self, inside: impl FnOnce(&mut Xml)) -> Response {
        self.answer(200, true, inside)
    }

    /// An error answer. It does not repeat the verb and the arguments if these are wrong.
    pub(super) fn refuse(&self, errors: &[ProtocolError]) -> Response {
        let unreadable = |error: &ProtocolError| matches!(error.code, Code::BadVerb | Code::BadArgument);
        self.answer(http_status(errors, self.settings), !errors.iter().any(unreadable), |xml| {
            for ProtocolError { code, message } in errors {
                xml.element("error", &[("code", code.name())], |xml| xml.text(message));
            }
        })
    }

    fn answer(&self, status: u16, repeated: bool, inside: impl FnOnce(&mut Xml)) -> Response {
        let mut xml = Xml::document();
        xml.element("OAI-PMH", &ATTRIBUTES, |xml| {
            xml.leaf("responseDate", &format_second(self.response_date));
            let verb = self.verb.filter(|_| repeated).map(|verb| ("verb", verb.name()));
            let repeated: Vec<(&str, &str)> =
                verb.into_iter().chain(self.arguments.pairs().filter(|_| repeated)).collect();
            xml.element("request", &repeated, |xml| xml.text(&self.settings.base_url));
            inside(xml);
        });
        Response { content_type: "text/xml", ..Response::text(status, xml.into_text()) }
    }
}

/// The common beginning of the identifiers of all records.
pub(super) fn identifier_prefix(settings: &Settings, tenant: &str) -> String {
    format!("oai:{}:{tenant}/", settings.host())
}
