//! `GET /octavo/offline/due-dates`: the due dates of loans in the next three days at a service point by the present rules and policies,
//! for each patron group and each kind of item in its locations.

use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use octavo_circulation::closed_library::Place;
use octavo_circulation::due_date::{Expected, Span, due_dates_ahead};
use octavo_circulation::facts::PatronGroup;
use octavo_circulation::rules::Criteria;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::{KIND, Kind, KindRow, place};
use crate::circulation::Desk;

const STEP: SignedDuration = SignedDuration::from_mins(15);
const STEPS: usize = 3 * 24 * 4;
/// The limit for kinds of items; the rules are applied to each with each group.
const MOST_KINDS: i64 = 1000;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let (service_point_id, locations) = place(&request, &desk)?;
    let mut session = request.context.session().await?;
    let kinds: Vec<KindRow> =
        session.read(Statement::new(KINDS.as_str()).uuids(locations).long(MOST_KINDS)).await?;
    drop(session);
    let kinds: Vec<Kind> = kinds.into_iter().filter_map(Kind::of).collect();

    let mut chosen = Chosen { desk: &desk, policies: Vec::new() };
    let mut groups: Vec<&PatronGroup> = desk.groups().collect();
    groups.sort_by_key(|group| &group.name);
    let groups: Vec<Value> = groups
        .iter()
        .map(|group| {
            let policies: Vec<_> = kinds.iter().map(|kind| chosen.policy(&group.id, kind)).collect();
            json!({"id": group.id, "name": group.name, "policies": policies})
        })
        .collect();

    let from = quarter(request.context.now);
    let place = Place {
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
            json!({"name": governing.policy.name, "spans": spans.iter().map(shown).collect::<Vec<_>>()})
        })
        .collect();
    let kinds: Vec<Value> = kinds.iter().map(Kind::shown).collect();
    Ok(Response::json(
        200,
        &json!({"from": folio_time(from), "kinds": kinds, "groups": groups, "policies": policies}),
    ))
}

/// The loan policies that the rules have chosen, each once, in the order in which they are answered.
struct Chosen<'a> {
    desk: &'a Desk,
    policies: Vec<String>,
}

impl Chosen<'_> {
    /// The place of the policy in the list; `None` if no rule applies, or its policy does not exist.
    fn policy(&mut self, group: &str, kind: &Kind) -> Option<usize> {
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
        let id = self.desk.policies.rules.as_ref()?.best(&criteria)?.policies.loan.clone();
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
fn quarter(at: Timestamp) -> Timestamp {
    let seconds = at.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(STEP.as_secs())).unwrap_or(at)
}

fn shown(span: &Span) -> Value {
    let mut shown = json!({"from": folio_time(span.from), "until": folio_time(span.until)});
    match &span.expected {
        Expected::DueAt(due) => shown["due"] = json!(folio_time(*due)),
        Expected::DueAfter(after) => shown["afterSeconds"] = json!(after.as_secs()),
        Expected::NotLent(reason) => shown["notLent"] = json!(reason),
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
