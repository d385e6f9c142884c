//! Reads that may come from a replica, and so be late, and how callers see their own changes all the same.
//!
//! The answer to a change states its position in PostgreSQL's write-ahead log. This process remembers the position for the caller (a user
//! or an address) as long as a replica may lack the change. Other processes learn it from the client: from a cookie, which browsers send
//! back, or from the header `x-octavo-position`, by which a program asks to wait for a replica that has the change.

use std::sync::Arc;
use std::time::Duration;

use octavo_engine::{Platform, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Database, Position, Usage};

use crate::routes::Entry;

const POSITION: &str = "x-octavo-position";
const COOKIE: &str = "octavoPosition";
/// How long browsers keep the cookie: longer than any replica may be late by default.
const COOKIE_SECONDS: u32 = 60;
/// How long a request whose header states a position waits for a replica to reach it, before the primary is asked.
const REPLICA_WAIT: Duration = Duration::from_secs(1);

/// Lets the reads of a request come from replicas, if its route says that they may be late.
pub(crate) fn allow_late_reads(entry: &Entry, request: &Request) {
    let Request { context, headers, .. } = request;
    if !entry.may_be_late || !context.platform.database.has_replicas() {
        return;
    }
    let (after, patience) = stated_position(headers, &database_prefix(&context.platform));
    context.usage.allow_late_reads(after, patience);
}

/// The prefix of a position if there are several databases: the database's name and a colon. Each database has a log of its own.
fn database_prefix(platform: &Platform) -> String {
    platform.home.as_ref().map(|home| format!("{}:", home.name)).unwrap_or_default()
}

/// The log position that a client's headers say its reads have to see, and how long to wait for a replica to reach it. `name` is the prefix
/// of this database's positions.
fn stated_position(headers: &[(String, String)], name: &str) -> (Position, Duration) {
    let of =
        |wanted: &'static str| headers.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value);
    let read = |text: &str| text.trim().strip_prefix(name)?.parse::<Position>().ok();
    let header = of(POSITION).find_map(|value| read(value));
    let pairs =
        of("cookie").flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let cookie = pairs.filter(|(name, _)| *name == COOKIE).filter_map(|(_, value)| read(value)).max();
    let patience = if header.is_some() { REPLICA_WAIT } else { Duration::ZERO };
    (header.max(cookie).unwrap_or_default(), patience)
}

/// A change that is being carried out, in a server with replicas.
pub(crate) struct PendingChange {
    database: Database,
    usage: Arc<Usage>,
    name: String,
    /// Whether the client keeps cookies, as browsers do.
    keeps_cookies: bool,
}

impl PendingChange {
    pub(crate) fn from_request(request: &Request) -> Option<PendingChange> {
        let database = &request.context.platform.database;
        database.has_replicas().then(|| PendingChange {
            database: database.clone(),
            usage: Arc::clone(&request.context.usage),
            name: database_prefix(&request.context.platform),
            keeps_cookies: request.header("cookie").is_some(),
        })
    }

    /// Remembers the position of the change in the log, and adds it to the answer.
    pub(crate) async fn add_position(self, answered: Outcome<Response>) -> Outcome<Response> {
        let is_done = answered.as_ref().is_ok_and(|response| response.status < 400);
        let Some(position) = self.database.note_change(&self.usage, is_done).await else { return answered };
        let place = format!("{}{position}", self.name);
        let kept = self.keeps_cookies.then(|| position_cookie(&place));
        let answer = answered?.with_header(POSITION, place);
        Ok(match kept {
            Some(cookie) => answer.with_header("set-cookie", cookie),
            None => answer,
        })
    }
}

/// A cookie with the position, with the attributes of the cookies that hold tokens.
fn position_cookie(place: &str) -> String {
    format!("{COOKIE}={place}; Max-Age={COOKIE_SECONDS}; Path=/; Secure; HTTPOnly; SameSite=Lax")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_states_what_it_has_to_see() {
        for (headers, name, place, waits) in [
            (&[][..], "", "0/0", false),
            (&[("x-octavo-position", "0/16B3748")], "", "0/16B3748", true),
            (&[("x-octavo-position", "nonsense")], "", "0/0", false),
            (&[("cookie", "a=b; octavoPosition=0/9; c=d")], "", "0/9", false),
            (&[("cookie", "octavoPosition=x")], "", "0/0", false),
            (&[("cookie", "octavoPosition=0/9; octavoPosition=1/0")], "", "1/0", false),
            (&[("cookie", "octavoPosition=0/9"), ("x-octavo-position", "0/5")], "", "0/9", true),
            // Of several databases, a place in the log of another says nothing.
            (&[("x-octavo-position", "first:0/5")], "first:", "0/5", true),
            (&[("x-octavo-position", "east:0/5")], "first:", "0/0", false),
            (&[("cookie", "octavoPosition=first:0/9")], "first:", "0/9", false),
            (&[("x-octavo-position", "0/5")], "first:", "0/0", false),
        ] {
            let headers: Vec<_> =
                headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let patience = if waits { REPLICA_WAIT } else { Duration::ZERO };
            assert_eq!(stated_position(&headers, name), (place.parse().unwrap(), patience), "{headers:?}");
        }
    }

    #[test]
    fn a_browser_is_given_the_place_as_it_comes_back() {
        let cookie = position_cookie("first:0/16B3748");
        let pair = cookie.split(';').next().unwrap().to_owned();
        assert_eq!(stated_position(&[("cookie".to_owned(), pair)], "first:").0, "0/16B3748".parse().unwrap());
    }
}
