// Trains NLP.js on the cases of split "train" and writes the model:
//   node train.js cases.jsonl model.json
// Out-of-scope cases (label "oos") become examples of None, the label of NLP.js for them.
import fs from "node:fs";
import nlp from "node-nlp";

const [casesFile, modelFile] = process.argv.slice(2);
if (!modelFile) {
  console.error("usage: node train.js CASES.jsonl MODEL.json");
  process.exit(2);
}

const manager = new nlp.NlpManager({ languages: ["en"], forceNER: false, autoSave: false, nlu: { log: false } });
let texts = 0;
for (const [i, line] of fs.readFileSync(casesFile, "utf8").split("\n").entries()) {
  if (line.trim() === "") continue;
  let item;
  try {
    item = JSON.parse(line);
  } catch (error) {
    console.error(`${casesFile}:${i + 1}: not JSON: ${error.message}`);
    process.exit(2);
  }
  if (item.split !== "train") continue;
  if (typeof item.text !== "string" || typeof item.label !== "string") {
    console.error(`${casesFile}:${i + 1}: a training case needs a "text" and a "label", both strings`);
    process.exit(2);
  }
  manager.addDocument("en", item.text, item.label === "oos" ? "None" : item.label);
  texts++;
}
if (texts === 0) {
  console.error(`${casesFile}: no case has "split":"train"`);
  process.exit(2);
}
await manager.train();
manager.save(modelFile);
console.log(`trained on ${texts} texts: ${modelFile}`);
