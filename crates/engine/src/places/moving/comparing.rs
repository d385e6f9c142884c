//! Whether the other database has every row. What the tenant has left does not change any more, and the other database is seen as it was
//! in the moment of the move, so this can take its time.

use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};

use super::{Difference, Move, Step, Table, moved_schema, session};

impl Move<'_> {
    /// How many rows there are, and the tables that differ.
    pub(super) async fn compare(
        &self,
        tables: &[Table],
        mut frozen: Session,
        told: &mut impl FnMut(Step) -> Outcome<()>,
    ) -> Outcome<(i64, Vec<Difference>)> {
        let mut from = session(&self.from.place.database).await?;
        let (mut rows, mut differences) = (0, Vec::new());
        for (at, table) in tables.iter().enumerate() {
            let left = count_and_checksum(&mut from, table, &moved_schema(self.tenant)).await?;
            let arrived = count_and_checksum(&mut frozen, table, self.tenant.schema()).await?;
            rows += left.0;
            if left != arrived {
                differences.push(Difference {
                    table: table.relation.clone(),
                    in_source: left,
                    in_target: arrived,
                });
            }
            told(Step::Compared(at + 1, tables.len()))?;
        }
        frozen.rollback().await?;
        Ok((rows, differences))
    }
}

async fn count_and_checksum(session: &mut Session, table: &Table, schema: &str) -> Outcome<(i64, String)> {
    let columns: Vec<String> = table.columns.iter().map(|column| format!("r.{column}::text")).collect();
    let asked = Statement::new(format!(
        "select count(*), coalesce(sum(hashtextextended(row({})::text, 0)), 0)::text from {schema:?}.{:?} r",
        columns.join(", "),
        table.relation
    ));
    Ok(session.read::<Option<_>>(asked).await?.unwrap_or_default())
}

octavo_pg::statements!(other = []);
