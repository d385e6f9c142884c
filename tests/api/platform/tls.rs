//! The server with a certificate of its own.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use octavo_testkit::{CERTIFICATES, Certificate, Challenges, Entrance, Octavo, connect_with_tls};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const HEALTH_REQUEST: &[u8] = b"GET /admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

fn file(name: &str) -> PathBuf {
    Path::new(CERTIFICATES).join(name)
}

fn certificate() -> Certificate {
    Certificate::from_files(&file("trusted.pem"), &file("server.key")).unwrap()
}

/// What is answered until the server closes the connection.
async fn send_health_request(mut stream: impl AsyncReadExt + AsyncWriteExt + Unpin) -> String {
    stream.write_all(HEALTH_REQUEST).await.unwrap();
    let mut answer = Vec::new();
    // A server that closes without TLS's own farewell has still answered.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn clients_are_answered_with_tls_and_told_to_keep_to_it() {
    let server = Octavo::with_entrance(Entrance::Encrypted(certificate())).await;
    let answer = send_health_request(connect_with_tls(server.address).await.unwrap()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.to_lowercase().contains("strict-transport-security: max-age=31536000"), "{answer}");
    let plain = send_health_request(TcpStream::connect(server.address).await.unwrap()).await;
    assert!(!plain.starts_with("HTTP/1.1 200"), "{plain}");
}

#[tokio::test]
async fn a_client_that_does_not_agree_on_tls_is_not_waited_for() {
    let server = Octavo::with_entrance(Entrance::Encrypted(certificate())).await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let mut answer = Vec::new();
    match silent.read_to_end(&mut answer).await {
        Ok(_) => assert!(answer.is_empty(), "{answer:?}"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
}

#[tokio::test]
async fn a_certificate_that_changes_is_used_by_new_connections() {
    let folder = std::env::temp_dir().join(format!("octavo-tls-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (chain, key) = (folder.join("chain.pem"), folder.join("key.pem"));
    let put = |name: &str| fs::write(&chain, fs::read(file(name)).unwrap()).unwrap();
    put("self-signed.pem");
    fs::copy(file("server.key"), &key).unwrap();
    let certificate = Certificate::from_files(&chain, &key).unwrap();
    let server = Octavo::with_entrance(Entrance::Encrypted(certificate.clone())).await;
    assert!(connect_with_tls(server.address).await.is_err());
    // A file that holds no certificate changes nothing.
    fs::write(&chain, "nothing").unwrap();
    certificate.reload_if_changed();
    assert!(connect_with_tls(server.address).await.is_err());
    put("trusted.pem");
    certificate.reload_if_changed();
    let answer = send_health_request(connect_with_tls(server.address).await.unwrap()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn clients_without_tls_are_sent_on() {
    let server =
        Octavo::with_entrance(Entrance::Redirected { port: 443, challenges: Challenges::default() }).await;
    let answer = send_health_request(TcpStream::connect(server.address).await.unwrap()).await;
    assert!(answer.starts_with("HTTP/1.1 308"), "{answer}");
    assert!(answer.to_lowercase().contains("location: https://localhost/admin/health\r\n"), "{answer}");
}
