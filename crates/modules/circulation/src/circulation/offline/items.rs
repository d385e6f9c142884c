//! `GET /octavo/offline/items`: the barcodes of the items in a service point's locations, grouped by the properties that the rules use.

use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::{ItemKind, KIND, KindRow, service_point_and_locations};
use crate::circulation::Desk;

/// The most items that a browser can keep and read without delay: some 4 MB.
const MOST_ITEMS: i64 = 200_000;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let (_, locations) = service_point_and_locations(&request, &desk)?;
    let most = request.query_number("limit", MOST_ITEMS, 0..=MOST_ITEMS)?;
    let mut session = request.context.session().await?;
    let rows: Vec<(KindRow, Option<Value>)> =
        session.read(Statement::new(BARCODES.as_str()).uuids(locations).long(most)).await?;
    let mut kinds: Vec<Value> = Vec::with_capacity(rows.len());
    let mut count = 0;
    for (kind, barcodes) in rows {
        let (Some(kind), Some(barcodes)) = (ItemKind::from_row(kind), barcodes) else { continue };
        count += barcodes.as_array().map_or(0, Vec::len);
        let mut shown = kind.to_json();
        shown["barcodes"] = barcodes;
        kinds.push(shown);
    }
    let complete = i64::try_from(count).is_ok_and(|count| count < most);
    Ok(Response::json(200, &json!({"kinds": kinds, "complete": complete})))
}

/// `$1` locations, `$2` how many items at most. Barcodes in lower case, as they are compared.
static BARCODES: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {KIND}, json_agg(i.barcode)::text\n\
         from (select * from item where \"effectiveLocationId\" = any($1) and barcode is not null limit $2) i\n\
         group by 1, 2, 3"
    )
});

octavo_pg::statements!(hot = [BARCODES]);
