// npm's openai against evalctl mock serve.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';

const { OPENAI, DEEPSEEK, DASHSCOPE, ARK, FAULTY, KEY } = process.env;
const options = { apiKey: KEY, maxRetries: 0 };
const client = new OpenAI({ ...options, baseURL: OPENAI });
const faulty = new OpenAI({ ...options, baseURL: FAULTY });
const hello = [{ role: 'user', content: 'Hello there' }];
const painter = {
  type: 'function',
  function: {
    name: 'image_gen',
    parameters: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'], additionalProperties: false },
  },
};

test('chat, in every dialect', async () => {
  const places = [[OPENAI, 'gpt-4o'], [DEEPSEEK, 'deepseek-flash'], [DASHSCOPE, 'qwen-plus'], [ARK, 'ep-1']];
  for (const [baseURL, model] of places) {
    const answer = await new OpenAI({ ...options, baseURL }).chat.completions.create({ model, messages: hello });
    assert.ok(answer.choices[0].message.content, model);
    assert.equal(answer.choices[0].finish_reason, 'stop');
    assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
  }
});

test('choices and log probabilities', async () => {
  const answer = await client.chat.completions.create({ model: 'gpt-4o', messages: hello, n: 2, logprobs: true, top_logprobs: 3 });
  assert.deepEqual(answer.choices.map((c) => c.index), [0, 1]);
  const { message, logprobs } = answer.choices[1];
  assert.equal(logprobs.content.map((t) => t.token).join(''), message.content);
  assert.equal(logprobs.content[0].top_logprobs.length, 3);
});

test('a stream, with its usage', async () => {
  const whole = await client.chat.completions.create({ model: 'gpt-4o', messages: hello });
  const stream = await client.chat.completions.create({ model: 'gpt-4o', messages: hello, stream: true, stream_options: { include_usage: true } });
  let text = '';
  let usage;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? '';
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, whole.choices[0].message.content);
  assert.deepEqual(usage, whole.usage);
});

test('a tool: called, run, and answered in words', async () => {
  const asked = [];
  const runner = client.chat.completions.runTools({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'A lighthouse, please' }],
    tools: [{ ...painter, function: { ...painter.function, parse: JSON.parse, function: (args) => asked.push(args) && 'done' } }],
  });
  assert.ok(await runner.finalContent());
  assert.equal(asked.length, 1);
  assert.equal(typeof asked[0].subject, 'string');
});

test('a tool by name, in a stream of fragments', async () => {
  const stream = client.chat.completions.stream({
    model: 'gpt-4o', messages: hello, tools: [painter], tool_choice: { type: 'function', function: { name: 'image_gen' } },
  });
  const [call] = (await stream.finalMessage()).tool_calls;
  assert.equal(call.function.name, 'image_gen');
  assert.equal(typeof JSON.parse(call.function.arguments).subject, 'string');
});

test('a strict schema', async () => {
  const schema = {
    type: 'object',
    properties: { mood: { type: 'string', enum: ['good', 'bad'] }, score: { type: 'integer', minimum: 3 } },
    required: ['mood', 'score'],
    additionalProperties: false,
  };
  const answer = await client.chat.completions.parse({
    model: 'gpt-4o', messages: hello, response_format: { type: 'json_schema', json_schema: { name: 'mood', strict: true, schema } },
  });
  const value = JSON.parse(answer.choices[0].message.content);
  assert.deepEqual(Object.keys(value).sort(), ['mood', 'score']);
  assert.ok(schema.properties.mood.enum.includes(value.mood) && value.score >= 3);
});

test('embeddings, in base64 as the client asks and in numbers', async () => {
  const input = ['a red kite', 'a blue kite'];
  const packed = await client.embeddings.create({ model: 'text-embedding-3-small', input, dimensions: 64 });
  const plain = await client.embeddings.create({ model: 'text-embedding-3-small', input, dimensions: 64, encoding_format: 'float' });
  assert.equal(packed.data.length, 2);
  assert.equal(packed.data[1].embedding.length, 64);
  packed.data[1].embedding.forEach((x, i) => assert.ok(Math.abs(x - plain.data[1].embedding[i]) < 1e-6));
});

test('models', async () => {
  assert.ok((await client.models.list()).data.some((m) => m.id === 'gpt-4o'));
});

test('errors: a wrong key, a bad schema, an unknown argument, an unknown path', async () => {
  await assert.rejects(new OpenAI({ ...options, apiKey: 'wrong', baseURL: OPENAI }).models.list(), (e) => e instanceof OpenAI.AuthenticationError && e.code === 'invalid_api_key');
  const request = { model: 'gpt-4o', messages: hello };
  const open = { type: 'json_schema', json_schema: { name: 'n', strict: true, schema: { type: 'object', properties: {} } } };
  await assert.rejects(client.chat.completions.create({ ...request, response_format: open }), (e) => e instanceof OpenAI.BadRequestError && e.param === 'response_format');
  await assert.rejects(client.chat.completions.create({ ...request, strange: 1 }), (e) => e instanceof OpenAI.BadRequestError && /strange/.test(e.message));
  await assert.rejects(client.images.generate({ prompt: 'x' }), OpenAI.NotFoundError);
});

test('errors: too many requests, and one in the midst of a stream', async () => {
  await assert.rejects(faulty.chat.completions.create({ model: 'router/m', messages: hello }), (e) => e instanceof OpenAI.RateLimitError && e.headers.get('retry-after') === '1');
  const stream = await faulty.chat.completions.create({ model: 'chat/m', messages: hello, stream: true });
  let text = '';
  await assert.rejects(async () => { for await (const chunk of stream) text += chunk.choices[0].delta.content; }, OpenAI.APIError);
  assert.ok(text, 'it had begun');
  await assert.rejects(faulty.chat.completions.create({ model: 'chat/m', messages: hello }), OpenAI.InternalServerError);
});
