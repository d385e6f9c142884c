//! What random queries find among a sample of the titles, beside what plain SQL finds there.
//!
//! The sample are the titles whose ids follow a point of their order, so that a query asks for it by a range of ids. Its words, values
//! and numbers lie in temporary tables, which SQL makes from the stored documents by the documented meaning of each field
//! (`docs/search.md`), with PostgreSQL's own stemmer of English. The search's code has no part in them.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result};
use octavo_lab::chance::SeededRandom;
use octavo_lab::encode_value;
use octavo_lab::load::Session as User;
use octavo_lab::table::format_number;
use octavo_pg::{Session, Statement, Usage, Work};
use octavo_record::Sql;
use uuid::Uuid;

use super::Run;
use super::queries::{Query, Vocabulary};
use crate::bench::print_progress;

pub(super) struct Extent {
    pub(super) titles: u32,
    pub(super) queries: u32,
    pub(super) seed: u32,
}

/// The number of differences that are listed one by one.
const SHOWN_DIFFERENCES: usize = 20;

/// What was compared, and how many queries find other titles than SQL.
pub(super) async fn compare(run: &Run<'_>, extent: Extent) -> Result<(String, usize)> {
    print_progress(&format!("a sample of {} titles for SQL", extent.titles));
    let mut session = run.database.session(&run.tenant, Arc::new(Usage::for_work(Work::Bulk))).await?;
    let vocabulary = make_sample(&mut session, &extent).await?;
    let mut user = run.session();
    let mut chance = SeededRandom::new(extent.seed.into());
    let (mut different, mut some, mut hits) = (Vec::new(), 0, 0);
    for number in 0..extent.queries {
        if number % 100 == 0 {
            print_progress(&format!("random queries: {number} of {}", extent.queries));
        }
        let query = vocabulary.random_query(&mut chance);
        let expected = titles_by_sql(&mut session, &query).await?;
        let found = titles_by_search(&mut user, &query, &vocabulary).await?;
        hits += expected.len();
        some += usize::from(!expected.is_empty() && expected.len() < extent.titles as usize);
        if found != expected {
            let (more, fewer) = (found.difference(&expected).next(), expected.difference(&found).next());
            print_progress(&format!("{}: {} found, {} by SQL", query.cql, found.len(), expected.len()));
            different.push(format!(
                "`{}`: {} found, {} by SQL; found alone: {more:?}, by SQL alone: {fewer:?}",
                query.cql,
                found.len(),
                expected.len()
            ));
        }
    }
    let mut text = format!(
        "{} random queries (seed {}) were compared with SQL on {} titles: {} found other titles than SQL. {} of them find some titles \
         and not all; {} titles were found altogether.",
        format_number(extent.queries.into(), 0),
        extent.seed,
        format_number(extent.titles.into(), 0),
        if different.is_empty() { "none".to_owned() } else { format!("**{}**", different.len()) },
        format_number(f64::from(u32::try_from(some)?), 0),
        format_number(hits as f64, 0),
    );
    for line in different.iter().take(SHOWN_DIFFERENCES) {
        text.extend(["\n\n- ", line.as_str()]);
    }
    Ok((text, different.len()))
}

async fn titles_by_sql(session: &mut Session, query: &Query) -> Result<BTreeSet<Uuid>> {
    let text = format!("select s.id from bench_title s where {}", query.sql);
    let found: Vec<Uuid> =
        session.read_once(&Sql { text, params: Vec::new() }).await.with_context(|| query.sql.clone())?;
    Ok(found.into_iter().collect())
}

async fn titles_by_search(user: &mut User, query: &Query, vocabulary: &Vocabulary) -> Result<BTreeSet<Uuid>> {
    let (first, last) = (&vocabulary.first_id, &vocabulary.last_id);
    let cql = format!("({}) and id >= \"{first}\" and id <= \"{last}\"", query.cql);
    let path = format!("/search/instances/ids?query={}", encode_value(&cql));
    let answer = user.ask("GET", &path, "", 200).await.with_context(|| cql.clone())?.answer.json()?;
    let ids = answer["ids"].as_array().context("no ids")?.iter();
    ids.map(|one| Ok(Uuid::parse_str(one["id"].as_str().unwrap_or_default())?)).collect()
}

