//! The element around every answer of the protocol. Pure.

use jiff::Timestamp;
use octavo_engine::Response;
use octavo_kernel::Xml;

use super::arguments::{Arguments, Verb};
use super::dates::second;
use super::errors::{Code, Wrong, status};
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
    pub(super) answered: Timestamp,
}

impl<'r> Envelope<'r> {
    /// The same with an earlier time of the answer. A harvester asks next time for what has changed since then: it must not be later than
    /// a change that is still under way.
    pub(super) fn answered_at(&self, under_way: Option<i64>) -> Envelope<'r> {
        let began = under_way.and_then(|began| Timestamp::from_microsecond(began).ok());
        let answered = began.map_or(self.answered, |began| began.min(self.answered));
        Envelope {
            answered,
            settings: self.settings,
            verb: self.verb,
            arguments: self.arguments,
            now: self.now,
        }
    }

    pub(super) fn with(&self, inside: impl FnOnce(&mut Xml)) -> Response {
        self.answer(200, true, inside)
    }

    /// An answer of a request whose verb or arguments are wrong does not repeat them.
    pub(super) fn refuse(&self, errors: &[Wrong]) -> Response {
        let unreadable = |error: &Wrong| matches!(error.code, Code::BadVerb | Code::BadArgument);
        self.answer(status(errors, self.settings), !errors.iter().any(unreadable), |xml| {
            for Wrong { code, message } in errors {
                xml.element("error", &[("code", code.name())], |xml| xml.text(message));
            }
        })
    }

    fn answer(&self, status: u16, repeated: bool, inside: impl FnOnce(&mut Xml)) -> Response {
        let mut xml = Xml::document();
        xml.element("OAI-PMH", &ATTRIBUTES, |xml| {
            xml.leaf("responseDate", &second(self.answered));
            let verb = self.verb.filter(|_| repeated).map(|verb| ("verb", verb.name()));
            let repeated: Vec<(&str, &str)> =
                verb.into_iter().chain(self.arguments.given().filter(|_| repeated)).collect();
            xml.element("request", &repeated, |xml| xml.text(&self.settings.base_url));
            inside(xml);
        });
        Response { content_type: "text/xml", ..Response::text(status, xml.into_text()) }
    }
}

/// How identifiers of records begin.
pub(super) fn identifier_prefix(settings: &Settings, tenant: &str) -> String {
    format!("oai:{}:{tenant}/", settings.host())
}
