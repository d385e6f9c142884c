//! The values that users have in custom fields: how many there are, and how they go with their field or option.

use octavo_pg::Statement;
use serde_json::{Value, json};

use super::definition::{default_ids, option_ids};

/// How many users have a value.
pub(super) fn count(ref_id: &str) -> Statement {
    Statement::new(COUNT).text(ref_id)
}

/// How many users have an option.
pub(super) fn count_option(ref_id: &str, option: &str) -> Statement {
    Statement::new(COUNT_OPTION).text(ref_id).text(option)
}

/// Takes the values of a field that is deleted from all users.
pub(super) fn clear(ref_id: &str, now: &str) -> Statement {
    Statement::new(CLEAR).text(ref_id).text(now)
}

/// Takes options that a changed field has no longer from all users. Who has none left gets the field's defaults. `None` if all options
/// are still there.
pub(super) fn clear_options(before: &Value, field: &Value, now: &str) -> Option<Statement> {
    let left = option_ids(field);
    let gone: Vec<String> =
        option_ids(before).into_iter().filter(|id| !left.contains(id)).map(str::to_owned).collect();
    let ref_id = field["refId"].as_str().unwrap_or_default();
    let defaults = json!(default_ids(field)).to_string();
    (!gone.is_empty())
        .then(|| Statement::new(CLEAR_OPTIONS).text(ref_id).texts(gone).text(defaults).text(now))
}

const COUNT: &str = "\
select count(*)
from users
where (doc -> 'customFields') is not null and (doc -> 'customFields')::jsonb ? $1::text";

const COUNT_OPTION: &str = "\
select count(*)
from users
where (doc -> 'customFields') is not null
  and (doc -> 'customFields')::jsonb ? $1::text
  and (doc -> 'customFields')::jsonb -> $1::text ? $2::text";

const CLEAR: &str = "\
update users
set doc = (doc::jsonb #- array['customFields', $1::text] || jsonb_build_object('updatedDate', $2::text))::json
where (doc -> 'customFields') is not null and (doc -> 'customFields')::jsonb ? $1::text";

/// A value is one option or a list of them; a list of one becomes that option.
const CLEAR_OPTIONS: &str = "\
update users u
set doc = (
  case jsonb_array_length(n.left)
    when 0 then u.doc::jsonb #- array['customFields', $1::text]
    when 1 then jsonb_set(u.doc::jsonb, array['customFields', $1::text], n.left -> 0)
    else jsonb_set(u.doc::jsonb, array['customFields', $1::text], n.left)
  end || jsonb_build_object('updatedDate', $4::text))::json
from (
  select id, case when k.kept = '[]' then $3::text::jsonb else k.kept end as left
  from users,
    lateral (select (doc -> 'customFields')::jsonb -> $1::text as value) v,
    lateral (select case jsonb_typeof(v.value) when 'array' then v.value - $2::text[] else '[]' end as kept) k
  where (doc -> 'customFields') is not null
    and (doc -> 'customFields')::jsonb ? $1::text
    and v.value ?| $2::text[]
) n
where u.id = n.id";

octavo_pg::statements!(other = [COUNT, COUNT_OPTION, CLEAR, CLEAR_OPTIONS]);
