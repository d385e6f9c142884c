//! `DELETE /delayedTask/expiredMessages`: deletes e-mails a day after they were sent or given up. The ledger of notices keeps its rows.

use jiff::civil::Date;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_pg::Statement;

const DAY: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let present = |name: &str| request.query(name).map(str::trim).filter(|text| !text.is_empty());
    let status = match present("emailStatus") {
        None => "DELIVERED",
        Some(name) => ["DELIVERED", "FAILURE", "PROCESSING"]
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
            .unwrap_or("DELIVERED"),
    };
    let before = match present("expirationDate") {
        // E-mails of the named day are deleted, too.
        Some(text) => match text.parse::<Date>().ok().filter(|_| text.len() == 10) {
            Some(date) => format!("{}T", date.tomorrow().unwrap_or(date)),
            None => {
                let message = "Invalid date value, the parameter must be in the format: yyyy-MM-dd";
                return Err(Fault::bad_request(message));
            }
        },
        None => folio_time(request.context.now.checked_sub(DAY).unwrap_or(request.context.now)),
    };
    let mut session = request.context.session().await?;
    session.rows(Statement::new(EXPIRE).text(before).text(status)).await?;
    Ok(Response::no_content())
}

/// Deletes old e-mails; those that are still to be sent are kept.
const EXPIRE: &str = "\
delete from email_statistics e
where e.doc ->> 'date' < $1
  and e.status = $2
  and not exists (select from outbox o where o.kind = 'email' and o.subject = e.id)";

octavo_pg::statements!(other = [EXPIRE]);
