//! Certificates from an authority: made, kept, replaced in time, and not asked for too often.

mod authority;

use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use authority::Authority;
use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use octavo_acme::{Acme, AcmeSettings, Challenges, Pauses};
use octavo_tls::Certificate;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

const PAUSES: Pauses = Pauses {
    look: Duration::from_millis(20),
    first: Duration::from_millis(20),
    longest: Duration::from_millis(100),
};
const LONGEST: Duration = Duration::from_secs(60);

fn soon() -> Timestamp {
    "2026-11-28T12:00:00Z".parse().unwrap()
}

/// When less than a third of a certificate's time is left.
fn later() -> Timestamp {
    "2027-01-15T12:00:00Z".parse().unwrap()
}

/// Half a second before a third is left, and then as time passes.
fn just_before() -> Timestamp {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let passed = BEGUN.get_or_init(Instant::now).elapsed();
    "2026-12-30T23:59:59.5Z".parse::<Timestamp>().unwrap() + passed
}

/// Answers on a port as the server does on port 80.
async fn serve_challenges(challenges: impl Fn() -> Challenges + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let challenges = challenges();
            let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                let answer = challenges.answer(request.uri().path());
                let mut reply = Response::new(Full::<Bytes>::from(answer.clone().unwrap_or_default()));
                *reply.status_mut() = if answer.is_some() { 200 } else { 404 }.try_into().unwrap();
                async move { Ok::<_, Infallible>(reply) }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    address
}

fn request_for(authority: &Authority, name: &str) -> AcmeSettings {
    AcmeSettings {
        directory: format!("{}/directory", authority.url),
        names: vec![name.to_owned()],
        contact: Some("head@example.org".to_owned()),
    }
}

fn open(wanted: AcmeSettings, folder: &Path, clock: fn() -> Timestamp) -> Acme {
    Acme::open(wanted, folder.join("acme"), PAUSES, clock).unwrap()
}

