//! The end of a patron's visit at the machine (35).

use octavo_kernel::Outcome;
use octavo_sip2::Message;
use serde_json::json;

use super::yes_or_no;
use crate::desk::Desk;
use crate::patron::{self, Patron};

/// Forgets that the patron has shown a password, and ends the session of the patron's check-outs, so that one patron notice lists all of
/// them.
pub(super) async fn end_session(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let found = patron::find(desk, asked.text("AA")).await?;
    let mut ended = true;
    if let Some(record) = found {
        let patron = Patron { record, password: None };
        // As in edge-sip2: if the library requires passwords, a session ends only with the patron's password.
        if desk.settings().tenant.patron_password_verification_required {
            ended = patron::admit(desk, asked.text("AA"), asked.text("AD")).await?.password == Some(true);
        }
        let body = json!({"endSessions": [{"patronId": patron.id(), "actionType": "Check-out"}]});
        // Sessions end by themselves after a while: a machine whose user may not end them works all the same.
        let _ = desk.post("/circulation/end-patron-action-session", &body).await;
    }
    *desk.verified = None;
    let answer = Message::new("36", &[yes_or_no(ended), &desk.date()]);
    Ok(answer.with("AO", asked.text("AO")).with("AA", asked.text("AA")))
}
