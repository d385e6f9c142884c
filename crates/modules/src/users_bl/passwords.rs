//! Users change their own password. The rules of mod-password-validator are not asked: that module is not built.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use crate::login::change_own_password;

/// `POST /bl-users/settings/myprofile/password`
pub(super) async fn change_own(request: Request) -> Outcome<Response> {
    change_own_password(&request.context, request.body()?).await?;
    Ok(Response::no_content())
}
