//! Okapi's own calls (5.3.0) and modules outside of Octavo: added, installed, deployed, called.

mod called;
mod catalogue;
mod deployed;
mod filters;
mod installed;
mod told;
mod trusted;

use octavo_testkit::{Client, Library, OutsideModule, Reply, fresh_id};
use serde_json::{Value, json};

/// A library with a module of FOLIO's for everything, which asks for tokens, and its operator.
struct OkapiLibrary {
    library: Library,
    operator: Client,
}

impl OkapiLibrary {
    async fn open() -> OkapiLibrary {
        let library = Library::guarded().await;
        let operator = library.operator().await;
        OkapiLibrary { library, operator }
    }

    /// A tenant without any module.
    async fn without_modules() -> OkapiLibrary {
        let library = Library::bare().await;
        let operator = library.operator().await;
        OkapiLibrary { library, operator }
    }

    fn tenant_path(&self, rest: &str) -> String {
        format!("/_/proxy/tenants/{}/{rest}", self.library.tenant)
    }

    async fn add_module(&self, descriptor: &Value) {
        self.operator.post("/_/proxy/modules", descriptor).await.expect(201);
    }

    async fn install_modules(&self, wanted: &Value) -> Reply {
        self.operator.post(&self.tenant_path("install"), wanted).await
    }

    async fn enable_module(&self, id: &str) {
        self.install_modules(&json!([{"id": id, "action": "enable"}])).await.expect(200);
    }

    async fn deploy_module(&self, id: &str, module: &OutsideModule) {
        let instance = json!({"srvcId": id, "instId": fresh_id(), "url": module.url()});
        self.operator.post("/_/discovery/modules", &instance).await.expect(201);
    }

    /// Adds a module, says where it runs, and enables it.
    async fn add_deploy_and_enable(&self, descriptor: &Value, module: &OutsideModule) {
        let id = descriptor["id"].as_str().unwrap();
        self.add_module(descriptor).await;
        self.deploy_module(id, module).await;
        self.enable_module(id).await;
    }

    async fn enabled_modules(&self) -> Vec<String> {
        ids(&self.operator.get(&self.tenant_path("modules")).await.expect(200).json())
    }
}

/// A name that no other test has, fit for a product, an interface and a path.
fn new_name() -> String {
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
