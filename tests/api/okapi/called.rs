//! Requests that a module outside of Octavo takes.

use std::net::Ipv4Addr;
use std::time::Duration;

use octavo_testkit::{
    BODY_BYTES, Client, MODULE_TIME, ModuleAnswer, OPEN_BODY_BYTES, OutsideModule, eventually, fresh_id,
    on_runtime,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{OkapiLibrary, module, new_name};

async fn start_echo_module() -> OutsideModule {
    OutsideModule::start(async |seen| {
        let said =
            json!({"method": seen.method, "path": seen.path, "body": String::from_utf8_lossy(&seen.body)});
        ModuleAnswer::json(202, &said).with("x-made-by", "echo").with("access-control-allow-origin", "*")
    })
    .await
}

#[tokio::test]
async fn a_request_goes_to_the_module_and_its_answer_to_the_client() {
    let house = OkapiLibrary::open().await;
    let (name, echo) = (new_name(), start_echo_module().await);
    let path = format!("/{name}/a%20b?query=x%3D1&limit=2");
    let unknown = "No suitable module found for path and tenant";
    house.library.get(&format!("/{name}")).await.says(404, unknown);
    house.add_deploy_and_enable(&module(&name, "1.0.0"), &echo).await;
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        let body = if method == "GET" { "" } else { "words" };
        let reply = house.library.send(method, &path, body).await.expect(202);
        assert_eq!(reply.json(), json!({"method": method, "path": path, "body": body}));
        assert_eq!(
            (reply.header("x-made-by"), reply.header("access-control-allow-origin")),
            (Some("echo"), None)
        );
    }
    let through = format!("/_/invoke/tenant/{}/{name}", house.library.tenant);
    let invoked = Client::new(house.library.address).get(&through).await.expect(202);
    assert_eq!(invoked.json()["path"], format!("/{name}"));

    house.operator.delete(&house.tenant_path(&format!("modules/mod-{name}-1.0.0"))).await.expect(204);
    house.library.get(&format!("/{name}")).await.says(404, unknown);
}

#[tokio::test]
async fn a_module_is_told_who_asks_and_where_to_call_back() {
    let house = OkapiLibrary::open().await;
    let (name, echo) = (new_name(), start_echo_module().await);
    let mut descriptor = module(&name, "1.0.0");
    let view = format!("{name}.view");
    descriptor["provides"][0]["handlers"][0]["permissionsRequired"] = json!([view]);
    descriptor["provides"][0]["handlers"][0]["permissionsDesired"] =
        json!([format!("{name}.more.*"), "users.item.get"]);
    descriptor["permissionSets"] = json!([{"permissionName": view}]);
    house.add_deploy_and_enable(&descriptor, &echo).await;
    let user = house.library.as_user(&[&view, &format!("{name}.more.x"), "tags.collection.get"]).await;
    let client = user.with("x-okapi-request-id", "1/before").with("x-okapi-permissions", "[\"okapi.all\"]");
    client.with("cookie", "a=b").get(&format!("/{name}/x")).await.expect(202);
    let seen = &echo.seen_requests()[0];
    let header = |name: &str| seen.header(name).unwrap_or_default().to_owned();
    assert_eq!(header("x-okapi-url"), format!("http://{}", house.library.address));
    assert_eq!(header("x-okapi-tenant"), house.library.tenant.as_str());
    assert_eq!(header("x-okapi-user-id"), user.user.unwrap().to_string());
    let permissions: Value = serde_json::from_str(&header("x-okapi-permissions")).unwrap();
    assert_eq!(permissions, json!([format!("{name}.more.x"), view]));
    let request = header("x-okapi-request-id");
    assert!(request.starts_with("1/before;") && request.ends_with(&format!("/{name}")), "{request}");
    assert_eq!(
        (header("x-okapi-request-method"), header("x-okapi-request-ip")),
        ("GET".into(), "127.0.0.1".into())
    );
    assert_eq!(header("x-okapi-match-path-pattern"), format!("/{name}*"));
    assert_eq!(header("cookie"), "a=b");
    assert_ne!(
        header("x-okapi-token"),
        user.header("x-okapi-token").unwrap(),
        "the module has a token of its own"
    );
}

