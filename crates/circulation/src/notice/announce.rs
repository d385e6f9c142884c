//! Adds the notices to a finished plan.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fees::announce_fees;
use super::fines::fine_event;
use super::schedule::{NoticeOccasion, schedule};
use crate::document::{Document, text, time};
use crate::facts::{Facts, Item, Patron, TitleTemplates};
use crate::governing::apply_rules;
use crate::plan::{Notice, NoticeReason, NoticeSubject, Plan, RecordKind, Unscheduled, Write, event};
use crate::policy::{ConfiguredNotice, Format, NoticePolicy};
use crate::reminders::next_reminder;
use crate::request::is_closed;
use crate::status::RequestStatus::{self, AwaitingPickup, Cancelled, Filled};
use crate::status::{OpenOrClosed, RequestType};
use crate::trace::Step;

/// The facts from which a plan was made.
#[derive(Debug, Clone, Copy)]
pub struct DecisionFacts<'a> {
    pub facts: &'a Facts,
    /// Further items, beside that of the facts.
    pub items: &'a [Item],
}

pub(super) struct ChosenPolicy<'a> {
    pub(super) policy: &'a NoticePolicy,
    pub(super) because: NoticeReason,
}

pub fn announce(world: DecisionFacts<'_>, plan: &mut Plan) {
    announce_fees(&world.facts.charging, plan);
    if world.facts.policies.overdue_fine.values().any(|policy| policy.reminders().is_some()) {
        world.schedule_reminders(plan);
    }
    let any = world.facts.policies.notice.values().any(NoticePolicy::has_notices);
    if any || *world.facts.title_templates != TitleTemplates::default() {
        world.announce_loans(plan);
        world.announce_requests(plan);
        world.announce_fines(plan);
    }
}

impl<'a> DecisionFacts<'a> {
    fn announce_loans(self, plan: &mut Plan) {
        for loan in plan.recalled_again.clone() {
            let (Some(about), Some(borrower)) =
                (text(&loan, &["id"]).map(NoticeSubject::from_loan_id), text(&loan, &["userId"]))
            else {
                continue;
            };
            if let Some(chosen) = self.policy_of_loan(&loan) {
                chosen.send(event::RECALLED, borrower, &about, plan);
            }
        }
        for (name, loan) in notified_loan_events(plan) {
            let Some(about) = text(&loan, &["id"]).map(NoticeSubject::from_loan_id) else { continue };
            let (event, path): (_, &[&str]) = match name {
                "ITEM_CHECKED_OUT" | "LOAN_DUE_DATE_CHANGED" => (event::DUE_DATE, &["dueDate"]),
                "ITEM_AGED_TO_LOST" => (event::AGED_TO_LOST, &["agedToLostDelayedBilling", "agedToLostDate"]),
                _ => continue,
            };
            let is_changed = name == "LOAN_DUE_DATE_CHANGED";
            if is_changed {
                plan.unscheduled.push(Unscheduled::all(about.clone(), event));
            }
            let Some(borrower) = text(&loan, &["userId"]) else { continue };
            let Some(chosen) = self.policy_of_loan(&loan) else { continue };
            if is_changed {
                chosen.send(due_date_event(&loan, plan), borrower, &about, plan);
            }
            if let Some(at) = time(&loan, path) {
                chosen.schedule(event, at, borrower, &about, plan);
            }
        }
    }

    /// Schedules the first reminder of the loan's overdue fine policy; a new due date begins the reminders anew.
    fn schedule_reminders(self, plan: &mut Plan) {
        for (name, loan) in loan_events(plan) {
            let policies = &self.facts.policies.overdue_fine;
            let policy = text(&loan, &["overdueFinePolicyId"]).and_then(|id| policies.get(id));
            let Some(policy) = policy.filter(|policy| policy.reminders().is_some()) else { continue };
            let (Some(loan_id), Some(due)) = (text(&loan, &["id"]), time(&loan, &["dueDate"])) else {
                continue;
            };
            match name {
                "LOAN_DUE_DATE_CHANGED" => {
                    plan.unscheduled
                        .push(Unscheduled::all(NoticeSubject::from_loan_id(loan_id), event::REMINDER));
                }
                "ITEM_CHECKED_OUT" => {}
                _ => continue,
            }
            let open = !OpenOrClosed::Closed.is_of(&loan);
            let place = self.facts.service_point_hours(text(&loan, &["checkoutServicePointId"]));
            let next = next_reminder(policy, &loan, due, place, false).filter(|_| open);
            plan.scheduled.extend(next.map(|next| next.notice));
        }
    }