/// Makes the tables of the sample and reads what queries are made of.
async fn make_sample(session: &mut Session, extent: &Extent) -> Result<Vocabulary> {
    session.script(STEMMER).await?;
    let titles = TITLES.replace("{titles}", &extent.titles.to_string());
    for sql in [titles.as_str(), TEXTS, WORDS, VALUES, INDEXES] {
        session.script(sql).await?;
    }
    let mut read =
        async |sql: &'static str| -> Result<Vec<String>> { Ok(session.read(Statement::new(sql)).await?) };
    let ends = read(
        "(select t.id::text from bench_title t order by t.id limit 1)
         union all
         (select t.id::text from bench_title t order by t.id desc limit 1)",
    )
    .await?;
    let [first, last] = <[String; 2]>::try_from(ends).ok().context("no titles")?;
    let words = read(
        "select w.word from bench_word w where w.word ~ '^([a-z]+|[0-9]+)$' and w.field <> 'identifier'
         order by md5(w.word || w.n || w.field) limit 3000",
    )
    .await?;
    let texts = read(
        "select t.text from bench_text t where t.field in ('title', 'subject', 'series', 'contributor') and t.tokens ~ '^[ a-z0-9]+$'
         order by md5(t.text || t.n) limit 2000",
    )
    .await?;
    let mut values = Vec::new();
    for field in super::queries::WHOLE_VALUE_FIELDS {
        let sql = format!(
            "select distinct v.value from (select v.value from bench_value v where v.field = '{field}' order by md5(v.value) limit 300) v"
        );
        values.push((field, session.read::<Vec<String>>(Statement::new(sql)).await?));
    }
    Ok(Vocabulary { first_id: first, last_id: last, words, texts, values })
}

/// PostgreSQL's stemmer without its list of words that are left out.
const STEMMER: &str = "\
create text search dictionary pg_temp.bench_english (template = pg_catalog.snowball, language = english);

