//! Certificates from an authority that speaks ACME (RFC 8555), such as Let's Encrypt: one is asked for when there is none, when its names change,
//! and when a third of its time is left. The authority is shown that the names are ours by HTTP on port 80 (`http-01`).
//!
//! Knows nothing of TLS connections and of requests: it keeps a file that others read, and tells what to answer to the authority.

mod challenges;
mod client;
mod kept;
mod order;
mod validity;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

pub use challenges::Challenges;
use kept::AcmeFiles;

/// Where certificates come from, and for which names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeSettings {
    /// The address of the authority's directory.
    pub directory: String,
    pub names: Vec<String>,
    /// Where the authority writes to when something is wrong with a certificate.
    pub contact: Option<String>,
}

/// How long is waited between attempts.
#[derive(Debug, Clone, Copy)]
pub struct Pauses {
    /// The longest between looks at a certificate that is good.
    pub look: Duration,
    /// After the first failure; after each further one it is twice as long.
    pub first: Duration,
    pub longest: Duration,
}

impl Default for Pauses {
    /// Authorities allow a few failures an hour.
    fn default() -> Pauses {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        Pauses { look: minutes(720), first: minutes(15), longest: minutes(1440) }
    }
}

pub struct Acme {
    request: AcmeSettings,
    files: AcmeFiles,
    challenges: Challenges,
    pauses: Pauses,
    clock: fn() -> Timestamp,
}

impl Acme {
    /// Opens the folder in which account and certificate are kept, which nobody else may read. Where there is no certificate yet, one is made that
    /// nobody trusts, so that the server can begin.
    pub fn open(
        wanted: AcmeSettings,
        folder: PathBuf,
        pauses: Pauses,
        clock: fn() -> Timestamp,
    ) -> Result<Acme, String> {
        let kept = AcmeFiles::open(folder)?;
        if !kept.certificate().exists() {
            let made = rcgen::generate_simple_self_signed(wanted.names.clone());
            let made = made.map_err(|error| format!("no certificate can be made: {error}"))?;
            kept.store_certificate(&made.signing_key.serialize_pem(), &made.cert.pem())?;
        }
        Ok(Acme { request: wanted, files: kept, challenges: Challenges::default(), pauses, clock })
    }

    /// The file that holds the certificate with those that signed it, and the key. It is replaced as a whole.
    pub fn certificate(&self) -> &Path {
        self.files.certificate()
    }

    /// The answers by which the authority checks the host names, for the HTTP server on port 80.
    pub fn challenges(&self) -> Challenges {
        self.challenges.clone()
    }

    /// Keeps the certificate good, for ever. `changed` is called when there is a new one.
    pub async fn run(self, changed: impl Fn()) {
        let mut failures = self.files.failures();
        loop {
            let left = self.time_until_due();
            if !left.is_zero() {
                // Some certificates are due before the next look.
                tokio::time::sleep(left.min(self.pauses.look)).await;
                continue;
            }
            // Also after a restart: a server that is started again and again asks no oftener.
            tokio::time::sleep(self.remaining_wait(failures)).await;
            let obtained = order::obtain_certificate(&self.request, &self.files, &self.challenges).await;
            if obtained.is_ok() {
                tracing::info!(names = ?self.request.names, "there is a new certificate");
                changed();
            }
            let good = obtained.and_then(|()| match self.is_due() {
                true => Err("the new one is to be replaced already: is the clock right?".to_owned()),
                false => Ok(()),
            });
            match good {
                Ok(()) => {
                    failures = 0;
                    self.files.note_failures(0, (self.clock)());
                }
                Err(why) => {
                    failures = failures.saturating_add(1);
                    self.files.note_failures(failures, (self.clock)());
                    let minutes = self.pause_after(failures).as_secs() / 60;
                    tracing::warn!(why, minutes, "there is no good certificate; trying again after a while");
                }
            }
        }
    }

    /// Whether a certificate is to be asked for.
    pub fn is_due(&self) -> bool {
        self.time_until_due().is_zero()
    }

    fn time_until_due(&self) -> Duration {
        if !self.files.matches_order(&self.request) {
            return Duration::ZERO;
        }
        let read = octavo_tls::read_authorities(self.files.certificate()).unwrap_or_default();
        let first = read.first().map_or(&[][..], |certificate| certificate.as_ref());
        let renewal = validity::renewal_time(first);
        renewal.and_then(|at| Duration::try_from(at.duration_since((self.clock)())).ok()).unwrap_or_default()
    }

    fn pause_after(&self, failures: u32) -> Duration {
        match failures {
            0 => Duration::ZERO,
            more => self.pauses.first.saturating_mul(1 << (more - 1).min(16)).min(self.pauses.longest),
        }
    }

    fn remaining_wait(&self, failures: u32) -> Duration {
        let since = self.files.last_failure().map_or(Duration::MAX, |last| {
            Duration::try_from((self.clock)().duration_since(last)).unwrap_or_default()
        });
        self.pause_after(failures).saturating_sub(since)
    }
}
