//! A virtual user: logs in once, then runs transactions, chosen at random by their shares, until the run ends.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chance::SeededRandom;
use crate::clock;
use crate::workflow::{Action, Call, LOOP, SERVER, Slot, Step, Take, USER, WhenMissing};

use super::plan::Plan;
use super::record::{CallEnd, CallSpan, Recorder};
use super::render::{SlotValue, Values, render_body, render_target, render_text, resolve_amount};
use super::session::{Session, TRACE_HEADER};
use super::stop::{Arrivals, RunEnd};
use super::told::{ServerTrace, TracedAnswer, TracedAnswers};

pub(super) struct User {
    pub(super) plan: Rc<Plan>,
    pub(super) session: Session,
    pub(super) recorder: Rc<RefCell<Recorder>>,
    pub(super) arrivals: Option<Rc<Arrivals>>,
    pub(super) stop: RunEnd,
    pub(super) chance: SeededRandom,
    /// The traced answers, if this user is traced. A traced user makes no pauses.
    pub(super) traced_answers: Option<TracedAnswers>,
    begun_transactions: Vec<u64>,
    values: Values,
    /// The intended start of the next call.
    due: Instant,
    /// The time of the calls of the current transaction, without pauses.
    spent: Duration,
    /// How late the first call of the transaction began.
    lateness: Duration,
    /// Transactions that failed one after the other.
    failures: u32,
}

/// The first pause after a failed transaction. It doubles with each further failure, so that a server that refuses everything is not asked
/// a thousand times a second.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Why a transaction ended before its last step.
enum EarlyEnd {
    Refused(u16),
    Failed(String),
    Stopped,
}

impl User {
    pub(super) fn new(
        plan: &Rc<Plan>,
        session: Session,
        recorder: &Rc<RefCell<Recorder>>,
        stop: &RunEnd,
        number: u32,
    ) -> User {
        let mut values = plan.values.clone();
        values.set(USER, number.to_string());
        values.set(SERVER, plan.address.origin().to_owned());
        User {
            plan: Rc::clone(plan),
            session,
            recorder: Rc::clone(recorder),
            arrivals: None,
            stop: stop.clone(),
            chance: SeededRandom::new(u64::from(number)),
            traced_answers: None,
            begun_transactions: vec![0; plan.workflow.transactions.len()],
            values,
            due: clock::now(),
            spent: Duration::ZERO,
            lateness: Duration::ZERO,
            failures: 0,
        }
    }