/// Runs until there is a new certificate.
async fn until_changed(acme: Acme) {
    let (sender, mut changed) = mpsc::unbounded_channel();
    let running = tokio::spawn(acme.run(move || {
        let _ = sender.send(());
    }));
    timeout(LONGEST, changed.recv()).await.expect("a certificate in time");
    running.abort();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_certificate_is_made_kept_and_replaced_in_time() {
    let folder = TempDir::new().unwrap();
    let shared: &'static std::sync::Mutex<Challenges> = Box::leak(Box::default());
    let looks_at = serve_challenges(|| shared.lock().unwrap().clone()).await;
    let authority = Authority::start(looks_at).await;
    let opened = |name: &str, clock| {
        let acme = open(request_for(&authority, name), folder.path(), clock);
        *shared.lock().unwrap() = acme.challenges();
        acme
    };
    let acme = opened("library.example.org", soon);
    let file = acme.certificate().to_owned();
    let before = Certificate::from_files(&file, &file).expect("a certificate to begin with");
    let first = fs::read(&file).unwrap();
    assert!(acme.is_due());
    until_changed(acme).await;
    assert_ne!(fs::read(&file).unwrap(), first);
    before.reload_if_changed();
    assert_eq!(octavo_tls::read_authorities(&file).unwrap().len(), 2);
    assert!(Certificate::from_files(&file, &file).is_ok(), "certificate and key belong together");
    for entry in fs::read_dir(folder.path().join("acme")).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    assert_eq!(mode(&folder.path().join("acme")), 0o700);
    assert_eq!(
        opened("library.example.org", soon).challenges().answer("/.well-known/acme-challenge/x"),
        None
    );

    // A good one is not replaced.
    assert!(!opened("library.example.org", soon).is_due());
    assert_eq!(authority.orders.load(SeqCst), 1);
    // One whose time runs out is, and one for other names; by the same account.
    until_changed(opened("library.example.org", later)).await;
    until_changed(opened("other.example.org", soon)).await;
    assert_eq!((authority.accounts.load(SeqCst), authority.orders.load(SeqCst)), (1, 3));
    assert!(opened("library.example.org", soon).is_due() && !opened("other.example.org", soon).is_due());
}

#[tokio::test]
async fn an_authority_that_refuses_is_asked_again_after_a_while() {
    let folder = TempDir::new().unwrap();
    let shared: &'static std::sync::Mutex<Challenges> = Box::leak(Box::default());
    let authority = Authority::start(serve_challenges(|| shared.lock().unwrap().clone()).await).await;
    authority.refuses.store(2, SeqCst);
    let acme = open(request_for(&authority, "library.example.org"), folder.path(), soon);
    *shared.lock().unwrap() = acme.challenges();
    let failures = folder.path().join("acme/failures.json");
    let running = tokio::spawn(acme.run(|| {}));
    timeout(LONGEST, async {
        while !fs::read_to_string(&failures).is_ok_and(|text| text.contains("\"count\":")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        while authority.orders.load(SeqCst) == 0
            || !fs::read_to_string(&failures).is_ok_and(|text| text.contains("\"count\":0"))
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("a certificate after two refusals");
    running.abort();
    assert_eq!(authority.refuses.load(SeqCst), 0);
}

#[tokio::test]
async fn a_restart_does_not_ask_sooner() {
    let folder = TempDir::new().unwrap();
    let authority = Authority::start(serve_challenges(Challenges::default).await).await;
    let long = Pauses { first: LONGEST * 60, longest: LONGEST * 60, ..PAUSES };
    authority.refuses.store(1, SeqCst);
    for _ in 0..2 {
        let acme =
            Acme::open(request_for(&authority, "a.example.org"), folder.path().join("acme"), long, soon)
                .unwrap();
        let running = tokio::spawn(acme.run(|| {}));
        let failures = folder.path().join("acme/failures.json");
        timeout(LONGEST, async {
            while !failures.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .expect("a refusal");
        // What would ask at once has done so by now.
        tokio::time::sleep(Duration::from_millis(200)).await;
        running.abort();
    }
    assert_eq!((authority.refuses.load(SeqCst), authority.orders.load(SeqCst)), (0, 0));
}

#[tokio::test]
async fn a_certificate_is_replaced_when_it_is_due_however_seldom_it_is_looked_at() {
    let folder = TempDir::new().unwrap();
    let shared: &'static std::sync::Mutex<Challenges> = Box::leak(Box::default());
    let authority = Authority::start(serve_challenges(|| shared.lock().unwrap().clone()).await).await;
    for clock in [soon, just_before] {
        let pauses = Pauses { look: LONGEST * 60, first: LONGEST * 60, longest: LONGEST * 60 };
        let wanted = request_for(&authority, "library.example.org");
        let acme = Acme::open(wanted, folder.path().join("acme"), pauses, clock).unwrap();
        *shared.lock().unwrap() = acme.challenges();
        until_changed(acme).await;
    }
    assert_eq!(authority.orders.load(SeqCst), 2);
}

#[tokio::test]
async fn a_certificate_that_is_due_at_once_is_not_asked_for_again_and_again() {
    let folder = TempDir::new().unwrap();
    let shared: &'static std::sync::Mutex<Challenges> = Box::leak(Box::default());
    let authority = Authority::start(serve_challenges(|| shared.lock().unwrap().clone()).await).await;
    let long = Pauses { first: LONGEST * 60, longest: LONGEST * 60, ..PAUSES };
    let wanted = request_for(&authority, "library.example.org");
    let acme = Acme::open(wanted, folder.path().join("acme"), long, later).unwrap();
    *shared.lock().unwrap() = acme.challenges();
    let (sender, mut changed) = mpsc::unbounded_channel();
    let running = tokio::spawn(acme.run(move || {
        let _ = sender.send(());
    }));
    timeout(LONGEST, changed.recv()).await.expect("a certificate in time");
    // What would ask at once has done so by now.
    tokio::time::sleep(Duration::from_millis(200)).await;
    running.abort();
    assert_eq!(authority.orders.load(SeqCst), 1);
}
