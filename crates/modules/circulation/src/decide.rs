//! Drives all decisions: gathers the facts, has the pure decision make a plan of them, and commits the plan, all in one transaction.
//! It repeats a decision after a conflict, and stores nothing if the client only tries it.
//!
//! Facts, rules and record types are those of the [`Decision`]; this file knows none.

use std::sync::Arc;

use octavo_circulation::Undecided;
use octavo_engine::{Context, Snapshot};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Answers, Batch, DbError, Session, Statement, Usage};

/// How often a decision is attempted when there is a conflict: a deadlock, or an item that went to another borrower while the decision
/// waited. Each attempt that fails in this way was overtaken by another decision that was committed.
const ATTEMPTS: usize = 10;

pub(crate) trait Decision: Sync {
    type Facts: Send + Sync;
    type Plan: Planned;

    /// Takes the locks in their order and reads the facts, in one round trip.
    fn gather(&self, attempt: &mut Attempt<'_>) -> impl Future<Output = Result<Self::Facts, Setback>> + Send;

    /// Reads what the decision has asked for by [`Undecided::ReadMore`]; the transaction and its locks are still there.
    fn gather_more(
        &self,
        attempt: &mut Attempt<'_>,
        _facts: Self::Facts,
    ) -> impl Future<Output = Result<Self::Facts, Setback>> + Send {
        self.gather(attempt)
    }

    /// A pure function: it uses no database, clock or random numbers.
    fn decide(&self, facts: &Self::Facts) -> Result<Self::Plan, Undecided>;
}

/// The result of a decision: data, and the statements that store it.
pub(crate) trait Planned: Send + Sync {
    /// Adds what else follows from the plan in this library, before it is written.
    fn add_consequences(&mut self, _snapshot: &Snapshot) {}

    fn statements(&self, context: &Context) -> Outcome<Vec<Statement>>;

    /// The fault, with FOLIO's message, if the database refuses the writes of the plan.
    fn refused(&self, _context: &Context, error: DbError) -> Fault {
        error.into()
    }

    /// Tells this process what other processes learn from the database.
    fn notify_committed(&self, _context: &Context) {}
}

/// A decision, and statements that run before its own, in the same transaction.
pub(crate) struct WithStatements<'a, D: Decision> {
    pub(crate) decision: D,
    pub(crate) statements: StatementsOfPlan<'a, D::Plan>,
}

/// A function that makes further statements of a plan, which are committed with it.
pub(crate) type StatementsOfPlan<'a, P> = &'a (dyn Fn(&P) -> Vec<Statement> + Sync);

pub(crate) struct PlanWithStatements<P> {
    pub(crate) plan: P,
    statements: Vec<Statement>,
}

impl<D: Decision> Decision for WithStatements<'_, D> {
    type Facts = D::Facts;
    type Plan = PlanWithStatements<D::Plan>;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<D::Facts, Setback> {
        self.decision.gather(attempt).await
    }

    async fn gather_more(&self, attempt: &mut Attempt<'_>, facts: D::Facts) -> Result<D::Facts, Setback> {
        self.decision.gather_more(attempt, facts).await
    }

    fn decide(&self, facts: &D::Facts) -> Result<PlanWithStatements<D::Plan>, Undecided> {
        let plan = self.decision.decide(facts)?;
        Ok(PlanWithStatements { statements: (self.statements)(&plan), plan })
    }
}

impl<P: Planned> Planned for PlanWithStatements<P> {
    fn add_consequences(&mut self, snapshot: &Snapshot) {
        self.plan.add_consequences(snapshot);
    }

    fn statements(&self, context: &Context) -> Outcome<Vec<Statement>> {
        let mut statements = self.statements.clone();
        statements.extend(self.plan.statements(context)?);
        Ok(statements)
    }

    fn refused(&self, context: &Context, error: DbError) -> Fault {
        self.plan.refused(context, error)
    }

    fn notify_committed(&self, context: &Context) {
        self.plan.notify_committed(context);
    }
}

#[derive(Debug)]
pub(crate) enum Setback {
    /// The decision refuses; the client gets this fault.
    Refused(Fault),
    /// A fact of the decision has changed, or a deadlock has ended the transaction: another attempt may succeed.
    Overtaken(DbError),
}

impl From<DbError> for Setback {
    fn from(error: DbError) -> Setback {
        if error.is_conflict() { Setback::Overtaken(error) } else { Setback::Refused(error.into()) }
    }
}

impl From<Fault> for Setback {
    fn from(fault: Fault) -> Setback {
        Setback::Refused(fault)
    }
}

impl From<Setback> for Fault {
    fn from(setback: Setback) -> Fault {
        match setback {
            Setback::Refused(fault) => fault,
            Setback::Overtaken(error) => error.into(),
        }
    }
}

/// One attempt at a decision: its transaction, and the settings that it goes by.
pub(crate) struct Attempt<'a> {
    pub(crate) context: &'a Context,
    pub(crate) snapshot: Arc<Snapshot>,
    /// Whether the whole request queue is read. At first only a part of a long queue is; all of it if the decision needs more, and at the
    /// last attempt.
    pub(crate) reads_whole_queue: bool,
    session: Session,
    begun: bool,
    attempts_left: usize,
}

