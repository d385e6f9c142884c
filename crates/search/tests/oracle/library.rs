//! Titles made by chance of text that is awkward to search.

use octavo_search::records::{Instance, ReferenceTypes};
use serde_json::{Value, json};
use uuid::Uuid;

/// Numbers that are the same in each run (xorshift).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    pub(crate) fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    pub(crate) fn random_words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count)
            .map(|_| self.pick(WORDS))
            .collect::<Vec<_>>()
            .join(self.pick(&[" ", " ", " ", " : ", " & ", ", ", "-", "/"]))
    }
}

pub(crate) const WORDS: &[&str] = &[
    "sea",
    "seas",
    "the",
    "of",
    "running",
    "runs",
    "Häuser",
    "Haus",
    "Straße",
    "strasse",
    "naïve",
    "O'Neil",
    "ONeil",
    "C++",
    "AT&T",
    "Wi-Fi",
    "PowerShot500",
    "l'été",
    "村上春樹",
    "村上",
    "春樹",
    "日本語",
    "東京",
    "서울",
    "สี่แผ่นดิน",
    "Война",
    "война",
    "мир",
    "Σίσυφος",
    "ΣΙΣΥΦΟΣ",
    "İstanbul",
    "ılık",
    "كتاب",
    "كِتَاب",
    "שלום",
    "ﬁne",
    "e\u{301}tude",
    "étude",
    "1984",
    "2,000",
    "no. 3",
    "$100",
    "x",
    "—",
    "(pbk.)",
    "Mc Donald",
    "McDonald",
    "cat's",
    "cats",
    "a*b",
    "why?",
    "\"quoted\"",
    "back\\slash",
];

pub(crate) const BARCODES: &[&str] = &["A-1", "a-1", "A-10", "0001", "00010", "x y", "*star", "é9"];
pub(crate) const STATUSES: &[&str] = &["Available", "Checked out", "In transit", "Long missing"];
pub(crate) const LANGUAGES: &[&str] = &["eng", "ger", "jpn", "fre"];
pub(crate) const IDS: &[&str] = &[
    "8261054f-be78-422d-bd51-4ed9f33c3422",
    "913300b2-03ed-469a-8179-c1092c991227",
    "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef",
    "c858e4f2-2b6b-4385-842b-60732ee14abb",
    "00000000-0000-4000-8000-000000000001",
];
pub(crate) const NUMBERS: &[&str] = &[
    "0-684-80122-1 (pbk.)",
    "9780684801223",
    "0684801221",
    "0028-0836",
    "00280836",
    "(OCoLC)12345",
    "ocm00012345",
    "12345",
    "n  79021164",
    "n79021164",
    "85-2773",
    "no number",
];
pub(crate) const DATES: &[&str] = &[
    "2020-02-29T00:00:00.000+00:00",
    "2020-02-29T23:59:59.999+00:00",
    "2020-03-01T00:00:00.000+00:00",
    "1999-12-31T12:00:00.000+00:00",
];

/// Types of identifiers, by FOLIO's ids.
pub(crate) fn types() -> ReferenceTypes {
    let mut types = ReferenceTypes::default();
    for (id, name) in IDS.iter().zip(["ISBN", "ISSN", "OCLC", "LCCN"]) {
        types.add_identifier_type(id, name);
    }
    types
}

/// A title with its copies.
#[derive(Clone)]
pub(crate) struct Title {
    pub(crate) id: Uuid,
    pub(crate) instance: Value,
    pub(crate) holdings: Vec<Value>,
    pub(crate) items: Vec<Value>,
}

impl Title {
    pub(crate) fn random(number: usize, chance: &mut Chance) -> Title {
        let id = Uuid::from_u128(0x4000_8000_0000 << 64 | (number as u128 + 1_000));
        let list = |most: usize, chance: &mut Chance, make: &dyn Fn(&mut Chance) -> Value| {
            Value::Array((0..chance.below(most + 1)).map(|_| make(chance)).collect())
        };
        let mut instance = json!({
            "id": id, "hrid": format!("in{number:04}"), "title": chance.random_words(6), "source": chance.pick(&["FOLIO", "MARC"]),
            "alternativeTitles": list(2, chance, &|chance| json!({"alternativeTitle": chance.random_words(4)})),
            "series": list(1, chance, &|chance| json!({"value": chance.random_words(3)})),
            "contributors": list(3, chance, &|chance| json!({"name": chance.random_words(3), "primary": false})),
            "subjects": list(3, chance, &|chance| json!({"value": chance.random_words(3)})),
            "identifiers": list(3, chance, &|chance| {
                json!({"value": chance.pick(NUMBERS), "identifierTypeId": chance.pick(IDS)})
            }),
            "languages": list(2, chance, &|chance| json!(chance.pick(LANGUAGES))),
            "notes": list(1, chance, &|chance| json!({"note": chance.random_words(5), "staffOnly": chance.below(2) == 0})),
            "metadata": {"createdDate": chance.pick(DATES)},
        });
        match chance.below(3) {
            0 => instance["staffSuppress"] = json!(true),
            1 => instance["staffSuppress"] = json!(false),
            _ => {}
        }
        let holdings = (0..chance.below(3)).map(|copy| {
            json!({"id": Uuid::from_u128(number as u128 * 10 + copy as u128), "hrid": format!("ho{number}{copy}"),
                "callNumber": chance.pick(&["QA 76.9", "qa76.9", "PT 1971 .W3", "村 1", ""]), "callNumberPrefix": chance.pick(&["Ref", ""])})
        });
        let holdings: Vec<Value> = holdings.collect();
        let items = (0..chance.below(3)).map(|_| {
            json!({"barcode": chance.pick(BARCODES), "status": {"name": chance.pick(STATUSES)}, "tags": {"tagList": [chance.random_words(2)]},
                "effectiveCallNumberComponents": {"callNumber": chance.pick(&["QA 76.9", "Z 1", "B12/3"])},
                "effectiveShelvingOrder": chance.pick(&["QA 276.9", "Z 11", ""])})
        });
        let items: Vec<Value> = items.collect();
        Title { id, instance, holdings, items }
    }

    pub(crate) fn record(&self) -> Instance<'_> {
        Instance {
            instance: &self.instance,
            holdings: &self.holdings,
            items: &self.items,
            tenant: None,
            shared: false,
            bound_with: false,
        }
    }

    pub(crate) fn languages(&self) -> Vec<&str> {
        self.instance["languages"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }
}
