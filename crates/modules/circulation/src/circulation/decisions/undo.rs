//! `POST /octavo/loans/{id}/undo` undoes the last operation on a loan. It takes the locks of any decision about the loan, then those
//! of the records that it restores.

use std::borrow::Cow;

use octavo_circulation::facts::Facts;
use octavo_circulation::notice::{DecisionFacts, announce_undone};
use octavo_circulation::plan::{PlaceChange, Plan, QueueOf, RecordKind};
use octavo_circulation::{StoredDecision, Undecided, UndoFacts, undo};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::CIRCULATION_ITEM;
use octavo_pg::{AnswerHandle, Batch, Statement};
use octavo_record::{RecordType, table_name};
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::commit::record_type;
use crate::circulation::gather::{DeskSubject, gather};
use crate::circulation::ops::{loan_id, with_explanation};
use crate::circulation::places::length_statement;
use crate::decide::{Attempt, Decision, Setback, decide};

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let plan = decide(&request.context, &Undoing { loan: loan_id(&request)? }).await?;
    Ok(with_explanation(&request, Response::json_text(200, &plan.response), &plan))
}

struct Undoing<'a> {
    loan: &'a str,
}

/// The facts about the loan and about the decision to undo.
struct UndoingFacts {
    desk: Facts,
    undo: UndoFacts,
}

impl Decision for Undoing<'_> {
    type Facts = UndoingFacts;
    type Plan = Plan;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<UndoingFacts, Setback> {
        let desk = gather(attempt, &DeskSubject::loan("undoing", self.loan)).await?;
        let mut batch = Batch::default();
        let id = Uuid::parse_str(self.loan).unwrap_or_default();
        let last = batch.ask::<Option<Value>>(Statement::new(LAST).uuid(id));
        let last = attempt.ask(batch).await?.first(last).flatten();
        let decision: Option<StoredDecision<'static>> =
            last.and_then(|kept| serde_json::from_value(kept).ok());
        let (records, queue_lengths) = match &decision {
            Some(decision) => read_changed(attempt, decision).await?,
            None => Default::default(),
        };
        let undo = UndoFacts {
            now: attempt.context.now,
            acting_user_id: desk.acting_user_id.clone(),
            records,
            queue_lengths,
            decision,
            fees: desk.lost.accounts.iter().map(|account| account.id().to_owned()).collect(),
        };
        Ok(UndoingFacts { desk, undo })
    }

    fn decide(&self, facts: &UndoingFacts) -> Result<Plan, Undecided> {
        let mut plan = undo(&facts.undo)?;
        if let Some(undone) = &facts.undo.decision {
            announce_undone(DecisionFacts { facts: &facts.desk, items: &[] }, undone, &mut plan);
        }
        Ok(plan)
    }
}

type Changed = (Vec<(RecordKind, Value)>, Vec<(QueueOf, i64)>);

/// Reads the present state of the records that the decision changed, and the lengths of the queues that a request left.
async fn read_changed(attempt: &mut Attempt<'_>, decision: &StoredDecision<'_>) -> Result<Changed, Setback> {
    let mut kinds: Vec<RecordKind> = decision.changes.iter().map(|change| change.record).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let left = |change: &Cow<'_, PlaceChange>| match &**change {
        PlaceChange::CloseGap { queue, .. } => Some(queue.clone()),
        _ => None,
    };
    let queues: Vec<QueueOf> = decision.places.iter().filter_map(left).collect();
    if kinds.is_empty() && queues.is_empty() {
        return Ok(Changed::default());
    }
    let mut batch = Batch::default();
    let mut records: Vec<(RecordKind, AnswerHandle<Option<Value>>)> = Vec::with_capacity(kinds.len() + 1);
    for kind in kinds {
        records.push((kind, batch.ask(records_of(decision, kind, record_type(kind)))));
        if kind == RecordKind::Item && Desk::from_snapshot(&attempt.snapshot).has_partners {
            records.push((kind, batch.ask(records_of(decision, kind, &CIRCULATION_ITEM))));
        }
    }
    let lengths: Vec<(QueueOf, AnswerHandle<i64>)> = queues
        .into_iter()
        .map(|queue| {
            let asked = batch.ask(length_statement(&queue));
            (queue, asked)
        })
        .collect();
    let answers = attempt.ask(batch).await?;
    let of_kind = |(kind, asked)| answers.all(asked).into_iter().flatten().map(move |record| (kind, record));
    let records = records.into_iter().flat_map(of_kind).collect();
    let lengths = lengths.into_iter().map(|(queue, asked)| (queue, answers.first(asked).unwrap_or_default()));
    Ok((records, lengths.collect()))
}

fn records_of(decision: &StoredDecision<'_>, kind: RecordKind, record: &RecordType) -> Statement {
    let changed = decision.changes.iter().filter(|change| change.record == kind);
    let ids = changed.filter_map(|change| Uuid::parse_str(&change.id).ok()).collect();
    let (document, table) = (record.response_document_sql("t"), table_name(record));
    Statement::new(format!(
        "select ({document})::text from {table} t where id = any($1) order by id for no key update of t"
    ))
    .uuids(ids)
}

const LAST: &str = "\
select doc::text
from decision
where \"loanId\" = $1 and doc ->> 'undone' = 'false'
order by doc ->> 'at' desc, id desc
limit 1
for no key update";

octavo_pg::statements!(hot = [LAST]);
