//! Deleting instances by a query, and relationships between them. Facts: mod-inventory-storage 27.1.3.

use octavo_cql::Node;
use octavo_engine::{RecordOperation, Request, Response, fault_from_db_error};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::Value;

use super::{INSTANCE, INSTANCE_RELATIONSHIP};

/// Deletes the instances that a query finds. If these are all, the relationships between them go first, as in FOLIO.
pub(crate) async fn delete_where(request: Request) -> Outcome<Response> {
    let (context, query) = (&request.context, request.query("query"));
    let mut session = context.session().await?;
    if query.is_some_and(finds_all) {
        let all =
            session.transaction(vec![Statement::new(DELETE_RELATIONSHIPS), Statement::new(DELETE_ALL)]).await;
        all.map_err(|error| {
            fault_from_db_error(context, error, RecordOperation::DeletingMany, &INSTANCE, &Value::Null)
        })?;
    } else {
        octavo_engine::delete_where(context, &mut session, &INSTANCE, query).await?;
    }
    Ok(Response::no_content())
}

/// Whether a query is nothing but a clause about `cql.allRecords`.
fn finds_all(query: &str) -> bool {
    octavo_cql::parse(query).is_ok_and(|query| {
        matches!(query.root, Node::Clause(clause) if clause.index.eq_ignore_ascii_case("cql.allRecords"))
    })
}

/// Removes a relationship. Succeeds also if it does not exist.
pub(super) async fn remove_relationship(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    match octavo_engine::delete(&request.context, &mut session, &INSTANCE_RELATIONSHIP, id).await {
        Err(fault) if fault.status != 404 => Err(fault),
        _ => Ok(Response::no_content()),
    }
}

const DELETE_RELATIONSHIPS: &str = "delete from instance_relationship";
const DELETE_ALL: &str = "delete from instance";

octavo_pg::statements!(other = [DELETE_RELATIONSHIPS, DELETE_ALL]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instances_are_meant_by_one_clause() {
        for query in ["cql.allRecords=1", "(CQL.ALLRECORDS = 1) sortBy title"] {
            assert!(finds_all(query), "{query}");
        }
        for query in ["cql.allRecords=1 not title=a", "title=*", "", "("] {
            assert!(!finds_all(query), "{query}");
        }
    }
}
