//! The calls of other modules by which a message's service is done.

use std::sync::LazyLock;

use octavo_engine::{Context, Method, Request, RouteCall};
use octavo_kernel::{Body, Caller, Fault, Outcome, Permissions};
use serde_json::Value;

/// The permissions that mod-ncip has in FOLIO, as far as its services here need them.
static PERMISSIONS: LazyLock<Permissions> = LazyLock::new(|| {
    let names = [
        "addresstypes.collection.get",
        "automated-patron-blocks.collection.get",
        "circulation-storage.cancellation-reasons.collection.get",
        "circulation.check-in-by-barcode.post",
        "circulation.check-out-by-barcode.post",
        "circulation.requests.collection.get",
        "circulation.requests.item.get",
        "circulation.requests.item.post",
        "circulation.requests.item.put",
        "configuration.entries.collection.get",
        "inventory-storage.holdings.item.delete",
        "inventory-storage.holdings.item.get",
        "inventory-storage.holdings.item.post",
        "inventory-storage.holdings-sources.collection.get",
        "inventory-storage.identifier-types.collection.get",
        "inventory-storage.instance-types.collection.get",
        "inventory-storage.loan-types.collection.get",
        "inventory-storage.locations.collection.get",
        "inventory-storage.material-types.collection.get",
        "inventory-storage.service-points.collection.get",
        "inventory-storage.service-points.item.get",
        "inventory-storage.service-points-users.collection.get",
        "inventory.instances.collection.get",
        "inventory.instances.item.delete",
        "inventory.instances.item.post",
        "inventory.items.collection.get",
        "inventory.items.item.delete",
        "inventory.items.item.post",
        "manualblocks.collection.get",
        "patron-pin.validate",
        "usergroups.item.get",
        "users.collection.get",
    ];
    Permissions::new(names.map(str::to_owned).into())
});

pub(crate) struct Library<'a> {
    /// The context of the client who sent the message, with mod-ncip's permissions instead of the client's.
    context: Context,
    client: &'a str,
}

impl<'a> Library<'a> {
    pub(crate) fn from_request(request: &'a Request) -> Library<'a> {
        let caller = Caller { permissions: PERMISSIONS.clone(), ..request.context.caller.clone() };
        Library { context: Context { caller, ..request.context.clone() }, client: &request.client }
    }

    pub(crate) fn fresh_id(&self) -> String {
        self.context.fresh_id().to_string()
    }

    pub(crate) fn now(&self) -> String {
        self.context.now_text()
    }

    /// Makes a call. Returns the answer as JSON, null for an empty body; or the error as a text that mod-ncip passes on.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Value, String> {
        self.call_route(RouteCall { method, path, query, body, client: self.client })
            .await
            .map_err(|fault| fault_message(&fault))
    }

    async fn call_route(&self, call: RouteCall<'_>) -> Outcome<Value> {
        let routes = self.context.platform.routes.get();
        let routes =
            routes.ok_or_else(|| Fault::internal("a call of another module before routes are served"))?;
        let answered = routes.call(&self.context, call).await.and_then(|response| response.json_value());
        if let Err(fault) = &answered
            && (fault.status == 403 || fault.status >= 500)
        {
            let cause = fault.cause().map(ToString::to_string);
            tracing::error!(
                path = call.path,
                why = fault.body.render(),
                ?cause,
                "a call for an NCIP message failed"
            );
        }
        answered
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.call(Method::Post, path, &[], Some(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value, String> {
        self.call(Method::Get, path, &[], None).await
    }

    /// The records that a CQL query finds, a hundred at most.
    pub(crate) async fn find(&self, path: &str, name: &str, cql: &str) -> Result<Vec<Value>, String> {
        let mut found = self.call(Method::Get, path, &[("query", cql), ("limit", "100")], None).await?;
        match found[name].take() {
            Value::Array(records) => Ok(records),
            _ => Err(format!("{path} answers without {name}")),
        }
    }

    pub(crate) async fn first(&self, path: &str, name: &str, cql: &str) -> Result<Option<Value>, String> {
        Ok(self.find(path, name, cql).await?.into_iter().next())
    }
}

/// The error text for the agency: the messages or the text of a refusal; only a general sentence for a failure of the server.
fn fault_message(fault: &Fault) -> String {
    let messages: Vec<String> = match &fault.body {
        _ if fault.status >= 500 => return "The library system cannot do that now".to_owned(),
        Body::Text(text) => return text.clone(),
        Body::Refusals(refusals) => refusals.iter().map(|refusal| refusal.message.clone()).collect(),
        Body::Json(body) => {
            let errors = body["errors"].as_array().into_iter().flatten();
            errors.filter_map(|error| error["message"].as_str().map(str::to_owned)).collect()
        }
    };
    format!("ERROR: {}", messages.join("; "))
}
