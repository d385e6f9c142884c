//! Publishes messages, and keeps the connections for the next messages.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use rskafka::chrono::DateTime;
use rskafka::client::Client;
use rskafka::client::error::{Error, ProtocolError};
use rskafka::client::partition::{Compression, PartitionClient, UnknownTopicHandling};
use rskafka::record::Record;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::Brokers;
use crate::partition::partition;

/// How long a broker may take to make a topic.
const CREATE_TOPIC_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of one request; a message may have more. Brokers take a mebibyte unless they are told otherwise.
const MAX_REQUEST_BYTES: usize = 900 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub topic: String,
    pub key: String,
    pub value: Vec<u8>,
    pub headers: BTreeMap<String, Vec<u8>>,
    /// Milliseconds since 1970.
    pub timestamp_millis: i64,
}

/// How many of the messages, counted from the first, the brokers have certainly stored, and why the next one is not stored. Brokers may
/// have stored later ones, too.
#[derive(Debug, PartialEq, Eq)]
pub struct Published {
    pub count: usize,
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The broker takes no message of this size.
    TooLarge,
    /// The brokers cannot be reached, or report an error.
    Unavailable(String),
}

/// The connections to the brokers of a cluster.
#[derive(Debug)]
pub struct Publisher {
    brokers: Brokers,
    connected: Mutex<Option<Arc<Connected>>>,
}

#[derive(Debug)]
struct Connected {
    client: Client,
    topics: Mutex<BTreeMap<String, Partitions>>,
}

type Partitions = Arc<Vec<PartitionClient>>;

impl Publisher {
    pub fn new(brokers: Brokers) -> Publisher {
        Publisher { brokers, connected: Mutex::default() }
    }

    /// Publishes messages, those of one key in the order in which they come here, within a time.
    pub async fn publish(&self, messages: &[Message], within: Duration) -> Published {
        match timeout(within, self.publish_all(messages)).await {
            Ok(published) => published,
            Err(_) => self.fail_all("The brokers have not answered in time".to_owned()).await,
        }
    }

    async fn publish_all(&self, messages: &[Message]) -> Published {
        let mut places: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
        let mut topics: BTreeMap<&str, Partitions> = BTreeMap::new();
        for (at, message) in messages.iter().enumerate() {
            let topic = message.topic.as_str();
            if !topics.contains_key(topic) {
                match self.partitions(topic).await {
                    Ok(partitions) => drop(topics.insert(topic, partitions)),
                    Err(why) => return self.fail_all(why).await,
                }
            }
            let place = partition(&message.key, topics[topic].len());
            places.entry((topic, place)).or_default().push(at);
        }
        let sent = places.iter().map(|((topic, place), these)| send(&topics[topic][*place], messages, these));
        let first = join_all(sent).await.into_iter().flatten().min_by_key(|(at, _)| *at);
        match first {
            None => Published { count: messages.len(), failure: None },
            Some((at, failure)) => {
                if failure != Failure::TooLarge {
                    self.disconnect().await;
                }
                Published { count: at, failure: Some(failure) }
            }
        }
    }

    async fn fail_all(&self, why: String) -> Published {
        self.disconnect().await;
        Published { count: 0, failure: Some(Failure::Unavailable(why)) }
    }

    /// Closes the connections. Partitions, their leaders or the password may have changed, so all of them are read again.
    async fn disconnect(&self) {
        *self.connected.lock().await = None;
    }

    async fn partitions(&self, topic: &str) -> Result<Partitions, String> {
        let connected = {
            let mut kept = self.connected.lock().await;
            match &*kept {
                Some(connected) => Arc::clone(connected),
                None => {
                    let client = self.brokers.connect().await?;
                    Arc::clone(kept.insert(Arc::new(Connected { client, topics: Mutex::default() })))
                }
            }
        };
        let mut topics = connected.topics.lock().await;
        if let Some(known) = topics.get(topic) {
            return Ok(Arc::clone(known));
        }
        let found =
            connected.find_or_create_topic(topic, &self.brokers).await.map_err(|error| error.to_string())?;
        topics.insert(topic.to_owned(), Arc::clone(&found));
        Ok(found)
    }
}

