"""An agent for evalctl over HTTP: each POST request is a message, the response is its label.

Replace answer() with a call of your own agent. Start it with: python3 agent.py [PORT]
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS = {
    "refund": ["refund", "send the", "returned", "money", "退", "换大"],
    "delivery": ["deliver", "parcel", "get here", "快递", "送到"],
    "invoice": ["invoice", "charged", "VAT", "发票"],
    "account": ["account", "password", "reset link", "登", "地址"],
}


def answer(text):
    for label, words in WORDS.items():
        if any(word in text for word in words):
            return label
    return "other"


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"label": answer(request["text"])}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8124), Agent)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
