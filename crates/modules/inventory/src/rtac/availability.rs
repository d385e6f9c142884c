//! The availability of a title: of its items or, for a periodical, of its holdings. Pure.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::names::{LocationNames, Names};
use super::read::{Holdings, Item, Title};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Copies<'a> {
    instance_id: Uuid,
    holdings: Vec<Copy<'a>>,
}

/// An item, or a whole holdings record. FOLIO calls both "holding".
#[derive(Debug, Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Copy<'a> {
    #[serde(flatten)]
    brief: Brief<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    barcode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temporary_loan_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permanent_loan_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    material_type: Option<MaterialType<'a>>,
    library: Library<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppress_from_discovery: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_hold_requests: Option<i64>,
    holdings_statements: Statements<'a>,
    holdings_statements_for_indexes: Statements<'a>,
    holdings_statements_for_supplements: Statements<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdings_copy_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_copy_number: Option<&'a str>,
}

/// The members of a copy that also the older form of the answer has.
#[derive(Debug, Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Brief<'a> {
    id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<String>,
}

#[derive(Debug, Serialize, Default)]
struct MaterialType<'a> {
    id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Debug, Serialize, Default)]
struct Library<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
}

/// A list that is written as an empty list if the record does not have it.
#[derive(Debug, Default)]
struct Statements<'a>(Option<&'a RawValue>);

impl Serialize for Statements<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(statements) => statements.serialize(serializer),
            None => serializer.collect_seq(std::iter::empty::<()>()),
        }
    }
}

pub(super) fn availability_of_title<'a>(
    id: Uuid,
    title: &'a Title<'a>,
    names: &'a Names,
    full_periodicals: bool,
) -> Copies<'a> {
    let by_item = !title.items.is_empty() && (full_periodicals || !is_periodical(title, names));
    let holdings = if by_item {
        let belongs =
            |item: &Item<'_>| title.holdings.binary_search_by_key(&item.holdings, |one| Some(one.id)).ok();
        let shown =
            |item: &'a Item<'a>| copy_of_item(item, belongs(item).map(|at| &title.holdings[at]), names);
        title.items.iter().map(|(_, item)| shown(item)).collect()
    } else {
        title.holdings.iter().map(|holdings| copy_of_holdings(holdings, names)).collect()
    };
    Copies { instance_id: id, holdings }
}

fn is_periodical(title: &Title<'_>, names: &Names) -> bool {
    let nature = |term| names.natures_of_content.get(term).map(|name| name.to_lowercase());
    let mode = title.mode_of_issuance.and_then(|mode| names.modes_of_issuance.get(&mode));
    mode.is_some_and(|mode| mode == "serial")
        || title
            .natures_of_content
            .iter()
            .filter_map(nature)
            .any(|name| name == "journal" || name == "newspaper")
}

/// The availability of an item. `holdings` is its holdings record, if that belongs to this instance.
fn copy_of_item<'a>(item: &'a Item<'a>, holdings: Option<&'a Holdings<'a>>, names: &'a Names) -> Copy<'a> {
    let place = item.location.and_then(|id| Some((id, names.locations.get(&id)?)));
    let loan_type = |id: Option<Uuid>| names.loan_types.get(&id?).map(String::as_str);
    let material_type = |id| MaterialType { id, name: names.material_types.get(&id).map(String::as_str) };
    let copy = Copy {
        brief: brief_item(item, names),
        barcode: item.barcode,
        temporary_loan_type: loan_type(item.temporary_loan_type),
        permanent_loan_type: loan_type(item.permanent_loan_type),
        material_type: item.material_type.map(material_type),
        suppress_from_discovery: Some(false),
        total_hold_requests: Some(item.open_requests),
        item_copy_number: item.copy_number,
        ..Copy::default()
    };
    copy.with_location(place).with_holdings(holdings)
}

fn copy_of_holdings<'a>(holdings: &'a Holdings<'a>, names: &'a Names) -> Copy<'a> {
    let place = holdings.location.and_then(|id| Some((id, names.locations.get(&id)?)));
    let brief = Brief {
        id: holdings.id,
        location: place.and_then(|(_, place)| place.name.as_deref()),
        call_number: holdings.call_number.map(str::to_owned),
        status: statement_status(holdings),
        ..Brief::default()
    };
    Copy { brief, ..Copy::default() }.with_location(place).with_holdings(Some(holdings))
}