    fn announce_requests(self, plan: &mut Plan) {
        let made = |step: &Step| matches!(step, Step::RequestMade { .. });
        let steps: Vec<Step> = plan
            .trace
            .iter()
            .filter(|step| made(step) || matches!(step, Step::RequestChanged { .. }))
            .cloned()
            .collect();
        for step in steps {
            match step {
                Step::RequestMade { request_id, .. } => {
                    self.announce_request(&request_id, RequestChange::Made, plan);
                }
                Step::RequestChanged { request_id, from, to } if from == to => {
                    self.announce_request(&request_id, RequestChange::Edited, plan);
                }
                Step::RequestChanged { request_id, to, .. } => {
                    self.announce_request(
                        &request_id,
                        RequestChange::HasStatus(RequestStatus::spelled(&to)),
                        plan,
                    );
                }
                _ => {}
            }
        }
    }

    fn announce_request(self, id: &str, change: RequestChange, plan: &mut Plan) {
        let Some(request) = plan.last_written(RecordKind::Request, id).cloned() else { return };
        let Some(requester_id) = text(&request, &["requesterId"]) else { return };
        let about = NoticeSubject { request_id: Some(id.to_owned()), ..NoticeSubject::default() };
        // A request that is filled or cancelled no longer expires.
        if let RequestChange::HasStatus(Some(Cancelled | Filled)) = change {
            let of_time = [event::REQUEST_EXPIRATION, event::HOLD_EXPIRATION, event::TITLE_EXPIRATION];
            plan.unscheduled.extend(of_time.map(|name| Unscheduled::all(about.clone(), name)));
        }
        let chosen = match text(&request, &["itemId"]) {
            Some(item_id) => self.policy_for_item(item_id, self.requester(id, requester_id)),
            None => return self.announce_title_request(&request, requester_id, &about, change, plan),
        };
        let Some(chosen) = chosen else { return };
        let name = match change {
            RequestChange::Made => creation_event(&request),
            RequestChange::Edited => None,
            RequestChange::HasStatus(status) => status.and_then(status_event),
        };
        if let Some(name) = name {
            chosen.send(name, requester_id, &about, plan);
        }
        for (name, field) in
            [(event::REQUEST_EXPIRATION, REQUEST_EXPIRES), (event::HOLD_EXPIRATION, HOLD_SHELF_EXPIRES)]
        {
            if let Some(at) = self.changed_expiration(&request, field, name, &about, change, plan) {
                chosen.schedule(name, at, requester_id, &about, plan);
            }
        }
    }

    /// When a request now expires, if that has changed. Notices for the former time are removed.
    fn changed_expiration(
        self,
        request: &Value,
        field: &str,
        name: &'static str,
        about: &NoticeSubject,
        change: RequestChange,
        plan: &mut Plan,
    ) -> Option<jiff::Timestamp> {
        if is_closed(request) {
            return None;
        }
        let at = time(request, &[field]);
        let stored = self.facts.queue.iter().find(|queued| Some(queued.id()) == text(request, &["id"]));
        let before = stored.and_then(|queued| time(&queued.record, &[field]));
        let is_new = match change {
            RequestChange::Made => true,
            // The item is on the hold shelf again; the notices about the first time may already be written.
            RequestChange::HasStatus(Some(AwaitingPickup)) if name == event::HOLD_EXPIRATION => true,
            RequestChange::HasStatus(_) | RequestChange::Edited => stored.is_some() && before != at,
        };
        if is_new && before.is_some() {
            plan.unscheduled.push(Unscheduled::all(about.clone(), name));
        }
        at.filter(|_| is_new)
    }

    /// For a request without an item no circulation rule applies: the tenant's settings name the templates.
    fn announce_title_request(
        self,
        request: &Value,
        requester_id: &str,
        about: &NoticeSubject,
        change: RequestChange,
        plan: &mut Plan,
    ) {
        let (template, name) = match change {
            RequestChange::Made => (&self.facts.title_templates.confirmation, creation_event(request)),
            RequestChange::HasStatus(Some(Cancelled)) => {
                (&self.facts.title_templates.cancellation, Some(event::CANCELLED))
            }
            RequestChange::HasStatus(_) | RequestChange::Edited => (&None, None),
        };
        if let (Some(template), Some(name)) = (template, name) {
            plan.notices.push(Notice {
                event: name.to_owned(),
                because: NoticeReason::default(),
                template_id: template.clone(),
                format: Format::Email,
                recipient_id: requester_id.to_owned(),
                about: about.clone(),
            });
        }
        let Some(template) = &self.facts.title_templates.expiration else { return };
        let name = event::TITLE_EXPIRATION;
        if let Some(expires) = self.changed_expiration(request, REQUEST_EXPIRES, name, about, change, plan) {
            let configured = serde_json::json!({
                "requestNotices": [{"templateId": template, "format": "Email", "realTime": true,
                    "sendOptions": {"sendWhen": name, "sendHow": "Upon At"}}],
            });
            let policy: NoticePolicy = serde_json::from_value(configured).unwrap_or_default();
            let chosen = ChosenPolicy { policy: &policy, because: NoticeReason::default() };
            chosen.schedule(name, expires, requester_id, about, plan);
        }
    }

