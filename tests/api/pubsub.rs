//! Publishers, subscribers and their events (mod-pubsub 2.13.1).

mod declared;
mod delivered;
mod history;
mod published;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use octavo_testkit::{Library, ModuleAnswer, OutsideModule, Reply, SeenRequest, fresh_id};
use serde_json::{Value, json};

/// A module outside of Octavo with handlers for events, which answers with a status that the test changes.
struct Follower {
    outside: OutsideModule,
    status: Arc<AtomicU16>,
    name: String,
}

impl Follower {
    /// Adds version 1.0.0 of the module, says where it runs, and enables it.
    async fn bring(library: &Library) -> Follower {
        let status = Arc::new(AtomicU16::new(204));
        let answers = Arc::clone(&status);
        let answer = move |_: SeenRequest| {
            let status = answers.load(Ordering::Relaxed);
            async move { ModuleAnswer::text(status, "as the\0 test says") }
        };
        let letters = fresh_id().simple().to_string().replace(|sign: char| sign.is_ascii_digit(), "x");
        let follower =
            Follower { outside: OutsideModule::start(answer).await, status, name: format!("t{letters}") };
        follower.install(library, "1.0.0").await;
        follower
    }

    fn id(&self, version: &str) -> String {
        format!("mod-{}-{version}", self.name)
    }

    fn path(&self, kind: &str) -> String {
        format!("/{}/handlers/{kind}", self.name)
    }

    async fn install(&self, library: &Library, version: &str) {
        let (operator, id) = (library.operator().await, self.id(version));
        let handler = json!({
            "methods": ["POST"],
            "pathPattern": format!("/{}/handlers/*", self.name),
            "permissionsRequired": [],
            "modulePermissions": ["tags.collection.get"],
        });
        let descriptor = json!({
            "id": id,
            "name": self.name,
            "requires": [],
            "provides": [{"id": self.name, "version": "1.0", "handlers": [handler]}],
        });
        operator.post("/_/proxy/modules", &descriptor).await.expect(201);
        let instance = json!({"srvcId": id, "instId": fresh_id(), "url": self.outside.url()});
        operator.post("/_/discovery/modules", &instance).await.expect(201);
        let install = format!("/_/proxy/tenants/{}/install", library.tenant);
        operator.post(&install, &json!([{"id": id, "action": "enable"}])).await.expect(200);
    }

    async fn subscribe(&self, library: &Library, version: &str, kinds: &[&str]) {
        let definitions: Vec<Value> =
            kinds.iter().map(|kind| json!({"eventType": kind, "callbackAddress": self.path(kind)})).collect();
        let subscriber = json!({"moduleId": self.id(version), "subscriptionDefinitions": definitions});
        library.post("/pubsub/event-types/declare/subscriber", &subscriber).await.expect(201);
    }

    fn answers(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }

    fn bodies(&self) -> Vec<String> {
        self.outside
            .seen_requests()
            .iter()
            .map(|seen| String::from_utf8_lossy(&seen.body).into_owned())
            .collect()
    }
}

/// Declares the type and that the module publishes it.
async fn publisher(library: &Library, module: &str, kind: &str) {
    let described = json!({"eventType": kind, "eventTTL": 1, "signed": false});
    library.post("/pubsub/event-types", &described).await.expect(201);
    let publisher = json!({"moduleId": module, "eventDescriptors": [described]});
    library.post("/pubsub/event-types/declare/publisher", &publisher).await.expect(201);
}

fn event(library: &Library, module: &str, kind: &str, payload: &str) -> Value {
    json!({
        "id": fresh_id(),
        "eventType": kind,
        "eventMetadata": {"tenantId": library.tenant.as_str(), "eventTTL": 1, "publishedBy": module},
        "eventPayload": payload,
    })
}

async fn publish(library: &Library, module: &str, kind: &str, payload: &str) -> Reply {
    library.post("/pubsub/publish", &event(library, module, kind, payload)).await
}

/// The consumer of a module, as staff see it.
async fn consumer(library: &Library, module: &str) -> Value {
    let consumers = library.get("/octavo/event-consumers").await.expect(200).json();
    let name = format!("module:{module}");
    let found = consumers["eventConsumers"].as_array().unwrap().iter().find(|one| one["name"] == *name);
    found.cloned().unwrap_or_default()
}

async fn retry(library: &Library, module: &str) {
    let path = format!("/octavo/event-consumers/module:{module}/retry");
    library.post(&path, &json!({})).await.expect(204);
    library.deliver_events().await;
}
