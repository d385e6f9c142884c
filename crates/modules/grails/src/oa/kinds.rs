//! The kinds of record of mod-oa 2.0.0, and how they are shown.

use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::price::invoiced;
use super::tables;
use crate::kind::{Kind, Member, NO_TABLE};
use crate::refdata::compute_value;
use crate::resource::Resource;
use crate::toolkit;
use crate::view::View;

const MOST_TEXT: usize = 65_536;

toolkit::kinds!(tables);

static CHECKLIST_DEFINITION: Kind = Kind {
    class: "org.olf.oa.workflow.ChecklistItemDefinition",
    record: &tables::CHECKLIST,
    members: &[
        Member::date_created(),
        Member::last_updated(),
        Member::text("name").required(),
        Member::text("label").required(),
        Member::text("description"),
        Member::integer("weight").default("0"),
    ],
};

static CHECKLIST_NOTE: Kind = Kind {
    class: "org.olf.oa.workflow.ChecklistItemNote",
    record: &NO_TABLE,
    members: &[Member::date_created(), Member::last_updated(), Member::text("note").at_most(MOST_TEXT)],
};

static CHECKLIST_ITEM: Kind = Kind {
    class: "org.olf.oa.workflow.ChecklistItem",
    record: &NO_TABLE,
    members: &[
        Member::date_created(),
        Member::last_updated(),
        Member::reference("definition", &CHECKLIST_DEFINITION).required(),
        Member::refdata("outcome", &VALUE, "ChecklistItem.Outcome"),
        Member::refdata("status", &VALUE, "ChecklistItem.Status"),
        Member::parts("notes", &CHECKLIST_NOTE),
    ],
};

pub(super) static WORK: Kind = Kind {
    class: "org.olf.oa.kb.Work",
    record: &tables::WORKS,
    members: &[
        Member::text("title").required(),
        Member::refdata("indexedInDOAJ", &VALUE, "Global.Yes_No"),
        Member::refdata("oaStatus", &VALUE, "Work.OaStatus"),
        Member::owned("instances", &TITLE, "work").read_only(),
    ],
};

static NAMESPACE: Kind = Kind {
    class: "org.olf.oa.kb.IdentifierNamespace",
    record: &NO_TABLE,
    members: &[Member::text("value").required()],
};

static IDENTIFIER: Kind = Kind {
    class: "org.olf.oa.kb.Identifier",
    record: &NO_TABLE,
    members: &[Member::text("value").required(), Member::part("ns", &NAMESPACE).required()],
};

static OCCURRENCE: Kind = Kind {
    class: "org.olf.oa.kb.IdentifierOccurrence",
    record: &NO_TABLE,
    members: &[
        Member::part("identifier", &IDENTIFIER).required(),
        Member::refdata("status", &VALUE, "IdentifierOccurrence.Status"),
        Member::boolean("selected"),
    ],
};

pub(super) static TITLE: Kind = Kind {
    class: "org.olf.oa.kb.TitleInstance",
    record: &tables::TITLES,
    members: &[
        Member::text("title").required(),
        Member::refdata("publicationType", &VALUE, "TitleInstance.PublicationType"),
        Member::refdata("type", &VALUE, "TitleInstance.Type"),
        Member::refdata("subType", &VALUE, "TitleInstance.SubType"),
        Member::parts("identifiers", &OCCURRENCE),
        Member::reference("work", &WORK),
    ],
};

static EMAIL: Kind = Kind {
    class: "org.olf.oa.AlternateEmailAddress",
    record: &NO_TABLE,
    members: &[Member::text("email").required()],
};

static ADDRESS: Kind = Kind {
    class: "org.olf.oa.Address",
    record: &NO_TABLE,
    members: &[
        Member::text("name"),
        Member::text("addressLineOne"),
        Member::text("addressLineTwo"),
        Member::text("city"),
        Member::text("region"),
        Member::text("postalCode"),
        Member::text("country"),
    ],
};

