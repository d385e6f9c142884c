//! Whether something is referred to from within a record, where no key of the database guards it.

use octavo_kernel::Outcome;
use octavo_pg::Session;
use octavo_record::Sql;
use uuid::Uuid;

use crate::filter::{Filter, Operator};
use crate::kind::{Form, Kind};
use crate::sql::Conditions;

/// Whether a record is named by another of these kinds.
pub(crate) async fn is_used(
    session: &mut Session,
    by: &'static [&'static Kind],
    kind: &'static Kind,
    id: Uuid,
) -> Outcome<bool> {
    for user in by {
        let named = |path: String| Filter::Compare(path, Operator::Same, id.to_string());
        let any: Vec<Filter> = paths(user, kind).into_iter().map(named).collect();
        if any.is_empty() {
            continue;
        }
        let mut sql = Sql::default();
        let condition = Conditions::new(&mut sql, user).of(&Filter::Any(any));
        sql.text = format!("select exists (select from {} t where {condition})", user.table());
        if session.read_once::<Option<bool>>(&sql).await? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The members of a kind, and of its parts, that name records of another kind.
fn paths(kind: &'static Kind, target: &'static Kind) -> Vec<String> {
    let mut all = Vec::new();
    for member in kind.members {
        match member.form {
            Form::Refdata(of, _) | Form::One(of) if std::ptr::eq(of, target) => {
                all.push(member.name.to_owned());
            }
            Form::Part(of) | Form::Parts(of) => {
                all.extend(paths(of, target).into_iter().map(|path| format!("{}.{path}", member.name)));
            }
            _ => {}
        }
    }
    all
}
