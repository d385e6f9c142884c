//! Who is on this machine, whichever way the addresses are written.

use std::process::Command;

use octavo_testkit::Client;

use crate::octavo::{Folder, Octavo, program_path};

#[tokio::test]
async fn a_program_on_this_machine_is_one_by_either_family_of_addresses() {
    let folder = Folder::new();
    let mut command = Command::new(program_path());
    command
        .args(["serve", "--listen", "[::]:0", "--open-tenants", "on", "--data-dir"])
        .arg(folder.data_dir());
    let octavo = Octavo::start_command(command);
    let port = octavo.address.port();
    let own = "/_/proxy/tenants/supertenant/modules";
    for address in [format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        let client = Client::new(address.parse().unwrap());
        let proxied = client.with("x-forwarded-for", "127.0.0.1");
        for path in [own, "/metrics"] {
            client.get(path).await.expect(200);
            proxied.get(path).await.expect(403);
        }
    }
    octavo.stop();
}
