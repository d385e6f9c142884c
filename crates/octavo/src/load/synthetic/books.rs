//! Instances, holdings records and items: plausible, in several scripts, complete as the server would store them.

use octavo_modules::inventory_storage::{HOLDINGS, INSTANCE, ITEM};
use octavo_record::{RecordType, Related};
use serde_json::{Value, json};
use uuid::Uuid;

use super::chance::{Chance, Purpose, id};
use super::shape::{Shape, Totals};
use super::types::Types;
use super::words::{Language, english, random_subject};

pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) document: String,
}

/// The rows of some instances, by table.
#[derive(Default)]
pub(super) struct Books {
    pub(super) instances: Vec<Row>,
    pub(super) holdings: Vec<Row>,
    pub(super) items: Vec<Row>,
}

/// Makes the records of a library from its shape, its reference types and its date.
#[derive(Clone)]
pub(super) struct RecordGenerator {
    pub(super) shape: Shape,
    pub(super) types: Types,
    /// The day for which the library is made, in FOLIO's form.
    pub(super) now: String,
}

/// Classes of the Library of Congress Classification, with which call numbers begin.
const CLASSES: [&str; 8] = ["HE", "G", "QC", "Z", "ML", "TP", "NA", "DA"];

impl RecordGenerator {
    /// Makes the instances of a range with their holdings and items. `before` are the numbers of records that come before the range.
    pub(super) fn books(&self, instances: std::ops::Range<u64>, before: Totals) -> Books {
        let mut books = Books::default();
        let (mut holdings_number, mut item_number) = (before.holdings, before.items);
        for at in instances {
            let mut chance = Chance::new(self.shape.seed, Purpose::Instance, at);
            let (instance, call_number) = self.instance(at, &mut chance);
            books.instances.push(instance);
            for copy in 0..self.shape.holdings(at) {
                holdings_number += 1;
                let (row, holdings) = self.holdings(at, copy, holdings_number, &call_number);
                books.holdings.push(row);
                for volume in 0..self.shape.items(at, copy) {
                    item_number += 1;
                    books.items.push(self.item(at, copy, volume, item_number, &holdings));
                }
            }
        }
        books
    }

    pub(super) fn item_id(&self, instance: u64, copy: u64, volume: u64) -> Uuid {
        id(self.shape.seed, Purpose::Item, (instance << 10) | (copy << 1) | volume)
    }

    pub(super) fn instance_id(&self, at: u64) -> Uuid {
        id(self.shape.seed, Purpose::Instance, at)
    }

    pub(super) fn holdings_id(&self, at: u64, copy: u64) -> Uuid {
        id(self.shape.seed, Purpose::Holdings, (at << 9) | copy)
    }

