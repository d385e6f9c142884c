//! Words, headings and numbers that are searched for, chosen from the library.

use std::sync::Arc;

use anyhow::{Result, ensure};
use octavo_kernel::TenantId;
use octavo_pg::{Database, Statement, Usage};

pub(super) struct Titles {
    /// The words that stand in the most titles of a sample, the commonest first.
    pub(super) common: Vec<String>,
    pub(super) hrids: Vec<String>,
    pub(super) subjects: Vec<String>,
    pub(super) contributors: Vec<String>,
    pub(super) call_numbers: Vec<String>,
}

impl Titles {
    pub(super) async fn choose(database: &Database, tenant: &TenantId) -> Result<Titles> {
        let mut session = database.session(tenant, Arc::<Usage>::default()).await?;
        let mut listed = async |sql: &'static str| -> Result<Vec<String>> {
            let values: Vec<String> = session.read(Statement::new(sql)).await?;
            ensure!(!values.is_empty(), "{tenant} has too few titles");
            Ok(values)
        };
        Ok(Titles {
            common: listed(COMMON).await?,
            hrids: listed(HRIDS).await?,
            subjects: listed(SUBJECTS).await?,
            contributors: listed(CONTRIBUTORS).await?,
            call_numbers: listed(CALL_NUMBERS).await?,
        })
    }
}

const COMMON: &str = "\
select found.word
from (select t.id, t.doc ->> 'title' as title from instance t order by t.id limit 5000) t
cross join lateral (
  select distinct lower(word) as word
  from regexp_split_to_table(t.title, '[^A-Za-z]+') word
  where word <> ''
) found
group by found.word
order by count(*) desc, found.word
limit 5";
/// Ids are random: those that follow points of their order are of titles anywhere in the library.
const HRIDS: &str = "\
select found.hrid
from generate_series(1, 500) n
cross join lateral (
  select t.doc ->> 'hrid' as hrid
  from instance t
  where t.id >= md5('hrid' || n)::uuid
  order by t.id
  limit 1
) found";
const SUBJECTS: &str = "\
select distinct found.doc -> 'subjects' -> 0 ->> 'value'
from generate_series(1, 200) n
cross join lateral (
  select t.doc from instance t where t.id >= md5('subject' || n)::uuid order by t.id limit 1
) found
where found.doc -> 'subjects' -> 0 ->> 'value' is not null";
const CONTRIBUTORS: &str = "\
select distinct found.doc -> 'contributors' -> 0 ->> 'name'
from generate_series(1, 200) n
cross join lateral (
  select t.doc from instance t where t.id >= md5('contributor' || n)::uuid order by t.id limit 1
) found
where found.doc -> 'contributors' -> 0 ->> 'name' is not null";
const CALL_NUMBERS: &str = "\
select distinct found.doc ->> 'callNumber'
from generate_series(1, 200) n
cross join lateral (
  select h.doc from holdings_record h where h.id >= md5('call number' || n)::uuid order by h.id limit 1
) found
where found.doc ->> 'callNumber' is not null";
