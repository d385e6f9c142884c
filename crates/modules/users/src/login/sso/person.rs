//! Finds the library's user for a person who has logged in at the issuer.

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_modules_base::user_records::is_active;
use octavo_pg::Statement;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::refused::Refused;
use crate::login::tokens::LoggedIn;

/// The member of users that a claim is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Field {
    #[default]
    Username,
    Email,
    ExternalSystemId,
    Barcode,
}

impl Field {
    /// The field's name in CQL and in mod-login-saml.
    pub(crate) const fn folio_name(self) -> &'static str {
        match self {
            Field::Username => "username",
            Field::Email => "personal.email",
            Field::ExternalSystemId => "externalSystemId",
            Field::Barcode => "barcode",
        }
    }

    /// The member of a user, without the blanks around it.
    pub(in crate::login) fn value_of(self, user: &Value) -> &str {
        let value = match self {
            Field::Email => &user["personal"]["email"],
            Field::Username | Field::ExternalSystemId | Field::Barcode => &user[self.folio_name()],
        };
        value.as_str().unwrap_or_default().trim()
    }

    const fn statement(self) -> &'static str {
        match self {
            Field::Username => BY_USERNAME,
            Field::Email => BY_EMAIL,
            Field::ExternalSystemId => BY_EXTERNAL_SYSTEM_ID,
            Field::Barcode => BY_BARCODE,
        }
    }
}

/// The value of the claim by which the user is searched. An e-mail address is accepted only if the issuer has verified it.
pub(super) fn claim_value(claims: &Value, claim: &str, field: Field) -> Result<String, Refused> {
    let value = claims[claim].as_str().map(str::trim).filter(|value| !value.is_empty());
    let value = value.filter(|value| value.len() <= MAX_VALUE_BYTES).ok_or(Refused::NoClaim)?;
    let is_verified = claims["email_verified"] == true || claims["email_verified"] == "true";
    match is_email(claim, field) && !is_verified {
        true => Err(Refused::EmailNotVerified),
        false => Ok(value.to_owned()),
    }
}

/// Whether the claims of the token suffice to find the user, so that the userinfo endpoint need not be asked.
pub(super) fn has_needed_claims(claims: &Value, claim: &str, field: Field) -> bool {
    let is_unsaid = |member: &str| claims[member].is_null();
    !(is_unsaid(claim) || is_email(claim, field) && is_unsaid("email_verified"))
}

fn is_email(claim: &str, field: Field) -> bool {
    field == Field::Email || claim == "email"
}

/// The most bytes of a value.
const MAX_VALUE_BYTES: usize = 500;

/// A user, and whether they may log in.
pub(in crate::login) struct Found {
    pub(in crate::login) user: LoggedIn,
    pub(super) is_active: bool,
}

/// Finds the one user with this value, without regard to case. Unlike in searches, letters with and without accents differ.
pub(in crate::login) async fn find(
    context: &Context,
    field: Field,
    value: &str,
) -> Outcome<Result<Found, Refused>> {
    let statement = Statement::new(field.statement()).text(value);
    let found: Vec<(Uuid, Value, Option<i64>)> = context.session().await?.read(statement).await?;
    let (id, user, generation) = match &found[..] {
        [] => return Ok(Err(Refused::UnknownUser)),
        [one] => one,
        _ => return Ok(Err(Refused::SeveralUsers)),
    };
    let username = user["username"].as_str().unwrap_or_default().to_owned();
    let is_active = is_active(user);
    Ok(Ok(Found { user: LoggedIn { id: *id, username, generation: generation.unwrap_or(0) }, is_active }))
}

const BY_USERNAME: &str = "\
select u.id, u.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
where u.username = octavo.fold($1) and lower(trim(u.doc ->> 'username')) = lower($1)
limit 2";
const BY_EMAIL: &str = "\
select u.id, u.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
where u.\"personal.email\" = octavo.fold($1) and lower(trim(u.doc #>> '{personal,email}')) = lower($1)
limit 2";
const BY_EXTERNAL_SYSTEM_ID: &str = "\
select u.id, u.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
where u.\"externalSystemId\" = octavo.fold($1) and lower(trim(u.doc ->> 'externalSystemId')) = lower($1)
limit 2";
const BY_BARCODE: &str = "\
select u.id, u.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
where u.barcode = octavo.fold($1) and lower(trim(u.doc ->> 'barcode')) = lower($1)
limit 2";

octavo_pg::statements!(hot = [BY_USERNAME, BY_EMAIL, BY_EXTERNAL_SYSTEM_ID, BY_BARCODE]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_that_is_not_verified_says_nothing_of_who_somebody_is() {
        let with = |verified: Value| json!({"email": " jane@example.org ", "upn": "jane", "email_verified": verified});
        let jane = || Ok("jane@example.org".to_owned());
        for (claims, claim, field, expected) in [
            (with(json!(true)), "email", Field::Email, jane()),
            (with(json!("true")), "email", Field::Email, jane()),
            (with(json!(false)), "email", Field::Email, Err(Refused::EmailNotVerified)),
            (with(Value::Null), "email", Field::Email, Err(Refused::EmailNotVerified)),
            (with(json!("false")), "email", Field::Username, Err(Refused::EmailNotVerified)),
            (with(json!(1)), "upn", Field::Email, Err(Refused::EmailNotVerified)),
            (with(json!(false)), "upn", Field::Username, Ok("jane".to_owned())),
            (with(json!(true)), "sub", Field::Username, Err(Refused::NoClaim)),
        ] {
            assert_eq!(claim_value(&claims, claim, field), expected, "{claims} {claim} {field:?}");
        }
        for claims in [
            json!({"id": ""}),
            json!({"id": "  "}),
            json!({"id": 7}),
            json!({"id": ["a"]}),
            json!({"id": "a".repeat(501)}),
        ] {
            assert_eq!(claim_value(&claims, "id", Field::Barcode), Err(Refused::NoClaim), "{claims}");
        }
    }
}
