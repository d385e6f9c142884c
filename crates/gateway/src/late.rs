//! Reads that may be late, and the callers who see their own changes all the same.
//!
//! A change answers with its place in the database's log of changes. This process remembers it for the caller, a user or an address, as long
//! as any replica may lack it. For other processes it travels with the client: in a cookie, which browsers send back by themselves, or in a
//! header, by which a program says that it waits for a replica to have it.

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
/// How long a client that states a place waits for a replica to have it, before the primary is asked.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lets the reads of a request come from replicas, if its route says that they may be late.
pub(crate) fn allow(entry: &Entry, request: &Request) {
    let Request { context, headers, .. } = request;
    if !entry.late || !context.platform.database.has_replicas() {
        return;
    }
    let (after, patience) = stated(headers, &name(&context.platform));
    context.usage.may_be_late(after, patience);
}

/// What stands before a place in the log of one of several databases: its name. Each has a log of its own.
fn name(platform: &Platform) -> String {
    platform.home.as_ref().map(|home| format!("{}:", home.name)).unwrap_or_default()
}

/// The place in the log of the database of this name that a client says its reads have to see, and how long it waits for a replica to have it.
fn stated(headers: &[(String, String)], name: &str) -> (Position, Duration) {
    let of =
        |wanted: &'static str| headers.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value);
    let read = |text: &str| text.trim().strip_prefix(name)?.parse::<Position>().ok();
    let header = of(POSITION).find_map(|value| read(value));
    let pairs =
        of("cookie").flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let cookie = pairs.filter(|(name, _)| *name == COOKIE).filter_map(|(_, value)| read(value)).max();
    let patience = if header.is_some() { PATIENCE } else { Duration::ZERO };
    (header.max(cookie).unwrap_or_default(), patience)
}

/// A change on its way, in a server with replicas.
pub(crate) struct Changed {
    database: Database,
    usage: Arc<Usage>,
    name: String,
    /// Whether the client keeps cookies, as browsers do.
    keeps_cookies: bool,
}

impl Changed {
    pub(crate) fn by(request: &Request) -> Option<Changed> {
        let database = &request.context.platform.database;
        database.has_replicas().then(|| Changed {
            database: database.clone(),
            usage: Arc::clone(&request.context.usage),
            name: name(&request.context.platform),
            keeps_cookies: request.header("cookie").is_some(),
        })
    }

    /// Remembers where the change stands, and tells the client.
    pub(crate) async fn told(self, answered: Outcome<Response>) -> Outcome<Response> {
        let is_done = answered.as_ref().is_ok_and(|response| response.status < 400);
        let Some(position) = self.database.note_change(&self.usage, is_done).await else { return answered };
        let place = format!("{}{position}", self.name);
        let kept = self.keeps_cookies.then(|| cookie(&place));
        let answer = answered?.with(POSITION, place);
        Ok(match kept {
            Some(cookie) => answer.with("set-cookie", cookie),
            None => answer,
        })
    }
}

/// With the attributes of the cookies that hold tokens.
fn cookie(place: &str) -> String {
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
            let patience = if waits { PATIENCE } else { Duration::ZERO };
            assert_eq!(stated(&headers, name), (place.parse().unwrap(), patience), "{headers:?}");
        }
    }

    #[test]
    fn a_browser_is_given_the_place_as_it_comes_back() {
        let cookie = cookie("first:0/16B3748");
        let pair = cookie.split(';').next().unwrap().to_owned();
        assert_eq!(stated(&[("cookie".to_owned(), pair)], "first:").0, "0/16B3748".parse().unwrap());
    }
}
