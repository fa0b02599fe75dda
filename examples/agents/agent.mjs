// An agent that needs only Node. As a command:
//   evalctl run --target exec --dataset cases.jsonl -- node examples/agents/agent.mjs
// As a service; it prints its address for --url. Without a port it takes a free one:
//   node examples/agents/agent.mjs serve 8124
import http from "node:http";
import readline from "node:readline";

// The first rule with a word in the conversation sets the label.
const rules = [
  ["card_lost", ["lost", "wallet", "丢"]],
  ["card_delivery", ["card", "卡"]],
  ["refund", ["money", "退款"]],
  ["delivery", ["parcel", "快递"]],
];

function* answer({ id, text, history }) {
  const said = [...history.map((m) => m.content), text].join(" ");
  const [label] = rules.find(([, words]) => words.some((w) => said.includes(w))) ?? ["other"];
  yield { id, event: { kind: "chunk", text: "→ " } };
  yield { id, event: { kind: "chunk", text: label } };
  yield { id, label, confidence: 0.9 };
}

if (process.argv[2] === "serve") {
  const server = http.createServer(async (request, response) => {
    const question = JSON.parse((await request.toArray()).join(""));
    response.setHeader("Content-Type", "text/event-stream");
    for (const part of answer(question)) response.write(`data: ${JSON.stringify(part)}\n\n`);
    response.end();
  });
  server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
} else {
  for await (const line of readline.createInterface({ input: process.stdin }))
    for (const part of answer(JSON.parse(line))) console.log(JSON.stringify(part));
}
