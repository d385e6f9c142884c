//! A virtual user: logs in once, then walks through transactions, drawn by their shares, until it is told to stop.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chance::Chance;
use crate::clock;
use crate::workflow::{Act, Call, LOOP, Lacking, SERVER, Slot, Step, Take, USER};

use super::plan::Plan;
use super::record::{End, Recorder, Span};
use super::render::{Held, Values, amount, body, fill, target};
use super::session::{Session, TRACED};
use super::stop::{Arrivals, Stop};
use super::told::{Heard, Hearing, Told};

pub(super) struct User {
    pub(super) plan: Rc<Plan>,
    pub(super) session: Session,
    pub(super) recorder: Rc<RefCell<Recorder>>,
    pub(super) arrivals: Option<Rc<Arrivals>>,
    pub(super) stop: Stop,
    pub(super) chance: Chance,
    /// The figures that the server reports, for a user who is traced and makes no pauses.
    pub(super) hearing: Option<Hearing>,
    begun: Vec<u64>,
    values: Values,
    /// When the next call was to begin.
    due: Instant,
    /// The time of the calls of the current transaction, without pauses.
    spent: Duration,
    /// How late the first call of the transaction began.
    late: Duration,
    /// Transactions that failed one after the other.
    failures: u32,
}

/// A server that refuses everything at once is not asked a thousand times a second: after each failure a user waits for twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Why a transaction ended before its last step.
enum Over {
    Refused(u16),
    Failed(String),
    Stopped,
}

