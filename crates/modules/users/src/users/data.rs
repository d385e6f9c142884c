//! `GET /octavo/patrons/{id}/data`: all that is kept about a person, by what each record type declares. It is sent while it is read, so
//! that little of it is in memory at a time, however much there is.

mod page;
mod written;

use std::vec::IntoIter;

use octavo_engine::{Context, Pieces, Request, Response, SecurityEventKind};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_log::LOG;
use octavo_modules_base::persons;
use octavo_modules_base::user_records::USER;
use octavo_pg::{Param, Row, Session, Sql, Statement};
use octavo_record::{PersonRole, Persons, RecordType, table_name};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use self::written::{DataWriter, Form};

/// An answer of up to this many bytes is put together and sent in one piece.
const FIRST_PIECE_BYTES: usize = 1 << 20;
const PIECE_BYTES: usize = 64 << 10;
/// How many records are read at once.
const ROWS_AT_ONCE: i32 = 50;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let path = request.path_parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| Fault::not_found_with(path))?;
    let form = match request.query("format") {
        None | Some("json") => Form::Json,
        Some("html") => Form::Page,
        Some(other) => return Err(Fault::bad_request(format!("format is json or html, not {other}"))),
    };
    let place = context.platform.long_lists.wait_for_permit().await?;
    let mut session = context.session().await?;
    let ids: Vec<Uuid> = session.read(Statement::new(IDS).uuid(id)).await?;
    if ids.is_empty() {
        return Err(Fault::not_found_with(path));
    }
    let (kinds, not_given) = kinds(context);
    let written = DataWriter::begin(form, id, &context.now_text());
    let mut giving = DataStream {
        session,
        ids,
        kinds: kinds.into_iter(),
        not_given,
        open_kind: None,
        writer: written,
        _place: place,
    };
    let first = giving.next_piece(FIRST_PIECE_BYTES).await?;
    request.note_security_event(
        SecurityEventKind::DataGiven,
        context.caller.user_id,
        &format!("All data about {id}"),
    );
    let rest = (!giving.writer.is_ended).then(|| giving.into_pieces());
    Ok(Response { content_type: form.content_type(), streamed_rest: rest, ..Response::json_text(200, first) }
        .with_header("content-security-policy", page::CONTENT_SECURITY_POLICY)
        .with_header("x-content-type-options", "nosniff")
        .with_header("cache-control", "no-store"))
}

/// A record type with the SQL condition for the records of a person.
type Kind = (&'static RecordType, &'static Persons, &'static str);

/// The record types that are given, the user first, and those that are not, with the reason.
fn kinds(context: &Context) -> (Vec<Kind>, Vec<(&'static str, &'static str)>) {
    let mut given = Vec::new();
    let mut not_given = Vec::new();
    let log: &'static RecordType = &LOG;
    let said = persons::personal_record_types(context).into_iter().rev();
    for (record, persons) in said.chain(log.persons.map(|persons| (log, persons))) {
        match persons.disclosure_condition() {
            Ok(found) => given.push((record, persons, found)),
            Err(why) if persons.members.iter().any(|member| member.role == PersonRole::Patron) => {
                not_given.push((record.name, why));
            }
            Err(_) => {}
        }
    }
    given.sort_by_key(|(record, ..)| record.table != USER.table);
    not_given.extend(NOT_IN_RECORDS);
    (given, not_given)
}

/// Further data that is kept and not given, with the reasons.
const NOT_IN_RECORDS: [(&str, &str); 2] = [
    (
        "event for other programs",
        "events repeat changes of the records above, and are removed after the days of the setting keep-events-days",
    ),
    (
        "record of the library",
        "its records name who of the staff has made, changed or handled them, for which staff answer",
    ),
];

/// An answer that is sent while its records are read from the database.
struct DataStream {
    session: Session,
    ids: Vec<Uuid>,
    kinds: IntoIter<Kind>,
    not_given: Vec<(&'static str, &'static str)>,
    /// The kind of which there may be more records in the database, and whether one was written.
    open_kind: Option<(&'static RecordType, bool)>,
    writer: DataWriter,
    _place: OwnedSemaphorePermit,
}

impl DataStream {
    /// The next piece, of at least this many bytes unless the end comes before.
    async fn next_piece(&mut self, bytes: usize) -> Outcome<String> {
        while !self.writer.is_ended && self.writer.text.len() < bytes {
            let mut rows = Vec::new();
            let (record, is_written, more) = match self.open_kind.take() {
                Some((record, is_written)) => {
                    (record, is_written, self.session.fetch_more(ROWS_AT_ONCE, &mut rows).await?)
                }
                None => match self.kinds.next() {
                    None => {
                        self.writer.end(&self.not_given);
                        break;
                    }
                    Some(kind) => (kind.0, false, self.open_cursor(&kind, &mut rows).await?),
                },
            };
            self.write(record, is_written, more, &rows);
            if !more {
                self.session.rollback().await?;
            }
        }
        Ok(std::mem::take(&mut self.writer.text))
    }

    async fn open_cursor(&mut self, (record, persons, found): &Kind, rows: &mut Vec<Row>) -> Outcome<bool> {
        let sql =
            Sql { text: select_sql(record, persons, found), params: vec![Param::Uuids(self.ids.clone())] };
        Ok(self.session.open_cursor(&sql, ROWS_AT_ONCE, rows).await?)
    }

    fn write(&mut self, record: &'static RecordType, is_written: bool, more: bool, rows: &[Row]) {
        if !is_written && !rows.is_empty() {
            self.writer.begin_kind(record.name, record.table);
        }
        rows.iter().for_each(|row| self.writer.append_record(row.text(0)));
        let is_written = is_written || !rows.is_empty();
        if more {
            self.open_kind = Some((record, is_written));
        } else if is_written {
            self.writer.end_kind();
        }
    }

    fn into_pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.writer.is_ended {
                return Ok(None);
            }
            let piece = self.next_piece(PIECE_BYTES).await?;
            Ok(Some((piece, self.into_pieces())))
        })
    }
}

/// SQL for the documents of a person, without secret members such as the hash of a password.
fn select_sql(record: &RecordType, persons: &Persons, found: &str) -> String {
    let document = record.response_document_sql("t");
    let document = match persons.secret {
        [] => document,
        secret => secret.iter().fold(format!("({document})::jsonb"), |sql, path| {
            format!("{sql} #- '{{{}}}'", path.replace('.', ","))
        }),
    };
    format!("select ({document})::text\nfrom {} t\nwhere {found}\norder by t.id", table_name(record))
}

/// The person's id and those of the duplicates that were merged with it; none if there is no such user.
const IDS: &str = "\
select u.id from users u where u.id = $1
union
select m.\"duplicateUserId\"
from user_merge m
join users u on u.id = m.\"keptUserId\"
where m.\"keptUserId\" = $1";

octavo_pg::statements!(other = [IDS]);
