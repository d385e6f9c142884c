use super::progress::Progress;
use super::stop::{StepResult, Stop};
use super::world::{Format, World};
use crate::journal::{Action, Entity};
use crate::plan::{Act, JOB_ID, Kind, Plan, RECORD_ID};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The questions in [`Progress::needs`] have to be answered.
    Needs,
    /// The record is finished: [`Progress::outcome`] has the result.
    Done,
}

impl Plan {
    /// Takes a record through the plan until it is finished or has a question.
    pub fn step(&self, progress: &mut Progress, world: &World<'_>) -> Step {
        if !progress.needs().is_empty() {
            return Step::Needs;
        }
        while let Some(node) = progress.current_node.and_then(|place| self.node(place)) {
            progress.start_over();
            let done = match &node.kind {
                Kind::Match { matching, matched, narrowed } => progress
                    .match_records(matching, *narrowed, self.needs_holdings(), world)
                    .map(|found| if found { *matched } else { node.next }),
                Kind::Act(act) => progress.carry_out(act, world).map(|()| node.next),
            };
            match done {
                Ok(next) => progress.go_to(next),
                Err(Stop::NeedsAnswers) => return Step::Needs,
                Err(Stop::Failed(why)) => {
                    progress.log_failure(&node.kind, &why);
                    progress.go_to(None);
                }
            }
            if progress.current_node.is_none() {
                progress.log_last_match(&node.kind);
            }
        }
        Step::Done
    }
}

impl Progress {
    fn carry_out(&mut self, act: &Act, world: &World<'_>) -> StepResult<()> {
        let needs_bibliographic = !matches!(
            act,
            Act::CreateFromMarc(_)
                | Act::UpdateMarc(..)
                | Act::ModifyMarc(..)
                | Act::DeleteMarc(_)
                | Act::Refused { .. }
        );
        if needs_bibliographic && self.format != Format::Bibliographic {
            return super::stop::fail(
                "Failed to handle event payload, cause event payload context does not contain MARC_BIBLIOGRAPHIC data",
            );
        }
        match act {
            Act::CreateInstance(mapping) => self.create_instance(mapping, world),
            Act::UpdateInstance(mapping) => self.update_instance(mapping, world),
            Act::CreateHoldings(mapping) => self.create_holdings(mapping, world),
            Act::UpdateHoldings(mapping) => self.update_holdings(mapping, world),
            Act::CreateItem(mapping) => self.create_items(mapping, world),
            Act::UpdateItem(mapping) => self.update_items(mapping, world),
            Act::CreateFromMarc(entity) => self.create_from_marc(*entity, world),
            Act::UpdateMarc(entity, update) => self.update_marc(*entity, update, world),
            Act::ModifyMarc(entity, operations) => self.modify_marc(*entity, operations, world),
            Act::DeleteMarc(entity) => self.delete_marc(*entity),
            Act::Refused { why, .. } => {
                let [job, record] = [self.job, self.id].map(|id| id.to_string());
                super::stop::fail(why.replace(JOB_ID, &job).replace(RECORD_ID, &record))
            }
        }
    }
}

impl Act {
    /// The entity and the action that the log has for it.
    pub(super) fn entity_and_action(&self) -> (Entity, Action) {
        match self {
            Act::CreateInstance(_) => (Entity::Instance, Action::Create),
            Act::UpdateInstance(_) => (Entity::Instance, Action::Update),
            Act::CreateHoldings(_) => (Entity::Holdings, Action::Create),
            Act::UpdateHoldings(_) => (Entity::Holdings, Action::Update),
            Act::CreateItem(_) => (Entity::Item, Action::Create),
            Act::UpdateItem(_) => (Entity::Item, Action::Update),
            Act::CreateFromMarc(entity) => (*entity, Action::Create),
            Act::UpdateMarc(entity, _) => (*entity, Action::Update),
            Act::ModifyMarc(entity, _) => (*entity, Action::Modify),
            Act::DeleteMarc(entity) => (*entity, Action::Delete),
            Act::Refused { action, entity, .. } => (*entity, *action),
        }
    }
}