static PARTY_ADDRESS: Kind = Kind {
    class: "org.olf.oa.PartyAddress",
    record: &NO_TABLE,
    members: &[Member::part("address", &ADDRESS).required()],
};

static PARTY: Kind = Kind {
    class: "org.olf.oa.Party",
    record: &tables::PARTIES,
    members: &[
        Member::text("title"),
        Member::text("familyName"),
        Member::text("givenNames"),
        Member::text("fullName").read_only().at_most(1024),
        Member::text("orcidId"),
        Member::text("mainEmail"),
        Member::text("phone"),
        Member::text("mobile"),
        Member::part("streetAddress", &PARTY_ADDRESS),
        Member::refdata("institutionLevel1", &VALUE, "Party.InstitutionLevel1"),
        Member::text("institutionLevel2"),
        Member::parts("alternateEmails", &EMAIL),
    ],
};

static REQUEST_PARTY: Kind = Kind {
    class: "org.olf.oa.RequestParty",
    record: &NO_TABLE,
    members: &[
        Member::refdata("role", &VALUE, "RequestParty.Role").required(),
        Member::reference("partyOwner", &PARTY).required(),
    ],
};

static EXTERNAL_ID: Kind =
    Kind { class: "org.olf.oa.ExternalRequestId", record: &NO_TABLE, members: &[Member::text("externalId")] };

static HISTORY: Kind = Kind {
    class: "org.olf.oa.PublicationRequestHistory",
    record: &NO_TABLE,
    members: &[
        Member::last_updated(),
        Member::text("note").at_most(MOST_TEXT),
        Member::refdata("fromState", &VALUE, "PublicationRequestHistory.FromState"),
        Member::refdata("toState", &VALUE, "PublicationRequestHistory.ToState").required(),
    ],
};

static PUBLICATION_ID: Kind = Kind {
    class: "org.olf.oa.PublicationIdentifier",
    record: &NO_TABLE,
    members: &[
        Member::refdata("type", &VALUE, "PublicationIdentifier.Type"),
        Member::text("publicationIdentifier"),
    ],
};

static PUBLICATION_STATUS: Kind = Kind {
    class: "org.olf.oa.PublicationStatus",
    record: &NO_TABLE,
    members: &[
        Member::refdata("publicationStatus", &VALUE, "PublicationStatus.PublicationStatus"),
        Member::day("statusDate"),
        Member::text("statusNote").at_most(MOST_TEXT),
    ],
};

static FUNDING: Kind = Kind {
    class: "org.olf.oa.Funding",
    record: &NO_TABLE,
    members: &[
        Member::last_updated(),
        Member::refdata("funder", &VALUE, "Funding.Funder"),
        Member::refdata("aspectFunded", &VALUE, "Funding.AspectFunded"),
    ],
};

static AGREEMENT: Kind = Kind {
    class: "org.olf.oa.PublicationRequestAgreement",
    record: &NO_TABLE,
    members: &[Member::text("remoteId").required()],
};

