use std::sync::Arc;

use octavo_marc::Record;
use serde_json::Value;
use uuid::Uuid;

use super::stop::{Done, Stop, fail};
use super::world::Format;
use super::writes::Writes;
use crate::journal::{Entity, JournalEntry};
use crate::marc::{Link, has_id};
use crate::need::{Answer, Need, Stored};
use crate::outcome::Outcome;
use crate::plan::Plan;

/// A record as it comes in.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The id of the source record.
    pub id: Uuid,
    pub job: Uuid,
    pub chunk: Uuid,
    /// The place of the record in its file, from 0.
    pub order: i32,
    pub format: Format,
    pub record: Record,
    /// An instance takes its id from 999 ff $i.
    pub accepts_instance_id: bool,
}

/// How far a record has come.
#[derive(Debug, Clone)]
pub struct Progress {
    pub(super) id: Uuid,
    pub(super) job: Uuid,
    pub(super) chunk: Uuid,
    pub(super) order: i32,
    pub(super) format: Format,
    pub(super) accepts_instance_id: bool,
    /// The MARC record as it is now.
    pub(super) record: Record,
    /// The stored MARC record: that which was matched, or what was made of it.
    pub(super) marc: Option<Arc<Stored>>,
    pub(super) instance: Option<Arc<Value>>,
    pub(super) authority: Option<Arc<Value>>,
    pub(super) holdings: Option<Vec<Arc<Value>>>,
    pub(super) items: Option<Vec<Arc<Value>>>,
    /// Several records that a match left to the next.
    pub(super) left: Option<(Entity, Vec<Uuid>)>,
    /// The tag whose fields stand for holdings, and the location of the holdings of each field.
    pub(super) split: Option<String>,
    pub(super) split_locations: Vec<Option<String>>,
    /// Later profiles may change the holdings of changed items.
    pub(super) brings_holdings: bool,
    pub(super) writes: Writes,
    pub(super) journal: Vec<JournalEntry>,
    pub(super) at: Option<usize>,
    answers: Vec<Vec<Answer>>,
    needs: Vec<Need>,
    round: usize,
}

impl Plan {
    pub fn begin(&self, incoming: Incoming) -> Progress {
        let mut record = incoming.record;
        if self.keeps_former_numbers()
            && let Some(number) = record.control("001").filter(|number| !number.is_empty())
        {
            let former = crate::marc::former_number(number, record.control("003"));
            crate::marc::add_035(&mut record, &former);
        }
        Progress {
            id: incoming.id,
            job: incoming.job,
            chunk: incoming.chunk,
            order: incoming.order,
            format: incoming.format,
            accepts_instance_id: incoming.accepts_instance_id,
            record,
            marc: None,
            instance: None,
            authority: None,
            holdings: None,
            items: None,
            left: None,
            split: None,
            split_locations: Vec::new(),
            brings_holdings: self.updates_holdings(),
            writes: Writes::default(),
            journal: Vec::new(),
            at: self.first(),
            answers: Vec::new(),
            needs: Vec::new(),
            round: 0,
        }
    }
}

impl Progress {
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// What is asked; as long as there are needs, answer them and step again.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Answers in the order of the needs.
    pub fn answer(&mut self, answers: Vec<Answer>) {
        self.answers.push(answers);
        self.needs.clear();
    }

    pub fn outcome(self) -> Outcome {
        Outcome { writes: self.writes.into_list(), journal: self.journal, record: self.record }
    }

    pub(super) fn start_over(&mut self) {
        self.round = 0;
    }

    pub(super) fn go_to(&mut self, next: Option<usize>) {
        self.at = next;
        self.answers.clear();
        self.round = 0;
    }

    /// The answers, if they are there. A profile that asks is carried out from its beginning when they are, so it must change
    /// nothing before its last question.
    pub(super) fn ask(&mut self, needs: Vec<Need>) -> Done<Vec<Answer>> {
        let round = self.round;
        self.round += 1;
        match self.answers.get(round) {
            Some(answers) => Ok(answers.clone()),
            None => {
                self.needs = needs;
                Err(Stop::Asked)
            }
        }
    }

    pub(super) fn ask_documents(&mut self, need: Need) -> Done<Vec<Arc<Value>>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Documents(documents)) => Ok(documents),
            _ => fail("A question for records was answered with something else"),
        }
    }

    pub(super) fn ask_marc(&mut self, need: Need) -> Done<Vec<Arc<Stored>>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Marc(records)) => Ok(records),
            _ => fail("A question for MARC records was answered with something else"),
        }
    }

    pub(super) fn ask_texts(&mut self, need: Need) -> Done<Vec<String>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Texts(texts)) => Ok(texts),
            _ => fail("A question for texts was answered with something else"),
        }
    }

    pub(super) fn ask_hrids(&mut self, entity: Entity, count: usize) -> Done<Vec<String>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let hrids = self.ask_texts(Need::Hrids { entity, count })?;
        if hrids.len() < count { fail("Fewer hrids than asked for were given") } else { Ok(hrids) }
    }

    pub(super) fn ask_links(&mut self, instance: Uuid) -> Done<Arc<Vec<Link>>> {
        match self.ask(vec![Need::Links { instance }])?.pop() {
            Some(Answer::Links(links)) => Ok(links),
            _ => fail("A question for links was answered with something else"),
        }
    }

    /// The id of a record that is made: the same whenever this record is imported. `before` is the number of records of its
    /// kind that earlier profiles made.
    pub(super) fn new_id(&self, entity: Entity, before: usize, place: usize) -> Uuid {
        octavo_marc::derived_id(&self.id.to_string(), &format!("{}/{before}/{place}", entity.name()))
    }

    /// The id that all generations of the MARC record share.
    pub(super) fn matched_id(&self) -> Uuid {
        has_id(&self.record, 's').and_then(|id| Uuid::parse_str(id).ok()).unwrap_or(self.id)
    }

    /// The id of what the MARC record says that it describes.
    pub(super) fn described_id(&self) -> Option<Uuid> {
        has_id(&self.record, 'i').and_then(|id| Uuid::parse_str(id).ok())
    }
}
