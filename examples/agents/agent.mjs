// An agent in nothing but Node: evalctl run --target exec … -- node agent.mjs,
// or node agent.mjs serve, which tells its address for --target http --url.
import http from "node:http";
import readline from "node:readline";

function* answer({ id, text, history }) {
  const said = [...history.map((m) => m.content), text].join(" ");
  const label = said.includes("money") || said.includes("退款") ? "refund" : "delivery";
  yield { id, event: { kind: "chunk", text: "→ " } };
  yield { id, event: { kind: "chunk", text: label } };
  yield { id, label, confidence: 0.9 };
}

if (process.argv[2] === "serve") {
  const server = http.createServer(async (request, response) => {
    const question = JSON.parse((await request.toArray()).join(""));
    response.setHeader("Content-Type", "text/event-stream");
    for (const said of answer(question)) response.write(`data: ${JSON.stringify(said)}\n\n`);
    response.end();
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
} else {
  for await (const line of readline.createInterface({ input: process.stdin }))
    for (const said of answer(JSON.parse(line))) console.log(JSON.stringify(said));
}
