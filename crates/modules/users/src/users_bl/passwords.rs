//! Users change their own password, if the new one keeps the rules of mod-password-validator.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};

use crate::login::{Update, change_own_password, known_by_password};
use crate::password_validator::objections;

/// `POST /bl-users/settings/myprofile/password`: the old password is asked for first. One of the rules is that the new password was
/// not used before, and who does not know the old one is not told that.
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let update: Update = request.body()?;
    let known = known_by_password(&request, &update).await?;
    let messages = objections(context, known.id, &known.username, update.new_password()).await?;
    if !messages.is_empty() {
        let errors: Vec<Value> =
            messages.iter().map(|message| json!({"message": message, "code": message})).collect();
        return Err(Fault::json(400, json!({"errors": errors, "total_records": errors.len()})));
    }
    change_own_password(context, known, &update).await?;
    Ok(Response::no_content())
}