pub(super) static REQUEST: Kind = Kind {
    class: "org.olf.oa.PublicationRequest",
    record: &tables::REQUESTS,
    members: &[
        Member::date_created(),
        Member::last_updated(),
        Member::integer("version").read_only(),
        Member::text("requestNumber"),
        Member::day("requestDate"),
        Member::boolean("retrospectiveOA").default("false"),
        Member::text("publicationTitle").at_most(MOST_TEXT),
        Member::text("authorNames").at_most(MOST_TEXT),
        Member::part("correspondingAuthor", &REQUEST_PARTY),
        Member::part("requestContact", &REQUEST_PARTY),
        Member::text("localReference"),
        Member::text("publicationUrl").at_most(MOST_TEXT),
        Member::text("doi"),
        Member::text("bookDateOfPublication")
            .matching(r"^\d{4}(-((0[0-9])|(1[0-2]))(-(([0-2][0-9])|3[0-1]))?)?$", is_date_of_a_book),
        Member::text("bookPlaceOfPublication"),
        Member::text("correspondingInstitutionLevel2"),
        Member::boolean("withoutAgreement").default("false"),
        Member::refdata("requestStatus", &VALUE, "PublicationRequest.RequestStatus"),
        Member::refdata("closureReason", &VALUE, "PublicationRequest.ClosureReason"),
        Member::refdata("publicationType", &VALUE, "PublicationRequest.PublicationType"),
        Member::refdata("subtype", &VALUE, "PublicationRequest.Subtype"),
        Member::refdata("publisher", &VALUE, "PublicationRequest.Publisher"),
        Member::refdata("license", &VALUE, "PublicationRequest.License"),
        Member::reference("work", &WORK),
        Member::refdata("workIndexedInDOAJ", &VALUE, "Global.Yes_No"),
        Member::refdata("workOAStatus", &VALUE, "Work.OaStatus"),
        Member::refdata("correspondingInstitutionLevel1", &VALUE, "Party.InstitutionLevel1"),
        Member::parts("externalRequestIds", &EXTERNAL_ID),
        Member::parts("history", &HISTORY),
        Member::parts("identifiers", &PUBLICATION_ID),
        Member::parts("publicationStatuses", &PUBLICATION_STATUS),
        Member::parts("fundings", &FUNDING),
        Member::owned("correspondences", &CORRESPONDENCE_KIND, "owner"),
        Member::owned("charges", &CHARGE, "owner"),
        Member::part("agreement", &AGREEMENT),
        Member::parts("checklist", &CHECKLIST_ITEM),
    ],
};

static CORRESPONDENCE_KIND: Kind = Kind {
    class: "org.olf.oa.Correspondence",
    record: &tables::CORRESPONDENCE,
    members: &[
        Member::last_updated(),
        Member::day("dateOfCorrespondence").required(),
        Member::text("content").required().at_most(MOST_TEXT),
        Member::text("correspondent").required(),
        Member::refdata("status", &VALUE, "Correspondence.Status").required(),
        Member::refdata("mode", &VALUE, "Correspondence.Mode").required(),
        Member::refdata("category", &VALUE, "Correspondence.Category"),
        Member::reference("owner", &REQUEST).required(),
    ],
};

static MONEY: Kind = Kind {
    class: "org.olf.oa.finance.MonetaryValue",
    record: &NO_TABLE,
    members: &[
        Member::text("baseCurrency").required().matching("^[A-Z]{3}$", is_currency),
        Member::number("value").required().default("0"),
    ],
};

static RATE: Kind = Kind {
    class: "org.olf.oa.finance.ExchangeRate",
    record: &NO_TABLE,
    members: &[
        Member::text("fromCurrency").matching("^[A-Z]{3}$", is_currency),
        Member::text("toCurrency").required().matching("^[A-Z]{3}$", is_currency),
        Member::number("coefficient").required().default("0"),
    ],
};

static PAYER: Kind = Kind {
    class: "org.olf.oa.Payer",
    record: &NO_TABLE,
    members: &[
        Member::refdata("payer", &VALUE, "Payer.Payer").required(),
        Member::number("payerAmount").required(),
        Member::text("payerNote").at_most(MOST_TEXT),
    ],
};

static CHARGE: Kind = Kind {
    class: "org.olf.oa.Charge",
    record: &tables::CHARGES,
    members: &[
        Member::date_created(),
        Member::last_updated(),
        Member::part("amount", &MONEY).required(),
        Member::part("exchangeRate", &RATE),
        Member::text("description").at_most(MOST_TEXT),
        Member::text("paymentPeriod").matching("^([0-9]{4})?$", is_year),
        Member::refdata("category", &VALUE, "Charge.Category"),
        Member::number("discount").default("0"),
        Member::refdata("discountType", &VALUE, "Charge.DiscountType"),
        Member::text("invoiceReference"),
        Member::text("invoiceLineItemReference"),
        Member::text("discountNote").at_most(MOST_TEXT),
        Member::number("tax"),
        Member::refdata("chargeStatus", &VALUE, "Charge.ChargeStatus"),
        Member::parts("payers", &PAYER),
        Member::reference("owner", &REQUEST).required(),
    ],
};