impl User {
    pub(super) fn new(
        plan: &Rc<Plan>,
        session: Session,
        recorder: &Rc<RefCell<Recorder>>,
        stop: &Stop,
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
            chance: Chance::new(u64::from(number)),
            hearing: None,
            begun: vec![0; plan.workflow.transactions.len()],
            values,
            due: clock::now(),
            spent: Duration::ZERO,
            late: Duration::ZERO,
            failures: 0,
        }
    }

    pub(super) async fn walk(mut self) -> anyhow::Result<()> {
        self.begin().await?;
        let mut done = 0;
        let plan = Rc::clone(&self.plan);
        while !self.stop.is_over() && plan.test.loops.is_none_or(|most| done < most) {
            if let Some(arrivals) = &self.arrivals {
                self.due = arrivals.next();
                if !self.stop.wait_until(self.due).await {
                    break;
                }
            }
            let at = plan.draw(&mut self.chance);
            done += 1;
            self.transaction(at).await;
        }
        Ok(())
    }

    pub(super) async fn begin(&mut self) -> anyhow::Result<()> {
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
        let span = Span { intended: began, real: began.elapsed(), ended: clock::now() };
        self.recorder.borrow_mut().call(self.plan.log_in_label(), span, &End::Done, 0);
        Ok(())
    }

    pub(super) async fn transaction(&mut self, at: usize) {
        let plan = Rc::clone(&self.plan);
        let transaction = &plan.workflow.transactions[at];
        self.values.set(LOOP, self.begun[at].to_string());
        self.begun[at] += 1;
        for feeder in &transaction.feeders {
            let Some(row) = plan.feeders[*feeder].take() else {
                self.stop.ran_out(&plan.feeders[*feeder].name);
                return;
            };
            for (field, value) in plan.workflow.feeders[*feeder].fields.iter().zip(row) {
                self.values.set(field.slot, value);
            }
        }
        (self.spent, self.late) = (Duration::ZERO, clock::now().saturating_duration_since(self.due));
        let over = self.steps(&transaction.steps).await;
        let ended = clock::now();
        let intended = ended.checked_sub(self.spent + self.late).unwrap_or(ended);
        let span = Span { intended, real: self.spent, ended };
        let end = match &over {
            Ok(()) => End::Done,
            Err(Over::Refused(status)) => End::Refused(*status),
            Err(Over::Failed(why)) => End::Failed(why),
            Err(Over::Stopped) => return,
        };
        self.recorder.borrow_mut().transaction(at, span, &end);
        if !matches!(end, End::Failed(_)) {
            self.failures = 0;
            return;
        }
        let wait = FIRST_WAIT.saturating_mul(1 << self.failures.min(10)).min(LONGEST_WAIT);
        self.failures += 1;
        self.stop.wait_until(clock::now() + wait).await;
        self.due = clock::now();
    }

    fn steps<'u>(&'u mut self, steps: &'u [Step]) -> Pin<Box<dyn Future<Output = Result<(), Over>> + 'u>> {
        Box::pin(async move {
            for step in steps {
                if step.only_if.as_ref().is_none_or(|asked| self.values.meets(asked)) {
                    self.step(&step.act).await?;
                }
            }
            Ok(())
        })
    }

    async fn step(&mut self, act: &Act) -> Result<(), Over> {
        match act {
            Act::Call(at) => {
                let plan = Rc::clone(&self.plan);
                self.call(&plan.workflow.calls[*at]).await?;
            }
            Act::Think(..) if self.hearing.is_some() => {}
            Act::Think(from, to) => {
                let pause = self.chance.between(*from, *to) * self.plan.test.think;
                self.due = clock::now() + Duration::from_secs_f64(pause);
                if !self.stop.wait_until(self.due).await {
                    return Err(Over::Stopped);
                }
            }
            Act::Steps(steps) => self.steps(steps).await?,
            Act::Choice(alternatives) => {
                let at = self.chance.drawn(alternatives.iter().map(|one| one.share));
                self.steps(&alternatives[at].steps).await?;
            }
            Act::Set(slot, text) => self.values.set(*slot, fill(text, &self.values)),
            Act::Move { to, values } => {
                self.plan.feeders[*to]
                    .add(values.iter().map(|slot| self.values.text(*slot).into_owned()).collect());
            }
            Act::Repeat { times, steps } => {
                for _ in 0..amount(*times, &self.values).unwrap_or(0) {
                    self.steps(steps).await?;
                }
            }
            Act::Each { value, list, steps } => {
                let Held::Many(found) = self.values.0[*list].clone() else { return Ok(()) };
                for one in found {
                    self.values.set(*value, one);
                    self.steps(steps).await?;
                }
            }
        }
        Ok(())
    }

    async fn call(&mut self, call: &Call) -> Result<(), Over> {
        let plan = Rc::clone(&self.plan);
        let path = target(&call.target, &self.values);
        if plan.test.preflights {
            self.preflight(call.method, &path).await;
        }
        let body = match call.body.as_ref().map(|one| body(one, &self.values, &plan.feeders)).transpose() {
            Ok(body) => body,
            Err(error) => {
                self.stop.ran_out(&error.to_string());
                return Err(Over::Stopped);
            }
        };
        let mut headers = String::new();
        for (name, value) in &call.headers {
            headers.extend([name, ": ", &fill(value, &self.values), "\r\n"]);
        }
        if self.hearing.is_some() {
            headers.push_str(TRACED);
        }
        let (mut answer, mut span) = self.timed(call.method, &path, &headers, body.as_deref()).await;
        let expired = answer.as_ref().is_ok_and(|answer| answer.status == 401) && !call.is_expected(401);
        if expired && self.session.can_log_in() && self.log_in().await.is_ok() {
            self.due = clock::now();
            (answer, span) = self.timed(call.method, &path, &headers, body.as_deref()).await;
        }
        if let (Some(hearing), Ok(answer)) = (&self.hearing, &answer) {
            let told = answer.header("x-octavo-trace").and_then(Told::parse);
            hearing.borrow_mut().push(Heard { label: call.label, real: span.real, told });
        }
        let over = match &answer {
            Err(error) => Err(Over::Failed(format!("{error:#}"))),
            Ok(answer) if call.refused.contains(&answer.status) => Err(Over::Refused(answer.status)),
            Ok(answer) if !call.is_expected(answer.status) => Err(Over::Failed(answer.in_short())),
            Ok(answer) => self.take(call, &answer.body).map_err(Over::Failed),
        };
        let bytes = answer.map_or(0, |answer| answer.body.len());
        let mut recorder = self.recorder.borrow_mut();
        match &over {
            Ok(()) => recorder.call(call.label, span, &End::Done, bytes),
            Err(Over::Refused(status)) => recorder.call(call.label, span, &End::Refused(*status), bytes),
            Err(Over::Failed(why)) => recorder.call(call.label, span, &End::Failed(&kind_of(why)), bytes),
            Err(Over::Stopped) => {}
        }
        drop(recorder);
        over.map_err(|over| match over {
            Over::Failed(why) => {
                let label = &self.plan.workflow.labels[call.label];
                self.stop.example(|| format!("{label}: {why}"));
                Over::Failed(label.clone())
            }
            other => other,
        })
    }

    async fn timed(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: Option<&str>,
    ) -> (anyhow::Result<crate::http::Answer>, Span) {
        // A connection is kept; what it takes to open one is not part of an answer's time.
        if let Err(error) = self.session.connection.ready().await {
            let now = clock::now();
            return (Err(error), Span { intended: self.due, real: Duration::ZERO, ended: now });
        }
        let began = clock::now();
        let answer = self.session.send(method, path, headers, body).await;
        (answer, self.span_since(began))
    }

    /// The time of a call that has just ended; the next call is to begin at its end.
    fn span_since(&mut self, began: Instant) -> Span {
        let ended = clock::now();
        let span = Span { intended: self.due.min(began), real: ended - began, ended };
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
            Ok(answer) if answer.status < 300 => recorder.call(label, span, &End::Done, 0),
            Ok(answer) => recorder.call(label, span, &End::Failed(&answer.status.to_string()), 0),
            Err(error) => recorder.call(label, span, &End::Failed(&format!("{error:#}")), 0),
        }
    }

    /// Takes values out of the answer for later steps; an error says what it lacks.
    fn take(&mut self, call: &Call, bytes: &[u8]) -> Result<(), String> {
        if !call.find.is_empty() {
            let text = String::from_utf8_lossy(bytes);
            for find in &call.find {
                let value = find.pattern.captures(&text).and_then(|groups| groups.get(1));
                let value = value.map(|value| value.as_str().to_owned()).or_else(|| find.otherwise.clone());
                self.values.set(find.slot, value.ok_or_else(|| self.lacking(find.slot))?);
            }
        }
        if call.take.is_empty() {
            return Ok(());
        }
        let replaced = |take: &Take| matches!(take.lacking, Lacking::Text(_));
        let document = match serde_json::from_slice(bytes) {
            Ok(document) => document,
            Err(_) if call.take.iter().all(replaced) => Value::Null,
            Err(_) => return Err("the answer is no JSON".to_owned()),
        };
        for take in &call.take {
            let mut found = take.path.texts(&document);
            let at = if take.any { self.chance.below(found.len()) } else { 0 };
            self.values.0[take.slot] = match &take.lacking {
                _ if take.path.is_many() && !take.any => Held::Many(found),
                _ if at < found.len() => Held::One(found.swap_remove(at)),
                Lacking::Text(text) => Held::One(text.clone()),
                Lacking::Nothing => Held::Nothing,
                Lacking::Error => return Err(self.lacking(take.slot)),
            };
        }
        Ok(())
    }

    fn lacking(&self, slot: Slot) -> String {
        format!("the answer has no {}", self.plan.workflow.names[slot])
    }
}

/// Errors are counted by kind: a status, or a sentence of the laboratory's own.
fn kind_of(why: &str) -> String {
    match why.get(..3).filter(|start| start.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(status) => status.to_owned(),
        None => why.chars().take(120).collect(),
    }
}