impl Connected {
    /// The partitions of a topic, which is made if it is missing.
    async fn find_or_create_topic(&self, topic: &str, brokers: &Brokers) -> Result<Partitions, Error> {
        let known = self.client.list_topics().await?.into_iter().find(|known| known.name == topic);
        let numbers: Vec<i32> = match known {
            Some(known) => known.partitions.into_iter().collect(),
            None => {
                let made = self
                    .client
                    .controller_client()?
                    .create_topic(
                        topic,
                        brokers.partitions,
                        brokers.replicas,
                        CREATE_TOPIC_TIMEOUT.as_millis() as i32,
                    )
                    .await;
                match made {
                    Ok(()) => (0..brokers.partitions).collect(),
                    // Another process was faster: it is found the next time.
                    Err(error) => return Err(error),
                }
            }
        };
        let clients = numbers
            .into_iter()
            .map(|number| self.client.partition_client(topic, number, UnknownTopicHandling::Retry));
        Ok(Arc::new(try_join_all(clients).await?))
    }
}

/// Sends messages of one partition, in order. Returns the index of the first message that the broker does not have, and the reason.
async fn send(to: &PartitionClient, messages: &[Message], these: &[usize]) -> Option<(usize, Failure)> {
    let mut from = 0;
    while from < these.len() {
        let many = count_fitting(these[from..].iter().map(|at| messages[*at].size()));
        match produce(to, messages, &these[from..from + many]).await {
            Ok(()) => from += many,
            Err(Failure::TooLarge) if many > 1 => {
                // The broker's limit is lower than was thought, or one of them is over it: each alone.
                for at in &these[from..from + many] {
                    if let Err(failure) = produce(to, messages, &[*at]).await {
                        return Some((*at, failure));
                    }
                }
                from += many;
            }
            Err(failure) => return Some((these[from], failure)),
        }
    }
    None
}

async fn produce(to: &PartitionClient, messages: &[Message], these: &[usize]) -> Result<(), Failure> {
    let records = these.iter().map(|at| messages[*at].record()).collect();
    match to.produce(records, Compression::NoCompression).await {
        Ok(_) => Ok(()),
        Err(Error::ServerError {
            protocol_error: ProtocolError::MessageTooLarge | ProtocolError::RecordListTooLarge,
            ..
        }) => Err(Failure::TooLarge),
        Err(error) => Err(Failure::Unavailable(error.to_string())),
    }
}

/// How many messages of these sizes, counted from the first, go into one request: at least one.
fn count_fitting(sizes: impl Iterator<Item = usize>) -> usize {
    let mut sum = 0;
    let fit = sizes.take_while(|size| {
        sum += size;
        sum <= MAX_REQUEST_BYTES
    });
    fit.count().max(1)
}

impl Message {
    fn record(&self) -> Record {
        Record {
            key: Some(self.key.clone().into_bytes()),
            value: Some(self.value.clone()),
            headers: self.headers.clone(),
            timestamp: DateTime::from_timestamp_millis(self.timestamp_millis).unwrap_or_default(),
        }
    }

    fn size(&self) -> usize {
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.key.len() + self.value.len() + headers + 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_messages_as_fit_go_into_a_request_and_at_least_one() {
        for (sizes, count) in [
            (vec![1, 2, 3], 3),
            (vec![MAX_REQUEST_BYTES, 1], 1),
            (vec![MAX_REQUEST_BYTES + 1, 1], 1),
            (vec![MAX_REQUEST_BYTES - 1, 1, 1], 2),
        ] {
            assert_eq!(count_fitting(sizes.iter().copied()), count, "{sizes:?}");
        }
    }
}
