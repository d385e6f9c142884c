//! `POST /accounts`, `PUT` and `DELETE /accounts/{id}`: accounts as records, with their events. Closing the last fee of a lost item ends
//! its loan, as a payment does.

use octavo_circulation::facts::Account;
use octavo_circulation::fees::{FeeFacts, balance_changed, delete_account, replace_account};
use octavo_circulation::plan::Plan;
use octavo_engine::{Request, Response, check_record, create_with, events};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::fee_records::ACCOUNT;

use super::actions::decide;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let published = |account: &serde_json::Value| {
        let (name, payload) = balance_changed(account);
        let event = events::append_statement(
            &context.tenant.id,
            context.caller.user_id,
            [(name, &payload)].into_iter(),
        );
        event.into_iter().collect()
    };
    let account = create_with(context, &mut session, &ACCOUNT, request.json()?, published).await?;
    context.platform.event_notifier.notify(&context.tenant.id);
    Ok(Response::created(&ACCOUNT, &account))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let record = check_record(&ACCOUNT, request.json()?)?;
    let decision = |facts: &FeeFacts, stored: &Account| replace_account(facts, stored, &record);
    decide_about_stored(&request, ACCOUNT.messages.not_found_on_replace, decision).await
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    decide_about_stored(&request, ACCOUNT.messages.not_found_on_delete, |_, stored| delete_account(stored))
        .await
}

/// Decides about the stored account that the path names; 404 with the words `unknown` if there is none.
async fn decide_about_stored(
    request: &Request,
    unknown: &str,
    decision: impl Fn(&FeeFacts, &Account) -> Plan + Sync,
) -> Outcome<Response> {
    let found = |facts: &FeeFacts| match facts.accounts.first() {
        Some(account) => Ok(decision(facts, account)),
        None => Err(Fault::not_found_with(unknown)),
    };
    decide(request, vec![request.path_id(0)?], found).await?;
    Ok(Response::no_content())
}
