//! `POST /circulation/end-patron-action-session`, and the job that ends idle visits: for each template, a patron gets one notice about
//! all items that were lent or returned.

use jiff::{SignedDuration, Timestamp};
use octavo_circulation::notice::{VisitLoan, VisitNotice, notices_of_session};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_modules_base::configuration;
use octavo_pg::{Batch, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{NoticeSubjectIds, gather};
use super::{insert_notices, pending_row};
use crate::circulation::Desk;
use crate::circulation::gather::library_facts;

/// Ends the visits of a patron of one kind of action.
pub(crate) async fn end(context: &Context, patron: Uuid, action: &str) -> Outcome<()> {
    let desk = Desk::current(context).await?;
    let facts = library_facts(context, &desk);
    let mut session = context.session().await?;
    let mut batch = Batch::default();
    let ended = batch.ask::<Option<Uuid>>(Statement::new(END).uuid(patron).text(action));
    let loans: Vec<Uuid> = batch.begin(&mut session).await?.each(ended).flatten().collect();
    let sends = desk.policies.notice.values().any(octavo_circulation::policy::NoticePolicy::has_notices);
    let mut statements = Vec::new();
    if sends && !loans.is_empty() {
        let mut wanted = NoticeSubjectIds::default();
        let recipient = json!({"recipientId": patron});
        wanted.add(&recipient);
        loans.iter().for_each(|loan| wanted.loan(*loan));
        let found = gather(&mut session, &desk, wanted).await?;
        let visit: Vec<VisitLoan> = loans
            .iter()
            .filter_map(|id| found.loan(&id.to_string()))
            .map(|(loan, item)| VisitLoan { loan: loan.clone(), item: item.clone() })
            .collect();
        if let Some(user) = found.user_of(&recipient) {
            let notices = notices_of_session(&facts, user, action, &visit);
            let rows = notices.iter().map(|notice| visit_notice_to_json(notice, patron, &visit));
            statements = insert_notices(context, rows.collect());
        }
    }
    let rings = !statements.is_empty();
    session.commit(statements).await?;
    if rings {
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(())
}

/// Ends the visits of patrons whose loans will be anonymised, while their notices can still name the items.
pub(in crate::circulation) async fn end_before_anonymization(
    context: &Context,
    loans: &[Uuid],
) -> Outcome<()> {
    let visits = Statement::new(OF_CLOSED_LOANS).uuids(loans.to_vec());
    let visits: Vec<(Uuid, String)> = context.session().await?.read(visits).await?;
    for (patron, action) in &visits {
        end(context, *patron, action).await?;
    }
    Ok(())
}

fn visit_notice_to_json(written: &VisitNotice, patron: Uuid, visit: &[VisitLoan]) -> Value {
    let mut row =
        pending_row(written.event, &written.because, &written.template_id, written.format.channel());
    let loans: Vec<&Value> =
        written.loans.iter().filter_map(|place| visit.get(*place)).map(|ended| &ended.loan["id"]).collect();
    row["recipientId"] = json!(patron);
    row["loanIds"] = json!(loans);
    if let Some(first) = loans.first() {
        row["loanId"] = (*first).clone();
    }
    row
}

pub(in crate::circulation) async fn end_idle(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let settings = configuration::settings(&snapshot, "CHECKOUT", "other_settings").unwrap_or_default();
    let since = folio_time(idle_since(context.now, minutes(&settings)));
    let mut session = context.session().await?;
    let idle: Vec<(Uuid, String)> = session.read(Statement::new(IDLE).text(since)).await?;
    drop(session);
    for (patron, action) in &idle {
        end(context, *patron, action).await?;
    }
    Ok(Response::no_content())
}

/// The minutes after which an idle visit ends; three by default.
fn minutes(settings: &Value) -> i64 {
    let duration = &settings["checkoutTimeoutDuration"];
    let set = duration.as_i64().or_else(|| duration.as_str()?.trim().parse().ok());
    set.filter(|minutes| *minutes > 0 && settings["checkoutTimeout"] == true).unwrap_or(3)
}

/// A visit is idle if its last loan or return was before this time. If the minutes are more than there are years, none is.
fn idle_since(now: Timestamp, minutes: i64) -> Timestamp {
    let idle = SignedDuration::from_secs(minutes.saturating_mul(60));
    now.checked_sub(idle).unwrap_or(Timestamp::UNIX_EPOCH)
}

const END: &str = "\
delete from patron_action_session
where \"patronId\" = $1 and doc ->> 'actionType' = $2
returning (doc ->> 'loanId')::uuid";

const OF_CLOSED_LOANS: &str = "\
select distinct s.\"patronId\", s.doc ->> 'actionType'
from loan l
join patron_action_session s on s.\"patronId\" = l.\"userId\" and s.doc ->> 'loanId' = l.id::text
where l.id = any($1)
  and l.\"status.name\" = 'closed'
  and s.doc ->> 'actionType' is not null";

const IDLE: &str = "\
select \"patronId\", doc ->> 'actionType'
from patron_action_session
where \"patronId\" is not null and doc ->> 'actionType' is not null
group by 1, 2
having max(doc #>> '{metadata,createdDate}') < $1";

octavo_pg::statements!(hot = [END, IDLE], other = [OF_CLOSED_LOANS]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_may_set_any_number_of_minutes() {
        let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        for (set, since) in [
            (json!(5), "2026-03-01T09:55:00Z"),
            (json!("20"), "2026-03-01T09:40:00Z"),
            (json!(0), "2026-03-01T09:57:00Z"),
            (json!(99_999_999_999_i64), "1970-01-01T00:00:00Z"),
            (json!(i64::MAX), "1970-01-01T00:00:00Z"),
        ] {
            let settings = json!({"checkoutTimeout": true, "checkoutTimeoutDuration": set});
            assert_eq!(idle_since(now, minutes(&settings)), since.parse::<Timestamp>().unwrap(), "{set}");
        }
    }
}