/// The kinds with members that take values of vocabularies.
pub(super) static KINDS_WITH_VALUES: &[&Kind] = &[
    &REQUEST,
    &REQUEST_PARTY,
    &HISTORY,
    &PUBLICATION_ID,
    &PUBLICATION_STATUS,
    &FUNDING,
    &CORRESPONDENCE_KIND,
    &CHARGE,
    &PAYER,
    &PARTY,
    &WORK,
    &TITLE,
    &OCCURRENCE,
    &CHECKLIST_ITEM,
];

/// The kinds of record whose members, or whose parts' members, may refer to other records.
static KINDS_WITH_REFERENCES: &[&Kind] = &[&REQUEST, &CORRESPONDENCE_KIND, &CHARGE, &PARTY, &WORK, &TITLE];

pub(super) static CATEGORIES: Resource = Resource {
    kind: &CATEGORY,
    view: &View { nested: &[("values", &View::REFDATA)], ..View::ALL },
    compute_members: compute_value,
    referenced_by: KINDS_WITH_REFERENCES,
    ..Resource::BASE
};

pub(super) static VALUES: Resource = Resource {
    kind: &VALUE,
    view: &View { left_out: &["owner"], ..View::ALL },
    compute_members: compute_value,
    referenced_by: KINDS_WITH_REFERENCES,
    ..Resource::BASE
};

pub(super) static CHECKLIST: Resource = Resource {
    kind: &CHECKLIST_DEFINITION,
    compute_members: compute_name,
    sort: &["weight", "label"],
    referenced_by: KINDS_WITH_REFERENCES,
    ..Resource::BASE
};

static TITLE_VIEW: View =
    View { left_out: &["work"], nested: &[("identifiers", &OCCURRENCE_VIEW)], ..View::ALL };

static OCCURRENCE_VIEW: View = View {
    left_out: &["id"],
    nested: &[(
        "identifier",
        &View { left_out: &["id"], nested: &[("ns", &View { only: &["value"], ..View::ALL })], ..View::ALL },
    )],
    ..View::ALL
};

static WORK_VIEW: View =
    View { nested: &[("instances", &View { left_out: &["work"], ..View::ALL })], ..View::ALL };

static REQUEST_VIEW: View = View {
    nested: &[
        ("correspondingAuthor", &View { nested: &[("partyOwner", &View::ALL)], ..View::ALL }),
        ("requestContact", &View { nested: &[("partyOwner", &View::ALL)], ..View::ALL }),
        ("work", &WORK_VIEW),
        ("correspondences", &View::ALL),
        ("charges", &CHARGE_VIEW),
        ("agreement", &View { only: &["remoteId"], ..View::ALL }),
        ("checklist", &View { nested: &[("definition", &View::ALL)], ..View::ALL }),
    ],
    ..View::ALL
};

/// The price of a charge: less the discount, plus tax, and the same in the other currency (mod-oa 2.0.0, `Charge`).
static CHARGE_VIEW: View = View {
    left_out: &["owner"],
    computed: &[("estimatedInvoicePrice", INVOICE_PRICE), ("estimatedPrice", EXCHANGED_PRICE)],
    ..View::ALL
};

const INVOICE_PRICE: &str = concat!(
    "json_build_object('baseCurrency', {doc} -> 'amount' -> 'baseCurrency', 'value', round(",
    invoiced!("{doc}"),
    ", 2))"
);
const EXCHANGED_PRICE: &str = concat!(
    "case when ({doc} -> 'exchangeRate' ->> 'coefficient')::numeric <> 0 \
     and {doc} -> 'exchangeRate' ->> 'fromCurrency' = {doc} -> 'amount' ->> 'baseCurrency' then \
     json_build_object('baseCurrency', {doc} -> 'exchangeRate' -> 'toCurrency', 'value', round(",
    invoiced!("{doc}"),
    " * ({doc} -> 'exchangeRate' ->> 'coefficient')::numeric, 2)) end"
);

