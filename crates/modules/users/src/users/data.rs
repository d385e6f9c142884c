//! `GET /octavo/patrons/{id}/data`: all that is kept about a person, by what each record type declares. It is sent while it is read, so
//! that little of it is in memory at a time, however much there is.

mod page;
mod written;

use std::vec::IntoIter;

use octavo_engine::{Context, Pieces, Request, Response, Security};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_log::LOG;
use octavo_modules_base::persons;
use octavo_modules_base::user_records::USER;
use octavo_pg::{Param, Row, Session, Sql, Statement};
use octavo_record::{Persons, RecordType, Whose, table_name};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use self::written::{Form, Written};

/// An answer of up to this many bytes is put together and sent in one piece.
const HELD: usize = 1 << 20;
const PIECE: usize = 64 << 10;
/// How many records are read at once.
const PART: i32 = 50;

pub(super) async fn give(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let path = request.parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| Fault::missing(path))?;
    let form = match request.query("format") {
        None | Some("json") => Form::Json,
        Some("html") => Form::Page,
        Some(other) => return Err(Fault::bad_request(format!("format is json or html, not {other}"))),
    };
    let place = context.platform.long_lists.enter().await?;
    let mut session = context.session().await?;
    let ids: Vec<Uuid> = session.read(Statement::new(IDS).uuid(id)).await?;
    if ids.is_empty() {
        return Err(Fault::missing(path));
    }
    let (kinds, not_given) = kinds(context);
    let written = Written::begin(form, id, &context.now_text());
    let mut giving =
        Giving { session, ids, kinds: kinds.into_iter(), not_given, under_way: None, written, _place: place };
    let first = giving.next(HELD).await?;
    request.notes_security(Security::DataGiven, context.caller.user_id, &format!("All data about {id}"));
    let rest = (!giving.written.is_ended).then(|| giving.pieces());
    Ok(Response { content_type: form.content_type(), rest, ..Response::json_text(200, first) }
        .with("content-security-policy", page::POLICY)
        .with("x-content-type-options", "nosniff")
        .with("cache-control", "no-store"))
}

/// A record type with the SQL condition for the records of a person.
type Kind = (&'static RecordType, &'static Persons, &'static str);

/// The record types that are given, the user first, and those that are not, with the reason.
fn kinds(context: &Context) -> (Vec<Kind>, Vec<(&'static str, &'static str)>) {
    let mut given = Vec::new();
    let mut not_given = Vec::new();
    let log: &'static RecordType = &LOG;
    let said = persons::said(context).into_iter().rev();
    for (record, persons) in said.chain(log.persons.map(|persons| (log, persons))) {
        match persons.found() {
            Ok(found) => given.push((record, persons, found)),
            Err(why) if persons.members.iter().any(|member| member.whose == Whose::Patron) => {
                not_given.push((record.name, why));
            }
            Err(_) => {}
        }
    }
    given.sort_by_key(|(record, ..)| record.table != USER.table);
    not_given.extend(BESIDE);
    (given, not_given)
}

/// What is kept beside the records of patrons.
const BESIDE: [(&str, &str); 2] = [
    (
        "event for other programs",
        "events repeat changes of the records above, and are removed after the days of the setting keep-events-days",
    ),
    (
        "record of the library",
        "its records name who of the staff has made, changed or handled them, for which staff answer",
    ),
];

/// An answer on its way.
struct Giving {
    session: Session,
    ids: Vec<Uuid>,
    kinds: IntoIter<Kind>,
    not_given: Vec<(&'static str, &'static str)>,
    /// The kind of which there may be more records in the database, and whether one was written.
    under_way: Option<(&'static RecordType, bool)>,
    written: Written,
    _place: OwnedSemaphorePermit,
}

impl Giving {
    /// The next piece, of at least this many bytes unless the end comes before.
    async fn next(&mut self, bytes: usize) -> Outcome<String> {
        while !self.written.is_ended && self.written.text.len() < bytes {
            let mut rows = Vec::new();
            let (record, is_written, more) = match self.under_way.take() {
                Some((record, is_written)) => {
                    (record, is_written, self.session.fetch(PART, &mut rows).await?)
                }
                None => match self.kinds.next() {
                    None => {
                        self.written.end(&self.not_given);
                        break;
                    }
                    Some(kind) => (kind.0, false, self.opened(&kind, &mut rows).await?),
                },
            };
            self.write(record, is_written, more, &rows);
            if !more {
                self.session.rollback().await?;
            }
        }
        Ok(std::mem::take(&mut self.written.text))
    }

    async fn opened(&mut self, (record, persons, found): &Kind, rows: &mut Vec<Row>) -> Outcome<bool> {
        let sql = Sql { text: select(record, persons, found), params: vec![Param::Uuids(self.ids.clone())] };
        Ok(self.session.open(&sql, PART, rows).await?)
    }

    fn write(&mut self, record: &'static RecordType, is_written: bool, more: bool, rows: &[Row]) {
        if !is_written && !rows.is_empty() {
            self.written.kind(record.name, record.table);
        }
        rows.iter().for_each(|row| self.written.record(row.text(0)));
        let is_written = is_written || !rows.is_empty();
        if more {
            self.under_way = Some((record, is_written));
        } else if is_written {
            self.written.end_of_kind();
        }
    }

    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.written.is_ended {
                return Ok(None);
            }
            let piece = self.next(PIECE).await?;
            Ok(Some((piece, self.pieces())))
        })
    }
}

/// SQL for the documents of a person, without what nobody is given.
fn select(record: &RecordType, persons: &Persons, found: &str) -> String {
    let document = record.document("t");
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
