//! FOLIO's HTTP interface as a source: lists are read by id, each page after the last id of the one before. Where a module cannot do that, by
//! offset; source records as a stream.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, bail};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::client::{Client, Lines};
use super::page::{PAGE_RECORDS, ReadOutcome};
use super::plan::Kind;
use super::routes::{HttpAccess, http_access};

/// A limit that is larger than any list that is read at once.
const WHOLE_LIST_LIMIT: usize = 100_000;

pub(super) struct Http {
    client: Client,
    /// An open stream of records and the position in it.
    stream: Option<(String, Lines)>,
    /// The ids of records that were already found inside records of other lists.
    seen_ids: HashSet<Uuid>,
}

/// A position in the lists of a type: the number of the list, and the last id or an offset in it.
struct ListPosition {
    list: usize,
    at: PageStart,
}

enum PageStart {
    Start,
    After(Uuid),
    /// The number of records that were read, and whether the list has a query that sorts it by id.
    Offset(u64, bool),
}

impl ListPosition {
    fn parse(text: &str) -> ListPosition {
        let mut parts = text.splitn(3, ' ');
        let list = parts.next().and_then(|list| list.parse().ok()).unwrap_or(0);
        let at = match (parts.next(), parts.next()) {
            (Some("after"), Some(id)) => Uuid::parse_str(id).map_or(PageStart::Start, PageStart::After),
            (Some("offset"), Some(n)) => PageStart::Offset(n.parse().unwrap_or(0), true),
            (Some("plain"), Some(n)) => PageStart::Offset(n.parse().unwrap_or(0), false),
            _ => PageStart::Start,
        };
        ListPosition { list, at }
    }

    fn to_text(&self) -> String {
        let list = self.list;
        match self.at {
            PageStart::Start => format!("{list} start"),
            PageStart::After(id) => format!("{list} after {id}"),
            PageStart::Offset(n, true) => format!("{list} offset {n}"),
            PageStart::Offset(n, false) => format!("{list} plain {n}"),
        }
    }

    /// The query parameters of the page at this place.
    fn parameters(&self) -> String {
        match self.at {
            PageStart::Start => format!("query=cql.allRecords%3D1%20sortBy%20id&limit={PAGE_RECORDS}"),
            PageStart::After(id) => format!("query=id%3E%22{id}%22%20sortBy%20id&limit={PAGE_RECORDS}"),
            PageStart::Offset(n, true) => {
                format!("query=cql.allRecords%3D1%20sortBy%20id&limit={PAGE_RECORDS}&offset={n}")
            }
            PageStart::Offset(n, false) => format!("limit={PAGE_RECORDS}&offset={n}"),
        }
    }

    /// A simpler request for the same page, for modules that refuse the usual one.
    fn simpler(&self) -> Option<ListPosition> {
        let start = matches!(self.at, PageStart::Start);
        start.then_some(ListPosition { list: self.list, at: PageStart::Offset(0, false) })
    }
}

impl Http {
    pub(super) fn new(client: Client) -> Http {
        Http { client, stream: None, seen_ids: HashSet::new() }
    }

    pub(super) async fn read_page(
        &mut self,
        kind: &Kind,
        place: &str,
        here: &mut Session,
    ) -> Result<ReadOutcome> {
        match http_access(kind) {
            HttpAccess::WholeList { path, key, convert: of } => self.fetch_whole_list(path, key, of).await,
            HttpAccess::Paths(paths, of) => self.fetch_paths(paths, of).await,
            HttpAccess::PathForEachId { ids, path, convert: of } => {
                self.fetch_for_each_id((ids, path, of), place, here).await
            }
            HttpAccess::Unavailable(why) => Ok(ReadOutcome::Absent(why.to_owned())),
            HttpAccess::SingleRecord(path) => self.fetch_single_record(&path).await,
            HttpAccess::Lists { paths, key } => {
                self.fetch_list_page(&paths, key, ListPosition::parse(place)).await
            }
            HttpAccess::NestedInLists { paths, key, extract: of } => {
                let mut read = self.fetch_list_page(&paths, key, ListPosition::parse(place)).await?;
                if let ReadOutcome::Page { records, .. } = &mut read {
                    let named = records.iter().flat_map(of);
                    *records = named
                        .filter(|record| id_of(record).is_some_and(|id| self.seen_ids.insert(id)))
                        .collect();
                }
                Ok(read)
            }
            HttpAccess::Streams(paths) => self.fetch_stream_page(&paths, place).await,
        }
    }

    async fn fetch_single_record(&mut self, path: &str) -> Result<ReadOutcome> {
        let (status, body) = self.client.get(path).await?;
        match status {
            200 => Ok(ReadOutcome::Page { records: vec![body], place: "0 offset 1".to_owned(), last: true }),
            _ => Ok(ReadOutcome::Absent(refusal_text(status, path, &body))),
        }
    }

