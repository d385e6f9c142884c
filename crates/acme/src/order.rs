//! Orders one certificate: account, order, challenges, signing, and the file that it is kept in.

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, Identifier, NewAccount, NewOrder, OrderStatus, RetryPolicy,
};

use crate::client::Calls;
use crate::kept::Kept;
use crate::{Challenges, Wanted};

/// How long the authority may take to look at the names, and to sign.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks for a certificate and keeps it; or says why there is none.
pub(crate) async fn certificate(wanted: &Wanted, kept: &Kept, challenges: &Challenges) -> Result<(), String> {
    let ordered = ordered(wanted, kept, challenges).await;
    challenges.clear();
    let (key, chain) = ordered?;
    kept.keep_certificate(&key, &chain)?;
    kept.keep_order(wanted)
}

async fn ordered(wanted: &Wanted, kept: &Kept, challenges: &Challenges) -> Result<(String, String), String> {
    let account = account(wanted, kept).await?;
    let identifiers: Vec<Identifier> = wanted.names.iter().cloned().map(Identifier::Dns).collect();
    let mut order = account.new_order(&NewOrder::new(&identifiers)).await.map_err(told)?;
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization.map_err(told)?;
        match authorization.status {
            AuthorizationStatus::Pending => {}
            AuthorizationStatus::Valid => continue,
            status => return Err(format!("the authority does not look at a name any more: {status:?}")),
        }
        let mut challenge = authorization
            .challenge(ChallengeType::Http01)
            .ok_or("the authority does not look at names by HTTP")?;
        challenges.add(&challenge.token, challenge.key_authorization().as_str());
        challenge.set_ready().await.map_err(told)?;
    }
    let patience = RetryPolicy::new().timeout(PATIENCE);
    match order.poll_ready(&patience).await.map_err(told)? {
        OrderStatus::Ready => {}
        status => return Err(format!("the authority does not agree that the names are ours: {status:?}")),
    }
    let key = order.finalize().await.map_err(told)?;
    let chain = order.poll_certificate(&patience).await.map_err(told)?;
    Ok((key, chain))
}

/// The account that there is at this authority, or a new one.
async fn account(wanted: &Wanted, kept: &Kept) -> Result<Account, String> {
    let builder = || Account::builder_with_http(Box::new(Calls::default()));
    if let Some(credentials) = kept.account(&wanted.directory) {
        return builder().from_credentials(credentials).await.map_err(told);
    }
    let contact: Vec<String> = wanted.contact.iter().map(|contact| format!("mailto:{contact}")).collect();
    let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
    let new = NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
    let (account, credentials) =
        builder().create(&new, wanted.directory.clone(), None).await.map_err(told)?;
    kept.keep_account(&wanted.directory, credentials)?;
    Ok(account)
}

#[expect(clippy::needless_pass_by_value, reason = "maps an error")]
fn told(error: instant_acme::Error) -> String {
    error.to_string()
}