pub(crate) async fn decide<D: Decision>(context: &Context, decision: &D) -> Outcome<D::Plan> {
    let mut attempt = Attempt::start(context).await?;
    loop {
        let made = attempt.run(decision).await;
        if let Some(plan) = attempt.finish(made).await? {
            return Ok(plan);
        }
    }
}

/// Gathers the facts of a decision without deciding; no lock remains.
pub(crate) async fn gather_facts<D: Decision>(context: &Context, decision: &D) -> Outcome<D::Facts> {
    let mut attempt = Attempt::start(context).await?;
    loop {
        let gathered = decision.gather(&mut attempt).await;
        if let Some(facts) = attempt.finish(gathered).await? {
            return Ok(facts);
        }
    }
}

/// Writes a plan and commits the open transaction. If the client only tries, the database checks the writes, and they are rolled back.
pub(crate) async fn write<P: Planned>(
    context: &Context,
    session: &mut Session,
    plan: &P,
) -> Result<(), Setback> {
    let statements = plan.statements(context)?;
    let written = if context.dry_run {
        let tried = session.batch(statements).await;
        session.rollback().await?;
        tried
    } else {
        session.commit(statements).await
    };
    match written {
        Ok(_) if context.dry_run => {}
        Ok(_) => plan.notify_committed(context),
        Err(error) if error.is_conflict() => return Err(Setback::Overtaken(error)),
        Err(error) => return Err(plan.refused(context, error).into()),
    }
    Ok(())
}

fn make_plan<D: Decision>(usage: &Usage, decision: &D, facts: &D::Facts) -> Result<D::Plan, Undecided> {
    let _deciding = usage.begin_step("decide");
    decision.decide(facts)
}

impl<'a> Attempt<'a> {
    /// Takes the snapshot before the connection, because reading it may need one.
    async fn start(context: &'a Context) -> Outcome<Attempt<'a>> {
        let snapshot = context.snapshot().await?;
        let session = context.session().await?;
        Ok(Attempt {
            context,
            snapshot,
            reads_whole_queue: false,
            session,
            begun: false,
            attempts_left: ATTEMPTS,
        })
    }

    /// One round trip; the first opens the transaction.
    pub(crate) async fn ask(&mut self, batch: Batch) -> Result<Answers, DbError> {
        match std::mem::replace(&mut self.begun, true) {
            true => batch.send(&mut self.session).await,
            false => batch.begin(&mut self.session).await,
        }
    }

    /// Gives the decision the settings in force since the locks are held; their `version` was read with the facts. If newer settings require
    /// `other` statements than were sent, the decision begins anew.
    pub(crate) async fn use_newest_settings(
        &mut self,
        version: i64,
        other: impl Fn(&Snapshot, &Snapshot) -> bool,
    ) -> Result<(), Setback> {
        if self.snapshot.version != version {
            let (tenant, snapshots) = (&self.context.tenant.id, &self.context.platform.snapshots);
            let newest = snapshots.reload_over(tenant, &mut self.session).await?;
            let before = std::mem::replace(&mut self.snapshot, newest);
            if other(&before, &self.snapshot) {
                return Err(DbError::conflict("the settings of the library").into());
            }
        }
        Ok(())
    }

    async fn run<D: Decision>(&mut self, decision: &D) -> Result<D::Plan, Setback> {
        let usage = &self.context.usage;
        let gathering = usage.begin_step("gather");
        let facts = decision.gather(self).await?;
        drop(gathering);
        let decided = match make_plan(usage, decision, &facts) {
            Err(Undecided::ReadMore) => {
                self.reads_whole_queue = true;
                let gathering = usage.begin_step("gather more");
                let facts = decision.gather_more(self, facts).await?;
                drop(gathering);
                make_plan(usage, decision, &facts)
            }
            decided => decided,
        };
        let mut plan = decided.map_err(|undecided| match undecided {
            Undecided::Refused(fault) => fault,
            Undecided::ReadMore => Fault::internal("a decision asks for more than there is"),
        })?;
        plan.add_consequences(&self.snapshot);
        let _writing = usage.begin_step("write");
        write(self.context, &mut self.session, &plan).await?;
        Ok(plan)
    }

    /// The result of an attempt; `None` if there has to be another one.
    async fn finish<T>(&mut self, made: Result<T, Setback>) -> Outcome<Option<T>> {
        self.session.rollback().await?;
        self.attempts_left -= 1;
        match made {
            Ok(made) => Ok(Some(made)),
            Err(Setback::Overtaken(why)) if self.attempts_left > 0 => {
                tracing::info!(%why, "a decision is made anew");
                self.context.usage.count_retry();
                // The remembered snapshot may be older than the one that this attempt has read.
                let known = self.context.snapshot_over(&mut self.session).await?;
                if known.version > self.snapshot.version {
                    self.snapshot = known;
                }
                (self.begun, self.reads_whole_queue) =
                    (false, self.reads_whole_queue || self.attempts_left == 1);
                Ok(None)
            }
            Err(setback) => Err(setback.into()),
        }
    }
}
