//! `GET /octavo/offline/due-dates`: the due dates of loans in the next three days at a service point by the present rules and policies,
//! for each patron group and each kind of item in its locations.

use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use octavo_circulation::closed_library::ServicePointHours;
use octavo_circulation::due_date::{ExpectedDueDate, LoanDateSpan, due_dates_ahead};
use octavo_circulation::facts::PatronGroup;
use octavo_circulation::rules::Criteria;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::{ItemKind, KIND, KindRow, service_point_and_locations};
use crate::circulation::Desk;

const STEP: SignedDuration = SignedDuration::from_mins(15);
const STEPS: usize = 3 * 24 * 4;
/// The limit for kinds of items; the rules are applied to each with each group.
const MOST_KINDS: i64 = 1000;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let (service_point_id, locations) = service_point_and_locations(&request, &desk)?;
    let mut session = request.context.session().await?;
    let kinds: Vec<KindRow> =
        session.read(Statement::new(KINDS.as_str()).uuids(locations).long(MOST_KINDS)).await?;
    drop(session);
    let kinds: Vec<ItemKind> = kinds.into_iter().filter_map(ItemKind::from_row).collect();

    let mut chosen = ChosenPolicies { desk: &desk, policies: Vec::new() };
    let mut groups: Vec<&PatronGroup> = desk.groups().collect();
    groups.sort_by_key(|group| &group.name);
    let groups: Vec<Value> = groups
        .iter()
        .map(|group| {
            let policies: Vec<_> = kinds.iter().map(|kind| chosen.policy(&group.id, kind)).collect();
            json!({"id": group.id, "name": group.name, "policies": policies})
        })
        .collect();

    let from = start_of_quarter_hour(request.context.now);
    let place = ServicePointHours {
        zone: &desk.time_zone,
        calendar: Some(&*desk.calendar),
        service_point_id: Some(service_point_id),
    };
    let policies: Vec<Value> = chosen
        .policies
        .iter()
        .filter_map(|id| desk.policies.loan_policy_by_id(id))
        .map(|governing| {
            let spans = due_dates_ahead(&governing, place, from, STEP, STEPS);
            json!({"name": governing.policy.name, "spans": spans.iter().map(span_to_json).collect::<Vec<_>>()})
        })
        .collect();
    let kinds: Vec<Value> = kinds.iter().map(ItemKind::to_json).collect();
    Ok(Response::json(
        200,
        &json!({"from": folio_time(from), "kinds": kinds, "groups": groups, "policies": policies}),
    ))
}

/// The loan policies that the rules have chosen, each once, in the order in which they are answered.
struct ChosenPolicies<'a> {
    desk: &'a Desk,
    policies: Vec<String>,
}

impl ChosenPolicies<'_> {
    /// The place of the policy in the list; `None` if no rule applies, or its policy does not exist.
    fn policy(&mut self, group: &str, kind: &ItemKind) -> Option<usize> {
        let place = self.desk.location(Some(&kind.location))?;
        let criteria = Criteria {
            material_type: &kind.material_type,
            loan_type: &kind.loan_type,
            patron_group: group,
            location: &kind.location,
            library: place.library_id.as_deref().unwrap_or_default(),
            campus: place.campus_id.as_deref().unwrap_or_default(),
            institution: place.institution_id.as_deref().unwrap_or_default(),
        };
        let id = self.desk.policies.rules.as_ref()?.best_match(&criteria)?.policies.loan.clone();
        if let Some(known) = self.policies.iter().position(|policy| *policy == id) {
            return Some(known);
        }
        self.desk.policies.loan.contains_key(&id).then(|| {
            self.policies.push(id);
            self.policies.len() - 1
        })
    }
}

/// The beginning of the quarter of an hour.
fn start_of_quarter_hour(at: Timestamp) -> Timestamp {
    let seconds = at.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(STEP.as_secs())).unwrap_or(at)
}

fn span_to_json(span: &LoanDateSpan) -> Value {
    let mut shown = json!({"from": folio_time(span.from), "until": folio_time(span.until)});
    match &span.expected {
        ExpectedDueDate::DueAt(due) => shown["due"] = json!(folio_time(*due)),
        ExpectedDueDate::DueAfter(after) => shown["afterSeconds"] = json!(after.as_secs()),
        ExpectedDueDate::NotLent(reason) => shown["notLent"] = json!(reason),
    }
    shown
}

/// `$1` locations, `$2` how many kinds at most, those with most items first.
static KINDS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {KIND}\nfrom item i\nwhere i.\"effectiveLocationId\" = any($1)\n\
         group by 1, 2, 3\norder by count(*) desc\nlimit $2"
    )
});

octavo_pg::statements!(hot = [KINDS]);
