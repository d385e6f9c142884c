//! Sessions that end before their tokens expire. One row for each user says which of their sessions have ended. `grants` reads and caches
//! it together with the user's permissions, so no request needs a query of its own for it.
//!
//! All sessions of a user end by a higher generation number; every token holds the number of its time. A single session ends by its id,
//! which is kept until its last access token has expired.

use octavo_engine::{Context, invalidate_caches, notify_statements};
use octavo_pg::Statement;
use uuid::Uuid;

use super::records::ENDED_SESSIONS;

/// The most ended sessions that are kept one by one for a user. If more end, all sessions of the user end, so that the row stays small.
const MAX_ENDED_SESSIONS: i64 = 100;

/// The statements that end all sessions of a user and revoke their refresh tokens, except for the session `but`, which goes on.
pub(crate) fn end_all_statements(context: &Context, user: Uuid, but: Option<Uuid>) -> Vec<Statement> {
    let but = but.map(|session| session.to_string());
    let mut statements = vec![
        Statement::new(END_ALL).uuid(user).maybe_text(but.as_deref()),
        Statement::new(TAKE_ALL_BACK).uuid(user).maybe_text(but.as_deref()),
    ];
    statements.extend(notify_statements(context, &ENDED_SESSIONS, user));
    statements
}

/// The statements that end one session of a user. `last` is when its last access token expires, in seconds since 1970.
pub(super) fn end_one_statements(
    context: &Context,
    user: Uuid,
    session: Uuid,
    last: Option<i64>,
) -> Vec<Statement> {
    let last = last.map_or_else(|| "null".to_owned(), |last| last.to_string());
    let mut statements = vec![
        Statement::new(END_ONE)
            .uuid(user)
            .text(session.to_string())
            .text(last)
            .long(context.now.as_second())
            .long(MAX_ENDED_SESSIONS),
        Statement::new(TAKE_BACK).uuid(user).text(session.to_string()),
    ];
    statements.extend(notify_statements(context, &ENDED_SESSIONS, user));
    statements
}

/// Tells this process that sessions of the user have ended. It is called after the statements have run; other processes learn it from the
/// database.
pub(crate) fn announce_end(context: &Context, user: Uuid) {
    invalidate_caches(context, &ENDED_SESSIONS, user);
}

const END_ALL: &str = "select end_sessions($1, $2)";
const TAKE_ALL_BACK: &str = "\
delete from refresh_tokens
where \"userId\" = $1 and (doc ->> 'session') is distinct from coalesce($2, '')";
const TAKE_BACK: &str = "delete from refresh_tokens where \"userId\" = $1 and doc ->> 'session' = $2";

// Ended sessions whose last access token has expired are removed by the same statement.
const END_ONE: &str = "\
insert into auth_ended_sessions as e (id, doc)
values ($1, json_build_object('id', $1::uuid, 'generation', 0, 'ended', json_build_object($2::text, $3::text::json)))
on conflict (id) do update
set doc = (
  select case
    when (select count(*) from jsonb_object_keys(l.lasting)) < $5
    then e.doc::jsonb || jsonb_build_object('ended', l.lasting || jsonb_build_object($2::text, $3::text::jsonb))
    else jsonb_build_object('id', e.id, 'generation', (e.doc ->> 'generation')::int8 + 1) end
  from (
    select coalesce(jsonb_object_agg(key, value), '{}') as lasting
    from jsonb_each(coalesce(e.doc::jsonb -> 'ended', '{}'))
    where value = 'null' or value::text::int8 > $4
  ) l
)";

octavo_pg::statements!(hot = [END_ALL, TAKE_ALL_BACK, TAKE_BACK, END_ONE]);
