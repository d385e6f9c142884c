//! Users change their own password, if the new one keeps the rules of mod-password-validator.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};

use crate::login::{Update, change_own_password};
use crate::password_validator::objections;

/// `POST /bl-users/settings/myprofile/password`
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let update: Update = request.body()?;
    if let Some((id, username)) = update.user(context).await?.filter(|_| !update.new_password().is_empty()) {
        let messages = objections(context, id, &username, update.new_password()).await?;
        if !messages.is_empty() {
            let errors: Vec<Value> =
                messages.iter().map(|message| json!({"message": message, "code": message})).collect();
            return Err(Fault::json(400, json!({"errors": errors, "total_records": errors.len()})));
        }
    }
    change_own_password(context, update).await?;
    Ok(Response::no_content())
}
