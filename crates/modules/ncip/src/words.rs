//! Answers as XML. The elements' names are in the protocol's namespace and have a prefix, as in FOLIO's answers.

use octavo_engine::Response;
use octavo_kernel::Xml;

use crate::problem::Problem;

const NAMESPACE: &str = "http://www.niso.org/2008/ncip";
const VERSION: &str = "http://www.niso.org/schemas/ncip/v2_02/ncip_v2_02.xsd";

pub(crate) fn qualified_name(name: &str) -> String {
    format!("ns1:{name}")
}

pub(crate) fn response(inside: impl FnOnce(&mut Xml)) -> Response {
    let mut xml = Xml::document();
    xml.element("ns1:NCIPMessage", &[("xmlns:ns1", NAMESPACE), ("ns1:version", VERSION)], inside);
    Response { content_type: "application/xml", ..Response::text(200, xml.into_text()) }
}

/// mod-ncip's own error answer, for requests that the protocol has no answer for.
pub(crate) fn unprocessed(status: u16, why: &str) -> Response {
    let mut xml = Xml::default();
    xml.element("Problem", &[], |xml| {
        xml.leaf("message", "problem processing NCIP request");
        xml.leaf("exception", why);
    });
    Response { content_type: "application/xml", ..Response::text(status, xml.into_text()) }
}

pub(crate) fn element(xml: &mut Xml, name: &str, inside: impl FnOnce(&mut Xml)) {
    xml.element(&qualified_name(name), &[], inside);
}

pub(crate) fn leaf(xml: &mut Xml, name: &str, text: &str) {
    xml.leaf(&qualified_name(name), text);
}

/// An element with a text, if there is one.
pub(crate) fn optional_leaf(xml: &mut Xml, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        leaf(xml, name, text);
    }
}

/// Writes a value with its scheme, for lists of terms that the protocol leaves to its users.
fn scheme_element(xml: &mut Xml, name: &str, value: &str) {
    xml.element(&qualified_name(name), &[("ns1:Scheme", "Scheme")], |xml| xml.text(value));
}

pub(crate) fn problem(xml: &mut Xml, problem: &Problem) {
    element(xml, "Problem", |xml| {
        leaf(xml, "ProblemType", problem.kind);
        optional_leaf(
            xml,
            "ProblemDetail",
            Some(problem.detail.as_str()).filter(|detail| !detail.is_empty()),
        );
        leaf(xml, "ProblemElement", problem.element);
        leaf(xml, "ProblemValue", &problem.value);
    });
}

/// `UserId`, `ItemId` or `RequestId`: whose number it is, what kind of number, and the number.
pub(crate) fn id_element(xml: &mut Xml, what: &str, agency: Option<&str>, kind: &str, value: &str) {
    element(xml, &format!("{what}Id"), |xml| {
        optional_leaf(xml, "AgencyId", agency);
        scheme_element(xml, &format!("{what}IdentifierType"), kind);
        leaf(xml, &format!("{what}IdentifierValue"), value);
    });
}
