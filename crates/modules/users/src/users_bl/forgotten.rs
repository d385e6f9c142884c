//! Forgotten user names and passwords: a person who knows a user name, e-mail address or telephone number has an e-mail sent to that user.
//!
//! As in FOLIO, the answer reveals whether a user was found. The number of requests is limited in the same way as attempts to log in.

use octavo_cql::{Clause, Node, Operator, Query};
use octavo_engine::{CountMode, ListRequest, Request, Response, list};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::user_records::{USER, is_active};
use octavo_record::Page;
use serde_json::{Value, json};
use uuid::Uuid;

use super::settings::Settings;
use super::{account_mail, links};
use crate::login::{has_directory, load_password_hash};
use crate::passwords::guessing::{self, Secret};

pub(super) async fn username(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let user =
        find_user(&request, &["phoneNumber", "email"], "forgotten.username.found.multiple.users").await?;
    let snapshot = context.snapshot().await?;
    let words = json!({"user": user});
    let mails = account_mail::email_statements(context, &snapshot, "USERNAME_LOCATED_EVENT", &user, &words);
    if !mails.is_empty() {
        context.session().await?.transaction(mails).await?;
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(Response::no_content())
}

/// Sends the user an e-mail with a link to set a new password. Only the user gets the link.
pub(super) async fn password(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let codes = ["userName", "phoneNumber", "email"];
    let user = find_user(&request, &codes, "forgotten.password.found.multiple.users").await?;
    let mut session = context.session().await?;
    let id = user["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    if has_directory(&mut session).await? && load_password_hash(&mut session, id).await?.is_none() {
        let refusal = Refusal::new("The password of this user is kept by the directory of the library");
        return Err(refusal.code("forgotten.password.found.directory").into());
    }
    links::send(context, &mut session, &user, None).await?;
    Ok(Response::no_content())
}

/// The one active user with the name, address or number that was sent.
async fn find_user(request: &Request, codes: &[&str], several: &str) -> Outcome<Value> {
    let context = &request.context;
    let body = request.json()?;
    let known = body["id"].as_str().unwrap_or("null");
    // The request counts as an attempt of its address before users are searched, and as an attempt for the user who was found before that
    // user gets an e-mail.
    drop(guessing::count_attempt(request, Secret::Forgotten, None).await?);
    let mut session = context.session().await?;
    let members = Settings::read(&mut session).await?.members(codes);
    let clauses = members.iter().map(|member| Node::Clause(Clause::exact(member, &escape_cql(known))));
    let root = clauses.reduce(|left, right| Operator::Or.join(left, right));
    let query = root.map(|root| Query { root, sort: Vec::new() });
    let listing = ListRequest { query, page: Page { offset: 0, limit: 2 }, total: CountMode::None };
    let (mut users, _) = list(&mut session, &USER, &listing).await?;
    drop(session);
    let only = users.pop().filter(|_| users.is_empty());
    let id = only.as_ref().and_then(|user| Uuid::parse_str(user["id"].as_str()?).ok());
    if id.is_some() {
        drop(guessing::count_attempt(request, Secret::Forgotten, id).await?);
    }
    match only {
        Some(user) if !is_active(&user) => {
            let inactive = Refusal::new(format!("Users associated with '{known}' is not active"));
            Err(inactive.code("forgotten.password.found.inactive").into())
        }
        Some(user) => Ok(user),
        None if users.is_empty() => Err(Fault::bad_request(format!("User is not found: {known}"))),
        None => Err(Refusal::new(format!("Multiple users associated with '{known}'")).code(several).into()),
    }
}

/// Escapes the characters of a text that are special in CQL, such as wildcards.
fn escape_cql(text: &str) -> String {
    let mut term = String::with_capacity(text.len());
    for c in text.chars() {
        if r#"\*?^""#.contains(c) {
            term.push('\\');
        }
        term.push(c);
    }
    term
}
