//! OpenLDAP's server, with people of its own, on this machine alone.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use octavo_testkit::{eventually, temporary_folder};
use serde_json::{Value, json};

pub(super) const BASE: &str = "dc=example,dc=org";
pub(super) const READER: &str = "cn=reader,dc=example,dc=org";
pub(super) const READERS_PASSWORD: &str = "the-reader's-s%cret";

/// Stops with the test.
pub(super) struct Slapd {
    process: Child,
    folder: PathBuf,
    /// The port for StartTLS, and the port with TLS from the start.
    ports: [u16; 2],
    pub(super) certificate: String,
}

/// An entry's number of an employee, name, mail address and password. A name may be there twice.
pub(super) type Person = (&'static str, &'static str, &'static str, &'static str);

impl Slapd {
    pub(super) async fn start(people: &[Person]) -> Slapd {
        let folder = temporary_folder("slapd");
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        let certificate = made.cert.pem();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("certificate.pem", &certificate);
        write("key.pem", &made.signing_key.serialize_pem());
        write("slapd.conf", &configuration(&folder));
        write("people.ldif", &ldif_entries(people));
        fs::create_dir(folder.join("data")).unwrap();
        let loaded = unprivileged_command(&folder, "slapadd", &["-f", "slapd.conf", "-l", "people.ldif"])
            .output()
            .unwrap();
        assert!(loaded.status.success(), "{}", stderr_text(&loaded));
        let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let addresses = format!("ldap://127.0.0.1:{}/ ldaps://127.0.0.1:{}/", ports[0], ports[1]);
        let process =
            unprivileged_command(&folder, "slapd", &["-f", "slapd.conf", "-d", "0", "-h", &addresses])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
        let slapd = Slapd { process, folder, ports, certificate };
        eventually("slapd listens", async || {
            tokio::net::TcpStream::connect(("127.0.0.1", ports[1])).await.is_ok()
        })
        .await;
        slapd
    }

    /// Settings that search for entries, with the given changes.
    pub(super) fn search_settings(&self, changed: &Value) -> Value {
        let mut settings = json!({
            "active": true,
            "url": format!("ldaps://127.0.0.1:{}", self.ports[1]),
            "authorities": self.certificate,
            "searchBase": BASE,
            "searchFilter": "(&(objectClass=inetOrgPerson)(uid={value}))",
            "bindDn": READER,
            "bindPassword": READERS_PASSWORD,
        });
        for (name, value) in changed.as_object().into_iter().flatten() {
            settings[name] = value.clone();
        }
        settings
    }

    /// The address that is not encrypted from the start.
    pub(super) fn unencrypted_url(&self) -> String {
        format!("ldap://127.0.0.1:{}", self.ports[0])
    }

    pub(super) fn stop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Slapd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Who runs the server where the tests run as root, as on a machine of CI.
const NOBODY: u32 = 65_534;

/// One of slapd's programs in its folder, run as an unprivileged user.
fn unprivileged_command(folder: &Path, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(Path::new("/usr/sbin").join(program));
    command.args(arguments).current_dir(folder);
    if fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap_or(0) == 0 {
        std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
        std::os::unix::process::CommandExt::gid(&mut command, NOBODY);
        fs::set_permissions(folder, Permissions::from_mode(0o700)).unwrap();
        let within = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in within.chain([folder.to_owned()]) {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    command
}

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn configuration(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "include /etc/ldap/schema/core.schema\n\
         include /etc/ldap/schema/cosine.schema\n\
         include /etc/ldap/schema/inetorgperson.schema\n\
         modulepath /usr/lib/ldap\n\
         moduleload back_mdb\n\
         TLSCertificateFile {folder}/certificate.pem\n\
         TLSCertificateKeyFile {folder}/key.pem\n\
         database mdb\n\
         suffix {BASE}\n\
         directory {folder}/data\n\
         access to attrs=userPassword by anonymous auth by * none\n\
         access to * by dn.exact=\"{READER}\" read by anonymous auth by * none\n"
    )
}

fn ldif_entries(people: &[Person]) -> String {
    let mut ldif = format!(
        "dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n\
         dn: {READER}\nobjectClass: applicationProcess\nobjectClass: simpleSecurityObject\ncn: reader\n\
         userPassword: {READERS_PASSWORD}\n\n\
         dn: ou=people,{BASE}\nobjectClass: organizationalUnit\nou: people\n\n"
    );
    for (number, name, mail, password) in people {
        ldif.push_str(&format!(
            "dn: employeeNumber={number},ou=people,{BASE}\nobjectClass: inetOrgPerson\nemployeeNumber: {number}\n\
             uid: {name}\ncn: {name}\nsn: {name}\nmail: {mail}\nuserPassword: {password}\n\n"
        ));
    }
    ldif
}
