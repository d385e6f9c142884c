//! The records of mod-remote-storage 3.2.0: storages, the locations that stand for them, and the two queues of each storage. Decisions
//! about requests and returns write entries of the retrieval queue; the database writes those of the accession queue, whoever changes
//! where an item belongs.

use octavo_circulation::plan::Retrieval;
use octavo_kernel::{Kind, Refusal};
use octavo_pg::Statement;
use octavo_record::{
    ErasureRule, Field, Hooks, Index, Member, MergeRule, PersonalData, Persons, RecordMessages,
    RecordTransfer, RecordType,
};
use serde_json::Value;
use uuid::Uuid;

pub static CONFIGURATION: RecordType = RecordType {
    name: "remote storage configuration",
    table: "remote_storage_configurations",
    path: "/remote-storage/configurations",
    collection: "configurations",
    messages: RecordMessages {
        not_found_on_read: "",
        id_mismatch: Some((Kind::BadRequest, "request id and entity id are not equal")),
        ..RecordMessages::not_found("Configuration not found")
    },
    schema: include_str!("../../folio/records/mod-remote-storage/storageConfiguration.tsv"),
    secrets: &["apiKey"],
    snapshot: true,
    hooks: Hooks { validate: Some(refuse_incomplete), ..Hooks::NONE },
    ..RecordType::BASE
};

/// FOLIO's ids of the kinds of storage.
pub const DEMATIC_EMS: &str = "DEMATIC_EMS";
pub const DEMATIC_SD: &str = "DEMATIC_SD";
pub const CAIA_SOFT: &str = "CAIA_SOFT";

/// FOLIO's names of the ways in which a storage works: where returned items are scanned, and what becomes of the holdings of an item
/// that moves to the storage.
pub const SCANNED_TO_FOLIO: &str = "Scanned to folio";
pub const SCANNED_TO_CAIA_SOFT: &str = "Scanned to CaiaSoft";
pub const CHANGE_PERMANENT_LOCATION: &str = "Change permanent location";

/// Refuses a storage of the kind that needs an accession delay, if it has none.
fn refuse_incomplete(configuration: &Value) -> Vec<Refusal> {
    if configuration["providerName"] != DEMATIC_SD || !configuration["accessionDelay"].is_null() {
        return Vec::new();
    }
    vec![Refusal::new("accessionDelay must not be null").kind("-1").code("Constraint violation error")]
}

/// A location whose items are in a storage. Its id is the location's.
pub static MAPPING: RecordType = RecordType {
    name: "remote storage location",
    messages: RecordMessages::not_found("Mapping not found"),
    table: "location_mappings",
    path: "/remote-storage/mappings",
    collection: "mappings",
    schema: include_str!("../../folio/records/mod-remote-storage/remoteLocationConfigurationMapping.tsv"),
    fields: &[Field::uuid("configurationId").indexed(&[Index::Order])],
    snapshot: true,
    ..RecordType::BASE
};

/// Items that are to come into a storage.
pub static ACCESSION: RecordType = RecordType {
    name: "entry of the accession queue",
    table: "accession_queue",
    path: "/remote-storage/accessions",
    collection: "accessions",
    schema: include_str!("../../folio/records/mod-remote-storage/accessionQueue.tsv"),
    fields: &[
        Field::exact("itemBarcode").indexed(&[Index::Order]),
        Field::uuid("remoteStorageId"),
        Field::time("createdDateTime").indexed(&[Index::Order]),
        Field::time("accessionedDateTime"),
    ],
    persons: Some(&Persons { not_persons: &["itemBarcode"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

/// Items that a storage is asked for. FOLIO's record has no `requesterId`: Octavo adds it to remove the patron's data when the user is
/// deleted.
pub static RETRIEVAL: RecordType = RecordType {
    name: "entry of the retrieval queue",
    table: "retrieval_queue",
    path: "/remote-storage/retrievals",
    collection: "retrievals",
    schema: include_str!("../../octavo/records/mod-remote-storage/retrieval-entry.tsv"),
    fields: &[
        Field::exact("itemBarcode").indexed(&[Index::Order]),
        Field::exact("holdId").indexed(&[Index::Order]),
        Field::uuid("requesterId").indexed(&[Index::Order]),
        Field::uuid("remoteStorageId"),
        Field::time("createdDateTime").indexed(&[Index::Order]),
        Field::time("retrievedDateTime"),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("requesterId"),
            Member::patron("patronBarcode", PersonalData::Barcode),
            Member::patron("patronName", PersonalData::Name),
            Member::patron("requestNote", PersonalData::Text),
        ],
        not_persons: &["itemBarcode"],
        on_loan_anonymised: ErasureRule::Keep("an entry does not name the loan that came of the request"),
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"requesterId\" = any($1)"),
        on_user_merged: MergeRule::Move(&[RecordTransfer {
            document: Some(
                "t.doc::jsonb || (\
                 select jsonb_strip_nulls(jsonb_build_object('requesterId', u.id, \
                 'patronBarcode', u.doc -> 'barcode', 'patronName', u.doc -> 'username')) \
                 from users u where u.id = $2)",
            ),
            ..RecordTransfer::new("requesterId", "t.\"requesterId\" = $1")
        }]),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Writes an entry of the retrieval queue, with what is known of the item and the patron; answers with its id, unless there is no such
/// item or patron.
pub fn insert_retrieval(entry: Uuid, retrieval: &Retrieval) -> Statement {
    let id = |text: Option<&str>| text.and_then(|text| Uuid::parse_str(text).ok());
    Statement::new(RETRIEVE)
        .uuid(entry)
        .maybe_uuid(id(Some(&retrieval.item_id)))
        .maybe_uuid(id(retrieval.requester_id.as_deref()))
        .maybe_uuid(id(retrieval.pickup_service_point_id.as_deref()))
        .maybe_uuid(id(Some(&retrieval.storage_id)))
        .text(retrieval.hold_id.as_str())
        .maybe_text(retrieval.request_status.as_deref())
        .maybe_text(retrieval.request_note.as_deref())
        .text(retrieval.request_type)
}

const RETRIEVE: &str = "\
insert into retrieval_queue (id, doc)
select $1, jsonb_strip_nulls(jsonb_build_object(
  'id', $1::uuid,
  'holdId', $6::text,
  'itemBarcode', i.doc -> 'barcode',
  'instanceTitle', n.doc -> 'title',
  'instanceAuthor', contributors_of(n.doc),
  'callNumber', i.doc #> '{effectiveCallNumberComponents,callNumber}',
  'patronBarcode', u.doc -> 'barcode',
  'patronName', u.doc -> 'username',
  'pickupLocation', s.doc -> 'code',
  'requestStatus', $7::text,
  'requestNote', $8::text,
  'createdDateTime', time_of_entry(),
  'remoteStorageId', $5::uuid,
  'requestType', $9::text,
  'requesterId', u.id
))::json
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
join instance n on n.id = h.\"instanceId\"
join users u on u.id = $3
left join service_point s on s.id = $4
where i.id = $2
returning id";

octavo_pg::statements!(hot = [RETRIEVE]);