    /// The instance and the call number of its holdings.
    fn instance(&self, at: u64, chance: &mut Chance) -> (Row, String) {
        let types = &self.types;
        let language = Language::random(chance);
        let year = chance.between(1880, 2025);
        let title = title(language, year, chance);
        let author = person(language, chance);
        let class = chance.pick(&CLASSES);
        let initial = author.chars().next().filter(char::is_ascii_uppercase).unwrap_or('X');
        let number =
            format!("{class}{} .{initial}{} {year}", chance.between(1, 9_999), chance.between(11, 99));
        let mut contributors = vec![json!({
            "name": author, "contributorNameTypeId": types.personal_name, "contributorTypeId": types.author, "primary": true,
        })];
        if chance.percent(25) {
            contributors.push(json!({
                "name": person(language, chance), "contributorNameTypeId": types.personal_name, "contributorTypeText": "editor", "primary": false,
            }));
        }
        let mut identifiers =
            vec![json!({"value": format!("(OCoLC){}", 10_000_000 + at), "identifierTypeId": types.oclc})];
        if year >= 1970 {
            identifiers.push(json!({"value": isbn(at), "identifierTypeId": types.isbn}));
        }
        let subjects: Vec<&str> = (0..chance.between(1, 4)).map(|_| random_subject(chance)).collect();
        let mut subjects: Vec<Value> = subjects.into_iter().map(|value| json!({"value": value})).collect();
        subjects.sort_by_key(Value::to_string);
        subjects.dedup();
        let size = (chance.between(48, 900), chance.between(18, 32));
        let mut document = json!({
            "id": self.instance_id(at),
            "hrid": format!("in{:011}", at + 1),
            "source": "FOLIO",
            "title": title,
            "indexTitle": index_title(&title),
            "contributors": contributors,
            "identifiers": identifiers,
            "subjects": subjects,
            "classifications": [{"classificationNumber": number, "classificationTypeId": types.lc_class}],
            "publication": [{
                "publisher": language.random_word("publisher", chance), "place": language.random_word("city", chance),
                "dateOfPublication": year.to_string(), "role": "Publication",
            }],
            "physicalDescriptions": [format!("{} pages ; {} cm", size.0, size.1)],
            "languages": [language.code],
            "instanceTypeId": types.text,
            "instanceFormatIds": [types.volume],
            "modeOfIssuanceId": types.single_unit,
            "discoverySuppress": false,
            "previouslyHeld": false,
        });
        if chance.percent(30) {
            let note =
                format!("Includes bibliographical references (pages {}-{}) and index", size.0 - 20, size.0);
            document["notes"] =
                json!([{"note": note, "instanceNoteTypeId": types.bibliography_note, "staffOnly": false}]);
        }
        if chance.percent(15) {
            let name =
                format!("{} series ; {}", language.random_word("publisher", chance), chance.between(1, 60));
            document["series"] = json!([{"value": name}]);
        }
        (self.row(&INSTANCE, document, None).0, number)
    }

    fn holdings(&self, at: u64, copy: u64, number: u64, call_number: &str) -> (Row, Value) {
        let types = &self.types;
        let mut chance = Chance::new(self.shape.seed, Purpose::Holdings, (at << 9) | copy);
        let document = json!({
            "id": self.holdings_id(at, copy),
            "hrid": format!("ho{number:011}"),
            "instanceId": self.instance_id(at),
            "sourceId": types.folio_source,
            "holdingsTypeId": types.physical,
            "permanentLocationId": chance.pick(&types.locations),
            "callNumberTypeId": types.lc_call_number,
            "callNumber": call_number,
            "discoverySuppress": false,
        });
        self.row(&HOLDINGS, document, None)
    }

    fn item(&self, at: u64, copy: u64, volume: u64, number: u64, holdings: &Value) -> Row {
        let types = &self.types;
        let lent = copy == 0 && volume == 0 && self.shape.loan_of(at).is_some();
        let mut document = json!({
            "id": self.item_id(at, copy, volume),
            "hrid": format!("it{number:011}"),
            "holdingsRecordId": holdings["id"],
            "barcode": barcode(number),
            "materialTypeId": types.book,
            "permanentLoanTypeId": types.can_circulate,
            "status": {"name": if lent { "Checked out" } else { "Available" }},
            "discoverySuppress": false,
        });
        if volume > 0 {
            document["copyNumber"] = json!(format!("c.{}", volume + 1));
        }
        self.row(&ITEM, document, Some(holdings)).0
    }

