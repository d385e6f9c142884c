//! `/instance-storage/instances/{id}/source-record`: the MARC record of an instance in inventory, an older interface than
//! mod-source-record-storage. The instance's `sourceRecordFormat` says that there is such a record. Facts: mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response, read_document_over, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::{INSTANCE, SOURCE_RECORD_FORMAT};
use octavo_pg::{Session, read_each};
use octavo_record::{Reading, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

/// The record has the id of its instance, and is deleted with the instance.
pub static SOURCE_MARC: RecordType = RecordType {
    name: "source MARC record",
    table: "instance_source_marc",
    path: "/instance-storage/instances/source-record/marc-json",
    collection: "sourceRecords",
    schema: include_str!("../../../folio/records/mod-inventory-storage/marc.tsv"),
    ..RecordType::BASE
};

pub(super) async fn read(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    Ok(Response::json_text(200, read_document_over(&mut session, &SOURCE_MARC, request.path_id(0)?).await?))
}

pub(super) async fn write(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let checked = SOURCE_MARC.schema().check(request.json()?, Reading::FromClient);
    let mut marc = checked.map_err(Fault::refused)?.0;
    marc["id"] = json!(id);
    let mut session = request.context.session().await?;
    let Some((mut instance, before)) = lock_instance_and_marc(&mut session, id).await? else {
        session.rollback().await?;
        return Err(Fault::not_found());
    };
    instance[SOURCE_RECORD_FORMAT] = json!("MARC-JSON");
    let change = match before {
        Some(_) => statements::overwrite(&SOURCE_MARC, id, &marc),
        None => statements::insert(&SOURCE_MARC, id, &marc),
    };
    session.commit(vec![change, statements::overwrite(&INSTANCE, id, &instance)]).await?;
    Ok(Response::no_content())
}

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let Some((mut instance, Some(_))) = lock_instance_and_marc(&mut session, id).await? else {
        session.rollback().await?;
        return Err(Fault::not_found());
    };
    if let Some(instance) = instance.as_object_mut() {
        instance.remove(SOURCE_RECORD_FORMAT);
    }
    let remove = statements::delete(&SOURCE_MARC, id);
    session.commit(vec![remove, statements::overwrite(&INSTANCE, id, &instance)]).await?;
    Ok(Response::no_content())
}

/// Reads the instance and its MARC record in a transaction that stays open. It locks the instance, for which changes of both wait.
async fn lock_instance_and_marc(session: &mut Session, id: Uuid) -> Outcome<Option<(Value, Option<Value>)>> {
    let lock = [&INSTANCE, &SOURCE_MARC].map(|record| statements::lock_all(record).uuids(vec![id]));
    let answers = session.begin(lock.to_vec()).await?;
    let (instance, marc): (Option<(Uuid, Value)>, Option<(Uuid, Value)>) = read_each(&answers);
    Ok(instance.map(|(_, instance)| (instance, marc.map(|(_, marc)| marc))))
}
