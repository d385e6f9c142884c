//! A slot of logical replication together with a snapshot of what was committed before it, so that the rows of a table can be copied and
//! every later change follows them. PostgreSQL makes that snapshot only in a session of its replication protocol.

use crate::wire::Wire;
use crate::{Database, DbError};

/// A slot that was made just now. It stays when this is dropped; its snapshot goes.
pub struct Slot {
    _wire: Wire,
    /// Its name for `set transaction snapshot`.
    pub snapshot: String,
}

impl Database {
    /// Makes a slot for the changes of this database, as `pgoutput` tells them. Needs a user who may replicate. The name is one that
    /// needs no quotes.
    pub async fn slot_with_snapshot(&self, name: &str) -> Result<Slot, DbError> {
        let mut access = self.inner.lender.connections.access.clone();
        access.replicates = true;
        // The session keeps the snapshot by being idle in a transaction.
        access.settings = &[("idle_in_transaction_session_timeout", "0")];
        let mut wire = Wire::connect(&access).await?;
        let made = format!("CREATE_REPLICATION_SLOT {name} LOGICAL pgoutput (SNAPSHOT 'export')");
        let rows = wire.command(&made).await?;
        // Name, position, snapshot, plugin.
        let snapshot = rows.first().and_then(|row| row.read::<(String, String, Option<String>, String)>().2);
        let snapshot = snapshot.ok_or_else(|| DbError::Lost("a slot was made without a snapshot".into()))?;
        Ok(Slot { _wire: wire, snapshot })
    }
}
