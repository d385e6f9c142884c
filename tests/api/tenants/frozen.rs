//! Two servers on one database, one of which no longer hears of changes: what it remembers is not believed for long.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use octavo_modules::permissions::PERMISSION;
use octavo_pg::Limits;
use octavo_testkit::{Library, Octavo, database_url, eventually, on_runtime, temporary_folder};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};

/// A proxy in front of the database. It can freeze the connections that listen for changes: they stay open, but nothing arrives.
struct DatabaseProxy {
    folder: PathBuf,
    frozen: Arc<AtomicBool>,
}

const SOCKET: &str = ".s.PGSQL.5432";

impl DatabaseProxy {
    async fn open() -> DatabaseProxy {
        let folder = temporary_folder("proxy");
        let frozen = Arc::<AtomicBool>::default();
        let behind = folder_of(&database_url().await).join(SOCKET);
        let (socket, freezes) = (folder.join(SOCKET), Arc::clone(&frozen));
        on_runtime(async move {
            let listener = UnixListener::bind(socket).unwrap();
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    let server = UnixStream::connect(&behind).await.unwrap();
                    let (from_client, to_client) = client.into_split();
                    let (from_server, to_server) = server.into_split();
                    let line =
                        ProxiedConnection { is_listening: Arc::default(), is_frozen: Arc::clone(&freezes) };
                    tokio::spawn(line.clone().forward(from_client, to_server));
                    tokio::spawn(line.forward(from_server, to_client));
                }
            });
        })
        .await;
        DatabaseProxy { folder, frozen }
    }

    fn url(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgresql://octavo@/octavo?host={folder}&port=5432")
    }

    fn freeze(&self, frozen: bool) {
        self.frozen.store(frozen, Ordering::Relaxed);
    }
}

impl Drop for DatabaseProxy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn folder_of(url: &str) -> PathBuf {
    let host = url.split("host=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or_default();
    Path::new(&host.replace("%2F", "/").replace("%2f", "/")).to_owned()
}

#[derive(Clone)]
struct ProxiedConnection {
    is_listening: Arc<AtomicBool>,
    is_frozen: Arc<AtomicBool>,
}

impl ProxiedConnection {
    async fn forward(self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let mut bytes = [0; 8192];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            if bytes[..count].windows(13).any(|part| part == b"listen octavo") {
                self.is_listening.store(true, Ordering::Relaxed);
            }
            while self.is_listening.load(Ordering::Relaxed) && self.is_frozen.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            if to.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    }
}

#[tokio::test]
async fn a_permission_that_was_taken_away_ends_where_changes_are_not_heard_of() {
    let library = Library::guarded().await;
    let proxy = DatabaseProxy::open().await;
    let deaf = Octavo::with_connections(8, Limits::default(), Some(proxy.url())).await;
    library.store(&PERMISSION, json!({"permissionName": "usergroups.collection.get"})).await;
    let desk =
        library.as_user(&["perms.users.get", "perms.users.item.put", "perms.users.assign.immutable"]).await;
    let patron = library.as_user(&["usergroups.collection.get"]).await.through(&deaf);
    let remembers = async || {
        patron.get("/groups").await.expect(200);
        deaf.platform.lease.is_valid() && patron.get("/groups").await.expect(200).round_trips() == 1
    };
    eventually("the server remembers", remembers).await;

    proxy.freeze(true);
    let user = patron.user.unwrap();
    let found = desk.find("/perms/users", &format!("userId=={user}")).await.expect(200).json();
    let mut record = found["permissionUsers"][0].clone();
    record["permissions"] = json!([]);
    let path = format!("/perms/users/{}", record["id"].as_str().unwrap());
    let reply = desk.put(&path, &record).await;
    assert!([200, 204].contains(&reply.status), "{reply}");
    // The lease is five seconds long.
    tokio::time::sleep(Duration::from_millis(5_100)).await;
    patron.get("/groups").await.expect(403);
    let metrics = patron.without("x-okapi-tenant").get("/metrics").await.text();
    assert!(metrics.contains("\noctavo_listening 0\n"), "{metrics}");

    // Correct while it lasts, though nothing is remembered.
    record["permissions"] = json!(["usergroups.collection.get"]);
    let reply = desk.put(&path, &record).await;
    assert!([200, 204].contains(&reply.status), "{reply}");
    patron.get("/groups").await.expect(200);
    proxy.freeze(false);
    eventually("changes are heard of again", async || deaf.platform.lease.is_valid()).await;
    patron.get("/groups").await.expect(200);
}
