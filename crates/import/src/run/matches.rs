//! Carries out a match profile for one record.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::document::id_of;
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::World;
use crate::journal::{Action, Entity};
use crate::matching::{Existing, Lookup, Matching, Values};
use crate::need::{Answer, Need, StoredMarc};

/// The most records that a match passes on to the next match profile; for MARC records see below.
const MOST_LEFT: usize = 90;
const MOST_MARC_LEFT: usize = 5_000;

const SEVERAL_FOUND: &str =
    "org.folio.processing.exceptions.MatchingException: Found multiple records matching specified conditions";

impl Progress {
    /// Returns whether anything was found.
    pub(super) fn match_records(
        &mut self,
        matching: &Matching,
        narrowed: bool,
        with_holdings: bool,
        world: &World<'_>,
    ) -> StepResult<bool> {
        let entity = matching.shape.entity;
        if entity.is_marc() && entity != self.format.marc_entity() {
            return fail("Match detail is invalid");
        }
        let found = match matching.values(&self.record, world.reference) {
            None => {
                self.candidates = None;
                self.log_not_matched(entity, 1);
                return Ok(false);
            }
            Some(values) => self.find_matches(matching, values, narrowed, with_holdings)?,
        };
        if found && !matches!(entity, Entity::MarcBibliographic | Entity::MarcAuthority | Entity::Authority) {
            self.log_matched(entity);
        } else if !found && !matches!(entity, Entity::Holdings | Entity::Item) {
            self.log_not_matched(entity, 1);
        }
        Ok(found)
    }

    fn find_matches(
        &mut self,
        matching: &Matching,
        values: Values,
        narrowed: bool,
        with_holdings: bool,
    ) -> StepResult<bool> {
        let entity = matching.shape.entity;
        let lookup = self.new_lookup(matching, values, narrowed);
        if entity.is_marc() {
            return self.find_marc_matches(lookup, narrowed, with_holdings);
        }
        let documents = if matches!(matching.shape.existing, Existing::OrderLine(_)) {
            let lines = self.ask_documents(Need::OrderLines(lookup.clone()))?;
            let Some(lookup) = lookup_by_order_lines(&lookup, entity, &lines) else {
                self.candidates = None;
                return Ok(self.log_nothing_found(entity));
            };
            self.ask_documents(Need::Lookup(lookup))?
        } else {
            self.ask_documents(Need::Lookup(lookup.clone()))?
        };
        self.candidates = None;
        if matches!(entity, Entity::Holdings | Entity::Item)
            && let Values::Texts(texts) = &lookup.values
            && texts.len() > 1
            && !matches!(matching.shape.existing, Existing::OrderLine(_))
        {
            return self.match_each_value(&lookup, texts, &documents);
        }
        match documents.as_slice() {
            [] => Ok(self.log_nothing_found(entity)),
            [one] => {
                self.set_matched(entity, vec![Arc::clone(one)]);
                Ok(true)
            }
            several if narrowed => {
                let ids = several.iter().take(MOST_LEFT).filter_map(|one| id_of(one)).collect();
                self.candidates = Some((entity, ids));
                Ok(true)
            }
            several => {
                fail(format!("{SEVERAL_FOUND}: {}", join_ids(several.iter().filter_map(|one| id_of(one)))))
            }
        }
    }

    fn new_lookup(&self, matching: &Matching, values: Values, narrowed: bool) -> Lookup {
        let entity = matching.shape.entity;
        let several = matches!(entity, Entity::Holdings | Entity::Item);
        let limit = match &values {
            _ if narrowed && entity.is_marc() => MOST_MARC_LEFT,
            _ if narrowed => MOST_LEFT,
            Values::Texts(texts) if several => 2 * texts.len(),
            _ => 2,
        };
        Lookup { shape: Arc::clone(&matching.shape), values, within: self.match_scope(entity), limit }
    }

    /// For holdings and items: each value is matched by itself, and all records that are found are used.
    fn match_each_value(
        &mut self,
        lookup: &Lookup,
        texts: &[String],
        documents: &[Arc<Value>],
    ) -> StepResult<bool> {
        let entity = lookup.shape.entity;
        let (mut taken, mut errors, mut nothing): (Vec<Arc<Value>>, Vec<String>, usize) =
            (Vec::new(), Vec::new(), 0);
        for text in texts {
            let single = Lookup { values: Values::Texts(vec![text.clone()]), ..lookup.clone() };
            let mut found = documents.iter().filter(|document| single.matches_document(document));
            match (found.next(), found.next()) {
                (None, _) => nothing += 1,
                (Some(one), None) => {
                    if !taken.iter().any(|there| there["id"] == one["id"]) {
                        taken.push(Arc::clone(one));
                    }
                }
                (Some(_), Some(_)) => errors.push(format!("{SEVERAL_FOUND}: {text}")),
            }
        }
        if taken.is_empty() && errors.len() == texts.len() {
            return fail(errors.join("; "));
        }
        for error in errors {
            self.log_error(entity, Action::NonMatch, &error);
        }
        self.log_not_matched(entity, nothing);
        if taken.is_empty() {
            return Ok(false);
        }
        self.set_matched(entity, taken);
        Ok(true)
    }

