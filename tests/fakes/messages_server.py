"""A Messages API on this machine that plays a scenario and refuses what the real service refuses.

A scenario is {"responses": [R, …], "default": R}. R = {"name", "when": {"last_user", "system", "any",
"tool_result_for"}, "times": 1 (0 = no limit), "status", "headers", "json", "events" (see messages_wire), "before_ms",
"event_ms", "chunk", "end": "ok" | "reset" | "hang" | "silent", "hang_s", "content_type", "body", "usage"}. The first
response that fits and is not used up is played.
"""

import json
import socket
import struct
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.fakes.messages_rules import violations
from tests.fakes.messages_wire import Signed, expand, wire

_OK = {"name": "default", "times": 0, "events": [{"text": "ok"}, {"stop": "end_turn"}]}
_GONE = (BrokenPipeError, ConnectionResetError, TimeoutError)


class MessagesServer(ThreadingHTTPServer):
    """Use as a context manager: `with MessagesServer(scenario) as server: … server.url, server.requests`."""

    daemon_threads = True

    def __init__(self, scenario):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.responses = scenario.get("responses", [])
        self.default = scenario.get("default", _OK)
        self.signed = Signed()
        self.records = []
        self.left = threading.Event()
        self.arrived = threading.Event()
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self._used = Counter()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    @property
    def url(self):
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def requests(self):
        """The bodies of all requests so far, in order."""
        return [record["request"] for record in self.records]

    @property
    def violations(self):
        """Everything that was refused so far."""
        return [text for record in self.records for text in record["violations"]]

    def handle_error(self, request, client_address):
        """Clients may leave at any time."""

    def pick(self, request):
        """The response to play for this request."""
        users = [message for message in request.get("messages") or [] if message.get("role") == "user"]
        last = json.dumps(users[-1].get("content"), ensure_ascii=False) if users else ""
        places = {
            "last_user": last,
            "system": json.dumps(request.get("system", ""), ensure_ascii=False),
            "any": json.dumps(request, ensure_ascii=False),
        }
        with self.lock:
            for index, response in enumerate(self.responses):
                limit = response.get("times", 1)
                if (limit and self._used[index] >= limit) or not _fits(response.get("when", {}), places, last):
                    continue
                self._used[index] += 1
                return response
        return self.default


def _fits(when, places, last):
    if "tool_result_for" in when and f'"tool_use_id": "{when["tool_result_for"]}"' not in last:
        return False
    return all(when[key] in text for key, text in places.items() if key in when)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Nothing on the terminal."""

    def do_POST(self):
        server = self.server
        request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        headers = {key.lower(): value for key, value in self.headers.items()}
        found = violations(request, server.signed)
        record = {"at": time.monotonic(), "request": request, "violations": found, "headers": headers, "left": False}
        server.records.append(record)
        server.arrived.set()
        if found:
            self._error(400, "invalid_request_error", "; ".join(found))
            return
        try:
            self._play(server.pick(request), request)
        except _GONE:
            record["left"] = True
            self.close_connection = True
            server.left.set()

    def _error(self, status, kind, message):
        self._json(status, {"type": "error", "error": {"type": kind, "message": message}})

    def _json(self, status, value, headers=None):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for key, text in (headers or {}).items():
            self.send_header(key, text)
        self.end_headers()
        self.wfile.write(body)

    def _play(self, response, request):
        server = self.server
        self._pause(response.get("before_ms", 0))
        if response.get("status", 200) != 200:
            plain = {"type": "error", "error": {"type": "api_error", "message": "test"}}
            self._json(response["status"], response.get("json") or plain, response.get("headers"))
            return
        if response.get("end") == "silent" and not response.get("events"):
            server.closing.wait(response.get("hang_s", 60))
            return
        events = response.get("events", [])
        signs = [
            event.get("signature") or event["redacted"] for event in events if {"thinking", "redacted"} & set(event)
        ]
        for event in events:
            if "tool" in event:
                server.signed.needed[event["id"]] = signs
        self._head(response)
        self._body(response, expand(events, request.get("model"), server.signed, response.get("usage")))

    def _head(self, response):
        self.send_response(200)
        self.send_header("content-type", response.get("content_type", "text/event-stream; charset=utf-8"))
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _body(self, response, events):
        chunk = response.get("chunk")
        if "body" in response:
            self._put(response["body"].encode(), chunk)
        else:
            for event in events:
                if event["type"] == "__sleep__":
                    self._pause(event["ms"])
                    continue
                self._put(wire(event), chunk)
                self._pause(response.get("event_ms", 0))
        end = response.get("end", "ok")
        until = time.monotonic() + response.get("hang_s", 60)
        while end in ("hang", "silent") and time.monotonic() < until and not self.server.closing.is_set():
            if end == "hang":
                self._put(b'event: ping\ndata: {"type": "ping"}\n\n', None)
            elif self._client_left():
                raise BrokenPipeError
            self._pause(50)
        if end == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        self._put(b"", None)

    def _client_left(self):
        self.connection.setblocking(False)
        try:
            return self.connection.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        finally:
            self.connection.setblocking(True)

    def _put(self, data, chunk):
        step = chunk or len(data) or 1
        for start in range(0, len(data) or 1, step):
            piece = data[start : start + step]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()

    def _pause(self, milliseconds):
        if milliseconds:
            self.server.closing.wait(milliseconds / 1000)
