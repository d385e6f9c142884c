//! A queue, call by call: another request is placed into it, the item comes back and fills the first, and goes out to whoever
//! asked. So the queue stays as long as it is.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::waiting::{COUNTED, Level, Queue};
use crate::bench::desk::{Desk, WARM_UP};
use crate::bench::figures::Latencies;
use crate::bench::http::Connection;
use crate::bench::trips::{Asker, CHECK_IN, CHECK_OUT};
use crate::bench::{clock, say, stock};

const REQUESTS: &str = "/circulation/requests";
/// How often a queue is put into another order; the first times do not count.
const ORDERS: u32 = 20;
const UNCOUNTED: u32 = 3;

pub(super) struct Queues<'a> {
    pub(super) desk: &'a Desk,
    pub(super) known: Queue,
    pub(super) calls: u32,
}

/// What was measured of a queue.
#[derive(Default)]
pub(super) struct Times {
    pub(super) placing: Latencies,
    pub(super) filling: Latencies,
    pub(super) lending: Latencies,
    pub(super) ordering: Latencies,
    /// Round trips of placing, filling and lending.
    pub(super) trips: [String; 3],
}

impl Queues<'_> {
    pub(super) async fn measure(&self) -> Result<Times> {
        let kind = if self.known.level == Level::Title { "a title" } else { "an item" };
        let mut connection = self.desk.open().await?;
        if self.known.level == Level::Title {
            self.switch_titles_on(&mut connection).await?;
        }
        say(&format!("{} wait for {kind}: placing, filling and lending", self.known.length));
        let mut times = Times::default();
        for turn in 0..self.calls {
            let [place, fill, lend] = self.turn(turn)?;
            let placed = self.timed(&mut connection, REQUESTS, &place, 201).await?;
            let filled = self.timed(&mut connection, CHECK_IN, &fill, 200).await?;
            let lent = self.timed(&mut connection, CHECK_OUT, &lend, 201).await?;
            if turn >= WARM_UP {
                times.placing.push(placed);
                times.filling.push(filled);
                times.lending.push(lent);
            }
        }
        times.trips = self.count().await?;
        say(&format!("{} wait for {kind}: all in another order", self.known.length));
        times.ordering = self.orders(&mut connection).await?;
        Ok(times)
    }

    /// The bodies of a turn.
    fn turn(&self, turn: u32) -> Result<[String; 3]> {
        let queue = &self.known;
        let patron = queue.patrons.get(turn as usize).context("too few patrons")?;
        let mut place = json!({
            "requestType": "Hold", "requestLevel": "Title", "fulfillmentPreference": "Hold Shelf",
            "instanceId": queue.instance_id, "requesterId": patron, "pickupServicePointId": stock::SERVICE_POINT,
            "requestDate": format!("{}T08:00:00.000Z", clock::today()),
        });
        if queue.level == Level::Item {
            place["requestLevel"] = json!("Item");
            place["itemId"] = json!(queue.item_id);
            place["holdingsRecordId"] = json!(queue.holdings_id);
        }
        let item = u64::from(queue.item);
        let tonight = format!("{}T23:59:59.000Z", clock::today());
        Ok([
            place.to_string(),
            stock::returning(item, &tonight),
            stock::lending(item, u64::from(queue.first + turn)),
        ])
    }

    async fn timed(&self, connection: &mut Connection, path: &str, body: &str, status: u16) -> Result<u128> {
        Ok(self.desk.timed(connection, ("POST", path, body), status).await?.0)
    }

    /// A few turns more, for which the server counts.
    async fn count(&self) -> Result<[String; 3]> {
        let mut asker = Asker::new(self.desk.address, &self.desk.headers).await?;
        let mut trips = [const { String::new() }; 3];
        for turn in self.calls..self.calls + COUNTED {
            let [place, fill, lend] = self.turn(turn)?;
            trips = [
                asker.ask("placing", "POST", REQUESTS, &place, 201).await?.round_trips,
                asker.ask("filling", "POST", CHECK_IN, &fill, 200).await?.round_trips,
                asker.ask("lending", "POST", CHECK_OUT, &lend, 201).await?.round_trips,
            ];
        }
        Ok(trips)
    }

    async fn orders(&self, connection: &mut Connection) -> Result<Latencies> {
        let path = match self.known.level {
            Level::Item => format!("{REQUESTS}/queue/item/{}", self.known.item_id),
            Level::Title => format!("{REQUESTS}/queue/instance/{}", self.known.instance_id),
        };
        let mut times = Latencies::default();
        for turn in 0..ORDERS {
            let body = self.the_other_way_round(connection, &path).await?;
            let elapsed = self.timed(connection, &format!("{path}/reorder"), &body, 200).await?;
            if turn >= UNCOUNTED {
                times.push(elapsed);
            }
        }
        Ok(times)
    }

    async fn the_other_way_round(&self, connection: &mut Connection, path: &str) -> Result<String> {
        let (_, answer) = self.desk.timed(connection, ("GET", path, ""), 200).await?;
        let shown = answer.json()?;
        let requests = shown["requests"].as_array().map(Vec::as_slice).unwrap_or_default();
        let places = requests.iter().map(|request| request["position"].as_u64());
        let gapless = places.eq((1..=u64::from(self.known.length)).map(Some));
        ensure!(gapless, "the queue is not 1 to {}", self.known.length);
        let moved = requests.iter().rev().zip(1..);
        let moved: Vec<Value> =
            moved.map(|(request, place)| json!({"id": request["id"], "newPosition": place})).collect();
        Ok(json!({"reorderedQueue": moved}).to_string())
    }

    async fn switch_titles_on(&self, connection: &mut Connection) -> Result<()> {
        let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
        let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": value}).to_string();
        self.timed(connection, "/configurations/entries", &entry, 201).await?;
        Ok(())
    }
}
