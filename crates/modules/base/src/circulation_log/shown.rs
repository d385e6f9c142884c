//! The records of the log as clients search and see them.

use std::sync::LazyLock;

use octavo_circulation::log::{LogAction, LogObject};
use octavo_record::{Field, Index, Member, Persons, RecordType, Told, What};

/// For searches only: the table has neither documents nor the columns that record types have.
pub static LOG: LazyLock<RecordType> = LazyLock::new(|| RecordType {
    name: "log record",
    table: "circulation_log",
    path: "/audit-data/circulation/logs",
    collection: "logRecords",
    schema: "",
    shown: Some(kept(shown())),
    fields: Box::leak(fields().into_boxed_slice()),
    persons: Some(&PERSONS),
    ..RecordType::BASE
});

/// How the patron is forgotten stands in the parent module.
static PERSONS: Persons = Persons {
    members: &[
        Member::id("linkToIds.userId"),
        Member::patron("userBarcode", What::Barcode),
        Member::patron("description", What::Text),
        Member::staff("source", What::Name),
    ],
    told: Told::Where("t.user_id = any($1)"),
    ..Persons::NOBODY
};

fn fields() -> Vec<Field> {
    vec![
        Field::instant("date").looked_up("{t}.at").indexed(&[Index::Order]),
        Field::lower("userBarcode").looked_up("lower({t}.user_barcode)"),
        Field::lower("itemBarcode").looked_up("lower({t}.item_barcode)").indexed(&[Index::Order]),
        Field::uuid("itemId").looked_up("{t}.item_id"),
        Field::uuid("loanId").looked_up("{t}.loan_id"),
        Field::lower("object").looked_up(kept(format!("lower({})", object()))),
        Field::lower("action").looked_up(kept(format!("lower({})", action()))),
        Field::uuid("servicePointId").looked_up("{t}.service_point_id"),
        Field::text("source").looked_up(kept(format!("octavo.fold({SOURCE})"))),
        Field::text("description").looked_up("octavo.fold({t}.description)"),
        Field::uuid("linkToIds.userId").looked_up("{t}.user_id").indexed(&[Index::Order]),
        Field::uuid("linkToIds.requestId").looked_up(kept(about(LogObject::Request, "requestId"))),
        Field::uuid("linkToIds.feeFineId").looked_up(kept(about(LogObject::FeeFine, "feeFineId"))),
    ]
}

/// Text that lives as long as the program, as a declaration needs it; it is made once.
fn kept(sql: String) -> &'static str {
    Box::leak(sql.into_boxed_str())
}

fn object() -> String {
    named(LogObject::ALL.iter().map(|word| word.name()), "object")
}

fn action() -> String {
    named(LogAction::ALL.iter().map(|word| word.name()), "action")
}

fn named<'a>(words: impl Iterator<Item = &'a str>, column: &str) -> String {
    format!("(array['{}'])[{{t}}.{column}]", words.collect::<Vec<_>>().join("', '"))
}

/// The id of the request or fee/fine, of a record about one or of a notice.
fn about(object: LogObject, more: &str) -> String {
    format!(
        "case when {{t}}.object = {} then {{t}}.about_id else ({{t}}.more ->> '{more}')::uuid end",
        object.code()
    )
}

/// `Last, First`, or what there is of the two.
const SOURCE: &str = "coalesce({t}.source, (
  select nullif(concat_ws(', ', nullif(u.doc #>> '{personal,lastName}', ''), nullif(u.doc #>> '{personal,firstName}', '')), '')
  from users u
  where u.id = {t}.by_user
))";

/// Holdings and instance of an item are those that it has now.
fn shown() -> String {
    let (object, action) = (object(), action());
    let [request, fee] = [about(LogObject::Request, "requestId"), about(LogObject::FeeFine, "feeFineId")];
    format!(
        "\
json_strip_nulls(json_build_object(
  'id', {{t}}.id,
  'eventId', {{t}}.id,
  'userBarcode', coalesce({{t}}.user_barcode, '-'),
  'items', coalesce({{t}}.more -> 'items', case
    when num_nonnulls({{t}}.item_id, {{t}}.item_barcode, {{t}}.loan_id) = 0 then '[]'::json
    else (
      select json_build_array(json_build_object(
        'itemBarcode', coalesce({{t}}.item_barcode, ''),
        'itemId', {{t}}.item_id,
        'instanceId', h.\"instanceId\",
        'holdingId', h.id,
        'loanId', {{t}}.loan_id
      ))
      from (values (1)) o
      left join item i on i.id = {{t}}.item_id
      left join holdings_record h on h.id = i.\"holdingsRecordId\"
    )
  end),
  'object', {object},
  'action', {action},
  'date', to_char({{t}}.at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  'servicePointId', {{t}}.service_point_id,
  'source', {SOURCE},
  'description', {{t}}.description,
  'linkToIds', json_build_object(
    'userId', {{t}}.user_id,
    'requestId', {request},
    'feeFineId', {fee},
    'templateId', {{t}}.more ->> 'templateId',
    'noticePolicyId', {{t}}.more ->> 'noticePolicyId'
  )
))"
    )
}