#[tokio::test]
async fn permissions_are_asked_for_as_the_descriptor_says() {
    let house = OkapiLibrary::open().await;
    let (name, echo) = (new_name(), start_echo_module().await);
    let view = format!("{name}.view");
    let mut descriptor = module(&name, "1.0.0");
    descriptor["provides"][0]["handlers"] = json!([
        {"methods": ["GET"], "pathPattern": format!("/{name}/closed"), "permissionsRequired": [view]},
        {"methods": ["GET", "POST"], "pathPattern": format!("/{name}/open"), "permissionsRequired": []},
    ]);
    descriptor["permissionSets"] = json!([{"permissionName": view, "displayName": "View"}]);
    house.add_deploy_and_enable(&descriptor, &echo).await;
    let (closed, open) = (format!("/{name}/closed"), format!("/{name}/open"));
    house.library.get(&closed).await.says(400, &format!("Token missing, access requires permission: {view}"));
    house.library.get(&open).await.expect(202);
    let user = house.library.as_user(&[]).await;
    let id = user.user.unwrap();
    user.get(&closed)
        .await
        .says(403, &format!("Access for user 'user-{id}' ({id}) requires permission: {view}"));
    user.get(&open).await.expect(202);
    house.library.as_user(&[&view]).await.get(&closed).await.expect(202);
    house.library.with("x-okapi-token", "a.b.c").get(&open).await.says(401, "Invalid token");
    house
        .operator
        .with("x-okapi-tenant", house.library.tenant.as_str())
        .get(&closed)
        .await
        .says(403, "Invalid token");
    assert_eq!(echo.seen_requests().len(), 3, "nothing that was refused reached the module");
    // Whoever has no name sends little.
    house.library.send("POST", &open, vec![b'x'; OPEN_BODY_BYTES + 1]).await.expect(413);
    user.send("POST", &open, vec![b'x'; OPEN_BODY_BYTES + 1]).await.expect(202);
    user.send("POST", &open, vec![b'x'; BODY_BYTES + 1]).await.expect(413);
}

#[tokio::test]
async fn instances_take_turns_and_one_that_is_gone_is_passed_over() {
    let house = OkapiLibrary::open().await;
    let name = new_name();
    let id = format!("mod-{name}-1.0.0");
    house.add_module(&module(&name, "1.0.0")).await;
    house.enable_module(&id).await;
    let path = format!("/{name}");
    house.library.get(&path).await.says(404, &format!("No running module instance found for {id}"));
    let instances = [start_echo_module().await, start_echo_module().await];
    for instance in &instances {
        house.deploy_module(&id, instance).await;
    }
    eventually("both have been asked", async || {
        house.library.get(&path).await.expect(202);
        instances.iter().all(|instance| !instance.seen_requests().is_empty())
    })
    .await;
    let gone = json!({"srvcId": id, "instId": fresh_id(), "url": "http://127.0.0.1:1"});
    house.operator.post("/_/discovery/modules", &gone).await.expect(201);
    for _ in 0..6 {
        house.library.get(&path).await.expect(202);
    }
}

#[tokio::test]
async fn a_module_that_does_not_answer_is_told_of() {
    let house = OkapiLibrary::open().await;
    let name = new_name();
    let id = format!("mod-{name}-1.0.0");
    house.add_module(&module(&name, "1.0.0")).await;
    house.enable_module(&id).await;
    let deploy = async |url: String| {
        house.operator.delete(&format!("/_/discovery/modules/{id}")).await;
        let instance = json!({"srvcId": id, "instId": fresh_id(), "url": url});
        house.operator.post("/_/discovery/modules", &instance).await.expect(201);
    };
    let path = format!("/{name}");
    deploy("http://127.0.0.1:1".to_owned()).await;
    let unreachable = house.library.get(&path).await.expect(502).text();
    assert!(unreachable.starts_with(&format!("proxyClient failure: {id}: ")), "{unreachable}");

    let slow = OutsideModule::start(async |_| {
        tokio::time::sleep(MODULE_TIME * 3).await;
        ModuleAnswer::text(200, "")
    })
    .await;
    deploy(slow.url()).await;
    house.library.get(&path).await.says(504, &format!("proxyClient failure: {id}: no answer in time"));

    let rude = start_tcp_server(|mut stream| async move {
        let mut head = [0; 1000];
        let _ = stream.read(&mut head).await;
        let _ = stream.write_all(b"this is no HTTP\r\n\r\n").await;
    })
    .await;
    deploy(rude).await;
    house.library.get(&path).await.expect(502);
}

/// A server that does with each connection what a test says.
async fn start_tcp_server<F>(serve: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> String
where
    F: Future<Output = ()> + Send + 'static,
{
    on_runtime(async move {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
        format!("http://{address}")
    })
    .await
}

#[tokio::test]
async fn bodies_go_both_ways_piece_by_piece() {
    let house = OkapiLibrary::open().await;
    let name = new_name();
    let id = format!("mod-{name}-1.0.0");
    house.add_module(&module(&name, "1.0.0")).await;
    house.enable_module(&id).await;
    // Answers as soon as the first piece has come, before the second was sent.
    let url = start_tcp_server(|mut stream| async move {
        let mut read = Vec::new();
        while !read.ends_with(b"first\r\n") {
            let mut bytes = [0; 1000];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0);
            read.extend_from_slice(&bytes[..count]);
        }
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nseen \r\n";
        stream.write_all(head).await.unwrap();
        let mut rest = Vec::new();
        while !rest.ends_with(b"0\r\n\r\n") {
            let mut bytes = [0; 1000];
            let count = stream.read(&mut bytes).await.unwrap();
            rest.extend_from_slice(&bytes[..count]);
        }
        assert!(rest.windows(6).any(|part| part == b"second"));
        stream.write_all(b"6\r\nsecond\r\n0\r\n\r\n").await.unwrap();
    })
    .await;
    let instance = json!({"srvcId": id, "instId": fresh_id(), "url": url});
    house.operator.post("/_/discovery/modules", &instance).await.expect(201);
    let tenant = house.library.tenant.as_str();
    let user = house.library.as_user(&[]).await;
    let token = user.header("x-okapi-token").unwrap();
    let mut stream = TcpStream::connect(house.library.address).await.unwrap();
    let head = format!(
        "POST /{name} HTTP/1.1\r\nhost: a\r\nx-okapi-tenant: {tenant}\r\nx-okapi-token: {token}\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut read_until = async |stream: &mut TcpStream, part: &[u8]| {
        while !answer.windows(part.len()).any(|found| found == part) {
            let mut bytes = [0; 1000];
            let count = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut bytes))
                .await
                .unwrap()
                .unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&bytes[..count]);
        }
    };
    read_until(&mut stream, b"seen ").await;
    stream.write_all(b"6\r\nsecond\r\n0\r\n\r\n").await.unwrap();
    read_until(&mut stream, b"second").await;
}

