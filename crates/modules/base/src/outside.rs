//! Modules outside of this process: the descriptors of those that a tenant has, and the calls that Octavo makes to them by itself, of their
//! `_tenant` and `_timer` interfaces.

use std::sync::Arc;
use std::time::Duration;

use hyper::Request;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use octavo_engine::{Platform, Tenant};
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_remote::{Address, FullAnswer, Progress, RemoteClient, full_body};

use crate::descriptor::{Descriptor, RoutingEntry};
use crate::module_tokens::{OnBehalf, create_module_token};

/// The descriptors of the modules outside of this process that a tenant has.
pub fn modules(tenant: &Tenant) -> Arc<Vec<Arc<Descriptor>>> {
    tenant.module_state.get_or_create(|| {
        let read = |text: &String| Descriptor::parse_stored(text).ok().map(Arc::new);
        tenant.outside_descriptors.iter().filter_map(read).collect::<Vec<_>>()
    })
}

/// The HTTP client for calls to other servers. There is one for the whole process.
pub fn remote_client(platform: &Platform) -> Arc<RemoteClient> {
    platform.module_state.get_or_create(RemoteClient::default)
}

/// A call that Octavo makes by itself.
pub struct SystemCall<'a> {
    pub tenant: &'a TenantId,
    pub module: &'a Descriptor,
    pub entry: &'a RoutingEntry,
    pub method: &'a str,
    pub path: &'a str,
    /// JSON text; empty for a request without a body.
    pub body: String,
    /// Seconds since 1970.
    pub now: i64,
    pub time_limit: Duration,
    /// The address of the instance that has to answer; `None` for any instance of the module.
    pub instance_url: Option<&'a str>,
}

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// The most characters of an answer that are repeated in a message.
const MAX_MESSAGE_CHARACTERS: usize = 2000;

impl SystemCall<'_> {
    /// Sends it to an instance of the module. Returns the answer and the address of the instance. An answer of 400 or more is a fault
    /// with its text, in Okapi's words.
    pub async fn send(&self, platform: &Platform) -> Outcome<(FullAnswer, String)> {
        let (answered, at) = self.send_unchecked(platform).await?;
        if answered.status < 400 {
            return Ok((answered, at));
        }
        let text: String =
            String::from_utf8_lossy(&answered.body).chars().take(MAX_MESSAGE_CHARACTERS).collect();
        Err(self.failure_fault(&format!("{}: {text}", answered.status)))
    }

    /// Sends it to an instance of the module. Returns the answer, whatever its status is, and the address of the instance.
    pub async fn send_unchecked(&self, platform: &Platform) -> Outcome<(FullAnswer, String)> {
        let (id, path) = (self.module.id.as_str(), self.path);
        let addresses = platform.discovery.addresses(id).await?;
        let urls: Vec<&str> =
            addresses.in_turn().filter(|url| self.instance_url.is_none_or(|at| at == *url)).collect();
        if urls.is_empty() {
            let message = format!("No running instances for module {id}. Can not invoke {path}");
            return Err(Fault::bad_request(message));
        }
        let read = urls.iter().map(|url| Address::parse(url)).collect::<Result<Vec<Address>, String>>();
        let read = read.map_err(|why| self.failure_fault(&why))?;
        let request = self.request(platform).await?;
        let sent = remote_client(platform).send(&read, request, self.time_limit, &Progress::default()).await;
        let (answer, at) = sent.map_err(|failure| self.failure_fault(&failure.to_string()))?;
        let answered = answer
            .read_to_end(MAX_ANSWER_BYTES)
            .await
            .map_err(|failure| self.failure_fault(&failure.to_string()))?;
        Ok((answered, urls[at].to_owned()))
    }

    fn failure_fault(&self, why: &str) -> Fault {
        let (method, module, path) = (self.method, &self.module.id, self.path);
        Fault::bad_request(format!("{method} request for {module} {path} failed with {why}"))
    }

    async fn request(&self, platform: &Platform) -> Outcome<Request<octavo_remote::Body>> {
        let whose = OnBehalf { tenant: self.tenant, caller: None, generation: 0, now: self.now };
        let own =
            create_module_token(platform, &self.module.id, self.entry.module_permissions(), whose).await?;
        let name = self.path.trim_start_matches(['/', '_']).split('/').next().unwrap_or_default();
        Request::builder()
            .method(self.method)
            .uri(self.path)
            .header(ACCEPT, "*/*")
            .header(CONTENT_TYPE, "application/json")
            .header("x-okapi-url", &platform.settings.url)
            .header("x-okapi-tenant", self.tenant.as_str())
            .header("x-okapi-token", own)
            .header("x-okapi-request-id", request_id(platform, None, name))
            .body(full_body(self.body.clone()))
            .map_err(Fault::internal)
    }
}

/// A request id as Okapi writes it: six random digits and the first segment of the path, after the id of the request that caused this one
/// (`before`): `123456/users;654321/groups`.
pub fn request_id(platform: &Platform, before: Option<&str>, segment: &str) -> String {
    let number = (platform.entropy.id)().as_u128() % 1_000_000;
    match before {
        Some(before) => format!("{before};{number:06}/{segment}"),
        None => format!("{number:06}/{segment}"),
    }
}
