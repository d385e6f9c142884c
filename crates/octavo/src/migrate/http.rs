//! FOLIO's HTTP interface as a source: lists are read by id, each page after the last id of the one before. Where a module cannot do that, by
//! offset; source records as a stream.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, bail};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::client::{Client, Lines};
use super::page::{PAGE, Read};
use super::plan::Kind;
use super::routes::{Way, way};

/// More entries than any list has that is read at once.
const WHOLE: usize = 100_000;

pub(super) struct Http {
    client: Client,
    /// An open stream of records and its place.
    stream: Option<(String, Lines)>,
    /// Ids of records that were found in lists of others.
    named: HashSet<Uuid>,
}

/// A place in the lists of a type: the number of the list, and the last id or an offset.
struct Place {
    list: usize,
    at: At,
}

enum At {
    Start,
    After(Uuid),
    /// How many records were read; lists with a query are sorted by id.
    Offset(u64, bool),
}

impl Place {
    fn read(text: &str) -> Place {
        let mut parts = text.splitn(3, ' ');
        let list = parts.next().and_then(|list| list.parse().ok()).unwrap_or(0);
        let at = match (parts.next(), parts.next()) {
            (Some("after"), Some(id)) => Uuid::parse_str(id).map_or(At::Start, At::After),
            (Some("offset"), Some(n)) => At::Offset(n.parse().unwrap_or(0), true),
            (Some("plain"), Some(n)) => At::Offset(n.parse().unwrap_or(0), false),
            _ => At::Start,
        };
        Place { list, at }
    }

    fn text(&self) -> String {
        let list = self.list;
        match self.at {
            At::Start => format!("{list} start"),
            At::After(id) => format!("{list} after {id}"),
            At::Offset(n, true) => format!("{list} offset {n}"),
            At::Offset(n, false) => format!("{list} plain {n}"),
        }
    }

    /// The query parameters of the page at this place.
    fn parameters(&self) -> String {
        match self.at {
            At::Start => format!("query=cql.allRecords%3D1%20sortBy%20id&limit={PAGE}"),
            At::After(id) => format!("query=id%3E%22{id}%22%20sortBy%20id&limit={PAGE}"),
            At::Offset(n, true) => {
                format!("query=cql.allRecords%3D1%20sortBy%20id&limit={PAGE}&offset={n}")
            }
            At::Offset(n, false) => format!("limit={PAGE}&offset={n}"),
        }
    }

    /// A way to ask for the same page that fewer modules refuse.
    fn simpler(&self) -> Option<Place> {
        let start = matches!(self.at, At::Start);
        start.then_some(Place { list: self.list, at: At::Offset(0, false) })
    }
}

impl Http {
    pub(super) fn new(client: Client) -> Http {
        Http { client, stream: None, named: HashSet::new() }
    }

    pub(super) async fn page(&mut self, kind: &Kind, place: &str, here: &mut Session) -> Result<Read> {
        match way(kind) {
            Way::Whole { path, key, of } => self.whole(path, key, of).await,
            Way::Paths(paths, of) => self.paths(paths, of).await,
            Way::Each { ids, path, of } => self.each((ids, path, of), place, here).await,
            Way::None(why) => Ok(Read::Absent(why.to_owned())),
            Way::One(path) => self.one(&path).await,
            Way::Lists { paths, key } => self.list(&paths, key, Place::read(place)).await,
            Way::Named { paths, key, of } => {
                let mut read = self.list(&paths, key, Place::read(place)).await?;
                if let Read::Page { records, .. } = &mut read {
                    let named = records.iter().flat_map(of);
                    *records = named
                        .filter(|record| id_of(record).is_some_and(|id| self.named.insert(id)))
                        .collect();
                }
                Ok(read)
            }
            Way::Streams(paths) => self.streamed(&paths, place).await,
        }
    }

    async fn one(&mut self, path: &str) -> Result<Read> {
        let (status, body) = self.client.get(path).await?;
        match status {
            200 => Ok(Read::Page { records: vec![body], place: "0 offset 1".to_owned(), last: true }),
            _ => Ok(Read::Absent(refused(status, path, &body))),
        }
    }

    async fn whole(&mut self, path: &str, key: &str, of: fn(&[Value]) -> Vec<Value>) -> Result<Read> {
        let asked = format!("{path}?limit={WHOLE}");
        let (status, body) = self.client.get(&asked).await?;
        match body[key].as_array() {
            Some(entries) if status == 200 => {
                Ok(Read::Page { records: of(entries), place: "0 offset 1".to_owned(), last: true })
            }
            _ => Ok(Read::Absent(refused(status, &asked, &body))),
        }
    }