#[tokio::test]
async fn of_several_providers_the_client_names_one() {
    let house = OkapiLibrary::open().await;
    let interface = new_name();
    let [one, other] = [start_echo_module().await, start_echo_module().await];
    let names = [new_name(), new_name()];
    for (name, instance) in names.iter().zip([&one, &other]) {
        let mut descriptor = module(name, "1.0.0");
        descriptor["provides"] = json!([{"id": interface, "version": "1.0", "interfaceType": "multiple", "handlers": [
            {"methods": ["GET"], "pathPattern": format!("/{interface}"), "permissionsRequired": []},
        ]}]);
        house.add_deploy_and_enable(&descriptor, instance).await;
    }
    let path = format!("/{interface}");
    house.library.get(&path).await.expect(404);
    let providers = house
        .operator
        .get(&house.tenant_path(&format!("interfaces/{interface}?type=multiple")))
        .await
        .expect(200);
    assert_eq!(providers.json().as_array().unwrap().len(), 2);
    let id = format!("mod-{}-1.0.0", names[1]);
    house.library.with("x-okapi-module-id", id).get(&path).await.expect(202);
    assert_eq!((one.seen_requests().len(), other.seen_requests().len()), (0, 1));
    assert_eq!(other.seen_requests()[0].header("x-okapi-module-id"), None);
}

#[tokio::test]
async fn a_module_takes_the_place_of_one_that_is_built_in() {
    let house = OkapiLibrary::open().await;
    let path = format!("/rtac/{}", fresh_id());
    // As the built-in one may answer, with a header of its own.
    let another = OutsideModule::start(async |_| {
        ModuleAnswer::json(200, &json!({"holdings": []})).with("x-made-by", "another")
    })
    .await;
    let by_another = async |user: &Client| user.get(&path).await.header("x-made-by").is_some();
    let version = format!("99.0.0-{}", new_name());
    let id = format!("mod-rtac-{version}");
    let descriptor = json!({
        "id": id, "name": "another", "requires": [],
        "provides": [
            {"id": "rtac", "version": "1.6", "handlers": [
                {"methods": ["GET"], "pathPattern": "/rtac/{id}", "permissionsRequired": ["rtac.holdings.item.get"]},
            ]},
            {"id": "rtac-batch", "version": "1.1", "handlers": []},
        ],
        "permissionSets": [{"permissionName": "rtac.holdings.item.get", "displayName": "Another"}],
    });
    let user = house.library.as_user(&["rtac.holdings.item.get"]).await;
    assert!(!by_another(&user).await);
    house.add_module(&descriptor).await;
    house.deploy_module(&id, &another).await;
    let done = house.install_modules(&json!([{"id": id, "action": "enable"}])).await.expect(200).json();
    assert_eq!(done, json!([{"id": id, "from": "mod-rtac-3.6.0", "action": "enable"}]));
    assert!(by_another(&user).await);
    assert!(!house.enabled_modules().await.contains(&"mod-rtac-3.6.0".to_owned()));
    let other = OkapiLibrary::open().await;
    let elsewhere = other.library.as_user(&["rtac.holdings.item.get"]).await;
    assert!(!by_another(&elsewhere).await, "another tenant has the built-in one still");

    house.install_modules(&json!([{"id": "mod-rtac-3.6.0", "action": "enable"}])).await.expect(200);
    assert!(!by_another(&user).await);
    house.operator.delete(&format!("/_/proxy/modules/{id}")).await.says(204, "");

    let id = format!("mod-{}-1.0.0", new_name());
    house.add_module(&json!({"id": id, "requires": [], "replaces": ["mod-users"]})).await;
    let said = format!(
        "{id} cannot take the place of mod-users-19.3.1: log-in and permissions of Octavo stand on it"
    );
    house.install_modules(&json!([{"id": id, "action": "enable"}])).await.says(400, &said);
}