    /// The notices about automatic fines, and about refunds for a lost item that was returned.
    fn announce_fines(self, plan: &mut Plan) {
        let actions = plan.writes.iter().filter_map(|write| match write {
            Write::Insert { record: RecordKind::FeeFineAction, document, .. } => Some(document.clone()),
            _ => None,
        });
        for action in actions.collect::<Vec<_>>() {
            let account =
                text(&action, &["accountId"]).and_then(|id| plan.last_written(RecordKind::Account, id));
            let Some(account) = account else { continue };
            let Some(loan_id) = text(account, &["loanId"]) else { continue };
            // The loan of a lost item may have ended long ago.
            let ended = self.facts.lost.loan.as_ref().map(|loan| &loan.record);
            let ended = ended.filter(|loan| text(loan, &["id"]) == Some(loan_id));
            let loan = plan.last_written(RecordKind::Loan, loan_id).or(ended);
            let Some(name) = fine_event(&action, account, loan.map(|loan| &**loan), plan) else { continue };
            let overdue = matches!(name, event::FINE_RETURNED | event::FINE_RENEWED);
            let overdue =
                overdue.then(|| Unscheduled::late(NoticeSubject::from_loan_id(loan_id), event::DUE_DATE));
            let charged = time(&action, &["dateAction"]).unwrap_or_else(|| self.facts.now());
            let about = NoticeSubject {
                fee_fine_action_id: text(&action, &["id"]).map(str::to_owned),
                ..NoticeSubject::from_loan_id(loan_id)
            };
            let recipient = text(account, &["userId"]).map(str::to_owned);
            let borrower = self.facts.patron.as_ref();
            let borrower = borrower.filter(|patron| Some(patron.id()) == recipient.as_deref());
            let chosen = match (borrower, loan) {
                (None, Some(loan)) => self.policy_of_loan(loan),
                _ => text(account, &["itemId"]).and_then(|item| self.policy_for_item(item, borrower)),
            };
            plan.unscheduled.extend(overdue);
            if let (Some(chosen), Some(recipient)) = (chosen, recipient) {
                let session = session_of_plan(plan).filter(|_| name == event::FINE_RETURNED);
                let matter = NoticeOccasion {
                    event: name,
                    at: charged,
                    recipient_id: &recipient,
                    about: &about,
                    session_id: session.as_deref(),
                };
                chosen.add(matter, plan);
            }
        }
    }

    pub(super) fn policy_of_loan(self, loan: &Value) -> Option<ChosenPolicy<'a>> {
        let item_id = text(loan, &["itemId"])?;
        let borrower =
            self.facts.patron.as_ref().filter(|patron| Some(patron.id()) == text(loan, &["userId"]));
        match borrower {
            Some(borrower) => self.policy_for_item(item_id, Some(borrower)),
            // The facts of a recall and of ageing to lost have no borrower.
            None => {
                let group = text(loan, &["patronGroupIdAtCheckout"])?;
                let record = serde_json::json!({"patronGroup": group});
                self.policy_for_item(item_id, Some(&Patron { record, ..Patron::default() }))
            }
        }
    }

    fn requester(self, request_id: &str, requester_id: &str) -> Option<&'a Patron> {
        let queued = self.facts.queue.iter().find(|request| request.id() == request_id);
        let queued = queued.and_then(|request| request.requester.as_ref());
        queued.or_else(|| self.facts.patron.as_ref().filter(|patron| patron.id() == requester_id))
    }

    /// The policy that the rules set for an item and a patron, if it wants any notice.
    fn policy_for_item(self, item_id: &str, patron: Option<&Patron>) -> Option<ChosenPolicy<'a>> {
        let mut items = self.facts.item.iter().chain(self.items);
        let item = items.find(|item| item.id() == item_id)?;
        let found = apply_rules(&self.facts.policies, item, patron).ok()?;
        let policy =
            self.facts.policies.notice.get(&found.policies.notice).filter(|policy| policy.has_notices())?;
        let because = NoticeReason {
            policy_id: Some(policy.id.clone()),
            policy_name: policy.name.clone(),
            rule_line: Some(found.line),
        };
        Some(ChosenPolicy { policy, because })
    }

    /// The notice upon an event that the patron's policy for an item wants, and why.
    pub(super) fn first_notice_for_item(
        self,
        item_id: &str,
        patron: &Patron,
        event: &'a str,
    ) -> Option<(&'a ConfiguredNotice, NoticeReason)> {
        let chosen = self.policy_for_item(item_id, Some(patron))?;
        Some((chosen.policy.first_notice_upon(event)?, chosen.because))
    }
}

