//! Okapi's own calls (5.3.0) and modules outside of Octavo: added, installed, deployed, called.

mod called;
mod catalogue;
mod deployed;
mod filters;
mod installed;
mod told;
mod trusted;

use octavo_testkit::{Client, Library, Outside, Reply, fresh_id};
use serde_json::{Value, json};

/// A library with a module of FOLIO's for everything, which asks for tokens, and its operator.
struct House {
    library: Library,
    operator: Client,
}

impl House {
    async fn open() -> House {
        let library = Library::guarded().await;
        let operator = library.operator().await;
        House { library, operator }
    }

    /// A tenant without any module.
    async fn bare() -> House {
        let library = Library::bare().await;
        let operator = library.operator().await;
        House { library, operator }
    }

    fn path(&self, rest: &str) -> String {
        format!("/_/proxy/tenants/{}/{rest}", self.library.tenant)
    }

    async fn add(&self, descriptor: &Value) {
        self.operator.post("/_/proxy/modules", descriptor).await.expect(201);
    }

    async fn install(&self, wanted: &Value) -> Reply {
        self.operator.post(&self.path("install"), wanted).await
    }

    async fn enable(&self, id: &str) {
        self.install(&json!([{"id": id, "action": "enable"}])).await.expect(200);
    }

    async fn deploy(&self, id: &str, module: &Outside) {
        let instance = json!({"srvcId": id, "instId": fresh_id(), "url": module.url()});
        self.operator.post("/_/discovery/modules", &instance).await.expect(201);
    }

    /// Adds a module, says where it runs, and enables it.
    async fn bring(&self, descriptor: &Value, module: &Outside) {
        let id = descriptor["id"].as_str().unwrap();
        self.add(descriptor).await;
        self.deploy(id, module).await;
        self.enable(id).await;
    }

    async fn enabled(&self) -> Vec<String> {
        ids(&self.operator.get(&self.path("modules")).await.expect(200).json())
    }
}

/// A name that no other test has, fit for a product, an interface and a path.
fn fresh() -> String {
    format!("t{}", fresh_id().simple().to_string().replace(|sign: char| sign.is_ascii_digit(), "x"))
}

fn ids(modules: &Value) -> Vec<String> {
    modules.as_array().unwrap().iter().map(|module| module["id"].as_str().unwrap().to_owned()).collect()
}

/// A module that takes every request below `/{name}`, for which nothing is required.
fn module(name: &str, version: &str) -> Value {
    json!({
        "id": format!("mod-{name}-{version}"),
        "name": name,
        "requires": [],
        "provides": [{"id": name, "version": "1.0", "handlers": [{
            "methods": ["*"], "pathPattern": format!("/{name}*"), "permissionsRequired": [],
        }]}],
    })
}