    async fn fetch_whole_list(
        &mut self,
        path: &str,
        key: &str,
        of: fn(&[Value]) -> Vec<Value>,
    ) -> Result<ReadOutcome> {
        let asked = format!("{path}?limit={WHOLE_LIST_LIMIT}");
        let (status, body) = self.client.get(&asked).await?;
        match body[key].as_array() {
            Some(entries) if status == 200 => {
                Ok(ReadOutcome::Page { records: of(entries), place: "0 offset 1".to_owned(), last: true })
            }
            _ => Ok(ReadOutcome::Absent(refusal_text(status, &asked, &body))),
        }
    }

    async fn fetch_paths(&mut self, paths: &[&str], of: fn(usize, &Value) -> Value) -> Result<ReadOutcome> {
        let mut records = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            let (status, body) = self.client.get(path).await?;
            if status != 200 {
                return Ok(ReadOutcome::Absent(refusal_text(status, path, &body)));
            }
            records.push(of(number, &body));
        }
        Ok(ReadOutcome::Page { records, place: "0 offset 1".to_owned(), last: true })
    }

    async fn fetch_for_each_id(
        &mut self,
        (ids, path, of): (&'static str, &str, fn(Uuid, &Value) -> Option<Value>),
        place: &str,
        here: &mut Session,
    ) -> Result<ReadOutcome> {
        let after = if let PageStart::After(id) = ListPosition::parse(place).at { id } else { Uuid::nil() };
        let ids: Vec<Uuid> = here.read(Statement::new(ids).uuid(after)).await?;
        let mut records = Vec::new();
        for id in &ids {
            let path = format!("{path}{id}");
            match self.client.get(&path).await? {
                (200, body) => records.extend(of(*id, &body)),
                (404, _) => {}
                (status, body) => {
                    let why = refusal_text(status, &path, &body);
                    if after != Uuid::nil() {
                        bail!("{why}");
                    }
                    return Ok(ReadOutcome::Absent(why));
                }
            }
        }
        let (at, last) = (PageStart::After(ids.last().copied().unwrap_or(after)), ids.len() < PAGE_RECORDS);
        Ok(ReadOutcome::Page { records, place: ListPosition { list: 0, at }.to_text(), last })
    }

    async fn fetch_list_page(
        &mut self,
        paths: &[String],
        key: &str,
        mut place: ListPosition,
    ) -> Result<ReadOutcome> {
        let Some(path) = paths.get(place.list) else {
            return Ok(ReadOutcome::Page { records: Vec::new(), place: place.to_text(), last: true });
        };
        let beginning = matches!(place.at, PageStart::Start);
        let (mut status, mut body) = self.get_page(path, &place).await?;
        if let (400 | 422 | 500, Some(simpler)) = (status, place.simpler()) {
            place = simpler;
            (status, body) = self.get_page(path, &place).await?;
        }
        if status != 200 {
            let why = refusal_text(status, path, &body);
            if !beginning {
                bail!("{why}");
            }
            return Ok(ReadOutcome::Absent(why));
        }
        let Some(Value::Array(records)) = body.get_mut(key).map(Value::take) else {
            return Ok(ReadOutcome::Absent(format!("GET {path} answers without {key}")));
        };
        let full = records.len() >= PAGE_RECORDS;
        place.at = match place.at {
            PageStart::Offset(n, sorted) => PageStart::Offset(n + records.len() as u64, sorted),
            PageStart::After(_) => last_id(&records).map_or(PageStart::Start, PageStart::After),
            PageStart::Start => match last_id(&records) {
                Some(id) if !full || self.can_page_by_id(path, id).await? => PageStart::After(id),
                _ => PageStart::Offset(records.len() as u64, true),
            },
        };
        if full && matches!(place.at, PageStart::Start) {
            bail!("GET {path} does not give records in the order of their ids");
        }
        let mut last = false;
        if !full {
            place = ListPosition { list: place.list + 1, at: PageStart::Start };
            last = place.list >= paths.len();
        }
        Ok(ReadOutcome::Page { records, place: place.to_text(), last })
    }

    /// Whether the module can compare ids, so that pages can be read by id; otherwise they are read by offset.
    async fn can_page_by_id(&mut self, path: &str, id: Uuid) -> Result<bool> {
        let (status, _) = self.get_page(path, &ListPosition { list: 0, at: PageStart::After(id) }).await?;
        Ok(status == 200)
    }

    async fn get_page(&mut self, path: &str, place: &ListPosition) -> Result<(u16, Value)> {
        let sign = if path.contains('?') { '&' } else { '?' };
        self.client.get(&format!("{path}{sign}{}", place.parameters())).await
    }

    /// Reads records line by line. An interrupted stream is read again from its beginning, sorted by id, up to the stored position.
    async fn fetch_stream_page(&mut self, paths: &[String], place: &str) -> Result<ReadOutcome> {
        let ListPosition { list, at } = ListPosition::parse(place);
        let Some(path) = paths.get(list) else {
            return Ok(ReadOutcome::Page { records: Vec::new(), place: place.to_owned(), last: true });
        };
        let before = if let PageStart::Offset(n, _) = at { n } else { 0 };
        let mut lines = match self.stream.take() {
            Some((open, lines)) if open == place => lines,
            _ => match self.client.get_lines(path).await? {
                Ok(mut lines) => {
                    for _ in 0..before {
                        lines.next().await?;
                    }
                    lines
                }
                Err((status, body)) => return Ok(ReadOutcome::Absent(refusal_text(status, path, &body))),
            },
        };
        let mut records = Vec::new();
        while records.len() < PAGE_RECORDS {
            let Some(record) = lines.next().await? else { break };
            records.push(record);
        }
        let full = records.len() >= PAGE_RECORDS;
        let next = match full {
            true => ListPosition { list, at: PageStart::Offset(before + PAGE_RECORDS as u64, true) },
            false => ListPosition { list: list + 1, at: PageStart::Start },
        };
        let place = next.to_text();
        if full {
            self.stream = Some((place.clone(), lines));
        }
        Ok(ReadOutcome::Page { records, place, last: next.list >= paths.len() })
    }

    pub(super) async fn count_records(&mut self, kind: &Kind) -> Result<Option<u64>> {
        let HttpAccess::Lists { paths, .. } = http_access(kind) else { return Ok(None) };
        let mut all = 0;
        for path in paths {
            let sign = if path.contains('?') { '&' } else { '?' };
            let (status, body) = self.client.get(&format!("{path}{sign}limit=0")).await?;
            match body["totalRecords"].as_u64() {
                Some(total) if status == 200 => all += total,
                _ => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    pub(super) async fn records_by_ids(
        &mut self,
        kind: &Kind,
        ids: &[Uuid],
    ) -> Result<Option<HashMap<Uuid, Value>>> {
        let HttpAccess::Lists { paths, key } = http_access(kind) else { return Ok(None) };
        let [path] = paths.as_slice() else { return Ok(None) };
        let mut found = HashMap::new();
        for some in ids.chunks(20) {
            let any: Vec<String> = some.iter().map(|id| format!("id%3D%3D%22{id}%22")).collect();
            let sign = if path.contains('?') { '&' } else { '?' };
            let query = format!("{path}{sign}query={}&limit={}", any.join("%20or%20"), some.len());
            let (status, mut body) = self.client.get(&query).await?;
            let Some(Value::Array(records)) = body.get_mut(key).map(Value::take) else { return Ok(None) };
            if status != 200 {
                return Ok(None);
            }
            found.extend(records.into_iter().filter_map(|record| Some((id_of(&record)?, record))));
        }
        Ok(Some(found))
    }

    pub(super) async fn last_hrid_number(&mut self, part: &str) -> Result<Option<i64>> {
        let (status, body) = self.client.get("/hrid-settings-storage/hrid-settings").await?;
        Ok(if status == 200 { body[part]["currentNumber"].as_i64() } else { None })
    }
}

/// The last id of records that are sorted by their ids; `None` if they are not.
fn last_id(records: &[Value]) -> Option<Uuid> {
    let ids: Option<Vec<Uuid>> = records.iter().map(id_of).collect();
    let ids = ids?;
    if ids.is_sorted() { ids.last().copied() } else { None }
}

fn id_of(record: &Value) -> Option<Uuid> {
    Uuid::parse_str(record["id"].as_str()?).ok()
}

/// A short text that says why a list was refused.
fn refusal_text(status: u16, path: &str, body: &Value) -> String {
    let text = match body {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let short: String = text.chars().take(200).collect();
    format!("GET {path} is answered with {status} {short}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for text in
            ["0 start", "2 after 0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f01", "0 offset 500", "1 plain 1000"]
        {
            assert_eq!(ListPosition::parse(text).to_text(), text);
        }
        assert_eq!(ListPosition::parse("").to_text(), "0 start");
    }

    #[test]
    fn pages_go_on_by_id_if_they_are_sorted_so() {
        let [one, two] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let records = |ids: &[Uuid]| ids.iter().map(|id| json!({"id": id})).collect::<Vec<Value>>();
        assert_eq!(last_id(&records(&[one, two])), Some(two));
        assert_eq!(last_id(&records(&[two, one])), None);
        assert_eq!(last_id(&[json!({"name": "no id"})]), None);
    }
}
