// Serves a model of train.js on the loopback interface:
//   node server.js model.json 8124
// POST /answer takes {"text": …} and returns {"intent": …, "confidence": …}. NLP.js answers None to a text
// without a known word. With ?threshold=0.8, it also does so if its confidence is lower than 0.8.
import fs from "node:fs";
import http from "node:http";
import nlp from "node-nlp";

const MAX_BODY = 64 * 1024; // bytes of a request

const [modelFile, port] = process.argv.slice(2);
if (!modelFile || !/^\d+$/.test(port ?? "")) {
  console.error("usage: node server.js MODEL.json PORT");
  process.exit(2);
}
const manager = new nlp.NlpManager({ autoSave: false });
manager.import(fs.readFileSync(modelFile, "utf8"));

class BadRequest extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function readText(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new BadRequest(413, `the request has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  let text;
  try {
    ({ text } = JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    throw new BadRequest(400, "the request is not a JSON object");
  }
  if (typeof text !== "string") throw new BadRequest(400, 'the request has no string "text"');
  return text;
}

async function answer(request) {
  const url = new URL(request.url, "http://127.0.0.1");
  if (request.method !== "POST" || url.pathname !== "/answer") throw new BadRequest(404, "use POST /answer");
  const threshold = Number(url.searchParams.get("threshold") ?? 0);
  if (!(threshold >= 0 && threshold <= 1)) throw new BadRequest(400, "threshold is not a number from 0 to 1");

  const { classifications } = await manager.process("en", await readText(request));
  const { intent, score } = classifications[0] ?? { intent: "None", score: 0 };
  return { intent: score === 0 || score < threshold ? "None" : intent, confidence: score };
}

const server = http.createServer(async (request, response) => {
  let status = 200;
  let body;
  try {
    body = await answer(request);
  } catch (error) {
    status = error.status ?? 500;
    body = { error: error.message };
  }
  response.writeHead(status, { "Content-Type": "application/json", ...(status === 413 && { Connection: "close" }) });
  response.end(JSON.stringify(body));
});
server.on("error", (error) => {
  console.error(`cannot serve on port ${port}: ${error.message}`);
  process.exit(1);
});
server.listen(Number(port), "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
