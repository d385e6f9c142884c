//! A queue, call by call: another request is placed into it, the item is checked in, which fills the first request, and is checked out
//! to its patron. So the queue keeps its length.

use anyhow::{Context, Result, ensure};
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use serde_json::{Value, json};

use super::waiting::{Level, Queue, TRACED_CALLS};
use crate::bench::call::{CHECK_IN, CHECK_OUT, Call};
use crate::bench::desk::{Desk, WARM_UP};
use crate::bench::print_progress;
use crate::bench::stock;

const REQUESTS: &str = "/circulation/requests";
/// How often the order of a queue is changed; the first times are not counted.
const REORDERINGS: u32 = 20;
const WARM_UP_REORDERINGS: u32 = 3;

pub(super) struct Queues<'a> {
    pub(super) desk: &'a Desk,
    pub(super) queue: Queue,
    pub(super) calls: u32,
}

/// The expected statuses of the calls of a turn.
const STATUSES: [u16; 3] = [201, 200, 201];

#[derive(Default)]
pub(super) struct Times {
    pub(super) placing: Latencies,
    pub(super) filling: Latencies,
    pub(super) lending: Latencies,
    pub(super) ordering: Latencies,
    /// Round trips of placing, filling and lending.
    pub(super) round_trips: [String; 3],
}

impl Queues<'_> {
    pub(super) async fn measure(&self) -> Result<Times> {
        let kind = if self.queue.level == Level::Title { "a title" } else { "an item" };
        let mut staff = self.desk.another_member_of_staff();
        if self.queue.level == Level::Title {
            enable_title_requests(&mut staff).await?;
        }
        print_progress(&format!(
            "{} requests wait for {kind}: placing another, filling the first, checking out",
            self.queue.length
        ));
        let mut times = Times::default();
        for turn in 0..self.calls {
            let mut took = [0; 3];
            for ((call, status), took) in self.calls_of_turn(turn)?.iter().zip(STATUSES).zip(&mut took) {
                *took = call.send(&mut staff, status).await?.time.as_micros();
            }
            if turn >= WARM_UP {
                let Times { placing, filling, lending, .. } = &mut times;
                for (times, took) in [placing, filling, lending].into_iter().zip(took) {
                    times.push(took);
                }
            }
        }
        // A few more turns are traced, for which the server itself counts its round trips to the database.
        for turn in self.calls..self.calls + TRACED_CALLS {
            for ((call, status), trips) in
                self.calls_of_turn(turn)?.iter().zip(STATUSES).zip(&mut times.round_trips)
            {
                *trips = format!("{:.0}", call.send_traced(&mut staff, status).await?.round_trips);
            }
        }
        print_progress(&format!(
            "{} requests wait for {kind}: putting all in another order",
            self.queue.length
        ));
        times.ordering = self.measure_reordering(&mut staff).await?;
        Ok(times)
    }

    /// The calls of a turn: another request is placed, the item is checked in, and is checked out to the first patron of the queue.
    fn calls_of_turn(&self, turn: u32) -> Result<[Call; 3]> {
        let queue = &self.queue;
        let patron = queue.patrons.get(turn as usize).context("too few patrons")?;
        let mut place = json!({
            "requestType": "Hold", "requestLevel": "Title", "fulfillmentPreference": "Hold Shelf",
            "instanceId": queue.instance_id, "requesterId": patron, "pickupServicePointId": stock::SERVICE_POINT,
            "requestDate": format!("{}T08:00:00.000Z", clock::date()),
        });
        if queue.level == Level::Item {
            place["requestLevel"] = json!("Item");
            place["itemId"] = json!(queue.item_id);
            place["holdingsRecordId"] = json!(queue.holdings_id);
        }
        let item = stock::item_barcode(queue.item.into());
        let next = stock::patron_barcode((queue.first_patron + turn).into());
        let tonight = format!("{}T23:59:59.000Z", clock::date());
        Ok([
            Call::post(REQUESTS, place.to_string()),
            Call::post(CHECK_IN, stock::check_in_body(&item, &tonight)),
            Call::post(CHECK_OUT, stock::check_out_body(&item, &next)),
        ])
    }

    async fn measure_reordering(&self, staff: &mut Session) -> Result<Latencies> {
        let path = match self.queue.level {
            Level::Item => format!("{REQUESTS}/queue/item/{}", self.queue.item_id),
            Level::Title => format!("{REQUESTS}/queue/instance/{}", self.queue.instance_id),
        };
        let mut times = Latencies::default();
        for turn in 0..REORDERINGS {
            let body = self.reversed_order_body(staff, &path).await?;
            let ordered = Call::post(format!("{path}/reorder"), body).send(staff, 200).await?;
            if turn >= WARM_UP_REORDERINGS {
                times.push(ordered.time.as_micros());
            }
        }
        Ok(times)
    }

    async fn reversed_order_body(&self, staff: &mut Session, path: &str) -> Result<String> {
        let shown = Call::get(path).send(staff, 200).await?.answer.json()?;
        let requests = shown["requests"].as_array().map(Vec::as_slice).unwrap_or_default();
        let places = requests.iter().map(|request| request["position"].as_u64());
        let gapless = places.eq((1..=u64::from(self.queue.length)).map(Some));
        ensure!(gapless, "the queue is not 1 to {}", self.queue.length);
        let moved = requests.iter().rev().zip(1..);
        let moved: Vec<Value> =
            moved.map(|(request, place)| json!({"id": request["id"], "newPosition": place})).collect();
        Ok(json!({"reorderedQueue": moved}).to_string())
    }
}

async fn enable_title_requests(staff: &mut Session) -> Result<()> {
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": value}).to_string();
    Call::post("/configurations/entries", entry).send(staff, 201).await.map(|_| ())
}
