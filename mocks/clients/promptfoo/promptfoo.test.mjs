// promptfoo's openai provider against evalctl mock serve.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import promptfoo from 'promptfoo';

const { OPENAI, FAULTY, KEY } = process.env;
const provider = (apiBaseUrl, name, config = {}) => ({ id: `openai:chat:${name}`, config: { apiBaseUrl, apiKey: KEY, ...config } });

// evaluate gives the results of one prompt.
async function evaluate(of, prompt, assertions) {
  const run = await promptfoo.evaluate(
    { providers: [of], prompts: [prompt], tests: [{ assert: assertions }], writeLatestResults: false },
    { cache: false, maxConcurrency: 1, showProgressBar: false },
  );
  const { results } = await run.toEvaluateSummary();
  return results;
}

test('an answer, and what is asserted of it', async () => {
  const [result] = await evaluate(provider(OPENAI, 'gpt-4o'), 'Hello there', [{ type: 'contains', value: 'Hello there' }]);
  assert.equal(result.success, true, result.error);
  assert.ok(result.response.tokenUsage.total > 0);
});

test('a tool', async () => {
  const tools = [{ type: 'function', function: { name: 'image_gen', parameters: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] } } }];
  const [result] = await evaluate(provider(OPENAI, 'gpt-4o', { tools }), 'A lighthouse, please', [{ type: 'is-valid-openai-tools-call' }]);
  assert.equal(result.success, true, result.error);
});

test('an object of a schema', async () => {
  const schema = { type: 'object', properties: { mood: { type: 'string' } }, required: ['mood'], additionalProperties: false };
  const config = { response_format: { type: 'json_schema', json_schema: { name: 'mood', strict: true, schema } } };
  const [result] = await evaluate(provider(OPENAI, 'gpt-4o', config), 'Hello there', [{ type: 'is-json', value: schema }]);
  assert.equal(result.success, true, result.error);
});

test('errors', async () => {
  const wrong = provider(OPENAI, 'gpt-4o', { apiKey: 'wrong' });
  const [result] = await evaluate(wrong, 'Hello there', []);
  assert.match(result.error, /401|Incorrect API key/);
  const [broken] = await evaluate(provider(FAULTY, 'chat/m'), 'Hello there', []);
  assert.match(broken.error, /500|server had an error/i);
});
