//! The keys that sign tokens, the same in every process of one database. A new key can take the place of the one before without
//! ending any session: tokens of the older keys are accepted until an operator ends those keys.

use std::sync::Arc;

use octavo_kernel::{Outcome, hex};
use octavo_pg::{Database, Session, Statement, Usage, read_each};

use crate::remembered::{Lease, LeasedCache};
use crate::tenants::{ChangeKind, notify_everywhere_statement};

/// A key that signs tokens, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenKey {
    pub number: i64,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// The time from which on it signs, in seconds since 1970. Other processes have been notified of it by then.
    pub signs: i64,
}

octavo_pg::columns!(TokenKey { number, made, signs });

/// All keys of the database.
#[derive(Debug)]
pub struct Keys {
    /// The database's first key, kept when it no longer signs: what was derived from it, such as the places of log-ins, stays valid.
    pub first: Vec<u8>,
    /// At least one, the newest first.
    signing: Vec<(TokenKey, Vec<u8>)>,
}

impl Keys {
    /// The secret of the newest key that other processes know already.
    pub fn signing_secret(&self, now: i64) -> &[u8] {
        let heard_of = self.signing.iter().find(|(key, _)| key.signs <= now);
        heard_of.or(self.signing.last()).map_or(&[], |(_, secret)| secret)
    }

    pub fn newest_secret(&self) -> &[u8] {
        self.signing.first().map_or(&[], |(_, secret)| secret)
    }

    /// The keys whose tokens are accepted, the newest first.
    pub fn accepted_secrets(&self) -> impl Iterator<Item = &[u8]> {
        self.signing.iter().map(|(_, secret)| secret.as_slice())
    }

    pub fn list_keys(&self) -> impl Iterator<Item = &TokenKey> {
        self.signing.iter().map(|(key, _)| key)
    }
}

pub struct TokenKeys {
    database: Database,
    new_secret: fn() -> [u8; 32],
    known: LeasedCache<(), Keys>,
}

/// The most keys that are accepted at a time: a token is tried with each.
const MAX_KEYS: i64 = 8;

impl TokenKeys {
    pub(crate) fn new(database: Database, fresh: fn() -> [u8; 32], lease: Arc<Lease>) -> TokenKeys {
        TokenKeys { database, new_secret: fresh, known: LeasedCache::with_lease(lease) }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.database.system_session(Arc::<Usage>::default()).await?)
    }

    /// All keys; the first call in a database makes the first key.
    pub async fn get(&self) -> Outcome<Arc<Keys>> {
        if let Some(known) = self.known.get(&()) {
            return Ok(known);
        }
        let moment = self.known.begin_read();
        let mut session = self.session().await?;
        let mut found = read_keys(&mut session).await?;
        if found.0.is_none() || found.1.is_empty() {
            let make =
                vec![Statement::new(MAKE_FIRST).text(hex(&(self.new_secret)())), Statement::new(KEEP_FIRST)];
            session.transaction(make).await?;
            found = read_keys(&mut session).await?;
        }
        let (first, rows) = found;
        let signing = rows.into_iter().map(|(key, secret)| (key, from_hex(&secret))).collect();
        let keys = Arc::new(Keys { first: from_hex(&first.unwrap_or_default()), signing });
        self.known.insert((), &keys, moment);
        Ok(keys)
    }

    /// Makes a new key, which signs a minute later; its number, or `None` if there are as many as there may be.
    pub async fn rotate(&self) -> Outcome<Option<i64>> {
        self.get().await?;
        self.change(Statement::new(ADD).text(hex(&(self.new_secret)())).long(MAX_KEYS)).await
    }

    /// Removes a key: its tokens are refused from now on. `None` if there is no such key, or none after it that signs already.
    pub async fn delete_key(&self, number: i64) -> Outcome<Option<i64>> {
        self.change(Statement::new(END).long(number)).await
    }

    async fn change(&self, change: Statement) -> Outcome<Option<i64>> {
        let mut session = self.session().await?;
        let statements =
            vec![Statement::new(ONE_BY_ONE), change, notify_everywhere_statement(ChangeKind::KEYS)?];
        let answers = session.transaction(statements).await?;
        self.invalidate();
        let ((), number): ((), Option<i64>) = read_each(&answers);
        Ok(number)
    }

    pub(crate) fn invalidate(&self) {
        self.known.invalidate_all();
    }
}

async fn read_keys(session: &mut Session) -> Outcome<(Option<String>, Vec<(TokenKey, String)>)> {
    let answers = session.batch(vec![Statement::new(FIRST), Statement::new(ALL)]).await?;
    Ok(read_each(&answers))
}

fn from_hex(hex: &str) -> Vec<u8> {
    let pair = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    hex.as_bytes().chunks(2).filter_map(pair).collect()
}

const MAKE_FIRST: &str =
    "insert into octavo.properties (name, value) values ('token', $1) on conflict do nothing";
/// Releases before this table know the first key alone.
const KEEP_FIRST: &str = "\
insert into octavo.token_keys (number, secret)
select 1, value from octavo.properties
where name = 'token' and not exists (select from octavo.token_keys)
on conflict do nothing";
const FIRST: &str = "select value from octavo.properties where name = 'token'";
const ALL: &str = "\
select number, extract(epoch from made)::int8, extract(epoch from signs)::int8, secret
from octavo.token_keys order by number desc";
const ONE_BY_ONE: &str = "lock table octavo.token_keys in share row exclusive mode";
const ADD: &str = "\
insert into octavo.token_keys (number, secret, signs)
select (select max(number) + 1 from octavo.token_keys), $1, now() + interval '1 minute'
where (select count(*) from octavo.token_keys) < $2
returning number";
const END: &str = "\
delete from octavo.token_keys as ended
where number = $1
  and exists (select from octavo.token_keys where number > ended.number and signs <= now())
returning number";

octavo_pg::statements!(other = [MAKE_FIRST, KEEP_FIRST, FIRST, ALL, ONE_BY_ONE, ADD, END]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_key_signs_once_others_have_heard_of_it() {
        let key = |number: i64, signs| (TokenKey { number, made: signs - 60, signs }, vec![number as u8]);
        let keys = Keys { first: vec![1], signing: vec![key(3, 300), key(2, 200), key(1, 100)] };
        for (now, signer) in [(99, 1), (100, 1), (199, 1), (200, 2), (300, 3), (900, 3)] {
            assert_eq!(keys.signing_secret(now), [signer], "at {now}");
        }
        assert_eq!(keys.accepted_secrets().collect::<Vec<_>>(), [[3], [2], [1]]);
    }

    #[test]
    fn a_secret_is_read_as_it_was_written() {
        let secret: [u8; 32] = std::array::from_fn(|at| (at * 7) as u8);
        assert_eq!(from_hex(&hex(&secret)), secret);
    }
}