-- Words as the search compares them: without accents, in small letters; a word ends where letters and digits meet, where a capital
-- follows a small letter, and at everything else.
create function pg_temp.bench_tokens(value text) returns text language sql immutable as $$
  select ' ' || trim(regexp_replace(lower(regexp_replace(
    regexp_replace(
      regexp_replace(
        regexp_replace(
          replace(replace(replace(normalize(replace(value, ' & ', ' and '), NFKD), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'),
          '[\\u0300-\\u036f]', '', 'g'),
        '[''’][sS](?![a-zA-Z0-9])', '', 'g'),
      '([a-z])([A-Z])', '\\1 \\2', 'g'),
    '([0-9])([a-zA-Z])|([a-zA-Z])([0-9])', '\\1\\3 \\2\\4', 'g')), '[^a-z0-9]+', ' ', 'g')) || ' '
$$";
const TITLES: &str = "\
create temp table bench_title as
select row_number() over (order by t.id)::int as n, t.id, t.doc, coalesce(t.doc -> 'languages' ? 'eng', false) as english
from (
  select t.id, t.doc::jsonb from instance t where t.id >= '5a000000-0000-4000-8000-000000000000' order by t.id limit {titles}
) t;
create temp table bench_holdings as
select s.n, h.id, h.doc::jsonb from bench_title s join holdings_record h on h.\"instanceId\" = s.id;
create temp table bench_item as
select h.n, i.doc::jsonb from bench_holdings h join item i on i.\"holdingsRecordId\" = h.id";
const TEXTS: &str = "\
create temp table bench_text as
select t.n, t.field, trim(t.text) as text, pg_temp.bench_tokens(t.text) as tokens
from (
  select s.n, 'title' as field, s.doc ->> 'title' as text from bench_title s
  union all
  select s.n, 'index title', s.doc ->> 'indexTitle' from bench_title s
  union all
  select s.n, 'series', one ->> 'value' from bench_title s cross join jsonb_array_elements(s.doc -> 'series') one
  union all
  select s.n, 'contributor', one ->> 'name' from bench_title s cross join jsonb_array_elements(s.doc -> 'contributors') one
  union all
  select s.n, 'subject', one ->> 'value' from bench_title s cross join jsonb_array_elements(s.doc -> 'subjects') one
  union all
  select s.n, 'note', one ->> 'note' from bench_title s cross join jsonb_array_elements(s.doc -> 'notes') one
  union all
  select s.n, 'publisher', one ->> 'publisher' from bench_title s cross join jsonb_array_elements(s.doc -> 'publication') one
) t
where t.text is not null";
const WORDS: &str = "\
create temp table bench_word as
select distinct
  t.n,
  t.field,
  word,
  case when s.english and t.field <> 'contributor' then (ts_lexize('pg_temp.bench_english', word))[1] end as stem
from bench_text t
join bench_title s on s.n = t.n
cross join regexp_split_to_table(trim(t.tokens), ' ') word
where word <> ''
union
select s.n, 'identifier', word, null
from bench_title s
cross join jsonb_array_elements(s.doc -> 'identifiers') one
cross join regexp_split_to_table(one ->> 'value', '\\s+') word";
const VALUES: &str = "\
create temp table bench_value as
select distinct v.n, v.field, v.value
from (
  select s.n, 'hrid' as field, s.doc ->> 'hrid' as value from bench_title s
  union all
  select s.n, 'source', s.doc ->> 'source' from bench_title s
  union all
  select s.n, 'instanceTypeId', s.doc ->> 'instanceTypeId' from bench_title s
  union all
  select s.n, 'modeOfIssuanceId', s.doc ->> 'modeOfIssuanceId' from bench_title s
  union all
  select s.n, 'staffSuppress', coalesce(s.doc ->> 'staffSuppress', 'false') from bench_title s
  union all
  select s.n, 'languages', one from bench_title s cross join jsonb_array_elements_text(s.doc -> 'languages') one
  union all
  select s.n, 'instanceFormatIds', one from bench_title s cross join jsonb_array_elements_text(s.doc -> 'instanceFormatIds') one
  union all
  select s.n, 'classifications.classificationNumber', one ->> 'classificationNumber'
  from bench_title s cross join jsonb_array_elements(s.doc -> 'classifications') one
  union all
  select s.n, 'isbn', one ->> 'value'
  from bench_title s cross join jsonb_array_elements(s.doc -> 'identifiers') one where one ->> 'value' ~ '^97[89][0-9]{10}$'
  union all
  select s.n, 'oclc', substr(one ->> 'value', 8)
  from bench_title s cross join jsonb_array_elements(s.doc -> 'identifiers') one where one ->> 'value' like '(OCoLC)%'
  union all
  select h.n, 'holdings.hrid', h.doc ->> 'hrid' from bench_holdings h
  union all
  select h.n, 'holdings.permanentLocationId', h.doc ->> 'permanentLocationId' from bench_holdings h
  union all
  select h.n, 'holdingsFullCallNumbers', concat_ws(' ', h.doc ->> 'callNumberPrefix', h.doc ->> 'callNumber', h.doc ->> 'callNumberSuffix')
  from bench_holdings h
  union all
  select i.n, 'items.barcode', i.doc ->> 'barcode' from bench_item i
  union all
  select i.n, 'items.hrid', i.doc ->> 'hrid' from bench_item i
  union all
  select i.n, 'items.status.name', i.doc -> 'status' ->> 'name' from bench_item i
  union all
  select i.n, 'items.materialTypeId', i.doc ->> 'materialTypeId' from bench_item i
  union all
  select i.n, 'items.effectiveLocationId', i.doc ->> 'effectiveLocationId' from bench_item i
) v
where v.value <> ''";
const INDEXES: &str = "\
create index on bench_word (word, field, n);
create index on bench_word (stem, field, n) where stem is not null;
create index on bench_value (field, value collate \"C\", n);
create index on bench_text (field, n);
create unique index on bench_title (n);
analyze bench_title;
analyze bench_word;
analyze bench_value;
analyze bench_text";
