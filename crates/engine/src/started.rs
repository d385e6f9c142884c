//! How this process was started, and where its randomness comes from.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use octavo_kafka::Brokers;
use octavo_kernel::TenantId;
use tokio::runtime::Handle;
use uuid::Uuid;

/// Where fresh ids and secrets come from; the program's randomness, a fixed sequence in tests.
#[derive(Debug, Clone, Copy)]
pub struct Entropy {
    pub id: fn() -> Uuid,
    pub secret: fn() -> [u8; 32],
}

/// The settings with which this process was started, as far as modules need them.
#[derive(Debug, Clone)]
pub struct ProcessSettings {
    /// This server's address for modules outside of it, without a slash at the end: `http://localhost:9130`.
    pub url: String,
    /// How long a module outside of this process may take until its answer begins, and between two pieces of it.
    pub module_timeout: Duration,
    pub access_token_seconds: i64,
    pub refresh_token_seconds: i64,
    /// For how many days the trace of a decision about a closed loan is kept; 0 is for ever.
    pub decision_days: i64,
    /// For how many days a record of the circulation log is kept; 0 is for ever.
    pub circulation_log_days: i64,
    /// For how many days an event of the log of security, and of mod-login's, is kept; 0 is for ever.
    pub security_event_days: i64,
    /// For how many days the ledger keeps a patron notice that was sent or given up; 0 is for ever.
    pub notice_days: i64,
    /// For how many days events are kept, whoever has them or not; 0 is for ever.
    pub event_days: i64,
    /// For how many days an import job is kept with its log; 0 is for ever.
    pub import_log_days: i64,
    /// Whether webhooks may be sent to addresses of this machine and of private networks.
    pub private_webhooks: bool,
    /// Where changes of records are published; `None` if the settings name no brokers.
    pub kafka: Option<Kafka>,
    /// `None` if the settings name no folder of reports.
    pub laboratory: Option<Laboratory>,
    /// The user who is the operator as well, for callers on this machine: the demo library's administrator, nobody else.
    pub demo_operator: OnceLock<(TenantId, Uuid)>,
    /// The folder for files that are derived from the database, such as search indexes.
    pub derived_folder: PathBuf,
    /// Where uploaded files are kept, and how many.
    pub uploads: Uploads,
    /// The Tokio runtime that answers requests.
    pub request_runtime: Handle,
    /// The Tokio runtime for bulk work, which has a lower priority than requests.
    pub bulk_runtime: Handle,
}

impl Uploads {
    /// The folder of a tenant.
    pub fn tenant_folder(&self, tenant: &TenantId) -> PathBuf {
        self.folder.join("tenants").join(tenant.as_str())
    }

    /// The file that is locked while a tenant's folder is measured. It is beside the folder, so that it is not exported with the uploaded files.
    pub fn tenant_lock(&self, tenant: &TenantId) -> PathBuf {
        self.folder.join("tenants").join(format!("{}.lock", tenant.as_str()))
    }
}

#[derive(Debug, Clone)]
pub struct Kafka {
    pub brokers: Brokers,
    /// What the names of topics begin with: FOLIO's `ENV`.
    pub environment: String,
}

/// Files that are uploaded to be imported.
#[derive(Debug, Clone)]
pub struct Uploads {
    /// All processes that answer for one database have it in common.
    pub folder: PathBuf,
    /// The most bytes of a file.
    pub file_bytes: u64,
    /// The most bytes that the files of a tenant take together.
    pub tenant_bytes: u64,
    /// For how many days a file is kept that nobody changes any more; 0 is for ever.
    pub keep_days: i64,
}

/// The laboratory beside this server: `octavo lab`.
#[derive(Debug, Clone)]
pub struct Laboratory {
    pub reports: PathBuf,
    /// The program whose `lab run` makes them.
    pub program: PathBuf,
    /// Addresses that runs may be begun against; the first is this server's own.
    pub servers: Vec<String>,
    pub experiments: Vec<Experiment>,
}

#[derive(Debug, Clone)]
pub struct Experiment {
    pub name: String,
    pub about: String,
    pub tests: usize,
    /// The shortest duration of all tests of the experiment together.
    pub short_seconds: u64,
}
