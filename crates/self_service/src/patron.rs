//! The patron whom a message names, and whether they have shown their password or PIN.

use jiff::{SignedDuration, Timestamp};
use octavo_cql::quote_term;
use octavo_engine::Method;
use octavo_kernel::{Fault, Outcome};
use octavo_modules::login::{Credentials, log_in};
use serde_json::{Value, json};

use crate::desk::{Desk, refused};
use crate::session::Verified;

/// How long a checked password or PIN is remembered, if the patron does not end the session before.
const VERIFIED_TIME: SignedDuration = SignedDuration::from_mins(5);

#[derive(Debug)]
pub(crate) struct Patron {
    pub(crate) record: Value,
    /// Whether the password or PIN that was given is right; `None` if none was checked.
    pub(crate) password: Option<bool>,
}

pub(crate) const UNKNOWN_PATRON: &str =
    "The library does not know this card, or it is not valid. Please ask the staff";
pub(crate) const WRONG_PASSWORD: &str = "The password or PIN is wrong";

impl Patron {
    pub(crate) fn id(&self) -> &str {
        self.record["id"].as_str().unwrap_or_default()
    }

    /// The barcode, by which circulation finds the patron.
    pub(crate) fn barcode(&self) -> &str {
        self.record["barcode"].as_str().unwrap_or_default()
    }

    pub(crate) fn name(&self) -> String {
        let personal = &self.record["personal"];
        let parts =
            ["firstName", "middleName", "lastName"].map(|part| personal[part].as_str().unwrap_or_default());
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Whether the library lends to the patron at all.
    pub(crate) fn is_valid(&self, now: Timestamp) -> bool {
        let expires = self.record["expirationDate"].as_str().and_then(octavo_kernel::parse_time);
        self.record["active"] == true && expires.is_none_or(|expires| expires > now)
    }
}

/// The patron by barcode, external id or user name, as edge-sip2 looks for them.
pub(crate) async fn find(desk: &Desk<'_>, identifier: &str) -> Outcome<Option<Value>> {
    if identifier.is_empty() {
        return Ok(None);
    }
    for field in ["barcode", "externalSystemId", "username"] {
        let found = desk.first("/users", "users", &format!("{field}=={}", quote_term(identifier))).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The patron for a message that acts for them: valid, and with the right password or PIN where the library asks for one.
pub(crate) async fn admit(desk: &mut Desk<'_>, identifier: &str, given: &str) -> Outcome<Patron> {
    let record = find(desk, identifier).await?.ok_or_else(|| refused(UNKNOWN_PATRON))?;
    let mut patron = Patron { record, password: None };
    if !patron.is_valid(desk.now) {
        return Err(refused(UNKNOWN_PATRON));
    }
    if desk.settings().tenant.patron_password_verification_required {
        patron.password = Some(is_right_secret(desk, &patron, given).await?);
        if patron.password == Some(false) {
            return Err(refused(WRONG_PASSWORD));
        }
    }
    Ok(patron)
}

/// Checks the password or PIN that the patron has given, if the library requires it, or always checks it when one is given.
pub(crate) async fn check(desk: &mut Desk<'_>, patron: &mut Patron, given: &str) -> Outcome<()> {
    let settings = &desk.settings().tenant;
    let optional = settings.always_check_patron_password && !given.is_empty();
    if settings.patron_password_verification_required || optional {
        patron.password = Some(is_right_secret(desk, patron, given).await?);
    }
    Ok(())
}

async fn is_right_secret(desk: &mut Desk<'_>, patron: &Patron, given: &str) -> Outcome<bool> {
    if desk.verified.as_ref().is_some_and(|known| known.knows(patron.id(), given, desk.now)) {
        return Ok(true);
    }
    *desk.verified = None;
    if given.is_empty() {
        return Ok(false);
    }
    let right = match desk.settings().tenant.use_pin_for_patron_verification {
        true => is_right_pin(desk, patron, given).await?,
        false => is_right_password(desk, patron, given).await?,
    };
    if right {
        let until = desk.now.checked_add(VERIFIED_TIME).unwrap_or(desk.now);
        *desk.verified = Verified::new(patron.id(), given, until);
    }
    Ok(right)
}

async fn is_right_pin(desk: &Desk<'_>, patron: &Patron, given: &str) -> Outcome<bool> {
    let body = json!({"id": patron.id(), "pin": given});
    let answer = desk.send(Method::Post, "/patron-pin/verify", &[], Some(&body)).await?;
    match answer.status {
        200 => Ok(true),
        422 => Ok(false),
        status => Err(Fault::internal(format!("the check of a PIN answers {status}"))),
    }
}

async fn is_right_password(desk: &Desk<'_>, patron: &Patron, given: &str) -> Outcome<bool> {
    let Some(username) = patron.record["username"].as_str() else { return Ok(false) };
    let credentials =
        Credentials { username: Some(username.to_owned()), user_id: None, password: Some(given.to_owned()) };
    match log_in(&desk.request(), &credentials).await {
        Ok(_) => Ok(true),
        // The password or PIN is wrong, or the patron has none. The answer does not reveal which.
        Err(fault) if matches!(fault.status, 400 | 422) => Ok(false),
        Err(fault) => Err(fault),
    }
}
