//! A match profile carried out for one record.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::document::id_of;
use super::progress::Progress;
use super::stop::{Done, fail};
use super::world::World;
use crate::journal::{Action, Entity};
use crate::matching::{Existing, Lookup, Matching, Values};
use crate::need::{Answer, Need, Stored};

/// Records that a match leaves to the next one at most; of MARC records there may be more.
const MOST_LEFT: usize = 90;
const MOST_MARC_LEFT: usize = 5_000;

const SEVERAL: &str =
    "org.folio.processing.exceptions.MatchingException: Found multiple records matching specified conditions";

impl Progress {
    /// Whether anything was found.
    pub(super) fn match_records(
        &mut self,
        matching: &Matching,
        narrowed: bool,
        with_holdings: bool,
        world: &World<'_>,
    ) -> Done<bool> {
        let entity = matching.shape.entity;
        if entity.is_marc() && entity != self.format.marc() {
            return fail("Match detail is invalid");
        }
        let found = match matching.values(&self.record, world.reference) {
            None => {
                self.left = None;
                self.log_not_matched(entity, 1);
                return Ok(false);
            }
            Some(values) => self.found(matching, values, narrowed, with_holdings)?,
        };
        if found && !matches!(entity, Entity::MarcBibliographic | Entity::MarcAuthority | Entity::Authority) {
            self.log_matched(entity);
        } else if !found && !matches!(entity, Entity::Holdings | Entity::Item) {
            self.log_not_matched(entity, 1);
        }
        Ok(found)
    }

    fn found(
        &mut self,
        matching: &Matching,
        values: Values,
        narrowed: bool,
        with_holdings: bool,
    ) -> Done<bool> {
        let entity = matching.shape.entity;
        let lookup = self.lookup(matching, values, narrowed);
        if entity.is_marc() {
            return self.found_marc(lookup, narrowed, with_holdings);
        }
        let documents = if matches!(matching.shape.existing, Existing::OrderLine(_)) {
            let lines = self.ask_documents(Need::OrderLines(lookup.clone()))?;
            let Some(lookup) = by_order_lines(&lookup, entity, &lines) else {
                self.left = None;
                return Ok(self.nothing(entity));
            };
            self.ask_documents(Need::Lookup(lookup))?
        } else {
            self.ask_documents(Need::Lookup(lookup.clone()))?
        };
        self.left = None;
        if matches!(entity, Entity::Holdings | Entity::Item)
            && let Values::Texts(texts) = &lookup.values
            && texts.len() > 1
            && !matches!(matching.shape.existing, Existing::OrderLine(_))
        {
            return self.found_by_each(&lookup, texts, &documents);
        }
        match documents.as_slice() {
            [] => Ok(self.nothing(entity)),
            [one] => {
                self.take(entity, vec![Arc::clone(one)]);
                Ok(true)
            }
            several if narrowed => {
                let ids = several.iter().take(MOST_LEFT).filter_map(|one| id_of(one)).collect();
                self.left = Some((entity, ids));
                Ok(true)
            }
            several => fail(format!("{SEVERAL}: {}", shown(several.iter().filter_map(|one| id_of(one))))),
        }
    }

    fn lookup(&self, matching: &Matching, values: Values, narrowed: bool) -> Lookup {
        let entity = matching.shape.entity;
        let several = matches!(entity, Entity::Holdings | Entity::Item);
        let limit = match &values {
            _ if narrowed && entity.is_marc() => MOST_MARC_LEFT,
            _ if narrowed => MOST_LEFT,
            Values::Texts(texts) if several => 2 * texts.len(),
            _ => 2,
        };
        Lookup { shape: Arc::clone(&matching.shape), values, within: self.within(entity), limit }
    }

    /// Holdings and items: each value is matched by itself, and all that are found are taken.
    fn found_by_each(&mut self, lookup: &Lookup, texts: &[String], documents: &[Arc<Value>]) -> Done<bool> {
        let entity = lookup.shape.entity;
        let (mut taken, mut errors, mut nothing): (Vec<Arc<Value>>, Vec<String>, usize) =
            (Vec::new(), Vec::new(), 0);
        for text in texts {
            let single = Lookup { values: Values::Texts(vec![text.clone()]), ..lookup.clone() };
            let mut found = documents.iter().filter(|document| single.takes(document));
            match (found.next(), found.next()) {
                (None, _) => nothing += 1,
                (Some(one), None) => {
                    if !taken.iter().any(|there| there["id"] == one["id"]) {
                        taken.push(Arc::clone(one));
                    }
                }
                (Some(_), Some(_)) => errors.push(format!("{SEVERAL}: {text}")),
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
        self.take(entity, taken);
        Ok(true)
    }

    fn found_marc(&mut self, lookup: Lookup, narrowed: bool, with_holdings: bool) -> Done<bool> {
        let entity = lookup.shape.entity;
        let found = self.ask_marc(Need::Lookup(lookup))?;
        match found.as_slice() {
            [] => {
                self.left = None;
                Ok(false)
            }
            [one] => {
                self.take_marc(entity, one, with_holdings)?;
                Ok(true)
            }
            several if narrowed && entity == Entity::MarcBibliographic => {
                let ids = several.iter().take(MOST_MARC_LEFT).filter_map(|one| one.describes).collect();
                self.left = Some((Entity::Instance, ids));
                Ok(true)
            }
            _ if entity == Entity::MarcBibliographic => fail(format!(
                "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', jobExecutionId: '{}'",
                self.id, self.job
            )),
            _ => fail(SEVERAL),
        }
    }

    /// A matched bibliographic record brings its instance along, and its holdings if there is one record of them.
    fn take_marc(&mut self, entity: Entity, one: &Arc<Stored>, with_holdings: bool) -> Done<()> {
        let described = one.describes.filter(|_| entity == Entity::MarcBibliographic);
        let Some(id) = described else {
            self.left = None;
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
        self.left = None;
        self.marc = Some(Arc::clone(one));
        self.instance = instance;
        if holdings.len() == 1 {
            self.holdings = Some(holdings);
        }
        Ok(())
    }

    fn take(&mut self, entity: Entity, mut documents: Vec<Arc<Value>>) {
        match entity {
            Entity::Holdings => self.holdings = Some(documents),
            Entity::Item => self.items = Some(documents),
            Entity::Authority => self.authority = documents.pop(),
            _ => self.instance = documents.pop(),
        }
    }

    fn nothing(&mut self, entity: Entity) -> bool {
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

    /// Of holdings and items only what was not found is told; what was found is told by what is done with it.
    fn log_matched(&mut self, entity: Entity) {
        if !matches!(entity, Entity::Holdings | Entity::Item) {
            self.log_match(entity, Action::Match);
        }
    }
}

/// The instances, holdings, or items of the holdings, that order lines are for.
fn by_order_lines(lookup: &Lookup, entity: Entity, lines: &[Arc<Value>]) -> Option<Lookup> {
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

fn shown(ids: impl Iterator<Item = Uuid>) -> String {
    ids.take(5).map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}
