"""A model on loopback that plays a script: what the suites against real Hermes talk to.

A script is a list of steps, one for each request that offers tools or that the script expects:
`call(name, arguments)` for tool calls, text for an answer, `refused(status, message)` for an HTTP error,
`cut(text, reason)` for an answer that ends for another reason than being done, or a function that is
given the request and returns any of them. `always` takes the place of a script where children ask in no
order. Every request is kept, so that a suite can look at what the host really sent.
"""

import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "scripted-model"


def call(tool, **arguments):
    """A step that calls one tool."""
    return {"calls": [(tool, json.dumps(arguments))]}


def refused(status, message):
    """A step that is an HTTP error."""
    return {"status": status, "message": message}


def cut(text, reason):
    """A step whose answer ends for this reason: `length`, `content_filter`."""
    return {"text": text, "finish": reason}


def text_of(message):
    """The text of a message, whichever of its two forms it has."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or ""


class Model:
    """The server, its script and what it was asked."""

    def __init__(self):
        self.steps = []
        self.always = None
        self.requests = []
        self.guard = threading.Lock()
        self.server = Server(("127.0.0.1", 0), handler(self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def config(self):
        """A `config.yaml` of Hermes that knows this model and starts nothing in the background."""
        port = self.server.server_address[1]
        return (
            f"model:\n  default: {MODEL}\n  provider: custom\n  base_url: http://127.0.0.1:{port}/v1\n"
            "  api_key: none\n  context_length: 131072\n"
            "agent:\n  environment_probe: false\nsecurity:\n  tirith_enabled: false\n"
            "skills:\n  creation_nudge_interval: 0\nmemory:\n  nudge_interval: 0\n"
        )

    def play(self, *steps):
        """Puts steps at the end of the script."""
        with self.guard:
            self.steps.extend(steps)

    def answer(self, request):
        """The next step for a request; beside the script there is nothing to say."""
        with self.guard:
            self.requests.append(request)
            step = self.steps.pop(0) if self.steps else self.always or "The script is over."
        step = step(request) if callable(step) else step
        return step if isinstance(step, dict) else {"text": step}


def handler(model):
    """The request handler of one model."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            known = self.path.rstrip("/").endswith("/models")
            entry = {"id": MODEL, "object": "model", "context_length": 131072}
            self.whole(200 if known else 404, {"object": "list", "data": [entry]} if known else {})

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not self.path.endswith("/chat/completions"):
                return self.whole(404, {})
            request = json.loads(body)
            step = model.answer(request)
            if "status" in step:
                error = {"message": step["message"], "type": "scripted", "code": step["status"]}
                return self.whole(step["status"], {"error": error})
            return self.stream(step) if request.get("stream") else self.whole(200, completion(step))

        def whole(self, status, document):
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream(self, step):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for delta in deltas(step):
                self.wfile.write(b"data: " + json.dumps(chunk(delta)).encode() + b"\n\n")
            self.wfile.write(b"data: " + json.dumps(chunk({}, finish(step))).encode() + b"\n\ndata: [DONE]\n\n")
            self.close_connection = True

    return Handler


def calls_of(step):
    """The tool calls of a step in the form of the protocol."""
    return [{"id": f"call_{uuid.uuid4().hex[:12]}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in step.get("calls", [])]


def finish(step):
    return "tool_calls" if step.get("calls") else step.get("finish", "stop")


def deltas(step):
    """A step in pieces, as a stream brings them."""
    yield {"role": "assistant", "content": ""}
    text = step.get("text", "")
    for at in range(0, len(text), 400):
        yield {"content": text[at:at + 400]}
    for index, one in enumerate(calls_of(step)):
        yield {"tool_calls": [one | {"index": index}]}


def chunk(delta, reason=None):
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2} if reason else None
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice],
            **({"usage": usage} if usage else {})}


def completion(step):
    message = {"role": "assistant", "content": step.get("text") or None}
    if step.get("calls"):
        message["tool_calls"] = calls_of(step)
    choice = {"index": 0, "message": message, "finish_reason": finish(step)}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice], "usage": usage}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a client that hangs up is not our failure
