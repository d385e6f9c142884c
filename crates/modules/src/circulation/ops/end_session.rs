//! `POST /circulation/end-patron-action-session`: the desk is done with a patron.
//!
//! The sessions are forgotten. The one notice about everything that was lent or returned in them, which FOLIO sends
//! then, waits for notices to be built.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Statement;
use serde::Deserialize;
use uuid::Uuid;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ended {
    end_sessions: Vec<EndedSession>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EndedSession {
    patron_id: Option<String>,
    action_type: Option<String>,
}

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let ended: Ended = request.body()?;
    let mut statements = Vec::with_capacity(ended.end_sessions.len());
    for session in &ended.end_sessions {
        let (patron, action) = session.read()?;
        statements.push(Statement::new(END).uuid(patron).text(action));
    }
    if !statements.is_empty() {
        let mut session = request.context.session().await?;
        session.transaction(statements).await?;
    }
    Ok(Response::no_content())
}

impl EndedSession {
    fn read(&self) -> Outcome<(Uuid, &'static str)> {
        let present = |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let missing = |message: &str, key: &str| Fault::from(Refusal::new(message).about(key, ""));
        let patron = present(&self.patron_id)
            .ok_or_else(|| missing("End patron session request must have patron id", "patronId"))?;
        let action = present(&self.action_type)
            .ok_or_else(|| missing("End patron session request must have action type", "actionType"))?;
        let known = ["Check-out", "Check-in"].into_iter().find(|known| known.eq_ignore_ascii_case(&action));
        let known = known.ok_or_else(|| {
            Refusal::new("Invalid patron action type value").about("actionType", action.as_str())
        })?;
        // FOLIO says nothing of a patron whom nobody knows.
        Ok((Uuid::parse_str(&patron).unwrap_or_default(), known))
    }
}

const END: &str = "\
delete from patron_action_session
where \"patronId\" = $1 and doc ->> 'actionType' = $2";
