//! Users change their own password, if the new one keeps the rules of mod-password-validator.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};

use crate::login::{Update, change_own_password, verify_old_password};
use crate::password_validator::objections;

/// The old password is checked first: only users who know it may learn whether they have used the new one before, which is one of the
/// rules.
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let update: Update = request.body()?;
    let known = verify_old_password(&request, &update).await?;
    let messages = objections(context, known.id, &known.username, update.new_password()).await?;
    if !messages.is_empty() {
        let errors: Vec<Value> =
            messages.iter().map(|message| json!({"message": message, "code": message})).collect();
        return Err(Fault::json(400, json!({"errors": errors, "total_records": errors.len()})));
    }
    change_own_password(&request, known, &update).await?;
    Ok(Response::no_content())
}
