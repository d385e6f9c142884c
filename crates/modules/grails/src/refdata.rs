//! Vocabularies of a tenant, in FOLIO reference data: a category has a description such as `DashboardAccess.Access`, and values with labels.

use octavo_engine::{Context, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use uuid::Uuid;

use crate::kind::{Form, Kind};

/// The value that belongs to a label: without accents, in lower case, with `_` for blanks (web-toolkit 9.0.0).
pub(crate) fn normalize_value(label: &str) -> String {
    let plain: String = label.trim().nfkd().filter(|letter| !is_combining_mark(*letter)).collect();
    plain.split_whitespace().collect::<Vec<_>>().join("_").to_lowercase()
}

/// Finds the value of a vocabulary that a client refers to by its id, its value or its label.
pub(crate) async fn find(
    session: &mut Session,
    values: &'static Kind,
    vocabulary: &str,
    sent: &Value,
) -> Outcome<Option<Uuid>> {
    let text = |name: &str| sent[name].as_str();
    let id = sent.as_str().or(text("id")).and_then(|id| Uuid::parse_str(id).ok());
    let value = sent.as_str().or(text("value")).or(text("label")).map(normalize_value);
    let categories = format!("{:?}", values.record.references[0].table);
    let find = format!(
        "select v.id from {} v join {categories} c on c.id::text = v.doc ->> 'owner' \
         where v.id = $2 or (c.doc ->> 'desc' = $1 and v.doc ->> 'value' = $3) order by v.id = $2 desc nulls last limit 1",
        values.table()
    );
    let statement = Statement::new(find).text(vocabulary).maybe_uuid(id).maybe_text(value.as_deref());
    Ok(session.read(statement).await?)
}

/// The vocabulary of a member, by the name of the class and of the member: `DashboardAccess` and `access`. The first letter of the member's
/// name may be a capital, because web-toolkit 9.0.0 makes the name of the vocabulary of it (`DashboardAccess.Access`).
pub(crate) fn vocabulary_of_member(
    kinds: &[&'static Kind],
    domain: &str,
    property: &str,
) -> Option<&'static str> {
    let is_named =
        |kind: &&&'static Kind| kind.class == domain || kind.class.rsplit('.').next() == Some(domain);
    let kind = kinds.iter().find(is_named)?;
    match kind.member(property).or_else(|| kind.member(&with_small_initial(property)))?.form {
        Form::Refdata(_, vocabulary) => Some(vocabulary),
        _ => None,
    }
}

fn with_small_initial(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Sets the value of a vocabulary entry: the sent value, or else the label, in normal form.
pub(crate) fn compute_value(_: &Kind, document: &mut Map<String, Value>) {
    let text = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(value) = text("value").or_else(|| text("label")).filter(|_| document.contains_key("label")) {
        document.insert("value".to_owned(), json!(normalize_value(&value)));
    }
}

/// Finds the value of a vocabulary by its label. Creates the value, and the vocabulary, if they do not exist.
pub(crate) async fn find_or_create(
    context: &Context,
    session: &mut Session,
    [categories, values]: [&'static Kind; 2],
    vocabulary: &str,
    label: &str,
) -> Outcome<Uuid> {
    if let Some(found) = find(session, values, vocabulary, &json!(label)).await? {
        return Ok(found);
    }
    let new = context.fresh_id();
    let category = json!({"id": new, "desc": vocabulary, "internal": false});
    session.rows(statements::insert_if_new(categories.record, new, &category)).await?;
    let owner = format!("select id from {} where \"desc\" = $1", categories.table());
    let owner: Option<Uuid> = session.read(Statement::new(owner).text(vocabulary)).await?;
    let new = context.fresh_id();
    let value = json!({"id": new, "owner": owner, "value": normalize_value(label), "label": label.trim()});
    session.rows(statements::insert_if_new(values.record, new, &value)).await?;
    let found = find(session, values, vocabulary, &json!(label)).await?;
    found.ok_or_else(|| Fault::internal("a value of a vocabulary was removed as soon as it was made"))
}

#[cfg(test)]
mod tests {
    use super::normalize_value;

    #[test]
    fn a_value_is_made_of_its_label() {
        for (label, value) in
            [("Manage", "manage"), (" At  maximum ", "at_maximum"), ("Élève", "eleve"), ("ﬁne", "fine")]
        {
            assert_eq!(normalize_value(label), value, "{label}");
        }
    }
}
