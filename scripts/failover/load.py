"""Clients that change a library, and write down what was acknowledged, what was said to be undone, and what nobody knows."""

import http.client
import json
import threading
import time
import uuid
from dataclasses import dataclass, field

HEADERS = {"content-type": "application/json", "accept": "application/json, text/plain", "x-okapi-tenant": "diku"}
ADMINISTRATOR = {"username": "diku_admin", "password": "admin"}
# What Octavo says where it knows that nothing was changed.
UNDONE = ("nothing was changed", "cannot be reached", "is busy")
# Longer than a request waits for a server.
PATIENCE = 75


@dataclass
class Book:
    """What one client has done. Only that client writes it."""

    requests: list = field(default_factory=list)
    groups: set = field(default_factory=set)
    undone_groups: set = field(default_factory=set)
    loans: dict = field(default_factory=dict)
    pieces: dict = field(default_factory=dict)
    counted: int = 0
    unknown: int = 0
    undone: int = 0
    failed_reads: int = 0
    words: dict = field(default_factory=dict)


class Client(threading.Thread):
    def __init__(self, port, token, items, patron, desk, stop):
        super().__init__(daemon=True)
        self.headers = {**HEADERS, "x-okapi-token": token}
        self.port, self.items, self.patron, self.desk, self.stop_asked = port, items, patron, desk, stop
        self.book, self.connection, self.fault = Book(), None, None

    def ask(self, method, path, body=None):
        """The status and the body; 0 if there was no answer."""
        begun = time.monotonic()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
            answer = self.connection.getresponse()
            status, text = answer.status, answer.read().decode()
            if answer.getheader("connection") == "close":
                self.connection = None
        except (OSError, http.client.HTTPException) as error:
            self.connection, status, text = None, 0, repr(error)
        self.book.requests.append((begun, time.monotonic(), method, status))
        if status == 0 or status >= 500:
            self.book.words[text[:90]] = self.book.words.get(text[:90], 0) + 1
        return status, text

    def change(self, method, path, body):
        """Whether it was made: True, False, or None where nobody knows. With the answer's body."""
        status, text = self.ask(method, path, body)
        if 200 <= status < 300:
            return True, text
        if status == 503 and any(words in text for words in UNDONE):
            self.book.undone += 1
            return False, text
        if status == 0 or status >= 500:
            self.book.unknown += 1
            return None, text
        raise SystemExit(f"{method} {path}: {status} {text}")

    def read(self, path):
        while True:
            status, text = self.ask("GET", path)
            if status == 200:
                return json.loads(text)
            if 0 < status < 500:
                raise SystemExit(f"GET {path}: {status} {text}")
            self.book.failed_reads += 1
            time.sleep(0.2)

    def run(self):
        number = 0
        try:
            while not self.stop_asked.is_set():
                item = self.items[number % len(self.items)]
                self.lend_and_return(item)
                self.make_group()
                self.count_pieces(item["id"])
                number += 1
        except (Exception, SystemExit) as error:
            self.fault = f"a client gave up: {error}"

    def lend_and_return(self, item):
        at = {"itemBarcode": item["barcode"], "servicePointId": self.desk}
        body = {**at, "userBarcode": self.patron}
        made, text = self.change("POST", "/circulation/check-out-by-barcode", body)
        open_loan = f"/circulation/loans?query=(itemId=={item['id']} and status.name==Open)".replace(" ", "%20")
        if made is False:
            loans = self.read(open_loan)["loans"]
            assert not loans, "a check-out was made that was said not to be"
            return
        loan = json.loads(text) if made else next(iter(self.read(open_loan)["loans"]), None)
        if loan is None:
            return
        self.book.loans[loan["id"]] = "Open"
        body = {**at, "checkInDate": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        while True:
            made, _ = self.change("POST", "/circulation/check-in-by-barcode", body)
            if made:
                self.book.loans[loan["id"]] = "Closed"
                return
            if made is None and not self.read(open_loan)["loans"]:
                self.book.loans[loan["id"]] = "Closed"
                return

    def make_group(self):
        group = {"id": str(uuid.uuid4()), "group": f"group {uuid.uuid4()}"}
        made, _ = self.change("POST", "/groups", group)
        if made:
            self.book.groups.add(group["id"])
        elif made is False:
            self.book.undone_groups.add(group["id"])

    def count_pieces(self, item):
        """Only this client changes the item meanwhile: what it finds is what it wrote last, or what nobody knew of."""
        record = self.read(f"/item-storage/items/{item}")
        found = int(record.get("numberOfPieces") or 0)
        least, most = self.book.pieces.get(item, (found, found))
        assert least <= found <= most, f"an item has {found} pieces, not {least} to {most}"
        record["numberOfPieces"] = str(found + 1)
        made, _ = self.change("PUT", f"/item-storage/items/{item}", record)
        self.book.counted += made is True
        self.book.pieces[item] = (found + 1, found + 1) if made else (found, found + (made is None))


def log_in(port):
    """The administrator's token."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("POST", "/authn/login", json.dumps(ADMINISTRATOR), HEADERS)
    return json.loads(connection.getresponse().read())["okapiToken"]


class Load:
    def __init__(self, port, clients):
        self.stop_asked = threading.Event()
        token = log_in(port)
        look = Client(port, token, [], None, None, self.stop_asked)
        items = look.read("/item-storage/items?limit=200&query=status.name==Available")["items"]
        items = [item for item in items if item.get("barcode")]
        patrons = look.read("/users?limit=50&query=active==true")["users"]
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        patrons = [user["barcode"] for user in patrons if user.get("barcode") and user.get("expirationDate", now) >= now]
        desk = look.read("/service-points?limit=1&query=pickupLocation==true")["servicepoints"][0]["id"]
        lendable = self.lendable(look, items, patrons[0], desk, clients * 4)
        self.look = look
        self.clients = [
            Client(port, token, lendable[number::clients], patrons[number + 1], desk, self.stop_asked) for number in range(clients)
        ]

    @staticmethod
    def lendable(look, items, patron, desk, wanted):
        """Items that may be lent: each is tried."""
        found = []
        for item in items:
            at = {"itemBarcode": item["barcode"], "servicePointId": desk}
            if look.ask("POST", "/circulation/check-out-by-barcode", {**at, "userBarcode": patron})[0] == 201:
                now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                assert look.ask("POST", "/circulation/check-in-by-barcode", {**at, "checkInDate": now})[0] == 200
                found.append(item)
            if len(found) == wanted:
                return found
        raise SystemExit(f"only {len(found)} items can be lent")

    def start(self):
        for client in self.clients:
            client.start()

    def stop(self):
        self.stop_asked.set()
        for client in self.clients:
            client.join()

    def acknowledged(self):
        return sum(1 for client in self.clients for (_, _, method, status) in list(client.book.requests)
                   if method != "GET" and 200 <= status < 300)

    def last_acknowledged(self, before):
        ends = [end for client in self.clients for (_, end, method, status) in list(client.book.requests)
                if method != "GET" and 200 <= status < 300 and end <= before]
        return max(ends, default=before)

    def first_acknowledged(self, after):
        """The end of the first change that was acknowledged after a moment."""
        while True:
            ends = [end for client in self.clients for (_, end, method, status) in list(client.book.requests)[-200:]
                    if method != "GET" and 200 <= status < 300 and end > after]
            if ends:
                return min(ends)
            time.sleep(0.02)

    def compare(self):
        """How many acknowledged changes there are, and which of them are not as they were acknowledged."""
        wrong, changes = [client.fault for client in self.clients if client.fault], 0
        for client in self.clients:
            book = client.book
            for group in book.groups:
                changes += 1
                if self.look.ask("GET", f"/groups/{group}")[0] != 200:
                    wrong.append(f"group {group}")
            for group in book.undone_groups:
                if self.look.ask("GET", f"/groups/{group}")[0] != 404:
                    wrong.append(f"group {group}, which was said not to be made")
            for loan, state in book.loans.items():
                changes += 1
                status, text = self.look.ask("GET", f"/loan-storage/loans/{loan}")
                if status != 200 or json.loads(text)["status"]["name"] != state:
                    wrong.append(f"loan {loan}, {state}: {status} {text[:200]}")
            changes += book.counted
            for item, (least, most) in book.pieces.items():
                _, text = self.look.ask("GET", f"/item-storage/items/{item}")
                if not least <= int(json.loads(text).get("numberOfPieces") or 0) <= most:
                    wrong.append(f"item {item}")
        return changes, wrong
