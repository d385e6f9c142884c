//! `DELETE /patron-notice-policy-storage/patron-notice-policies/{id}`: refuses to delete a policy that the circulation rules name.

use octavo_engine::{Request, Response, delete};
use octavo_kernel::{Fault, Outcome};

use super::{CIRCULATION_RULES, PATRON_NOTICE_POLICY};

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let context = &request.context;
    let mut session = context.session().await?;
    let snapshot = context.snapshot_over(&mut session).await?;
    let wanted = id.to_string();
    let mut rules = snapshot.all(&CIRCULATION_RULES).filter_map(|(_, rules)| rules["rulesAsText"].as_str());
    if rules.any(|text| text.contains(&wanted)) {
        return Err(Fault::bad_request("Cannot delete in use notice policy"));
    }
    delete(context, &mut session, &PATRON_NOTICE_POLICY, id).await?;
    Ok(Response::no_content())
}
