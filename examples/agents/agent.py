# An agent in nothing but Python: evalctl run --target exec … -- python3 agent.py,
# or python3 agent.py serve, which tells its address for --target http --url.
import json, sys

def answer(question):
    said = " ".join(m["content"] for m in question["history"]) + " " + question["text"]
    label = "refund" if "money" in said or "退款" in said else "delivery"
    return json.dumps({"id": question.get("id"), "label": label, "confidence": 0.9, "usage": {"in": len(said), "out": 1}})

def serve():
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(answer(question).encode())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

if sys.argv[1:] == ["serve"]:
    serve()
for line in sys.stdin:
    print(answer(json.loads(line)), flush=True)
