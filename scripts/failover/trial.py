"""The trial: see scripts/failover.sh."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from cluster import Cluster, eventually, free_port
from load import Load


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--switchovers", type=int, default=1)
    parser.add_argument("--freezes", type=int, default=1)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--program", default="target/debug/octavo")
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs")
    return parser.parse_args()


def metric(port, name):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    values = [line.rsplit(" ", 1)[1] for line in text.split("\n") if line.startswith((name + " ", name + "{"))]
    return int(sum(float(value) for value in values))


def promotion(cluster, old):
    """The moment from which on another server accepts changes."""
    other = next(node for node in cluster.nodes if node is not old)
    eventually("the standby is promoted", lambda: other.ask("select pg_is_in_recovery()") == "f", 120)
    return time.monotonic()


def blow(kind, cluster):
    """Takes the primary away. When, and from when on another accepts changes."""
    old, begun = cluster.primary(), time.monotonic()
    if kind == "kill":
        old.kill()
        promoted = promotion(cluster, old)
    elif kind == "freeze":
        old.freeze(True)
        promoted = promotion(cluster, old)
    else:
        asked = threading.Thread(target=cluster.switch_over)
        asked.start()
        promoted = promotion(cluster, old)
        asked.join()
    return old, begun, promoted


def back(kind, cluster, old):
    """The server that was taken away comes back, as a standby."""
    if kind == "kill":
        old.start()
    elif kind == "freeze":
        old.freeze(False)
    cluster.wait_whole()


def main():
    wanted = arguments()
    # Told to stop, it stops what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="octavo-failover-", dir=os.environ.get("TMPDIR", "/var/tmp")))
    folder.chmod(0o755)
    cluster, octavo, faults = Cluster(folder), None, 0
    try:
        cluster.start()
        port, log = free_port(), open(folder / "octavo.log", "w")
        octavo = subprocess.Popen(
            [wanted.program, "serve", "--demo", "--listen", f"127.0.0.1:{port}", "--data-dir", str(folder / "octavo"),
             "--database-url", cluster.url()],
            stdout=log, stderr=log, start_new_session=True)
        ready = f"http://127.0.0.1:{port}/admin/health/ready"

        def is_ready():
            try:
                return urllib.request.urlopen(ready).status == 200
            except OSError:
                return False

        eventually("Octavo serves the demo library", is_ready, 300)
        kinds = ["switchover"] * wanted.switchovers + ["kill"] * wanted.kills + ["freeze"] * wanted.freezes
        print("all times in seconds; without: from the last acknowledged change to the next one")
        print(f"{'':12}{'promoted':>10}{'served':>8}{'without':>9}{'requests':>10}{'unknown':>9}{'undone':>8}"
              f"{'reads':>7}{'repeated':>10}{'changes':>9}{'lost':>6}")
        for kind in kinds:
            repeated = metric(port, "octavo_repeats_total")
            load = Load(port, wanted.clients)
            load.start()
            time.sleep(5)
            old, begun, promoted = blow(kind, cluster)
            served = load.first_acknowledged(promoted)
            time.sleep(5)
            load.stop()
            back(kind, cluster, old)
            changes, wrong = load.compare()
            books = [client.book for client in load.clients]
            total = {name: sum(getattr(book, name) for book in books) for name in ("unknown", "undone", "failed_reads")}
            without = served - load.last_acknowledged(promoted)
            print(f"{kind:12}{promoted - begun:>10.1f}{served - promoted:>8.1f}{without:>9.1f}"
                  f"{sum(len(book.requests) for book in books):>10}{total['unknown']:>9}{total['undone']:>8}"
                  f"{total['failed_reads']:>7}{metric(port, 'octavo_repeats_total') - repeated:>10}{changes:>9}{len(wrong):>6}")
            words = {}
            for book in books:
                for text, count in book.words.items():
                    words[text] = words.get(text, 0) + count
            for text, count in sorted(words.items()):
                print(f"    {count} x {text}")
            for one in wrong:
                print(f"    LOST: {one}")
            late = served - promoted > 5
            faults += len(wrong) + late
            if late:
                print("    LATE: more than 5 s after the promotion")
    finally:
        if octavo:
            octavo.terminate()
            octavo.wait()
        cluster.stop()
        if wanted.keep or faults:
            print(f"logs and data are left in {folder}")
        else:
            shutil.rmtree(folder)
    raise SystemExit(1 if faults else 0)


main()
