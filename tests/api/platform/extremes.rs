//! Numbers at the ends of their ranges, on every route that reads.

use octavo_testkit::{Library, Serve, fresh_id, routes};

#[tokio::test]
async fn extreme_pages_are_no_accident_on_any_route() {
    let library = Library::furnished().await;
    let id = fresh_id().to_string();
    let reading =
        routes().filter(|entry| entry.method.as_str() == "GET" && !matches!(entry.serve, Serve::NotBuilt));
    let mut asked = 0;
    for entry in reading {
        let fill =
            |segment: &str| if segment.starts_with('{') { id.clone() } else { segment.replace('*', "") };
        let path = entry.pattern.split('/').map(fill).collect::<Vec<_>>().join("/");
        let client = library.with("x-okapi-module-id", format!("{}-1", entry.module));
        for page in [
            "limit=2147483647&offset=2147483647",
            "limit=0&offset=0",
            "limit=9223372036854775807&offset=9223372036854775807",
            "limit=-9223372036854775808&offset=-1",
            "limit=99999999999999999999999&offset=1e309",
        ] {
            let reply = client.get(&format!("{path}?{page}&query=cql.allRecords%3D1")).await;
            let foreseen =
                reply.status < 500 || reply.text().starts_with("Profile picture feature is not enabled");
            assert!(foreseen, "{reply}");
            asked += 1;
        }
    }
    assert!(asked > 1_000, "{asked}");
}
