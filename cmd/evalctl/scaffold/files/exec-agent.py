"""An agent for evalctl: each line of standard input is a message, each line of output its label.

Replace answer() with a call of your own agent. Print nothing else to standard output.
"""

import json
import sys

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


for line in sys.stdin.buffer:
    print(json.dumps({"label": answer(json.loads(line)["text"])}), flush=True)
