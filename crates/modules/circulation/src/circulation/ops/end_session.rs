//! `POST /circulation/end-patron-action-session` ends a patron's visit.
//!
//! The patron gets one notice about all items that were lent or returned; the sessions are deleted.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Deserialize;
use uuid::Uuid;

use crate::circulation::notices;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EndSessionsBody {
    end_sessions: Vec<EndedSession>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EndedSession {
    patron_id: Option<String>,
    action_type: Option<String>,
}

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let ended: EndSessionsBody = request.body()?;
    let visits: Vec<(Uuid, &str)> =
        ended.end_sessions.iter().map(EndedSession::read).collect::<Outcome<_>>()?;
    for (patron, action) in visits {
        notices::end(&request.context, patron, action).await?;
    }
    Ok(Response::no_content())
}

impl EndedSession {
    fn read(&self) -> Outcome<(Uuid, &'static str)> {
        let present = |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let missing = |message: &str, key: &str| Fault::from(Refusal::new(message).about(key, None::<&str>));
        let patron = present(&self.patron_id)
            .ok_or_else(|| missing("End patron session request must have patron id", "patronId"))?;
        let action = present(&self.action_type)
            .ok_or_else(|| missing("End patron session request must have action type", "actionType"))?;
        let known = ["Check-out", "Check-in"].into_iter().find(|known| known.eq_ignore_ascii_case(&action));
        let known = known.ok_or_else(|| {
            Refusal::new("Invalid patron action type value").about("actionType", action.as_str())
        })?;
        // As in FOLIO, an unknown patron is no error.
        Ok((Uuid::parse_str(&patron).unwrap_or_default(), known))
    }
}