impl ChosenPolicy<'_> {
    fn send(&self, event: &str, recipient_id: &str, about: &NoticeSubject, plan: &mut Plan) {
        plan.notices.extend(self.policy.first_notice_upon(event).map(|configured| Notice {
            event: event.to_owned(),
            because: self.because.clone(),
            template_id: configured.template_id.clone(),
            format: configured.format,
            recipient_id: recipient_id.to_owned(),
            about: about.clone(),
        }));
    }

    fn schedule(
        &self,
        event: &str,
        at: jiff::Timestamp,
        recipient_id: &str,
        about: &NoticeSubject,
        plan: &mut Plan,
    ) {
        self.add(NoticeOccasion { event, at, recipient_id, about, session_id: None }, plan);
    }

    fn add(&self, matter: NoticeOccasion<'_>, plan: &mut Plan) {
        plan.scheduled.extend(schedule(self.policy, &self.because, matter, None));
    }
}

const REQUEST_EXPIRES: &str = "requestExpirationDate";
const HOLD_SHELF_EXPIRES: &str = "holdShelfExpirationDate";

#[derive(Debug, Clone, Copy)]
enum RequestChange {
    Made,
    Edited,
    HasStatus(Option<RequestStatus>),
}

/// The patron's visit that the plan belongs to.
fn session_of_plan(plan: &Plan) -> Option<String> {
    let (_, session) = plan.documents(RecordKind::PatronActionSession).next()?;
    text(session, &["sessionId"]).map(str::to_owned)
}

/// The events of the plan about loans, each once for a loan.
fn loan_events(plan: &Plan) -> Vec<(&'static str, Document)> {
    let mut seen = BTreeSet::new();
    let of = |event: &crate::plan::Event| {
        let id = text(&event.payload, &["loanId"])?;
        let loan = plan.last_written(RecordKind::Loan, id)?;
        seen.insert((event.name, id.to_owned())).then(|| (event.name, loan.clone()))
    };
    plan.events.iter().filter_map(of).collect()
}

/// The events of the plan about loans, except the due date of a loan that a client has just created as a record: FOLIO sends its borrower
/// no notice.
fn notified_loan_events(plan: &Plan) -> Vec<(&'static str, Document)> {
    let made = |loan: &Value| {
        let opened =
            |step: &Step| matches!(step, Step::LoanOpened { loan_id } if loan["id"] == loan_id.as_str());
        plan.trace.iter().any(opened)
    };
    let told = |(name, loan): &(&str, Document)| *name != "LOAN_DUE_DATE_CHANGED" || !made(loan);
    loan_events(plan).into_iter().filter(told).collect()
}

/// The event of a notice about a changed due date. It follows from the steps of the plan, because the loan's `action` may be of an earlier
/// operation.
fn due_date_event(loan: &Value, plan: &Plan) -> &'static str {
    let requested = |step: &Step| matches!(step, Step::RequestMade { .. } | Step::RequestMoved { .. });
    if plan.trace.iter().any(|step| matches!(step, Step::LoanRenewed { .. })) {
        event::RENEWED
    } else if text(loan, &["action"]) == Some("recallrequested") && plan.trace.iter().any(requested) {
        event::RECALLED
    } else {
        event::DUE_DATE_CHANGED
    }
}

fn creation_event(request: &Value) -> Option<&'static str> {
    Some(match RequestType::spelled(text(request, &["requestType"])?)? {
        RequestType::Page => event::PAGING,
        RequestType::Hold => event::HOLD,
        RequestType::Recall => event::RECALL,
    })
}

fn status_event(status: RequestStatus) -> Option<&'static str> {
    match status {
        AwaitingPickup => Some(event::AVAILABLE),
        Cancelled => Some(event::CANCELLED),
        _ => None,
    }
}
