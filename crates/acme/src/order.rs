//! Orders one certificate: account, order, challenges, signing, and the file that it is kept in.

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, Identifier, NewAccount, NewOrder, OrderStatus, RetryPolicy,
};

use crate::client::AcmeHttpClient;
use crate::kept::AcmeFiles;
use crate::{AcmeSettings, Challenges};

/// How long the authority may take to look at the names, and to sign.
const ORDER_TIMEOUT: Duration = Duration::from_secs(120);

/// Asks for a certificate and keeps it; or says why there is none.
pub(crate) async fn obtain_certificate(
    wanted: &AcmeSettings,
    files: &AcmeFiles,
    challenges: &Challenges,
) -> Result<(), String> {
    let ordered = place_order(wanted, files, challenges).await;
    challenges.clear();
    let (key, chain) = ordered?;
    files.store_certificate(&key, &chain)?;
    files.store_order(wanted)
}

async fn place_order(
    wanted: &AcmeSettings,
    files: &AcmeFiles,
    challenges: &Challenges,
) -> Result<(String, String), String> {
    let account = find_or_create_account(wanted, files).await?;
    let identifiers: Vec<Identifier> = wanted.names.iter().cloned().map(Identifier::Dns).collect();
    let mut order = account.new_order(&NewOrder::new(&identifiers)).await.map_err(error_text)?;
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization.map_err(error_text)?;
        match authorization.status {
            AuthorizationStatus::Pending => {}
            AuthorizationStatus::Valid => continue,
            status => return Err(format!("the authority does not look at a name any more: {status:?}")),
        }
        let mut challenge = authorization
            .challenge(ChallengeType::Http01)
            .ok_or("the authority does not look at names by HTTP")?;
        challenges.add(&challenge.token, challenge.key_authorization().as_str());
        challenge.set_ready().await.map_err(error_text)?;
    }
    let patience = RetryPolicy::new().timeout(ORDER_TIMEOUT);
    match order.poll_ready(&patience).await.map_err(error_text)? {
        OrderStatus::Ready => {}
        status => return Err(format!("the authority does not agree that the names are ours: {status:?}")),
    }
    let key = order.finalize().await.map_err(error_text)?;
    let chain = order.poll_certificate(&patience).await.map_err(error_text)?;
    Ok((key, chain))
}

/// The account that there is at this authority, or a new one.
async fn find_or_create_account(wanted: &AcmeSettings, files: &AcmeFiles) -> Result<Account, String> {
    let builder = || Account::builder_with_http(Box::new(AcmeHttpClient::default()));
    if let Some(credentials) = files.account(&wanted.directory) {
        return builder().from_credentials(credentials).await.map_err(error_text);
    }
    let contact: Vec<String> = wanted.contact.iter().map(|contact| format!("mailto:{contact}")).collect();
    let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
    let new = NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
    let (account, credentials) =
        builder().create(&new, wanted.directory.clone(), None).await.map_err(error_text)?;
    files.store_account(&wanted.directory, credentials)?;
    Ok(account)
}

#[expect(clippy::needless_pass_by_value, reason = "maps an error")]
fn error_text(error: instant_acme::Error) -> String {
    error.to_string()
}
