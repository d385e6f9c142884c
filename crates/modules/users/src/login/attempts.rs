//! Failed attempts to log in: counted, warned of, and at last answered by blocking the user.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::{Fault, Outcome, Refusal, folio_time};
use octavo_modules_base::configuration;
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

/// How many attempts are allowed: entries of mod-configuration, found by their code alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AttemptLimits {
    /// How many failures block the user; 0 means that none do.
    pub(super) attempts: i64,
    pub(super) before_warning: i64,
    pub(super) timeout: SignedDuration,
}

impl AttemptLimits {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> AttemptLimits {
        let number = |code: &str, default: i64| {
            configuration::value(snapshot, |entry| entry["code"] == code)
                .and_then(|value| value.trim().parse().ok())
                .unwrap_or(default)
        };
        AttemptLimits {
            attempts: number("login.fail.attempts", 5),
            before_warning: number("login.fail.to.warn.attempts", 3),
            timeout: SignedDuration::from_mins(number("login.fail.timeout", 10).clamp(0, 1_000_000)),
        }
    }
}

/// The consequence of a wrong password: it is refused, the user is warned, or the user is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consequence {
    Refused,
    Warned,
    Blocked,
}

impl Consequence {
    /// The consequence of a failure. `failures` is the number of failures within the timeout, this one included.
    pub(super) fn from_failures(failures: i64, allowed: &AttemptLimits) -> Consequence {
        if allowed.attempts > 0 && failures >= allowed.attempts {
            Consequence::Blocked
        } else if failures == allowed.before_warning {
            Consequence::Warned
        } else {
            Consequence::Refused
        }
    }

    pub(super) fn refusal(self, username: &str) -> Refusal {
        let (message, code) = match self {
            Consequence::Refused => ("Password does not match", "password.incorrect"),
            Consequence::Warned => ("Password does not match", "password.incorrect.warn.user"),
            Consequence::Blocked => ("Fifth failed attempt", "password.incorrect.block.user"),
        };
        let refusal = Refusal::new(message).kind("error").code(code);
        if self == Consequence::Blocked { refusal } else { refusal.about("username", username) }
    }
}

/// Counts a failure, after deleting those that are older than the timeout. Selects their number.
pub(super) fn count_failure_statement(
    user: Uuid,
    fresh: Uuid,
    now: Timestamp,
    allowed: &AttemptLimits,
) -> Statement {
    let earliest = now.checked_sub(allowed.timeout).unwrap_or(Timestamp::MIN);
    let document = json!({"id": fresh, "userId": user, "lastAttempt": folio_time(now), "attemptCount": 1});
    Statement::new(COUNT).uuid(fresh).text(document.to_string()).text(folio_time(earliest))
}

/// Whether no other user could unlock this one, who therefore is never blocked.
pub(super) async fn is_last_who_unlocks(
    context: &Context,
    session: &mut Session,
    user: Uuid,
) -> Outcome<bool> {
    let demo = context.platform.settings.demo_operator.get();
    if demo.is_some_and(|(tenant, operator)| *tenant == context.tenant.id && *operator == user) {
        return Ok(true);
    }
    let who: Vec<Uuid> = session.read(Statement::new(WHO_UNLOCKS)).await?;
    Ok(who == [user])
}

/// Counts from zero again, after a log-in or a block.
pub(super) fn reset_failures_statement(user: Uuid, now: Timestamp) -> Statement {
    Statement::new(RESET).uuid(user).text(folio_time(now))
}

/// How often the user with the id in the path has failed to log in since the last success.
pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let unknown = || Fault::not_found_with(format!("No user login attempts found for id {id}"));
    let user = Uuid::parse_str(id).map_err(|_| unknown())?;
    let mut session = request.context.session().await?;
    let stored: Option<String> = session.read(Statement::new(BY_USER).uuid(user)).await?;
    Ok(Response::json_text(200, stored.ok_or_else(unknown)?))
}

// Two are enough to know that there is another.
const WHO_UNLOCKS: &str = "\
with recursive enough (name) as (
  select 'users.item.put' collate \"C\"
  union
  select p.\"permissionName\"
  from enough e
  join permissions p on (p.doc -> 'subPermissions')::jsonb ? e.name
)
select u.id
from permissions_users h
join users u on u.id = h.\"userId\"
join auth_credentials c on c.\"userId\" = u.id
where (h.doc -> 'permissions')::jsonb ?| (select array_agg(name) from enough)
  and u.active = 'true'
limit 2";
const BY_USER: &str = "select doc::text from auth_attempts where \"userId\" = $1";

// One statement, so that attempts at the same time are all counted.
const COUNT: &str = "\
insert into auth_attempts as a (id, doc) values ($1, $2::text::json)
on conflict (\"userId\") do update
set doc = a.doc::jsonb || jsonb_build_object(
  'lastAttempt', excluded.doc -> 'lastAttempt',
  'attemptCount', case when a.\"lastAttempt\" < $3 then 1 else a.\"attemptCount\" + 1 end)
returning \"attemptCount\"::int8";

/// Resets the failures. For a user without failures it writes nothing, so that a log-in costs no additional write.
const RESET: &str = "\
update auth_attempts
set doc = doc::jsonb || jsonb_build_object('lastAttempt', $2::text, 'attemptCount', 0)
where \"userId\" = $1 and \"attemptCount\" > 0";

octavo_pg::statements!(hot = [WHO_UNLOCKS, BY_USER, COUNT, RESET]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_failure_warns_and_the_fifth_blocks() {
        let usual = AttemptLimits { attempts: 5, before_warning: 3, timeout: SignedDuration::from_mins(10) };
        let never = AttemptLimits { attempts: 0, ..usual };
        let early = AttemptLimits { attempts: 3, ..usual };
        let cases = [
            (1, usual, Consequence::Refused),
            (2, usual, Consequence::Refused),
            (3, usual, Consequence::Warned),
            (4, usual, Consequence::Refused),
            (5, usual, Consequence::Blocked),
            (6, usual, Consequence::Blocked),
            (6, never, Consequence::Refused),
            (3, never, Consequence::Warned),
            (3, early, Consequence::Blocked),
        ];
        for (failures, allowed, expected) in cases {
            assert_eq!(Consequence::from_failures(failures, &allowed), expected, "{failures} of {allowed:?}");
        }
    }
}
