//! Words, headings and numbers that are searched for, chosen from the library.

use std::sync::Arc;

use anyhow::{Result, ensure};
use octavo_kernel::TenantId;
use octavo_pg::{Database, Statement, Usage};

pub(super) struct Titles {
    /// The words that stand in the most titles of a sample, the commonest first.
    pub(super) common_words: Vec<String>,
    pub(super) hrids: Vec<String>,
    pub(super) subjects: Vec<String>,
    pub(super) contributors: Vec<String>,
    pub(super) call_numbers: Vec<String>,
    /// The ids of locations of items.
    pub(super) locations: Vec<String>,
    /// The ids of types of contributors' names.
    pub(super) name_types: Vec<String>,
}

impl Titles {
    pub(super) async fn choose(database: &Database, tenant: &TenantId) -> Result<Titles> {
        let mut session = database.session(tenant, Arc::<Usage>::default()).await?;
        let mut listed = async |sql: String| -> Result<Vec<String>> {
            let values: Vec<String> = session.read(Statement::new(sql)).await?;
            ensure!(!values.is_empty(), "{tenant} has too few titles");
            Ok(values)
        };
        Ok(Titles {
            common_words: listed(COMMON_WORDS.to_owned()).await?,
            hrids: listed(random_values_sql("instance", "{hrid}", 500)).await?,
            subjects: listed(random_values_sql("instance", "{subjects,0,value}", 200)).await?,
            contributors: listed(random_values_sql("instance", "{contributors,0,name}", 200)).await?,
            call_numbers: listed(random_values_sql("holdings_record", "{callNumber}", 200)).await?,
            locations: listed(random_values_sql("item", "{effectiveLocationId}", 200)).await?,
            name_types: listed(random_values_sql("instance", "{contributors,0,contributorNameTypeId}", 200))
                .await?,
        })
    }
}

const COMMON_WORDS: &str = "\
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
/// What a path of the document leads to in records anywhere in a table: ids are random, and so are those that follow points of their order.
fn random_values_sql(table: &str, path: &str, points: u32) -> String {
    format!(
        "\
select distinct found.value
from generate_series(1, {points}) n
cross join lateral (
  select t.doc #>> '{path}' as value
  from {table} t
  where t.id >= md5('{path}' || n)::uuid
  order by t.id
  limit 1
) found
where found.value is not null"
    )
}