impl<'a> Copy<'a> {
    fn with_location(mut self, place: Option<(Uuid, &'a LocationNames)>) -> Self {
        if let Some((id, place)) = place {
            self.location_id = Some(id);
            self.location_code = place.code.as_deref();
            self.library =
                Library { name: place.library_name.as_deref(), code: place.library_code.as_deref() };
        }
        self
    }

    fn with_holdings(mut self, holdings: Option<&'a Holdings<'a>>) -> Self {
        if let Some(holdings) = holdings {
            self.holdings_copy_number = holdings.copy_number;
            self.holdings_statements = Statements(holdings.statements);
            self.holdings_statements_for_indexes = Statements(holdings.statements_for_indexes);
            self.holdings_statements_for_supplements = Statements(holdings.statements_for_supplements);
        }
        self
    }
}

/// The holdings statements of a periodical, which are shown instead of a status.
fn statement_status(holdings: &Holdings<'_>) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Statement {
        statement: Option<String>,
    }
    let statements = holdings.statements.map(RawValue::get).unwrap_or("[]");
    let statements: Vec<Statement> = serde_json::from_str(statements).unwrap_or_default();
    match statements.into_iter().next() {
        Some(first) => first.statement,
        None => Some("Multi".to_owned()),
    }
}

pub(super) fn brief_item<'a>(item: &Item<'_>, names: &'a Names) -> Brief<'a> {
    let place = item.location.and_then(|id| names.locations.get(&id));
    Brief {
        id: item.id,
        location: place.and_then(|place| place.name.as_deref()),
        call_number: call_number(item),
        status: item.status.map(str::to_owned),
        // Without fractions of a second, as mod-rtac reads the date.
        due_date: item.due_date.and_then(|date| date.get(..19)).map(|date| format!("{date}.000+00:00")),
        volume: volume(item),
    }
}

fn call_number(item: &Item<'_>) -> Option<String> {
    let parts = [item.prefix, item.call_number, item.suffix];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { item.call_number.map(str::to_owned) } else { Some(parts.join(" ")) }
}

/// The display summary, else the enumeration with its chronology, else the volume, else the chronology.
fn volume(item: &Item<'_>) -> Option<String> {
    let filled = |part: &&str| !part.trim().is_empty();
    let [summary, enumeration, chronology, volume] =
        [item.display_summary, item.enumeration, item.chronology, item.volume]
            .map(|part| part.filter(filled));
    match (summary, enumeration, chronology) {
        (Some(summary), ..) => Some(format!("({summary})")),
        (None, Some(enumeration), Some(chronology)) => Some(format!("({enumeration} {chronology})")),
        (None, Some(enumeration), None) => Some(format!("({enumeration})")),
        (None, None, _) => volume.or(chronology).map(|part| format!("({part})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_volume_is_told_by_the_best_that_is_known_of_it() {
        let cases = [
            (["s", "e", "c", "v"], Some("(s)")),
            (["", "e", "c", "v"], Some("(e c)")),
            (["", "e", " ", "v"], Some("(e)")),
            (["", "", "c", "v"], Some("(v)")),
            (["", "", "c", ""], Some("(c)")),
            (["", "", "", ""], None),
        ];
        for ([summary, enumeration, chronology, known], expected) in cases {
            let item = Item {
                display_summary: Some(summary),
                enumeration: Some(enumeration),
                chronology: Some(chronology),
                volume: Some(known),
                ..Item::default()
            };
            assert_eq!(volume(&item).as_deref(), expected);
        }
    }

    #[test]
    fn call_numbers_have_their_prefix_and_suffix() {
        let item = |prefix, call_number, suffix| Item { prefix, call_number, suffix, ..Item::default() };
        assert_eq!(call_number(&item(Some("P"), Some("C"), Some("S"))).as_deref(), Some("P C S"));
        assert_eq!(call_number(&item(Some(""), Some("C"), None)).as_deref(), Some("C"));
        assert_eq!(call_number(&item(None, None, None)), None);
    }

    fn holdings_json(title: &Title<'_>, names: &Names, full: bool) -> Value {
        json!(availability_of_title(Uuid::nil(), title, names, full))["holdings"].clone()
    }

    #[test]
    fn a_periodical_is_told_by_its_holdings_unless_all_is_asked_for() {
        let serial = Uuid::from_u128(1);
        let names = Names { modes_of_issuance: [(serial, "serial".to_owned())].into(), ..Names::default() };
        let statements = RawValue::from_string(r#"[{"statement": "1999-2004"}]"#.into()).unwrap();
        let holdings =
            Holdings { id: Uuid::from_u128(2), statements: Some(&statements), ..Holdings::default() };
        let item = Item { id: Uuid::from_u128(3), holdings: Some(Uuid::from_u128(2)), ..Item::default() };
        let mut title = Title {
            mode_of_issuance: Some(serial),
            holdings: vec![holdings],
            items: vec![(Uuid::nil(), item)],
            ..Title::default()
        };
        assert_eq!(holdings_json(&title, &names, false)[0]["status"], "1999-2004");
        let full = holdings_json(&title, &names, true);
        assert_eq!(full[0]["id"], json!(Uuid::from_u128(3)));
        assert_eq!(full[0]["holdingsStatements"], json!([{"statement": "1999-2004"}]));
        title.mode_of_issuance = None;
        assert_eq!(holdings_json(&title, &names, false), full);
        title.items.clear();
        title.holdings[0].statements = None;
        assert_eq!(holdings_json(&title, &names, true)[0]["status"], "Multi");
    }
}