    /// A document with everything that the server adds.
    fn row(&self, record: &RecordType, mut document: Value, holdings: Option<&Value>) -> (Row, Value) {
        let records = holdings.map(|holdings| ("holdingsRecordId", holdings.clone()));
        let related =
            Related { records: records.into_iter().collect(), now: &self.now, ..Related::default() };
        if let Some(derive) = record.hooks.derive {
            derive(&mut document, &related);
        }
        document["_version"] = json!(1);
        document["metadata"] = json!({"createdDate": self.now, "updatedDate": self.now});
        let id = document["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
        (Row { id, document: document.to_string() }, document)
    }
}

pub(super) fn barcode(number: u64) -> String {
    format!("3{number:013}")
}

fn title(language: &Language, year: u64, chance: &mut Chance) -> String {
    let mut title = language.random_word("opening", chance).to_owned();
    let blank = if matches!(language.code, "chi" | "jpn") { "" } else { " " };
    title = title + blank + language.random_word("theme", chance);
    if chance.percent(60) {
        let joint = match language.code {
            "eng" => " in ",
            "kor" | "chi" | "jpn" => "",
            _ => " ",
        };
        title = title + joint + language.random_word("place", chance);
    }
    if chance.percent(35) {
        let first = year.saturating_sub(chance.between(5, 300));
        title += &format!(", {first}-{}", first + chance.between(2, 60));
    }
    if chance.percent(55) {
        title = title + " : " + language.random_word("tail", chance);
    }
    title
}

fn index_title(title: &str) -> String {
    let bare = ["A ", "An ", "The "].iter().find_map(|article| title.strip_prefix(article)).unwrap_or(title);
    let mut characters = bare.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn person(language: &Language, chance: &mut Chance) -> String {
    let (family, given) = (language.random_word("family", chance), language.random_word("given", chance));
    let between = if language.family_first() { "" } else { ", " };
    let mut name = format!("{family}{between}{given}");
    if chance.percent(40) {
        name += &format!(", {}-", chance.between(1850, 1990));
    }
    name
}

/// A name for a patron: given name and family name.
pub(super) fn patron_name(chance: &mut Chance) -> (&'static str, &'static str) {
    let language = if chance.percent(70) { english() } else { Language::random(chance) };
    (language.random_word("given", chance), language.random_word("family", chance))
}

/// Thirteen digits with their check digit.
fn isbn(number: u64) -> String {
    let digits = format!("978{:09}", number % 1_000_000_000);
    let sum: u32 =
        digits.chars().zip([1, 3].into_iter().cycle()).map(|(c, w)| c.to_digit(10).unwrap_or(0) * w).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

#[cfg(test)]
mod tests {
    use octavo_record::Reading;

    use super::*;

    fn generator(seed: u64, instances: u64) -> RecordGenerator {
        let types = Types::reference().unwrap();
        RecordGenerator {
            shape: Shape::new(seed, instances, None),
            types,
            now: "2026-11-21T00:00:00.000+00:00".to_owned(),
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_library_in_any_order() {
        let documents = |rows: Vec<Row>| rows.into_iter().map(|row| row.document).collect::<Vec<String>>();
        let generator = generator(3, 200);
        let whole = generator.books(0..200, Totals::default());
        let second = generator.books(100..200, generator.shape.totals(0..100));
        assert_eq!(whole.items.len() as u64, generator.shape.totals(0..200).items);
        let again = generator.books(0..200, Totals::default());
        assert_eq!(documents(again.instances)[100..], documents(second.instances));
        let tail = second.holdings.len();
        let holdings = documents(again.holdings);
        assert_eq!(holdings[holdings.len() - tail..], documents(second.holdings));
        let other = self::generator(4, 200).books(0..1, Totals::default());
        assert_ne!(documents(other.instances)[0], documents(whole.instances)[0]);
    }

    #[test]
    fn every_record_is_one_that_the_server_would_take() {
        let books = generator(1, 600).books(0..600, Totals::default());
        for (record, rows) in
            [(&INSTANCE, &books.instances), (&HOLDINGS, &books.holdings), (&ITEM, &books.items)]
        {
            for row in rows {
                let document: Value = serde_json::from_str(&row.document).unwrap();
                let checked = record.schema().check(document.clone(), Reading::FromClient);
                let checked = checked.unwrap_or_else(|refusals| panic!("{refusals:?} of {}", row.document)).0;
                for (name, value) in checked.as_object().unwrap() {
                    // These members are the server's own: they are dropped from what clients send.
                    if ["effectiveCallNumberComponents", "status"].contains(&name.as_str()) {
                        continue;
                    }
                    // An array that is not there is put in when the record is read.
                    let known = document.get(name).cloned().unwrap_or_else(|| json!([]));
                    assert_eq!(*value, known, "{name} is completed as the server does it");
                }
            }
        }
        let scripts = |from: char, to: char| {
            books.instances.iter().any(|row| row.document.chars().any(|c| (from..=to).contains(&c)))
        };
        assert!(scripts('а', 'я') && scripts('一', '龥') && scripts('ا', 'ي') && scripts('α', 'ω'));
    }

    #[test]
    fn isbns_have_their_check_digit() {
        assert_eq!(isbn(306_406_152), "9783064061521");
        assert_eq!(isbn(30_640_615), "9780306406157");
    }
}
