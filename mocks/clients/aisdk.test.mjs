// npm's ai with @ai-sdk/openai-compatible against evalctl mock serve.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embedMany, generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const { OPENAI, DEEPSEEK, DASHSCOPE, ARK, FAULTY, KEY } = process.env;
const at = (baseURL, apiKey = KEY) => createOpenAICompatible({ name: 'mock', baseURL, apiKey, supportsStructuredOutputs: true, includeUsage: true });
const mock = at(OPENAI);
const options = { model: mock('gpt-4o'), maxRetries: 0 };
const object = (properties) => jsonSchema({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });

test('a text, in every dialect', async () => {
  const places = [[OPENAI, 'gpt-4o'], [DEEPSEEK, 'deepseek-flash'], [DASHSCOPE, 'qwen-plus'], [ARK, 'doubao-seed-1-6-251015']];
  for (const [base, model] of places) {
    const answer = await generateText({ model: at(base)(model), maxRetries: 0, prompt: 'Hello there' });
    assert.ok(answer.text, model);
    assert.equal(answer.finishReason, 'stop');
    assert.ok(answer.usage.outputTokens > 0);
  }
});

test('a stream, with thoughts where the model thinks', async () => {
  const result = streamText({ model: at(DEEPSEEK)('deepseek-flash'), prompt: 'Hello there' });
  let text = '';
  for await (const part of result.textStream) text += part;
  assert.ok(text);
  assert.ok(await result.reasoningText);
  assert.ok((await result.usage).outputTokens > 0);
});

for (const [way, run] of [['whole', generateText], ['streamed', async (o) => { const r = streamText(o); await r.consumeStream(); return { text: await r.text, steps: await r.steps }; }]]) {
  test(`a tool: called, run, and answered in words, ${way}`, async () => {
    const asked = [];
    const painter = tool({ inputSchema: object({ subject: { type: 'string' } }), execute: async (input) => { asked.push(input); return 'done'; } });
    const answer = await run({ ...options, prompt: 'A lighthouse, please', tools: { image_gen: painter }, stopWhen: stepCountIs(4) });
    assert.equal(answer.steps.length, 2);
    assert.equal(asked.length, 1);
    assert.equal(typeof asked[0].subject, 'string');
    assert.ok(answer.text);
  });
}

test('an object of a schema', async () => {
  const { object: value } = await generateObject({ ...options, prompt: 'Hello there', schema: object({ mood: { type: 'string', enum: ['good', 'bad'] }, score: { type: 'integer' } }) });
  assert.ok(['good', 'bad'].includes(value.mood) && Number.isInteger(value.score));
});

test('embeddings', async () => {
  const { embeddings } = await embedMany({ model: mock.embeddingModel('text-embedding-3-small'), values: ['a', 'b'], maxRetries: 0 });
  assert.deepEqual(embeddings.map((e) => e.length), [1536, 1536]);
});

test('errors: a wrong key, too many requests, and one in the midst of a stream', async () => {
  const failsWith = (status) => (e) => APICallError.isInstance(e) && e.statusCode === status;
  await assert.rejects(generateText({ ...options, model: at(OPENAI, 'wrong')('gpt-4o'), prompt: 'x' }), failsWith(401));
  await assert.rejects(generateText({ ...options, model: at(FAULTY)('router/m'), prompt: 'x' }), failsWith(429));
  const errors = [];
  const result = streamText({ ...options, model: at(FAULTY)('chat/m'), prompt: 'x', onError: ({ error }) => errors.push(error) });
  await result.consumeStream();
  assert.equal(errors.length, 1);
});
