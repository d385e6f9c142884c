//! Whether records of other kinds refer to a record, where no foreign key of the database prevents its deletion.

use octavo_kernel::Outcome;
use octavo_pg::Session;
use octavo_record::Sql;
use uuid::Uuid;

use crate::filter::{Filter, Operator};
use crate::kind::{Form, Kind};
use crate::sql::Conditions;

/// Whether a record of one of the kinds `by` refers to this record.
pub(crate) async fn is_referenced(
    session: &mut Session,
    by: &'static [&'static Kind],
    kind: &'static Kind,
    id: Uuid,
) -> Outcome<bool> {
    for user in by {
        let named = |path: String| Filter::Compare(path, Operator::Equal, id.to_string());
        let any: Vec<Filter> = reference_paths(user, kind).into_iter().map(named).collect();
        if any.is_empty() {
            continue;
        }
        let mut sql = Sql::default();
        let condition = Conditions::new(&mut sql, user).filter_sql(&Filter::Any(any));
        sql.text = format!("select exists (select from {} t where {condition})", user.table());
        if session.read_once::<Option<bool>>(&sql).await? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The paths of the members of a kind, and of the records within it, that refer to records of another kind.
fn reference_paths(kind: &'static Kind, target: &'static Kind) -> Vec<String> {
    let mut all = Vec::new();
    for member in kind.members {
        match member.form {
            Form::Refdata(of, _) | Form::Reference(of) if std::ptr::eq(of, target) => {
                all.push(member.name.to_owned());
            }
            Form::Part(of) | Form::Parts(of) => {
                all.extend(
                    reference_paths(of, target).into_iter().map(|path| format!("{}.{path}", member.name)),
                );
            }
            _ => {}
        }
    }
    all
}
