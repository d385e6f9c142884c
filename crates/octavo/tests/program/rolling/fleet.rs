//! The servers of one database, as a proxy before them sees them: requests go to each in turns, and to none that leaves.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use octavo_testkit::{Client, Reply};
use serde_json::Value;

#[derive(Default)]
pub(super) struct Fleet {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    servers: Vec<Server>,
    turn: usize,
    counts: Counts,
}

struct Server {
    address: SocketAddr,
    is_leaving: bool,
    /// The number of requests that the server has not answered yet.
    unanswered_requests: usize,
}

#[derive(Default, Clone)]
pub(super) struct Counts {
    pub(super) requests: usize,
    /// The number of requests that were sent again because no answer came.
    pub(super) retried: usize,
    pub(super) failed: Vec<String>,
}

impl Fleet {
    fn with_state<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap())
    }

    pub(super) fn add_server(&self, address: SocketAddr) {
        self.with_state(|state| {
            state.servers.push(Server { address, is_leaving: false, unanswered_requests: 0 });
        });
    }

    pub(super) fn counts(&self) -> Counts {
        self.with_state(|state| state.counts.clone())
    }

    /// Gives a server no further request, and waits until it has answered those that it has.
    pub(super) async fn drain_server(&self, number: usize) {
        self.with_state(|state| state.servers[number].is_leaving = true);
        while self.with_state(|state| state.servers[number].unanswered_requests) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(super) fn replace_server(&self, number: usize, address: SocketAddr) {
        self.with_state(|state| {
            state.servers[number] = Server { address, is_leaving: false, unanswered_requests: 0 }
        });
    }

    fn next_server(&self) -> (usize, SocketAddr) {
        self.with_state(|state| {
            let count = state.servers.len();
            let turns = (1..=count).map(|step| (state.turn + step) % count);
            let number = turns.into_iter().find(|number| !state.servers[*number].is_leaving).unwrap();
            state.turn = number;
            state.counts.requests += 1;
            state.servers[number].unanswered_requests += 1;
            (number, state.servers[number].address)
        })
    }

    /// The answer, if it is the one that is expected.
    pub(super) async fn send(
        &self,
        client: &Client,
        (method, path): (&str, &str),
        body: &Value,
        expected: u16,
    ) -> Option<Reply> {
        let client = client.with("content-type", "application/json");
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let mut why = String::new();
        for attempt in 0..2 {
            let (number, address) = self.next_server();
            let reply = client.to_server(address).attempt(method, path, text.clone()).await;
            self.with_state(|state| {
                state.servers[number].unanswered_requests -= 1;
                state.counts.retried += attempt;
            });
            match reply {
                Ok(reply) if reply.status == expected => return Some(reply),
                Ok(reply) => {
                    why = format!("{reply}");
                    break;
                }
                Err(error) => why = error,
            }
        }
        self.with_state(|state| state.counts.failed.push(why));
        None
    }
}
