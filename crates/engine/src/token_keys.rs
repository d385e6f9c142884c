//! The keys that sign tokens, the same in every process of one database. A new key can take the place of the one before without
//! ending any session: tokens of the older keys are accepted until an operator ends those keys.

use std::sync::Arc;

use octavo_kernel::{Outcome, hex};
use octavo_pg::{Database, Session, Statement, Usage, read_each};

use crate::remembered::{Lease, Remembered};
use crate::tenants::{Change, notify_of_all};

/// A key that signs tokens, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenKey {
    pub number: i64,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// From when on it signs. Other processes have heard of it by then.
    pub signs: i64,
}

octavo_pg::columns!(TokenKey { number, made, signs });

/// What is known of all keys.
#[derive(Debug)]
pub struct Keys {
    /// The database's first key, kept when it no longer signs: what was derived from it, such as the places of log-ins, stays valid.
    pub first: Vec<u8>,
    /// At least one, the newest first.
    signing: Vec<(TokenKey, Vec<u8>)>,
}

impl Keys {
    /// The newest key that other processes have heard of.
    pub fn to_sign(&self, now: i64) -> &[u8] {
        let heard_of = self.signing.iter().find(|(key, _)| key.signs <= now);
        heard_of.or(self.signing.last()).map_or(&[], |(_, secret)| secret)
    }

    pub fn newest(&self) -> &[u8] {
        self.signing.first().map_or(&[], |(_, secret)| secret)
    }

    /// The keys whose tokens are accepted, the newest first.
    pub fn accepted(&self) -> impl Iterator<Item = &[u8]> {
        self.signing.iter().map(|(_, secret)| secret.as_slice())
    }

    pub fn listed(&self) -> impl Iterator<Item = &TokenKey> {
        self.signing.iter().map(|(key, _)| key)
    }
}

pub struct TokenKeys {
    database: Database,
    fresh: fn() -> [u8; 32],
    known: Remembered<(), Keys>,
}

/// The most keys that are accepted at a time: a token is tried with each.
const MOST: i64 = 8;

impl TokenKeys {
    pub(crate) fn new(database: Database, fresh: fn() -> [u8; 32], lease: Arc<Lease>) -> TokenKeys {
        TokenKeys { database, fresh, known: Remembered::within(lease) }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.database.system(Arc::<Usage>::default()).await?)
    }

    /// All keys; the first call in a database makes the first key.
    pub async fn get(&self) -> Outcome<Arc<Keys>> {
        if let Some(known) = self.known.get(&()) {
            return Ok(known);
        }
        let moment = self.known.moment();
        let mut session = self.session().await?;
        let mut found = read(&mut session).await?;
        if found.0.is_none() || found.1.is_empty() {
            let make =
                vec![Statement::new(MAKE_FIRST).text(hex(&(self.fresh)())), Statement::new(KEEP_FIRST)];
            session.transaction(make).await?;
            found = read(&mut session).await?;
        }
        let (first, rows) = found;
        let signing = rows.into_iter().map(|(key, secret)| (key, bytes(&secret))).collect();
        let keys = Arc::new(Keys { first: bytes(&first.unwrap_or_default()), signing });
        self.known.keep((), &keys, moment);
        Ok(keys)
    }

    /// Makes a new key, which signs a minute later; its number, or `None` if there are as many as there may be.
    pub async fn rotate(&self) -> Outcome<Option<i64>> {
        self.get().await?;
        self.change(Statement::new(ADD).text(hex(&(self.fresh)())).long(MOST)).await
    }

    /// Removes a key: its tokens are refused from now on. `None` if there is no such key, or none after it that signs already.
    pub async fn end(&self, number: i64) -> Outcome<Option<i64>> {
        self.change(Statement::new(END).long(number)).await
    }

    async fn change(&self, change: Statement) -> Outcome<Option<i64>> {
        let mut session = self.session().await?;
        let statements = vec![Statement::new(ONE_BY_ONE), change, notify_of_all(Change::KEYS)?];
        let answers = session.transaction(statements).await?;
        self.forget();
        let ((), number): ((), Option<i64>) = read_each(&answers);
        Ok(number)
    }

    pub(crate) fn forget(&self) {
        self.known.forget_all();
    }
}

async fn read(session: &mut Session) -> Outcome<(Option<String>, Vec<(TokenKey, String)>)> {
    let answers = session.batch(vec![Statement::new(FIRST), Statement::new(ALL)]).await?;
    Ok(read_each(&answers))
}

fn bytes(hex: &str) -> Vec<u8> {
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
            assert_eq!(keys.to_sign(now), [signer], "at {now}");
        }
        assert_eq!(keys.accepted().collect::<Vec<_>>(), [[3], [2], [1]]);
    }

    #[test]
    fn a_secret_is_read_as_it_was_written() {
        let secret: [u8; 32] = std::array::from_fn(|at| (at * 7) as u8);
        assert_eq!(bytes(&hex(&secret)), secret);
    }
}
