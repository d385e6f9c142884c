use std::sync::Arc;

use octavo_marc::Record;
use serde_json::Value;
use uuid::Uuid;

use super::stop::{StepResult, Stop, fail};
use super::world::Format;
use super::writes::Writes;
use crate::journal::{Entity, JournalEntry};
use crate::marc::{Link, folio_id};
use crate::need::{Answer, Need, StoredMarc};
use crate::outcome::Outcome;
use crate::plan::Plan;

/// An incoming record.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The id of the source record.
    pub id: Uuid,
    pub job: Uuid,
    pub chunk: Uuid,
    /// The position of the record in its file, from 0.
    pub order: i32,
    pub format: Format,
    pub record: Record,
    /// Whether a new instance may take its id from 999 ff $i.
    pub accepts_instance_id: bool,
}

/// The state of a record in a plan.
#[derive(Debug, Clone)]
pub struct Progress {
    pub(super) id: Uuid,
    pub(super) job: Uuid,
    pub(super) chunk: Uuid,
    pub(super) order: i32,
    pub(super) format: Format,
    pub(super) accepts_instance_id: bool,
    /// The MARC record with all changes so far.
    pub(super) record: Record,
    /// The stored MARC record: the one that was matched, or the one that was made of the incoming record.
    pub(super) marc: Option<Arc<StoredMarc>>,
    pub(super) instance: Option<Arc<Value>>,
    pub(super) authority: Option<Arc<Value>>,
    pub(super) holdings: Option<Vec<Arc<Value>>>,
    pub(super) items: Option<Vec<Arc<Value>>>,
    /// Several records that a match has found and that the next match profile has to narrow down.
    pub(super) candidates: Option<(Entity, Vec<Uuid>)>,
    /// The tag of the fields that the holdings were made of, and the location of the holdings of each field.
    pub(super) split_tag: Option<String>,
    pub(super) split_locations: Vec<Option<String>>,
    /// Whether the holdings of changed items are loaded, because later profiles may change them.
    pub(super) loads_item_holdings: bool,
    pub(super) writes: Writes,
    pub(super) journal: Vec<JournalEntry>,
    pub(super) current_node: Option<usize>,
    answers: Vec<Vec<Answer>>,
    needs: Vec<Need>,
    round: usize,
}

impl Plan {
    pub fn begin(&self, incoming: Incoming) -> Progress {
        let mut record = incoming.record;
        if self.keeps_former_numbers()
            && let Some(number) = record.control_field("001").filter(|number| !number.is_empty())
        {
            let former = crate::marc::former_number(number, record.control_field("003"));
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
            candidates: None,
            split_tag: None,
            split_locations: Vec::new(),
            loads_item_holdings: self.updates_holdings(),
            writes: Writes::default(),
            journal: Vec::new(),
            current_node: self.first(),
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

    /// The open questions. As long as there are any, the caller answers them and calls [`Plan::step`] again.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Takes the answers, in the order of the questions.
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
        self.current_node = next;
        self.answers.clear();
        self.round = 0;
    }

    /// The answers, if the caller has given them. A profile that asks is run again from its beginning after the answers have come, so it
    /// must change nothing before its last question.
    pub(super) fn ask(&mut self, needs: Vec<Need>) -> StepResult<Vec<Answer>> {
        let round = self.round;
        self.round += 1;
        match self.answers.get(round) {
            Some(answers) => Ok(answers.clone()),
            None => {
                self.needs = needs;
                Err(Stop::NeedsAnswers)
            }
        }
    }

    pub(super) fn ask_documents(&mut self, need: Need) -> StepResult<Vec<Arc<Value>>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Documents(documents)) => Ok(documents),
            _ => fail("A question for records was answered with something else"),
        }
    }

    pub(super) fn ask_marc(&mut self, need: Need) -> StepResult<Vec<Arc<StoredMarc>>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Marc(records)) => Ok(records),
            _ => fail("A question for MARC records was answered with something else"),
        }
    }

    pub(super) fn ask_texts(&mut self, need: Need) -> StepResult<Vec<String>> {
        match self.ask(vec![need])?.pop() {
            Some(Answer::Texts(texts)) => Ok(texts),
            _ => fail("A question for texts was answered with something else"),
        }
    }

    pub(super) fn ask_hrids(&mut self, entity: Entity, count: usize) -> StepResult<Vec<String>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let hrids = self.ask_texts(Need::Hrids { entity, count })?;
        if hrids.len() < count { fail("Fewer hrids than asked for were given") } else { Ok(hrids) }
    }

    pub(super) fn ask_links(&mut self, instance: Uuid) -> StepResult<Arc<Vec<Link>>> {
        match self.ask(vec![Need::Links { instance }])?.pop() {
            Some(Answer::Links(links)) => Ok(links),
            _ => fail("A question for links was answered with something else"),
        }
    }

    /// The id of a new record. It is the same whenever this record is imported. `before` is the number of records of the same kind that
    /// earlier profiles have made.
    pub(super) fn new_record_id(&self, entity: Entity, before: usize, place: usize) -> Uuid {
        octavo_marc::derived_id(&self.id.to_string(), &format!("{}/{before}/{place}", entity.name()))
    }

    /// The id that all generations of the MARC record share.
    pub(super) fn matched_id(&self) -> Uuid {
        folio_id(&self.record, 's').and_then(|id| Uuid::parse_str(id).ok()).unwrap_or(self.id)
    }

    /// The id of the instance, holdings or authority in the MARC record's 999 ff $i.
    pub(super) fn described_id(&self) -> Option<Uuid> {
        folio_id(&self.record, 'i').and_then(|id| Uuid::parse_str(id).ok())
    }
}
