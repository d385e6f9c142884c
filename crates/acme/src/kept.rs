//! The files of a certificate and its account. Only this program's user may read them; each is replaced as a whole.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use instant_acme::AccountCredentials;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::AcmeSettings;

pub(crate) struct AcmeFiles {
    folder: PathBuf,
    certificate: PathBuf,
}

/// What the certificate was made for.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct Order {
    directory: String,
    names: Vec<String>,
}

/// The account at one authority.
#[derive(Serialize, Deserialize)]
struct Account {
    directory: String,
    credentials: AccountCredentials,
}

/// How often in a row no certificate came, and when last.
#[derive(Serialize, Deserialize)]
struct Failures {
    count: u32,
    /// Seconds since 1970.
    last: i64,
}

const ORDER: &str = "order.json";
const ACCOUNT: &str = "account.json";
const FAILURES: &str = "failures.json";

impl AcmeFiles {
    pub(crate) fn open(folder: PathBuf) -> Result<AcmeFiles, String> {
        let failed = |error| format!("{} cannot be made: {error}", folder.display());
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).map_err(failed)?;
        Ok(AcmeFiles { certificate: folder.join("certificate.pem"), folder })
    }

    pub(crate) fn certificate(&self) -> &Path {
        &self.certificate
    }

    pub(crate) fn store_certificate(&self, key: &str, chain: &str) -> Result<(), String> {
        self.write_file("certificate.pem", &format!("{}\n{chain}", key.trim_end()))
    }

    pub(crate) fn matches_order(&self, wanted: &AcmeSettings) -> bool {
        self.read_json(ORDER).is_some_and(|order: Order| order == order_for(wanted))
    }

    pub(crate) fn store_order(&self, wanted: &AcmeSettings) -> Result<(), String> {
        self.write_json(ORDER, &order_for(wanted))
    }

    pub(crate) fn account(&self, directory: &str) -> Option<AccountCredentials> {
        let account: Account = self.read_json(ACCOUNT)?;
        (account.directory == directory).then_some(account.credentials)
    }

    pub(crate) fn store_account(
        &self,
        directory: &str,
        credentials: AccountCredentials,
    ) -> Result<(), String> {
        self.write_json(ACCOUNT, &Account { directory: directory.to_owned(), credentials })
    }

    pub(crate) fn failures(&self) -> u32 {
        self.read_json(FAILURES).map_or(0, |failures: Failures| failures.count)
    }

    pub(crate) fn last_failure(&self) -> Option<Timestamp> {
        self.read_json(FAILURES).and_then(|failures: Failures| Timestamp::from_second(failures.last).ok())
    }

    /// Stores how often no certificate came. A failure to write is only logged: at worst the next attempt comes too soon after a restart.
    pub(crate) fn note_failures(&self, count: u32, last: Timestamp) {
        if let Err(why) = self.write_json(FAILURES, &Failures { count, last: last.as_second() }) {
            tracing::warn!(why, "it is not kept that no certificate came");
        }
    }

    fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), String> {
        self.write_file(name, &serde_json::to_string(value).map_err(|error| error.to_string())?)
    }

    fn read_json<T: for<'a> Deserialize<'a>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&fs::read_to_string(self.folder.join(name)).ok()?).ok()
    }

    fn write_file(&self, name: &str, text: &str) -> Result<(), String> {
        let (path, beside) = (self.folder.join(name), self.folder.join(format!("{name}.new")));
        let written = || {
            // One that a killed process has left may have other rights.
            let _ = fs::remove_file(&beside);
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &path)
        };
        written().map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }
}

fn order_for(wanted: &AcmeSettings) -> Order {
    Order { directory: wanted.directory.clone(), names: wanted.names.clone() }
}
