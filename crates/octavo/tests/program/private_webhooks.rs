//! A webhook does not reach this machine or a private network unless the operator has allowed it.

use octavo_testkit::{Desk, ModuleAnswer, OutsideModule, SeenRequest, eventually};
use serde_json::json;

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0", "octavo-events"];

#[tokio::test]
async fn a_webhook_to_this_machine_is_sent_nothing() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let receiver = OutsideModule::start(|_: SeenRequest| async { ModuleAnswer::text(204, "") }).await;
    let url = format!("http://localhost:{}", receiver.address.port());
    for (name, url) in [("by address", receiver.url()), ("by name", url)] {
        let webhook = json!({"name": name, "url": url, "types": ["ITEM_*"]});
        let made = desk.post("/octavo/webhooks", &webhook).await.expect(201).json();
        let secret = format!("/octavo/webhooks/{}/secret", made["id"].as_str().unwrap());
        desk.post(&secret, &json!({})).await.expect(201);
    }
    let (patron, item) = (desk.patron().await, desk.item().await);
    desk.check_out(&item, &patron).await.expect(201);
    eventually("both are refused", async || {
        let told = desk.get("/octavo/event-consumers").await.expect(200).json();
        let consumers = told["eventConsumers"].as_array().unwrap();
        let refused = consumers.iter().filter(|consumer| {
            let message = consumer["message"].as_str().unwrap_or_default();
            consumer["waiting"] == 1 && message.contains("the address is of a private network")
        });
        refused.count() == 2
    })
    .await;
    assert_eq!(receiver.seen_requests().len(), 0);
    octavo.stop();
}
