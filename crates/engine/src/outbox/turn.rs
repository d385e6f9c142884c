//! How long one kind of task may keep a tenant's other tasks waiting.

use std::time::Duration;

use octavo_kernel::Outcome;
use tokio::time::Instant;

use super::{Task, give_back_claimed};
use crate::Context;

const LENGTH: Duration = Duration::from_secs(20);

/// A turn at tasks that may take hours. It is over after some seconds, and when the server is to stop. What is left is done in another turn.
pub struct Turn<'a> {
    context: &'a Context,
    ends: Instant,
}

impl<'a> Turn<'a> {
    pub fn begin(context: &'a Context) -> Turn<'a> {
        Turn { context, ends: Instant::now() + LENGTH }
    }

    pub fn is_over(&self) -> bool {
        self.context.platform.stop_sign.must_stop() || Instant::now() >= self.ends
    }

    /// Leaves the rest of a task, which must have stored its progress, to another turn, and so all that are due.
    pub async fn leave(&self, kind: &str, task: Option<&Task>) -> Outcome<()> {
        if let Some(task) = task {
            let mut session = self.context.session().await?;
            give_back_claimed(&mut session, kind, &[*task]).await?;
        }
        self.context.platform.outbox_notifier.notify(&self.context.tenant.id);
        Ok(())
    }
}
