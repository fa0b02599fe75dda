# An agent that needs only Python. As a command:
#   evalctl run --target exec --dataset cases.jsonl -- python3 examples/agents/agent.py
# As a service; it prints its address for --url. Without a port it takes a free one:
#   python3 examples/agents/agent.py serve 8124
import json, sys

# The first rule with a word in the conversation sets the label.
RULES = [
    ("card_lost", ["lost", "wallet", "丢"]),
    ("card_delivery", ["card", "卡"]),
    ("refund", ["money", "退款"]),
    ("delivery", ["parcel", "快递"]),
]

def answer(question):
    said = " ".join(m["content"] for m in question["history"]) + " " + question["text"]
    label = next((label for label, words in RULES if any(w in said for w in words)), "other")
    return json.dumps({"id": question.get("id"), "label": label, "confidence": 0.9, "usage": {"in": len(said), "out": 1}})

def serve(port):
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(answer(question).encode())
        def log_message(self, *_):
            pass
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

if sys.argv[1:2] == ["serve"]:
    serve(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
for line in sys.stdin:
    print(answer(json.loads(line)), flush=True)
