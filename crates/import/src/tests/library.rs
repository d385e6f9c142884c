//! A small library that answers what plans ask, as a caller does for a chunk of records.

use std::sync::Arc;

use octavo_marc::Record;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::marc::Protection;
use crate::{
    Answer, Entity, Existing, Format, Incoming, Lookup, MappedRecord, Need, Outcome, Plan, Reference, Step,
    StoredMarc, World, Write,
};

#[derive(Default)]
pub(super) struct Library {
    pub(super) instances: Vec<Value>,
    pub(super) holdings: Vec<Value>,
    pub(super) items: Vec<Value>,
    pub(super) authorities: Vec<Value>,
    pub(super) marc: Vec<StoredMarc>,
    pub(super) order_lines: Vec<Value>,
    pub(super) protections: Vec<Protection>,
    pub(super) links: Vec<crate::marc::Link>,
}

pub(super) fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x1000_0000_0000_4000_8000_0000_0000_0000 + number)
}

/// FOLIO's own protections.
pub(super) fn own_protections() -> Vec<Protection> {
    [json!({"id": "p1", "field": "001", "data": "*"}), json!({"id": "p2", "field": "999", "indicator1": "f", "indicator2": "f", "subfield": "*", "data": "*"})]
        .iter()
        .map(Protection::read)
        .collect()
}

/// Rules of a few lines: title, identifiers from 035, location, heading.
pub(super) fn rules(format: Format, record: &Record) -> MappedRecord {
    let text = |tag: &str, code: char| record.values(tag, code).next().map(str::to_owned);
    let record = match format {
        Format::Bibliographic => {
            let identifiers: Vec<Value> = record
                .values("035", 'a')
                .map(|value| json!({"identifierTypeId": id(900).to_string(), "value": value}))
                .collect();
            json!({"title": text("245", 'a'), "instanceTypeId": id(901).to_string(), "identifiers": identifiers})
        }
        Format::Holdings => json!({"permanentLocationId": text("852", 'b'), "callNumber": text("852", 'h')}),
        Format::Authority => {
            json!({"personalName": text("100", 'a'), "naturalId": record.control_field("001")})
        }
    };
    let record = record.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
    let record = record.map(|(name, value)| (name.clone(), value.clone())).collect();
    MappedRecord { record: Value::Object(record), ..MappedRecord::default() }
}

impl Library {
    pub(super) fn import(&self, snapshot: &Value, format: Format, record: Record) -> Outcome {
        self.import_as(snapshot, format, record, 77)
    }

    pub(super) fn import_as(
        &self,
        snapshot: &Value,
        format: Format,
        record: Record,
        number: u128,
    ) -> Outcome {
        let plan = Plan::compile(snapshot).unwrap();
        let mut reference = Reference::default();
        reference.add("locations", &json!({"id": id(800).to_string(), "name": "Annex", "code": "KU/A"}));
        reference.add("locations", &json!({"id": id(801).to_string(), "name": "Online", "code": "E"}));
        reference.add("instanceStatuses", &json!({"id": id(810).to_string(), "name": "Cataloged"}));
        let linkable = ["700".to_owned()];
        let world = World {
            now: "2024-05-17T10:11:12.345Z".parse().unwrap(),
            today: jiff::civil::date(2024, 5, 17),
            mapping_rules: &rules,
            reference: &reference,
            protections: &self.protections,
            linkable: &linkable,
            holdings_sources: World::default_holdings_sources(),
        };
        let mut progress = plan.begin(Incoming {
            id: id(number),
            job: id(2),
            chunk: id(3),
            order: 0,
            format,
            record,
            accepts_instance_id: false,
        });
        for _ in 0..100 {
            if plan.step(&mut progress, &world) == Step::Done {
                return progress.outcome();
            }
            let answers = progress.needs().iter().map(|need| self.answer(need)).collect();
            progress.answer(answers);
        }
        panic!("it asks without end");
    }