    pub(super) async fn run_transactions(mut self) -> anyhow::Result<()> {
        self.start().await?;
        let mut done = 0;
        let plan = Rc::clone(&self.plan);
        while !self.stop.is_over() && plan.test.loops.is_none_or(|most| done < most) {
            if let Some(arrivals) = &self.arrivals {
                self.due = arrivals.next();
                if !self.stop.wait_until(self.due).await {
                    break;
                }
            }
            let at = plan.draw_transaction(&mut self.chance);
            done += 1;
            self.run_transaction(at).await;
        }
        Ok(())
    }

    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        self.log_in().await?;
        self.due = clock::now();
        Ok(())
    }

    async fn log_in(&mut self) -> anyhow::Result<()> {
        if !self.session.can_log_in() {
            return Ok(());
        }
        let began = clock::now();
        self.session.log_in().await?;
        let span = CallSpan { intended: began, real: began.elapsed(), ended: clock::now() };
        self.recorder.borrow_mut().record_call(self.plan.log_in_label(), span, &CallEnd::Done, 0);
        Ok(())
    }

    pub(super) async fn run_transaction(&mut self, at: usize) {
        let plan = Rc::clone(&self.plan);
        let transaction = &plan.workflow.transactions[at];
        self.values.set(LOOP, self.begun_transactions[at].to_string());
        self.begun_transactions[at] += 1;
        for feeder in &transaction.feeders {
            let Some(row) = plan.feeders[*feeder].next_row() else {
                self.stop.end_without_rows(&plan.feeders[*feeder].name);
                return;
            };
            for (field, value) in plan.workflow.feeders[*feeder].fields.iter().zip(row) {
                self.values.set(field.slot, value);
            }
        }
        (self.spent, self.lateness) = (Duration::ZERO, clock::now().saturating_duration_since(self.due));
        let over = self.run_steps(&transaction.steps).await;
        let ended = clock::now();
        let intended = ended.checked_sub(self.spent + self.lateness).unwrap_or(ended);
        let span = CallSpan { intended, real: self.spent, ended };
        let end = match &over {
            Ok(()) => CallEnd::Done,
            Err(EarlyEnd::Refused(status)) => CallEnd::Refused(*status),
            Err(EarlyEnd::Failed(why)) => CallEnd::Failed(why),
            Err(EarlyEnd::Stopped) => return,
        };
        self.recorder.borrow_mut().record_transaction(at, span, &end);
        if !matches!(end, CallEnd::Failed(_)) {
            self.failures = 0;
            return;
        }
        let wait = FIRST_WAIT.saturating_mul(1 << self.failures.min(10)).min(LONGEST_WAIT);
        self.failures += 1;
        self.stop.wait_until(clock::now() + wait).await;
        self.due = clock::now();
    }

    fn run_steps<'u>(
        &'u mut self,
        steps: &'u [Step],
    ) -> Pin<Box<dyn Future<Output = Result<(), EarlyEnd>> + 'u>> {
        Box::pin(async move {
            for step in steps {
                if step.only_if.as_ref().is_none_or(|asked| self.values.meets(asked)) {
                    self.run_step(&step.action).await?;
                }
            }
            Ok(())
        })
    }

    async fn run_step(&mut self, act: &Action) -> Result<(), EarlyEnd> {
        match act {
            Action::Call(at) => {
                let plan = Rc::clone(&self.plan);
                self.run_call(&plan.workflow.calls[*at]).await?;
            }
            Action::Think(..) if self.traced_answers.is_some() => {}
            Action::Think(from, to) => {
                let pause = self.chance.between(*from, *to) * self.plan.test.think_factor;
                self.due = clock::now() + Duration::from_secs_f64(pause);
                if !self.stop.wait_until(self.due).await {
                    return Err(EarlyEnd::Stopped);
                }
            }
            Action::Steps(steps) => self.run_steps(steps).await?,
            Action::Choice(alternatives) => {
                let at = self.chance.weighted_index(alternatives.iter().map(|one| one.share));
                self.run_steps(&alternatives[at].steps).await?;
            }
            Action::Set(slot, text) => self.values.set(*slot, render_text(text, &self.values)),
            Action::Move { to, values } => {
                self.plan.feeders[*to]
                    .push_row(values.iter().map(|slot| self.values.text(*slot).into_owned()).collect());
            }
            Action::Repeat { times, steps } => {
                for _ in 0..resolve_amount(*times, &self.values).unwrap_or(0) {
                    self.run_steps(steps).await?;
                }
            }
            Action::Each { value, list, steps } => {
                let SlotValue::Many(found) = self.values.0[*list].clone() else { return Ok(()) };
                for one in found {
                    self.values.set(*value, one);
                    self.run_steps(steps).await?;
                }
            }
        }
        Ok(())
    }

    async fn run_call(&mut self, call: &Call) -> Result<(), EarlyEnd> {
        let plan = Rc::clone(&self.plan);
        let path = render_target(&call.target, &self.values);
        if plan.test.preflights {
            self.preflight(call.method, &path).await;
        }
        let body =
            match call.body.as_ref().map(|one| render_body(one, &self.values, &plan.feeders)).transpose() {
                Ok(body) => body,
                Err(error) => {
                    self.stop.end_without_rows(&error.to_string());
                    return Err(EarlyEnd::Stopped);
                }
            };
        let mut headers = String::new();
        for (name, value) in &call.headers {
            headers.extend([name, ": ", &render_text(value, &self.values), "\r\n"]);
        }
        if self.traced_answers.is_some() {
            headers.push_str(TRACE_HEADER);
        }
        let (mut answer, mut span) = self.send_timed(call.method, &path, &headers, body.as_deref()).await;
        let expired = answer.as_ref().is_ok_and(|answer| answer.status == 401) && !call.is_expected(401);
        if expired && self.session.can_log_in() && self.log_in().await.is_ok() {
            self.due = clock::now();
            (answer, span) = self.send_timed(call.method, &path, &headers, body.as_deref()).await;
        }
        if let (Some(hearing), Ok(answer)) = (&self.traced_answers, &answer) {
            let told = answer.header("x-octavo-trace").and_then(ServerTrace::parse);
            hearing.borrow_mut().push(TracedAnswer { label: call.label, real: span.real, trace: told });
        }
        let over = match &answer {
            Err(error) => Err(EarlyEnd::Failed(format!("{error:#}"))),
            Ok(answer) if call.refused.contains(&answer.status) => Err(EarlyEnd::Refused(answer.status)),
            Ok(answer) if !call.is_expected(answer.status) => Err(EarlyEnd::Failed(answer.summary())),
            Ok(answer) => self.take_values(call, &answer.body).map_err(EarlyEnd::Failed),
        };
        let bytes = answer.map_or(0, |answer| answer.body.len());
        let mut recorder = self.recorder.borrow_mut();
        match &over {
            Ok(()) => recorder.record_call(call.label, span, &CallEnd::Done, bytes),
            Err(EarlyEnd::Refused(status)) => {
                recorder.record_call(call.label, span, &CallEnd::Refused(*status), bytes);
            }
            Err(EarlyEnd::Failed(why)) => {
                recorder.record_call(call.label, span, &CallEnd::Failed(&error_kind(why)), bytes);
            }
            Err(EarlyEnd::Stopped) => {}
        }
        drop(recorder);
        over.map_err(|over| match over {
            EarlyEnd::Failed(why) => {
                let label = &self.plan.workflow.labels[call.label];
                self.stop.note_error_example(|| format!("{label}: {why}"));
                EarlyEnd::Failed(label.clone())
            }
            other => other,
        })
    }

    async fn send_timed(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: Option<&str>,
    ) -> (anyhow::Result<crate::http::Answer>, CallSpan) {
        // A connection is kept; what it takes to open one is not part of an answer's time.
        if let Err(error) = self.session.connection.ensure_connected().await {
            let now = clock::now();
            return (Err(error), CallSpan { intended: self.due, real: Duration::ZERO, ended: now });
        }
        let began = clock::now();
        let answer = self.session.send(method, path, headers, body).await;
        (answer, self.span_since(began))
    }

    /// The times of a call that has just ended. The next call is intended to begin at this end.
    fn span_since(&mut self, began: Instant) -> CallSpan {
        let ended = clock::now();
        let span = CallSpan { intended: self.due.min(began), real: ended - began, ended };
        self.spent += span.real;
        self.due = ended;
        span
    }

    async fn preflight(&mut self, method: &str, path: &str) {
        let began = clock::now();
        let answer = self.session.preflight(method, path).await;
        let span = self.span_since(began);
        let mut recorder = self.recorder.borrow_mut();
        let label = self.plan.preflight_label();
        match answer {
            Ok(answer) if answer.status < 300 => recorder.record_call(label, span, &CallEnd::Done, 0),
            Ok(answer) => recorder.record_call(label, span, &CallEnd::Failed(&answer.status.to_string()), 0),
            Err(error) => recorder.record_call(label, span, &CallEnd::Failed(&format!("{error:#}")), 0),
        }
    }

    /// Takes values out of the answer for later steps; an error says what it lacks.
    fn take_values(&mut self, call: &Call, bytes: &[u8]) -> Result<(), String> {
        if !call.find.is_empty() {
            let text = String::from_utf8_lossy(bytes);
            for find in &call.find {
                let value = find.pattern.captures(&text).and_then(|groups| groups.get(1));
                let value =
                    value.map(|value| value.as_str().to_owned()).or_else(|| find.default_text.clone());
                self.values.set(find.slot, value.ok_or_else(|| self.missing_value_error(find.slot))?);
            }
        }
        if call.take.is_empty() {
            return Ok(());
        }
        let replaced = |take: &Take| matches!(take.when_missing, WhenMissing::Text(_));
        let document = match serde_json::from_slice(bytes) {
            Ok(document) => document,
            Err(_) if call.take.iter().all(replaced) => Value::Null,
            Err(_) => return Err("the answer is no JSON".to_owned()),
        };
        for take in &call.take {
            let mut found = take.path.texts(&document);
            let at = if take.any { self.chance.below(found.len()) } else { 0 };
            self.values.0[take.slot] = match &take.when_missing {
                _ if take.path.is_many() && !take.any => SlotValue::Many(found),
                _ if at < found.len() => SlotValue::One(found.swap_remove(at)),
                WhenMissing::Text(text) => SlotValue::One(text.clone()),
                WhenMissing::Nothing => SlotValue::Nothing,
                WhenMissing::Error => return Err(self.missing_value_error(take.slot)),
            };
        }
        Ok(())
    }

    fn missing_value_error(&self, slot: Slot) -> String {
        format!("the answer has no {}", self.plan.workflow.names[slot])
    }
}

/// Errors are counted by kind: a status, or a sentence of the laboratory's own.
fn error_kind(why: &str) -> String {
    match why.get(..3).filter(|start| start.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(status) => status.to_owned(),
        None => why.chars().take(120).collect(),
    }
}
