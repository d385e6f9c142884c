//! Block patron (01): a machine has kept a card, or has seen it misused, and has the patron blocked.

use octavo_kernel::Outcome;
use octavo_sip2::Message;
use serde_json::json;

use super::patron::status_of;
use crate::desk::{Desk, refused};
use crate::patron::{self, Patron, UNKNOWN_PATRON};

pub(super) async fn block(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let record = patron::find(desk, asked.text("AA")).await?.ok_or_else(|| refused(UNKNOWN_PATRON))?;
    let patron = Patron { record, password: None };
    let retained = if asked.says_yes("card_retained") { "; the machine kept the card" } else { "" };
    let reason = match asked.text("AL") {
        "" => "Blocked by a self-service terminal",
        reason => reason,
    };
    let body = json!({
        "type": "Manual", "desc": reason, "userId": patron.id(),
        "staffInformation": format!("Blocked by the terminal of {}{retained}", desk.signed_in.username),
        "borrowing": true, "renewals": true, "requests": true,
    });
    desk.post("/manualblocks", &body).await?;
    status_of(desk, asked, patron).await
}
