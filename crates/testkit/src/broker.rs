//! A broker of Apache Kafka of the test's own, in a process of its own.
#![expect(
    clippy::disallowed_methods,
    clippy::zombie_processes,
    reason = "where Kafka is is no setting of Octavo; a broker that does not start is waited for, and the test fails"
)]

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use octavo_engine::Kafka;
use octavo_kafka::{Brokers, Login, Mechanism};
use serde_json::Value;

use crate::{CERTIFICATES, temporary_folder};

/// What a broker knows of who may log in.
const USER: &str = "octavo";
const PASSWORD: &str = "a long secret";
/// How long a broker may take to start, or a consumer to find what it waits for.
const PATIENCE: Duration = Duration::from_secs(120);
/// After so long without another message a consumer has read all.
const SILENCE: Duration = Duration::from_secs(20);

/// Ends with the test, and its data with it.
pub struct Broker {
    jars: String,
    folder: PathBuf,
    plain_port: u16,
    encrypted_port: u16,
    process: Child,
}

/// A message as Kafka's console consumer prints it.
#[derive(Debug, PartialEq)]
pub struct ConsumedMessage {
    pub headers: String,
    pub key: String,
    pub value: Value,
}

impl Broker {
    pub fn start() -> Broker {
        let jars = std::env::var("OCTAVO_KAFKA").expect("the folder of Kafka's jars: make kafka sets it");
        let jars = format!("{jars}/*");
        let folder = temporary_folder("kafka");
        let [plain, encrypted, controller] = free_ports();
        let file = |name: &str| folder.join(name);
        let certificate = |name: &str| fs::read(Path::new(CERTIFICATES).join(name)).unwrap();
        fs::write(file("server.pem"), [certificate("server.key"), certificate("trusted.pem")].concat())
            .unwrap();
        fs::write(file("password"), format!("{PASSWORD}\n")).unwrap();
        fs::write(file("wrong-password"), "another secret\n").unwrap();
        let properties = format!(
            "process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:{controller}
            listeners=PLAINTEXT://127.0.0.1:{plain},SASL_SSL://localhost:{encrypted},CONTROLLER://127.0.0.1:{controller}
            advertised.listeners=PLAINTEXT://127.0.0.1:{plain},SASL_SSL://localhost:{encrypted}
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT
            controller.listener.names=CONTROLLER
            inter.broker.listener.name=PLAINTEXT
            log.dirs={data}
            offsets.topic.replication.factor=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            auto.create.topics.enable=false
            group.initial.rebalance.delay.ms=0
            message.max.bytes=100000
            sasl.enabled.mechanisms=SCRAM-SHA-512
            listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=\
            org.apache.kafka.common.security.scram.ScramLoginModule required;
            ssl.keystore.type=PEM
            ssl.keystore.location={pem}
            ",
            data = file("data").display(),
            pem = file("server.pem").display(),
        );
        fs::write(file("server.properties"), properties).unwrap();
        let users = format!("SCRAM-SHA-512=[name={USER},password={PASSWORD}]");
        let mut format = Command::new("java");
        format.args([
            "-cp",
            &jars,
            "kafka.tools.StorageTool",
            "format",
            "-t",
            "MkU3OEVBNTcwNTJENDM2Qg",
            "-c",
        ]);
        format.arg(file("server.properties")).args(["--add-scram", &users]);
        let formatted = format.output().expect("Java");
        assert!(formatted.status.success(), "{}", String::from_utf8_lossy(&formatted.stderr));
        let process = start_process(&jars, &folder);
        Broker { jars, folder, plain_port: plain, encrypted_port: encrypted, process }
    }

    /// How Octavo reaches it, without logging in.
    pub fn kafka_plain(&self) -> Kafka {
        let brokers = Brokers {
            addresses: vec![format!("127.0.0.1:{}", self.plain_port)],
            tls: false,
            ca_file: None,
            login: None,
            partitions: 3,
            replicas: 1,
        };
        Kafka { brokers, environment: "folio".to_owned() }
    }

    /// How Octavo reaches it by TLS, with the password in this file of its folder.
    pub fn kafka_encrypted(&self, password: &str) -> Kafka {
        let mut kafka = self.kafka_plain();
        kafka.brokers.addresses = vec![format!("localhost:{}", self.encrypted_port)];
        kafka.brokers.tls = true;
        kafka.brokers.ca_file = Some(Path::new(CERTIFICATES).join("authority.pem"));
        kafka.brokers.login = Some(Login {
            mechanism: Mechanism::ScramSha512,
            user: USER.to_owned(),
            password_file: self.folder.join(password),
        });
        kafka
    }

    /// Ends it as the system does that runs out of memory.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub fn start_again(&mut self) {
        self.process = start_process(&self.jars, &self.folder);
    }

    /// What there is in a topic, as many messages as are waited for, by Kafka's console consumer.
    pub fn read(&self, topic: &str, count: usize) -> Vec<ConsumedMessage> {
        self.consume(topic, &["--max-messages", &count.to_string()], PATIENCE)
    }

    /// All messages that there are in a topic, by Kafka's console consumer.
    pub fn read_all(&self, topic: &str) -> Vec<ConsumedMessage> {
        self.consume(topic, &[], SILENCE)
    }

    fn consume(&self, topic: &str, more: &[&str], patience: Duration) -> Vec<ConsumedMessage> {
        let output = Command::new("java")
            .args(["-cp", &self.jars, "org.apache.kafka.tools.consumer.ConsoleConsumer", "--from-beginning"])
            .args(["--bootstrap-server", &format!("127.0.0.1:{}", self.plain_port), "--topic", topic])
            .args(["--timeout-ms", &patience.as_millis().to_string()])
            .args(["--property", "print.headers=true", "--property", "print.key=true"])
            .args(more)
            .output()
            .expect("Java");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| {
                let mut columns = line.splitn(3, '\t').map(str::to_owned);
                let mut column = || columns.next().unwrap_or_default();
                let (headers, key, value) = (column(), column(), column());
                ConsumedMessage { headers, key, value: serde_json::from_str(&value).expect("JSON") }
            })
            .collect()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn start_process(jars: &str, folder: &Path) -> Child {
    let log = folder.join("log");
    let out = File::create(&log).unwrap();
    let logging = concat!(
        "-Dlog4j.configuration=file:",
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/kafka/log4j.properties"
    );
    let process = Command::new("java")
        .args(["-Xmx256m", logging, "-cp", jars, "kafka.Kafka"])
        .arg(folder.join("server.properties"))
        .stdin(Stdio::null())
        .stdout(out.try_clone().unwrap())
        .stderr(out)
        .spawn()
        .expect("Java");
    let began = Instant::now();
    loop {
        let text = fs::read_to_string(&log).unwrap_or_default();
        if text.contains("Kafka Server started") {
            return process;
        }
        assert!(began.elapsed() < PATIENCE, "the broker does not start: {text}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn free_ports() -> [u16; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