    async fn paths(&mut self, paths: &[&str], of: fn(usize, &Value) -> Value) -> Result<Read> {
        let mut records = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            let (status, body) = self.client.get(path).await?;
            if status != 200 {
                return Ok(Read::Absent(refused(status, path, &body)));
            }
            records.push(of(number, &body));
        }
        Ok(Read::Page { records, place: "0 offset 1".to_owned(), last: true })
    }

    async fn each(
        &mut self,
        (ids, path, of): (&'static str, &str, fn(Uuid, &Value) -> Option<Value>),
        place: &str,
        here: &mut Session,
    ) -> Result<Read> {
        let after = if let At::After(id) = Place::read(place).at { id } else { Uuid::nil() };
        let ids: Vec<Uuid> = here.read(Statement::new(ids).uuid(after)).await?;
        let mut records = Vec::new();
        for id in &ids {
            let path = format!("{path}{id}");
            match self.client.get(&path).await? {
                (200, body) => records.extend(of(*id, &body)),
                (404, _) => {}
                (status, body) => {
                    let why = refused(status, &path, &body);
                    if after != Uuid::nil() {
                        bail!("{why}");
                    }
                    return Ok(Read::Absent(why));
                }
            }
        }
        let (at, last) = (At::After(ids.last().copied().unwrap_or(after)), ids.len() < PAGE);
        Ok(Read::Page { records, place: Place { list: 0, at }.text(), last })
    }

    async fn list(&mut self, paths: &[String], key: &str, mut place: Place) -> Result<Read> {
        let Some(path) = paths.get(place.list) else {
            return Ok(Read::Page { records: Vec::new(), place: place.text(), last: true });
        };
        let beginning = matches!(place.at, At::Start);
        let (mut status, mut body) = self.asked(path, &place).await?;
        if let (400 | 422 | 500, Some(simpler)) = (status, place.simpler()) {
            place = simpler;
            (status, body) = self.asked(path, &place).await?;
        }
        if status != 200 {
            let why = refused(status, path, &body);
            if !beginning {
                bail!("{why}");
            }
            return Ok(Read::Absent(why));
        }
        let Some(Value::Array(records)) = body.get_mut(key).map(Value::take) else {
            return Ok(Read::Absent(format!("GET {path} answers without {key}")));
        };
        let full = records.len() >= PAGE;
        place.at = match place.at {
            At::Offset(n, sorted) => At::Offset(n + records.len() as u64, sorted),
            At::After(_) => last_id(&records).map_or(At::Start, At::After),
            At::Start => match last_id(&records) {
                Some(id) if !full || self.goes_on_after(path, id).await? => At::After(id),
                _ => At::Offset(records.len() as u64, true),
            },
        };
        if full && matches!(place.at, At::Start) {
            bail!("GET {path} does not give records in the order of their ids");
        }
        let mut last = false;
        if !full {
            place = Place { list: place.list + 1, at: At::Start };
            last = place.list >= paths.len();
        }
        Ok(Read::Page { records, place: place.text(), last })
    }

    /// Whether the module can compare ids; otherwise its pages are counted.
    async fn goes_on_after(&mut self, path: &str, id: Uuid) -> Result<bool> {
        let (status, _) = self.asked(path, &Place { list: 0, at: At::After(id) }).await?;
        Ok(status == 200)
    }

    async fn asked(&mut self, path: &str, place: &Place) -> Result<(u16, Value)> {
        let sign = if path.contains('?') { '&' } else { '?' };
        self.client.get(&format!("{path}{sign}{}", place.parameters())).await
    }

    /// Records line by line. A stream that was interrupted is read again from its beginning, sorted by id, up to the place.
    async fn streamed(&mut self, paths: &[String], place: &str) -> Result<Read> {
        let Place { list, at } = Place::read(place);
        let Some(path) = paths.get(list) else {
            return Ok(Read::Page { records: Vec::new(), place: place.to_owned(), last: true });
        };
        let before = if let At::Offset(n, _) = at { n } else { 0 };
        let mut lines = match self.stream.take() {
            Some((open, lines)) if open == place => lines,
            _ => match self.client.lines(path).await? {
                Ok(mut lines) => {
                    for _ in 0..before {
                        lines.next().await?;
                    }
                    lines
                }
                Err((status, body)) => return Ok(Read::Absent(refused(status, path, &body))),
            },
        };
        let mut records = Vec::new();
        while records.len() < PAGE {
            let Some(record) = lines.next().await? else { break };
            records.push(record);
        }
        let full = records.len() >= PAGE;
        let next = match full {
            true => Place { list, at: At::Offset(before + PAGE as u64, true) },
            false => Place { list: list + 1, at: At::Start },
        };
        let place = next.text();
        if full {
            self.stream = Some((place.clone(), lines));
        }
        Ok(Read::Page { records, place, last: next.list >= paths.len() })
    }

    pub(super) async fn count(&mut self, kind: &Kind) -> Result<Option<u64>> {
        let Way::Lists { paths, .. } = way(kind) else { return Ok(None) };
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

    pub(super) async fn by_ids(&mut self, kind: &Kind, ids: &[Uuid]) -> Result<Option<HashMap<Uuid, Value>>> {
        let Way::Lists { paths, key } = way(kind) else { return Ok(None) };
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

    pub(super) async fn counter(&mut self, part: &str) -> Result<Option<i64>> {
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

/// Why a list is not given, in short.
fn refused(status: u16, path: &str, body: &Value) -> String {
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
            assert_eq!(Place::read(text).text(), text);
        }
        assert_eq!(Place::read("").text(), "0 start");
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