pub(super) static WORKS: Resource = Resource { kind: &WORK, view: &WORK_VIEW, ..Resource::BASE };
pub(super) static TITLES: Resource = Resource { kind: &TITLE, view: &TITLE_VIEW, ..Resource::BASE };
pub(super) static PARTIES: Resource = Resource {
    kind: &PARTY,
    compute_members: compute_full_name,
    referenced_by: KINDS_WITH_REFERENCES,
    ..Resource::BASE
};
pub(super) static REQUESTS: Resource = Resource {
    kind: &REQUEST,
    view: &REQUEST_VIEW,
    compute_members: compute_version_and_currency,
    ..Resource::BASE
};
pub(super) static CORRESPONDENCE: Resource = Resource { kind: &CORRESPONDENCE_KIND, ..Resource::BASE };
pub(super) static CHARGES: Resource = Resource {
    kind: &CHARGE,
    view: &CHARGE_VIEW,
    compute_members: compute_version_and_currency,
    ..Resource::BASE
};

fn text(document: &Map<String, Value>, name: &str) -> Option<String> {
    document.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn compute_full_name(kind: &Kind, document: &mut Map<String, Value>) {
    if std::ptr::eq(kind, &PARTY) {
        let names = ["givenNames", "familyName"].map(|name| text(document, name).unwrap_or_default());
        document.insert("fullName".to_owned(), json!(names.join(" ").trim()));
    }
}

/// Sets the name of a checklist definition: the sent name, or else the label, without accents, in lower case, and with `_` for each
/// character but letters, digits and `-`. Joins the words of the label by single blanks.
fn compute_name(_: &Kind, document: &mut Map<String, Value>) {
    let Some(name) = text(document, "name").or_else(|| text(document, "label")) else { return };
    let plain = name.trim().nfkd().filter(|letter| !is_combining_mark(*letter));
    let name: String =
        plain.map(|letter| if letter.is_alphanumeric() || letter == '-' { letter } else { '_' }).collect();
    document.insert("name".to_owned(), json!(name.to_lowercase()));
    if let Some(label) = text(document, "label") {
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        document.insert("label".to_owned(), json!(label));
    }
}

/// Counts the changes of a publication request in `version`. The exchange rate of a charge without `fromCurrency` gets the charge's
/// currency.
fn compute_version_and_currency(kind: &Kind, document: &mut Map<String, Value>) {
    if std::ptr::eq(kind, &REQUEST) {
        let version = document.get("version").and_then(Value::as_i64).map_or(0, |version| version + 1);
        document.insert("version".to_owned(), json!(version));
    }
    if std::ptr::eq(kind, &CHARGE) {
        let currency = document.get("amount").and_then(|amount| amount.get("baseCurrency")).cloned();
        if let Some(Value::Object(rate)) = document.get_mut("exchangeRate")
            && !rate.contains_key("fromCurrency")
            && let Some(currency) = currency
        {
            rate.insert("fromCurrency".to_owned(), currency);
        }
    }
}

fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase())
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// A year, a month or a day: `2026`, `2026-11`, `2026-11-26`.
fn is_date_of_a_book(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let within = |part: &str, most: u8| {
        part.len() == 2
            && part.bytes().all(|digit| digit.is_ascii_digit())
            && part.parse::<u8>().is_ok_and(|number| number <= most)
    };
    is_year(parts[0])
        && parts.len() <= 3
        && parts.get(1).is_none_or(|month| within(month, 12))
        && parts.get(2).is_none_or(|day| within(day, 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_of_a_year_a_month_or_a_day() {
        for (text, is) in [
            ("2026", true),
            ("2026-11", true),
            ("2026-11-26", true),
            ("2026-13", false),
            ("2026-11-32", false),
            ("26", false),
            ("2026-1", false),
            ("2026-11-26-1", false),
            ("year", false),
            ("", false),
        ] {
            assert_eq!(is_date_of_a_book(text), is, "{text}");
        }
    }
}
