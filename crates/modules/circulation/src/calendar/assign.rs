//! Makes a service point be open all the time, by a calendar that is known by its name.

use jiff::ToSpan;
use jiff::civil::{Weekday, time};
use octavo_calendar::{Calendar, NormalHours};
use octavo_circulation::Undecided;
use octavo_engine::{Context, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Batch, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::CALENDAR;
use super::change::{ALONE, Change};
use crate::decide::{Attempt, Decision, Setback, decide};

/// Assigns a service point without a calendar to the one with the name, which is made if there is none: it opens for ten years.
pub(crate) async fn assign(context: &Context, name: &'static str, service_point: Uuid) -> Outcome<()> {
    let snapshot = context.snapshot().await?;
    let point = json!(service_point);
    let has_calendar =
        |calendar: &Value| calendar["assignments"].as_array().is_some_and(|all| all.contains(&point));
    if snapshot.all(&CALENDAR).any(|(_, calendar)| has_calendar(calendar)) {
        return Ok(());
    }
    decide(context, &Assigning { context, name, service_point }).await?;
    Ok(())
}

struct Assigning<'a> {
    context: &'a Context,
    name: &'static str,
    service_point: Uuid,
}

impl Decision for Assigning<'_> {
    /// The calendar of that name.
    type Facts = Option<Value>;
    type Plan = Change;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<Option<Value>, Setback> {
        let mut batch = Batch::default();
        batch.ask::<()>(Statement::new(ALONE));
        let named = batch.ask::<Option<Value>>(Statement::new(NAMED).text(self.name));
        Ok(attempt.ask(batch).await?.first(named).flatten())
    }

    fn decide(&self, named: &Option<Value>) -> Result<Change, Undecided> {
        let context = self.context;
        let mut calendar = match named {
            Some(named) => Calendar::from_value(named.clone()).map_err(Fault::internal)?,
            None => self.always_open(),
        };
        if !calendar.assignments.contains(&self.service_point) {
            calendar.assignments.push(self.service_point);
        }
        let id = calendar.id.unwrap_or_default();
        let mut document = json!(calendar);
        document["metadata"] = metadata(context, named.as_ref(), &context.now_text());
        let write = match named {
            Some(_) => statements::overwrite(&CALENDAR, id, &document),
            None => statements::insert(&CALENDAR, id, &document),
        };
        Ok(Change { document, write })
    }
}

impl Assigning<'_> {
    fn always_open(&self) -> Calendar {
        let today = self.context.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        Calendar {
            id: Some(self.context.fresh_id()),
            name: self.name.to_owned(),
            start_date: today,
            end_date: today.saturating_add(10.years()),
            assignments: Vec::new(),
            normal_hours: vec![NormalHours {
                start_day: Weekday::Sunday,
                start_time: time(0, 0, 0, 0),
                end_day: Weekday::Saturday,
                end_time: time(23, 59, 0, 0),
            }],
            exceptions: Vec::new(),
        }
    }
}

const NAMED: &str = "select doc::text from calendars where doc ->> 'name' = $1 order by id limit 1";

octavo_pg::statements!(other = [NAMED]);
