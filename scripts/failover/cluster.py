"""Two PostgreSQL servers that Patroni keeps, with an etcd, in a folder."""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
PASSWORD = "octavo"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def eventually(what, is_so, seconds=90):
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            raise SystemExit(f"waited in vain until {what}")
        time.sleep(0.05)


class Node:
    def __init__(self, name, folder, user, etcd):
        self.name, self.folder, self.user = name, folder, user
        self.port, self.rest = free_port(), free_port()
        self.patroni = None
        binaries = os.path.dirname(os.path.realpath(shutil.which("pg_rewind")))
        text = (HERE / "patroni.yml").read_text()
        for word, value in {
            "NAME": name, "REST": self.rest, "ETCD": etcd, "PORT": self.port, "FOLDER": folder, "BINARIES": binaries,
        }.items():
            text = text.replace(f"@{word}@", str(value))
        self.file = folder / f"{name}.yml"
        self.file.write_text(text)

    def start(self):
        log = open(self.folder / f"{self.name}.log", "a")
        # In a group of its own, so that Ctrl-C leaves the order of ending to us.
        self.patroni = subprocess.Popen(
            ["patroni", str(self.file)], stdout=log, stderr=log, cwd="/", start_new_session=True, **self.user)

    def postmaster(self):
        return int((self.folder / self.name / "postmaster.pid").read_text().split("\n")[0])

    def state(self):
        """What Patroni tells of the node; nothing while it is away."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/patroni", timeout=1) as answer:
                return json.load(answer)
        except OSError as error:
            return json.load(error) if hasattr(error, "read") else {}

    def takes_changes(self):
        return self.state().get("role") in ("master", "primary") and self.ask("select pg_is_in_recovery()") == "f"

    def ask(self, sql):
        asked = ["psql", "-XAtq", "-h", str(self.folder), "-p", str(self.port), "-U", "postgres", "-c", sql, "postgres"]
        done = subprocess.run(asked, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def kill(self):
        """Ends Patroni and PostgreSQL as when the machine loses its power: none of them says a word."""
        postmaster = self.postmaster()
        os.kill(self.patroni.pid, signal.SIGKILL)
        for pid in [postmaster, *children(postmaster)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.patroni.wait()

    def freeze(self, is_frozen):
        """Stops the processes, as when the network to the machine is cut: connections stay, and nothing answers."""
        postmaster = self.postmaster()
        for pid in [self.patroni.pid, postmaster, *children(postmaster)]:
            try:
                os.kill(pid, signal.SIGSTOP if is_frozen else signal.SIGCONT)
            except ProcessLookupError:
                pass

    def stop(self):
        if self.patroni and self.patroni.poll() is None:
            if (self.folder / self.name / "postmaster.pid").exists():
                self.freeze(False)
            self.patroni.terminate()
            self.patroni.wait()


def children(pid):
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(one) for one in done.stdout.split()]


class Cluster:
    def __init__(self, folder):
        self.folder, self.user = folder, {}
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            entry = pwd.getpwnam("postgres")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        client, peer = free_port(), free_port()
        ours, theirs = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
        log = open(folder / "etcd.log", "a")
        self.etcd = subprocess.Popen(
            ["etcd", "--name", "etcd", "--data-dir", str(folder / "etcd"), "--listen-client-urls", ours,
             "--advertise-client-urls", ours, "--listen-peer-urls", theirs, "--initial-advertise-peer-urls", theirs,
             "--initial-cluster", f"etcd={theirs}"],
            stdout=log, stderr=log, cwd="/", start_new_session=True, **self.user)
        # No words of PostgreSQL, such as first: they stand in synchronous_standby_names as they are.
        self.nodes = [Node(name, folder, self.user, client) for name in ("node1", "node2")]

    def start(self):
        time.sleep(1)
        self.nodes[0].start()
        eventually("there is a primary", self.nodes[0].takes_changes)
        self.nodes[1].start()
        self.wait_whole()
        self.primary().ask(f"create role octavo login password '{PASSWORD}'")
        self.primary().ask("create database octavo owner octavo")

    def primary(self):
        return next((node for node in self.nodes if node.takes_changes()), None)

    def wait_whole(self):
        """Until one is the primary, and the other its synchronous standby, also in the book of who may be promoted."""

        def is_whole():
            primary = self.primary()
            return primary is not None and any(
                node.state().get("sync_standby") for node in self.nodes if node is not primary)

        eventually("the standby has every change before it is acknowledged", is_whole, 180)

    def url(self):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://octavo:{PASSWORD}@{hosts}/octavo?target_session_attrs=read-write"

    def switch_over(self):
        primary = self.primary()
        other = next(node for node in self.nodes if node is not primary)
        command = ["patronictl", "-c", str(primary.file), "switchover", "--master", primary.name, "--candidate", other.name,
                   "--force", "octavo"]
        subprocess.run(command, check=True, capture_output=True, cwd="/", **self.user)
        return other

    def stop(self):
        for node in self.nodes:
            node.stop()
        self.etcd.terminate()
        self.etcd.wait()