    fn answer(&self, need: &Need) -> Answer {
        match need {
            Need::Lookup(lookup) if lookup.shape.entity.is_marc() => Answer::Marc(
                self.marc.iter().filter(|marc| lookup.matches_marc(marc)).cloned().map(Arc::new).collect(),
            ),
            Need::Lookup(lookup) => {
                self.documents(lookup.shape.entity, |document| lookup.matches_document(document))
            }
            Need::OrderLines(lookup) => Answer::Documents(self.order_lines(lookup)),
            Need::MarcOf { id, .. } => Answer::Marc(
                self.marc.iter().filter(|marc| marc.describes == Some(*id)).cloned().map(Arc::new).collect(),
            ),
            Need::Records { entity, ids } => {
                self.documents(*entity, |document| ids.iter().any(|id| document["id"] == id.to_string()))
            }
            Need::HoldingsOf { instance } => {
                self.documents(Entity::Holdings, |document| document["instanceId"] == instance.to_string())
            }
            Need::InstanceNumbered(number) => {
                self.documents(Entity::Instance, |document| document["hrid"] == number.as_str())
            }
            Need::Barcodes(barcodes) => {
                let taken = barcodes.iter().filter(|(barcode, but)| {
                    self.items.iter().any(|item| {
                        item["barcode"] == barcode.as_str()
                            && but.is_none_or(|but| item["id"] != but.to_string())
                    })
                });
                Answer::Texts(taken.map(|(barcode, _)| barcode.clone()).collect())
            }
            Need::Hrids { entity, count } => {
                let prefix = entity.name().to_lowercase();
                Answer::Texts((1..=*count).map(|number| format!("{prefix}{number}")).collect())
            }
            Need::Links { .. } => Answer::Links(Arc::new(self.links.clone())),
        }
    }

    fn documents(&self, entity: Entity, wanted: impl Fn(&Value) -> bool) -> Answer {
        let all = match entity {
            Entity::Instance => &self.instances,
            Entity::Holdings => &self.holdings,
            Entity::Item => &self.items,
            _ => &self.authorities,
        };
        Answer::Documents(all.iter().filter(|document| wanted(document)).cloned().map(Arc::new).collect())
    }

    fn order_lines(&self, lookup: &Lookup) -> Vec<Arc<Value>> {
        assert!(matches!(lookup.shape.existing, Existing::OrderLine(_)));
        let crate::Values::Texts(texts) = &lookup.values else { return Vec::new() };
        let meant = |line: &&Value| texts.iter().any(|text| line["poLineNumber"] == text.as_str());
        self.order_lines.iter().filter(meant).cloned().map(Arc::new).collect()
    }

    pub(super) fn with_instance(mut self, number: u128, hrid: &str, more: &Value) -> Library {
        let mut instance = json!({"id": id(number).to_string(), "hrid": hrid, "_version": 3, "source": "MARC",
            "title": "Old", "instanceTypeId": id(901).to_string()});
        for (name, value) in more.as_object().unwrap() {
            instance[name] = value.clone();
        }
        self.instances.push(instance);
        self
    }

    pub(super) fn with_marc(mut self, number: u128, describes: u128, record: Record) -> Library {
        let hrid = record.control_field("001").map(str::to_owned);
        self.marc.push(StoredMarc {
            id: id(number),
            matched: id(number),
            generation: 0,
            describes: Some(id(describes)),
            number: hrid,
            suppressed: false,
            record,
        });
        self
    }
}

/// What the log says: `INSTANCE CREATE`, with the error if there is one.
pub(super) fn log(outcome: &Outcome) -> Vec<String> {
    let line = |entry: &crate::JournalEntry| {
        let error = entry.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        format!("{} {}{error}", entry.entity.name(), entry.action.name())
    };
    outcome.journal.iter().map(line).collect()
}

/// Records of an entity as they are to be stored.
pub(super) fn documents(outcome: &Outcome, wanted: Entity) -> Vec<&Value> {
    let documents = outcome.writes.iter().filter_map(|write| match write {
        Write::Create { entity, document, .. } | Write::Update { entity, document, .. } => {
            (*entity == wanted).then_some(document)
        }
        _ => None,
    });
    documents.collect()
}

pub(super) fn marc_write(outcome: &Outcome) -> &crate::MarcWrite {
    let found = outcome.writes.iter().find_map(|write| match write {
        Write::Marc(marc) => Some(marc),
        _ => None,
    });
    found.expect("a MARC record is stored")
}
