//! The clients' connections, with a limit for all and one for each address. If there are too many, or file handles run out, the
//! connection is closed whose client the server has waited for longest.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

use crate::clients::counting_address;
use crate::line::ConnectionState;

#[derive(Debug)]
pub struct Connections {
    max_total: usize,
    max_per_address: usize,
    list: Mutex<ConnectionList>,
}

#[derive(Debug, Default)]
struct ConnectionList {
    /// How many connections there were since the start.
    opened: u64,
    held: HashMap<u64, Connection>,
    by_address: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct Connection {
    address: IpAddr,
    line: Arc<ConnectionState>,
    task: Option<AbortHandle>,
}

/// A connection's entry in the list of connections. It is removed when this is dropped.
#[derive(Debug)]
pub struct ConnectionPlace {
    connections: Arc<Connections>,
    pub number: u64,
}

impl Connections {
    pub fn new(most: usize, most_each: usize) -> Arc<Connections> {
        Arc::new(Connections { max_total: most, max_per_address: most_each, list: Mutex::default() })
    }

    /// A place for one more connection; if there is none left, the connection that has waited longest for its client loses its own.
    /// `None` if all are at work. A proxy's connections are not `counted`: it stands for many clients.
    pub fn enter(
        self: &Arc<Self>,
        address: IpAddr,
        counted: bool,
        line: &Arc<ConnectionState>,
    ) -> Option<ConnectionPlace> {
        let address = counting_address(address);
        let mut list = self.lock_list();
        let own = list.by_address.get(&address).copied().unwrap_or(0);
        if counted && own >= self.max_per_address && !list.close_longest_waiting(Some(address)) {
            return None;
        }
        if list.held.len() >= self.max_total && !list.close_longest_waiting(None) {
            return None;
        }
        list.opened += 1;
        let number = list.opened;
        line.note_activity();
        list.held.insert(number, Connection { address, line: Arc::clone(line), task: None });
        *list.by_address.entry(address).or_default() += 1;
        Some(ConnectionPlace { connections: Arc::clone(self), number })
    }

    pub fn set_task(&self, number: u64, task: AbortHandle) {
        if let Some(held) = self.lock_list().held.get_mut(&number) {
            held.task = Some(task);
        }
    }

    /// Closes the connection that has waited longest for its client. Returns whether there was one.
    pub fn close_longest_waiting(&self) -> bool {
        self.lock_list().close_longest_waiting(None)
    }

    fn lock_list(&self) -> MutexGuard<'_, ConnectionList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionList {
    fn close_longest_waiting(&mut self, of: Option<IpAddr>) -> bool {
        let theirs = self.held.iter().filter(|(_, held)| of.is_none_or(|address| address == held.address));
        let waiting = theirs.filter(|(_, held)| held.task.is_some());
        let waiting = waiting.filter_map(|(number, held)| Some((held.line.waiting_since()?, *number)));
        let Some((_, number)) = waiting.min() else { return false };
        if let Some(task) = self.remove(number).and_then(|held| held.task) {
            task.abort();
        }
        true
    }

    fn remove(&mut self, number: u64) -> Option<Connection> {
        let held = self.held.remove(&number)?;
        if let Some(count) = self.by_address.get_mut(&held.address) {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&held.address);
            }
        }
        Some(held)
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.connections.lock_list().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    /// A connection as the server keeps it.
    fn open(
        connections: &Arc<Connections>,
        last: u8,
        counted: bool,
    ) -> Option<(ConnectionPlace, Arc<ConnectionState>, tokio::task::JoinHandle<()>)> {
        let line = Arc::new(ConnectionState::default());
        let place = connections.enter(address(last), counted, &line)?;
        let task = tokio::spawn(std::future::pending());
        connections.set_task(place.number, task.abort_handle());
        Some((place, line, task))
    }

    #[tokio::test]
    async fn of_too_many_the_one_goes_that_was_waited_for_longest() {
        let connections = Connections::new(3, 2);
        let (_first, line, first_task) = open(&connections, 1, true).unwrap();
        let (_second, _, second_task) = open(&connections, 1, true).unwrap();
        let begun = line.begin_answer();
        let (_third, third_line, third_task) = open(&connections, 1, true).unwrap();
        assert!(second_task.await.unwrap_err().is_cancelled());
        let _more = third_line.begin_answer();
        assert!(open(&connections, 1, true).is_none(), "both are at work");
        let (_proxy, proxy_line, _) = open(&connections, 1, false).unwrap();
        let _working = proxy_line.begin_answer();
        assert!(open(&connections, 2, true).is_none(), "all are at work");
        drop(begun);
        assert!(open(&connections, 2, true).is_some());
        assert!(first_task.await.unwrap_err().is_cancelled());
        assert!(!third_task.is_finished());
    }

    #[tokio::test]
    async fn who_waits_for_a_body_is_waited_for() {
        let connections = Connections::new(1, 1);
        let (_place, line, task) = open(&connections, 1, true).unwrap();
        let _begun = line.begin_answer();
        assert!(!connections.close_longest_waiting());
        line.set_receiving(true);
        assert!(connections.close_longest_waiting());
        assert!(task.await.unwrap_err().is_cancelled());
        assert!(!connections.close_longest_waiting());
    }
}
