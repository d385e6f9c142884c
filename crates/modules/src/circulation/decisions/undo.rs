//! `POST /octavo/loans/{id}/undo`: the last thing that was done to a loan is undone. The locks are those of any decision about
//! the loan; the records that the undoing restores are locked after them.

use std::borrow::Cow;
use std::sync::Arc;

use octavo_circulation::notice::{World, announce_undone};
use octavo_circulation::plan::{PlaceChange, Plan, QueueOf, RecordKind};
use octavo_circulation::{Remembered, UndoFacts};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, is_conflict};
use octavo_record::table_name;
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::commit::{commit, record_type};
use crate::circulation::gather::{About, FIRST_FEW, Named, Who, gather};
use crate::circulation::ops::{ATTEMPTS, anew, explained, loan_id};
use crate::circulation::places::length;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let plan = undo(&request).await?;
    Ok(explained(&request, Response::json_text(200, &plan.response), &plan))
}

async fn undo(request: &Request) -> Outcome<Plan> {
    let (context, id) = (&request.context, loan_id(request)?);
    let about = About {
        does: "undoing",
        item: Named::Loan(id),
        patron: Who::Borrower,
        heeds_blocks: false,
        lost: true,
    };
    let mut desk = Desk::now(context).await?;
    let mut session = context.session().await?;
    for _ in 1..ATTEMPTS {
        match attempt(context, &mut session, &about, &desk, id).await {
            Err(fault) if is_conflict(&fault) => desk = anew(context, &mut session, &fault).await?,
            other => return other,
        }
    }
    attempt(context, &mut session, &about, &desk, id).await
}

async fn attempt(
    context: &Context,
    session: &mut Session,
    about: &About<'_>,
    desk: &Arc<Desk>,
    id: &str,
) -> Outcome<Plan> {
    let facts = gather(context, session, about, desk, FIRST_FEW).await?;
    let facts = facts.facts(context, session, about, desk).await?;
    let last = session.rows(Statement::new(LAST).uuid(Uuid::parse_str(id).unwrap_or_default())).await?;
    let decision: Option<Remembered<'static>> =
        last.first().and_then(|row| row.json(0)).and_then(|kept| serde_json::from_value(kept).ok());
    let undoing = UndoFacts {
        now: context.now,
        acting_user_id: facts.acting_user_id.clone(),
        records: match &decision {
            Some(decision) => records(session, decision).await?,
            None => Vec::new(),
        },
        queue_lengths: match &decision {
            Some(decision) => queue_lengths(session, decision).await?,
            None => Vec::new(),
        },
        decision,
        fees: facts.lost.accounts.iter().map(|account| account.id().to_owned()).collect(),
    };
    match octavo_circulation::undo(&undoing) {
        Ok(mut plan) => {
            if let Some(undone) = &undoing.decision {
                let world = World { facts: &facts, items: &[], title: &desk.title_templates };
                announce_undone(world, undone, &mut plan);
            }
            commit(context, session, &plan).await?;
            Ok(plan)
        }
        Err(fault) => {
            session.rollback().await?;
            Err(fault)
        }
    }
}

/// What the decision changed, as it is now.
async fn records(
    session: &mut Session,
    decision: &Remembered<'_>,
) -> Outcome<Vec<(RecordKind, serde_json::Value)>> {
    let mut kinds: Vec<RecordKind> = decision.changes.iter().map(|change| change.record).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let read = |kind: &RecordKind| {
        let changed = decision.changes.iter().filter(|change| change.record == *kind);
        let ids = changed.filter_map(|change| Uuid::parse_str(&change.id).ok()).collect();
        let record = record_type(*kind);
        let (document, table) = (record.document("t"), table_name(record));
        let sql = format!(
            "select ({document})::text from {table} t where id = any($1) order by id for no key update of t"
        );
        Statement::new(sql).uuids(ids)
    };
    let found = session.batch(kinds.iter().map(read).collect()).await?;
    let documents = kinds.into_iter().zip(found).flat_map(|(kind, rows)| {
        rows.into_iter().filter_map(move |row| Some((kind, row.json(0)?))).collect::<Vec<_>>()
    });
    Ok(documents.collect())
}

/// Of the queues that somebody has left by the decision.
async fn queue_lengths(session: &mut Session, decision: &Remembered<'_>) -> Outcome<Vec<(QueueOf, i64)>> {
    let left = |change: &Cow<'_, PlaceChange>| match &**change {
        PlaceChange::CloseGap { queue, .. } => Some(queue.clone()),
        _ => None,
    };
    let queues: Vec<QueueOf> = decision.places.iter().filter_map(left).collect();
    if queues.is_empty() {
        return Ok(Vec::new());
    }
    let counted = session.batch(queues.iter().map(length).collect()).await?;
    let lengths = counted.iter().map(|rows| rows.first().map_or(0, |row| row.long(0)));
    Ok(queues.into_iter().zip(lengths).collect())
}

const LAST: &str = "\
select doc::text
from decision
where \"loanId\" = $1 and doc ->> 'undone' = 'false'
order by doc ->> 'at' desc, id desc
limit 1
for no key update";

octavo_pg::statements!(hot = [LAST]);
