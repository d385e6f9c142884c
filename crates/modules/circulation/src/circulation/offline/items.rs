//! `GET /octavo/offline/items`: the barcodes of the items in a service point's locations, grouped by the properties that the rules use.

use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::{KIND, Kind, KindRow, place};
use crate::circulation::Desk;

/// The most items that a browser can keep and read without delay: some 4 MB.
const MOST: i64 = 200_000;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let (_, locations) = place(&request, &desk)?;
    let most = request.number("limit", MOST, 0..=MOST)?;
    let mut session = request.context.session().await?;
    let rows: Vec<(KindRow, Option<Value>)> =
        session.read(Statement::new(BARCODES.as_str()).uuids(locations).long(most)).await?;
    let mut kinds: Vec<Value> = Vec::with_capacity(rows.len());
    let mut count = 0;
    for (kind, barcodes) in rows {
        let (Some(kind), Some(barcodes)) = (Kind::of(kind), barcodes) else { continue };
        count += barcodes.as_array().map_or(0, Vec::len);
        let mut shown = kind.shown();
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
