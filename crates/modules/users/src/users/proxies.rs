//! Proxy relations of users.

use octavo_engine::{Request, Response, create as store};
use octavo_kernel::{Body, Fault, Outcome, Refusal};

use super::records::PROXY;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    let sent = body["id"].as_str().map(str::to_owned);
    let mut session = request.context.session().await?;
    let stored = store(&request.context, &mut session, &PROXY, body).await;
    let stored = stored.map_err(|fault| with_sent_id(fault, sent.as_deref()))?;
    Ok(Response::created(&PROXY, &stored))
}

/// If the pair exists, mod-users names the relation that was sent, not the pair.
fn with_sent_id(mut fault: Fault, sent: Option<&str>) -> Fault {
    let exists = |refusal: &&mut Refusal| {
        let mut messages = PROXY.unique.iter().filter_map(|unique| unique.message);
        messages.any(|message| message.text == refusal.message)
    };
    if let Body::Refusals(refusals) = &mut fault.body {
        for (_, value) in refusals.iter_mut().filter(exists).flat_map(|refusal| &mut refusal.parameters) {
            *value = sent.map(str::to_owned);
        }
    }
    fault
}
