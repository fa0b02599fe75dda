// The data in the file. Parts are decompressed when they are first needed.

const parts = new Map();

const decompress = async (text) => {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

const part = (name) => {
  if (!parts.has(name)) {
    const element = document.getElementById('d-' + name);
    parts.set(name, element ? decompress(element.textContent) : Promise.resolve(null));
  }
  return parts.get(name);
};

const canDecompress = () => typeof DecompressionStream === 'function';

// A suite with its trials and texts. Its conditions have the fault '' instead of "none".
const loadSuite = async (number) => {
  const meta = await part('meta');
  const [trials, texts] = await Promise.all([part('t' + number), part('s' + number)]);
  const suite = { ...meta.suites[number], number, texts: texts?.texts ?? [], turnCounts: texts?.turns ?? [], caseTags: trials?.tags ?? [] };
  for (const list of ['cases', 'conditions', 'labels', 'label_sets', 'sources', 'fallbacks', 'failures', 'tags', 'blocks']) suite[list] ??= []; // empty lists are null
  suite.conditions = suite.conditions.map((condition, i) => ({
    ...condition, number: i, fault: condition.fault === 'none' ? '' : condition.fault, columns: trials?.conditions?.[i] ?? {},
  }));
  suite.variants = [...new Set(suite.conditions.map((c) => c.variant))];
  return suite;
};

const suites = new Map();

const suiteData = (number) => {
  if (!suites.has(number)) suites.set(number, loadSuite(number));
  return suites.get(number);
};

const verdicts = ['unscored', 'right', 'wrong'];

// The labeled turns of a trial. The label is the first of the expected ones.
const turnsOf = (suite, packed, single) => {
  if (!packed) return [single];
  const list = [];
  for (let i = 0; i < packed.length; i += 4) {
    list.push({ number: packed[i], label: suite.labels[packed[i + 1]] ?? '', predicted: suite.labels[packed[i + 2]] ?? '', verdict: verdicts[packed[i + 3]] });
  }
  return list;
};

// The trial of a case in a condition; null if it did not run. index is the index of the case.
const trialOf = (suite, condition, index, epoch) => {
  const at = index * suite.epochs + epoch - 1;
  const column = (name) => condition.columns[name]?.[at] ?? -1;
  if (column('verdict') < 0) return null;
  const verdict = verdicts[column('verdict')];
  const expected = (suite.label_sets[column('expected')] ?? []).map((l) => suite.labels[l]);
  const predicted = suite.labels[column('predicted')] ?? '';
  const single = { number: 0, label: expected[0] ?? '', predicted, verdict };
  return {
    index, epoch, verdict, expected, predicted,
    turns: turnsOf(suite, condition.columns.turns?.[at], single),
    duration: column('duration_us') < 0 ? -1 : column('duration_us') / 1000, // milliseconds
    fallbacks: Math.max(0, column('fallbacks')),
    firstFallback: suite.fallbacks[column('first_fallback')] ?? '',
    failure: suite.failures[column('failure')] ?? '',
    answered: column('failure') < suite.failures.length - (suite.error_kinds ?? 0), // the failure is an error reply, not a missing answer
    confidence: column('confidence'), // percent, of the deciding model
    rejected: column('rejected') === 1, // the agent did not follow the deciding model
    source: suite.sources[column('source')] ?? '',
    faultOutcome: column('fault_outcome'),
    answeredBy: suite.labels[column('answered_by')] ?? '',
    cost: column('cost') < 0 ? -1 : column('cost') / 1e9, // US dollars
    baselineVerdict: verdicts[column('baseline_verdict')] ?? '',
    baselinePredicted: suite.labels[column('baseline_predicted')] ?? '',
    baselineRight: column('baseline_right'),
    baselineScored: column('baseline_scored'),
  };
};

const trialsOf = (suite, condition, index) => {
  const list = [];
  for (let epoch = 1; epoch <= suite.epochs; epoch++) {
    const t = trialOf(suite, condition, index, epoch);
    if (t) list.push(t);
  }
  return list;
};

const conditionOf = (suite, variant, fault) => suite.conditions.find((c) => c.variant === variant && c.fault === fault);

// The condition of a variant with a fault or, if the variant did not run with it, without a fault.
const nearestCondition = (suite, variant, fault) => conditionOf(suite, variant, fault) ?? conditionOf(suite, variant, '');

// The traces of a case: those in the file (null: none), and a function that requests them from the
// server (null: no server has them).
const tracesOf = async (suite, index) => {
  const block = suite.blocks[index] ?? -1;
  const inFile = block < 0 ? null : (await part('b' + block))?.cases[index] ?? null;
  const { trace_url: url } = await part('meta');
  return { inFile, request: url && url.startsWith('/') ? () => requestTraces(url, suite, index) : null };
};

const requestTraces = async (url, suite, index) => {
  const answer = await fetch(url + '?suite=' + escape(suite.name) + '&case=' + escape(suite.cases[index]));
  if (!answer.ok) throw new Error('the server responds with ' + answer.status);
  return answer.json();
};
