//! Creates the records that transactions need: a title with holdings, a location and a service point for the items of other libraries, a
//! loan type and a cancellation reason. FOLIO creates them when a tenant enables the module; here the first transaction does, so that
//! libraries without transactions do not see them.

use octavo_engine::{Context, create, find};
use octavo_kernel::Outcome;
use octavo_modules_base::circulation_records::CANCELLATION_REASON;
use octavo_modules_base::inventory_records::{
    BORROWED_ITEMS_LOCATION, CAMPUS, HOLDINGS, HOLDINGS_SOURCE, INSTANCE, INSTANCE_TYPE, INSTITUTION,
    LIBRARY, LOAN_TYPE, LOCATION, SERVICE_POINT,
};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::to_dcb_fault;
use super::service_points::{self, CALENDAR_NAME};
use crate::calendar::assign;

pub(super) const INSTANCE_ID: Uuid = Uuid::from_u128(0x9d1b77e4_f02e_4b7f_b296_3f2042ddac54);
pub(super) const HOLDINGS_ID: Uuid = Uuid::from_u128(0x10cd3a5a_d36f_4c7a_bc4f_e1ae3cf820c9);
pub(super) const LOAN_TYPE_ID: Uuid = Uuid::from_u128(0x4dec5417_0765_4767_bed6_b363a2d7d4e2);
pub(super) const CANCELLATION_REASON_ID: Uuid = Uuid::from_u128(0x50ed35b2_1397_4e83_a76b_642adf91ca2a);
const INSTANCE_TYPE_ID: Uuid = Uuid::from_u128(0x9d1b77e0_f02e_4b7f_b296_3f2042ddac54);
const INSTITUTION_ID: Uuid = Uuid::from_u128(0x9d1b77e5_f02e_4b7f_b296_3f2042ddac54);
const CAMPUS_ID: Uuid = Uuid::from_u128(0x9d1b77e6_f02e_4b7f_b296_3f2042ddac54);
const LIBRARY_ID: Uuid = Uuid::from_u128(0x9d1b77e7_f02e_4b7f_b296_3f2042ddac54);
/// The same as the location's.
const SERVICE_POINT_ID: Uuid = BORROWED_ITEMS_LOCATION;

const NAME: &str = "DCB";
const CODE: &str = "000";

/// Creates the records that are missing, and assigns a calendar to the service point. The holdings come last: where they are, all was done.
pub(super) async fn ensure_records(context: &Context) -> Outcome<()> {
    if find(&mut context.session().await?, &HOLDINGS, HOLDINGS_ID).await?.is_some() {
        return Ok(());
    }
    let [others @ .., holdings] = records(source_of_holdings(context).await?);
    create_missing(context, others).await?;
    assign(context, CALENDAR_NAME, SERVICE_POINT_ID).await?;
    create_missing(context, [holdings]).await
}

type NewRecord = (&'static RecordType, Uuid, Value);

async fn create_missing<const N: usize>(context: &Context, records: [NewRecord; N]) -> Outcome<()> {
    let session = &mut context.session().await?;
    for (record, id, body) in records {
        if find(session, record, id).await?.is_none() {
            let made = create(context, session, record, body).await;
            // Another request may have made it at the same time.
            if let Err(fault) = made
                && find(session, record, id).await?.is_none()
            {
                return Err(to_dcb_fault(fault));
            }
        }
    }
    Ok(())
}

/// The source `FOLIO` of holdings, if the library has it.
async fn source_of_holdings(context: &Context) -> Outcome<Option<Uuid>> {
    let snapshot = context.snapshot().await?;
    Ok(snapshot.all(&HOLDINGS_SOURCE).find(|(_, source)| source["name"] == "FOLIO").map(|(id, _)| *id))
}

fn records(source: Option<Uuid>) -> [NewRecord; 10] {
    let unit = |id: Uuid, key: &str, parent: Option<Uuid>| {
        let mut unit = json!({"id": id, "name": NAME, "code": CODE});
        if let Some(parent) = parent {
            unit[key] = json!(parent);
        }
        unit
    };
    let mut holdings =
        json!({"id": HOLDINGS_ID, "instanceId": INSTANCE_ID, "permanentLocationId": BORROWED_ITEMS_LOCATION});
    if let Some(source) = source {
        holdings["sourceId"] = json!(source);
    }
    [
        (
            &INSTANCE_TYPE,
            INSTANCE_TYPE_ID,
            json!({"id": INSTANCE_TYPE_ID, "name": NAME, "code": CODE, "source": "local"}),
        ),
        (
            &INSTANCE,
            INSTANCE_ID,
            json!({
                "id": INSTANCE_ID, "instanceTypeId": INSTANCE_TYPE_ID, "title": "DCB_INSTANCE", "source": "FOLIO",
            }),
        ),
        (&INSTITUTION, INSTITUTION_ID, unit(INSTITUTION_ID, "", None)),
        (&CAMPUS, CAMPUS_ID, unit(CAMPUS_ID, "institutionId", Some(INSTITUTION_ID))),
        (&LIBRARY, LIBRARY_ID, unit(LIBRARY_ID, "campusId", Some(CAMPUS_ID))),
        (&SERVICE_POINT, SERVICE_POINT_ID, service_points::record(SERVICE_POINT_ID, NAME, CODE)),
        (
            &CANCELLATION_REASON,
            CANCELLATION_REASON_ID,
            json!({"id": CANCELLATION_REASON_ID, "name": "DCB Cancelled", "description": "DCB Cancelled"}),
        ),
        (&LOAN_TYPE, LOAN_TYPE_ID, json!({"id": LOAN_TYPE_ID, "name": "DCB Can circulate"})),
        (
            &LOCATION,
            BORROWED_ITEMS_LOCATION,
            json!({
                "id": BORROWED_ITEMS_LOCATION, "name": NAME, "code": CODE, "institutionId": INSTITUTION_ID,
                "campusId": CAMPUS_ID, "libraryId": LIBRARY_ID, "primaryServicePoint": SERVICE_POINT_ID,
                "servicePointIds": [SERVICE_POINT_ID],
            }),
        ),
        (&HOLDINGS, HOLDINGS_ID, holdings),
    ]
}
