//! The records of the log as clients search and see them.

use std::sync::LazyLock;

use octavo_circulation::log::{LogAction, LogObject};
use octavo_record::{DisclosureRule, Field, Index, Member, PersonalData, Persons, RecordType};

/// For searches only: the table has neither documents nor the columns that record types have.
pub static LOG: LazyLock<RecordType> = LazyLock::new(|| RecordType {
    name: "log record",
    table: "circulation_log",
    path: "/audit-data/circulation/logs",
    collection: "logRecords",
    schema: "",
    response_expression: Some(leak_sql(record_json_sql())),
    fields: Box::leak(fields().into_boxed_slice()),
    persons: Some(&PERSONS),
    ..RecordType::BASE
});

/// The members of a log record that hold personal data. The SQL that removes a patron from the log is in the parent module.
static PERSONS: Persons = Persons {
    members: &[
        Member::patron_id("linkToIds.userId"),
        Member::patron("userBarcode", PersonalData::Barcode),
        Member::patron("description", PersonalData::Text),
        Member::staff("source", PersonalData::Name),
    ],
    disclosure: DisclosureRule::Where("t.user_id = any($1)"),
    ..Persons::NOBODY
};

fn fields() -> Vec<Field> {
    vec![
        Field::instant("date").looked_up("{t}.at").indexed(&[Index::Order]),
        Field::lower("userBarcode").looked_up("lower({t}.user_barcode)"),
        Field::lower("itemBarcode").looked_up("lower({t}.item_barcode)").indexed(&[Index::Order]),
        Field::uuid("itemId").looked_up("{t}.item_id"),
        Field::uuid("loanId").looked_up("{t}.loan_id"),
        Field::lower("object").looked_up(leak_sql(format!("lower({})", object_name_sql()))),
        Field::lower("action").looked_up(leak_sql(format!("lower({})", action_name_sql()))),
        Field::uuid("servicePointId").looked_up("{t}.service_point_id"),
        Field::text("source").looked_up(leak_sql(format!("octavo.fold({SOURCE})"))),
        Field::text("description").looked_up("octavo.fold({t}.description)"),
        Field::uuid("linkToIds.userId").looked_up("{t}.user_id").indexed(&[Index::Order]),
        Field::uuid("linkToIds.requestId")
            .looked_up(leak_sql(linked_id_sql(LogObject::Request, "requestId"))),
        Field::uuid("linkToIds.feeFineId")
            .looked_up(leak_sql(linked_id_sql(LogObject::FeeFine, "feeFineId"))),
    ]
}

/// Makes SQL text live as long as the program, as the declaration of a record type needs it. Each text is made once.
fn leak_sql(sql: String) -> &'static str {
    Box::leak(sql.into_boxed_str())
}

fn object_name_sql() -> String {
    code_to_name_sql(LogObject::ALL.iter().map(|word| word.name()), "object")
}

fn action_name_sql() -> String {
    code_to_name_sql(LogAction::ALL.iter().map(|word| word.name()), "action")
}

fn code_to_name_sql<'a>(words: impl Iterator<Item = &'a str>, column: &str) -> String {
    format!("(array['{}'])[{{t}}.{column}]", words.collect::<Vec<_>>().join("', '"))
}

/// SQL for the id of the request or fee/fine of a log record: from `about_id` if the record is about one, from `more` if it is about a
/// notice.
fn linked_id_sql(object: LogObject, more: &str) -> String {
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

/// SQL for a log record as JSON for clients. Holdings and instance of an item are those that it has now, not those at the time of the
/// record. Those of a partner library's item stand in `circulation_item`.
fn record_json_sql() -> String {
    let (object, action) = (object_name_sql(), action_name_sql());
    let [request, fee] =
        [linked_id_sql(LogObject::Request, "requestId"), linked_id_sql(LogObject::FeeFine, "feeFineId")];
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
      left join circulation_item c on c.id = {{t}}.item_id
      left join holdings_record h on h.id = coalesce(i.\"holdingsRecordId\", (c.doc ->> 'holdingsRecordId')::uuid)
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