    fn find_marc_matches(&mut self, lookup: Lookup, narrowed: bool, with_holdings: bool) -> StepResult<bool> {
        let entity = lookup.shape.entity;
        let found = self.ask_marc(Need::Lookup(lookup))?;
        match found.as_slice() {
            [] => {
                self.candidates = None;
                Ok(false)
            }
            [one] => {
                self.set_matched_marc(entity, one, with_holdings)?;
                Ok(true)
            }
            several if narrowed && entity == Entity::MarcBibliographic => {
                let ids = several.iter().take(MOST_MARC_LEFT).filter_map(|one| one.describes).collect();
                self.candidates = Some((Entity::Instance, ids));
                Ok(true)
            }
            _ if entity == Entity::MarcBibliographic => fail(format!(
                "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', jobExecutionId: '{}'",
                self.id, self.job
            )),
            _ => fail(SEVERAL_FOUND),
        }
    }

    /// Uses a matched MARC record. A bibliographic one brings its instance along, and its holdings if the instance has exactly one.
    fn set_matched_marc(
        &mut self,
        entity: Entity,
        one: &Arc<StoredMarc>,
        with_holdings: bool,
    ) -> StepResult<()> {
        let described = one.describes.filter(|_| entity == Entity::MarcBibliographic);
        let Some(id) = described else {
            self.candidates = None;
            self.marc = Some(Arc::clone(one));
            return Ok(());
        };
        let mut needs = vec![Need::Records { entity: Entity::Instance, ids: vec![id] }];
        if with_holdings {
            needs.push(Need::HoldingsOf { instance: id });
        }
        let mut answers = self.ask(needs)?.into_iter().map(|answer| match answer {
            Answer::Documents(documents) => documents,
            _ => Vec::new(),
        });
        let instance = answers.next().and_then(|mut instances| instances.pop());
        let holdings = answers.next().unwrap_or_default();
        self.candidates = None;
        self.marc = Some(Arc::clone(one));
        self.instance = instance;
        if holdings.len() == 1 {
            self.holdings = Some(holdings);
        }
        Ok(())
    }

    fn set_matched(&mut self, entity: Entity, mut documents: Vec<Arc<Value>>) {
        match entity {
            Entity::Holdings => self.holdings = Some(documents),
            Entity::Item => self.items = Some(documents),
            Entity::Authority => self.authority = documents.pop(),
            _ => self.instance = documents.pop(),
        }
    }

    fn log_nothing_found(&mut self, entity: Entity) -> bool {
        if matches!(entity, Entity::Holdings | Entity::Item) {
            self.log_not_matched(entity, 1);
        }
        false
    }

    fn log_not_matched(&mut self, entity: Entity, times: usize) {
        for _ in 0..times {
            self.log_match(entity, Action::NonMatch);
        }
    }

    /// Logs a match. For holdings and items only a failed match is logged; the later action logs a successful one.
    fn log_matched(&mut self, entity: Entity) {
        if !matches!(entity, Entity::Holdings | Entity::Item) {
            self.log_match(entity, Action::Match);
        }
    }
}

/// A lookup of the instances, the holdings, or the items of the holdings, that the order lines are for.
fn lookup_by_order_lines(lookup: &Lookup, entity: Entity, lines: &[Arc<Value>]) -> Option<Lookup> {
    let read = |value: &Value| value.as_str().and_then(|id| Uuid::parse_str(id).ok());
    let mut ids: Vec<Uuid> = if entity == Entity::Instance {
        lines.iter().filter_map(|line| read(&line["instanceId"])).collect()
    } else {
        let locations = lines.iter().flat_map(|line| line["locations"].as_array().into_iter().flatten());
        locations.filter_map(|location| read(&location["holdingId"])).collect()
    };
    ids.sort_unstable();
    ids.dedup();
    let path = if entity == Entity::Item { "holdingsRecordId" } else { "id" };
    let mut shape = lookup.shape.as_ref().clone();
    shape.existing = Existing::Member { path: path.to_owned(), only: None };
    shape.comparison = crate::matching::Comparison::Exactly;
    shape.part = None;
    shape.qualifier = None;
    let values = Values::Texts(ids.iter().map(Uuid::to_string).collect());
    (!ids.is_empty()).then(|| Lookup { shape: Arc::new(shape), values, ..lookup.clone() })
}

fn join_ids(ids: impl Iterator<Item = Uuid>) -> String {
    ids.take(5).map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}
