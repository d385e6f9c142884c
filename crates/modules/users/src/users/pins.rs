//! PINs of patrons for self-service, stored as hashes.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::passwords::guessing::{self, Secret};
use crate::passwords::password::{self, Hashed};

#[derive(Debug, Deserialize)]
struct Pin {
    id: Uuid,
    #[serde(default)]
    pin: String,
}

pub(super) async fn set(request: Request) -> Outcome<Response> {
    let Pin { id, pin } = request.body()?;
    let hashed = password::hash(&pin).await?;
    let document = json!({"id": id, "pin": hashed.hash});
    let mut session = request.context.session().await?;
    session.rows(Statement::new(SET).uuid(id).text(document.to_string())).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}

/// Deletes the PIN of the patron whose id is in the body.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let Pin { id, .. } = request.body()?;
    let mut session = request.context.session().await?;
    session.rows(Statement::new(REMOVE).uuid(id)).await?;
    Ok(Response { status: 200, ..Response::no_content() })
}

/// Answers 200 or 422, both without a body, or 429 after too many failures.
pub(super) async fn verify(request: Request) -> Outcome<Response> {
    let Pin { id, pin } = request.body()?;
    let mut session = request.context.session().await?;
    let hashed = load_pin_hash(&mut session, id).await?;
    drop(session);
    let attempt = guessing::count_attempt(&request, Secret::Pin, Some(id)).await?;
    let right = match hashed {
        Some(hashed) => password::verify(&pin, &hashed).await?,
        // How long the answer takes does not tell who has a PIN.
        None => {
            password::verify_dummy(&pin).await?;
            false
        }
    };
    if right {
        request.context.session().await?.batch(attempt.success_statements(&request.context)).await?;
    }
    Ok(Response { status: if right { 200 } else { 422 }, ..Response::no_content() })
}

async fn load_pin_hash(session: &mut Session, id: Uuid) -> Outcome<Option<Hashed>> {
    let hash: Option<Option<String>> = session.read(Statement::new(READ).uuid(id)).await?;
    Ok(hash.flatten().map(Hashed::from_argon2))
}

const SET: &str = "\
insert into patronpin (id, doc) values ($1, $2::text::json)
on conflict (id) do update
set doc = excluded.doc";

const REMOVE: &str = "delete from patronpin where id = $1";

const READ: &str = "select doc ->> 'pin' from patronpin where id = $1";

octavo_pg::statements!(hot = [SET, REMOVE, READ]);
