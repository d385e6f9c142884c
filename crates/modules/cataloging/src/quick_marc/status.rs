//! The status of records that are created in the editor. In FOLIO the creation takes a while, and clients ask until it has ended.

use jiff::Timestamp;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::read::id_parameter;
use super::refused::not_found;

/// The status of a record that is being created.
#[derive(Debug)]
pub(super) struct CreationStatus {
    pub id: Uuid,
    /// The id of FOLIO's job; in Octavo that of the snapshot of the source record.
    pub job: Uuid,
    created: Option<(Uuid, Uuid)>,
    error: Option<String>,
    at: Timestamp,
}

impl CreationStatus {
    pub(super) fn new(context: &Context) -> CreationStatus {
        let (id, job) = (context.fresh_id(), context.fresh_id());
        CreationStatus { id, job, created: None, error: None, at: context.now }
    }

    pub(super) fn set_created(&mut self, described: Uuid, source: Uuid) {
        self.created = Some((described, source));
    }

    pub(super) fn set_failed(&mut self, error: String) {
        self.created = None;
        self.error = Some(error);
    }

    pub(super) fn statements(&self) -> Vec<Statement> {
        let put = Statement::new(PUT)
            .uuid(self.id)
            .uuid(self.job)
            .maybe_uuid(self.created.map(|(described, _)| described))
            .maybe_uuid(self.created.map(|(_, source)| source))
            .maybe_text(self.error.as_deref())
            .text(folio_time(self.at));
        vec![put, Statement::new(FORGET)]
    }
}

type Found = (Uuid, Option<Uuid>, Option<Uuid>, Option<String>, String);

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = id_parameter(&request, "qmRecordId")?;
    let mut session = request.context.session().await?;
    let found: Option<Found> = session.read(Statement::new(READ).uuid(id)).await?;
    let Some((job, described, source, error, at)) = found else {
        return Err(not_found("-1", format!("Record with id [{id}] was not found")).into());
    };
    let mut status = json!({
        "qmRecordId": id, "jobExecutionId": job, "status": if error.is_none() { "CREATED" } else { "ERROR" },
        "metadata": {"createdAt": at, "updatedAt": at},
    });
    for (member, value) in [
        ("externalId", described.map(|id| json!(id))),
        ("marcId", source.map(|id| json!(id))),
        ("errorMessage", error.map(|error| json!(error))),
    ] {
        if let Some(value) = value {
            status[member] = value;
        }
    }
    Ok(Response::json(200, &status))
}

const PUT: &str = "\
insert into quick_marc_status (id, job, described, source, error, created)
values ($1, $2, $3::uuid, $4::uuid, $5::text, $6::text::timestamptz)";

const FORGET: &str = "\
delete from quick_marc_status
where id in (select s.id from quick_marc_status s where s.created < now() - interval '7 days' limit 100)";

const READ: &str = "\
select s.job, s.described, s.source, s.error,
  to_char(s.created at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')
from quick_marc_status s
where s.id = $1";

octavo_pg::statements!(other = [PUT, FORGET, READ]);
