// The data in the file, unpacked where it is needed and kept.

const kept = new Map();

const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

const part = (name) => {
  if (!kept.has(name)) {
    const element = document.getElementById('d-' + name);
    kept.set(name, element ? unpack(element.textContent) : Promise.resolve(null));
  }
  return kept.get(name);
};

const canUnpack = () => typeof DecompressionStream === 'function';

const usualFault = (fault) => fault === 'none' ? '' : fault;

// A suite with its columns and texts; its cells know their trials.
const suiteData = async (number) => {
  const meta = await part('meta');
  const [trials, texts] = await Promise.all([part('t' + number), part('s' + number)]);
  const suite = { ...meta.suites[number], number, texts: texts?.texts ?? [], turns: texts?.turns ?? [], tagsOf: trials?.tags ?? [] };
  for (const list of ['cases', 'cells', 'labels', 'expects', 'sources', 'failures', 'tags', 'blocks']) suite[list] ??= []; // empty ones are null
  suite.cells = suite.cells.map((cell, i) => ({ ...cell, number: i, fault: usualFault(cell.fault), columns: trials?.cells?.[i] ?? {} }));
  return suite;
};

const verdicts = ['unjudged', 'right', 'wrong'];

// The labelled turns of a trial: what stands for the label that is expected first, what
// was got, and the verdict.
const turnsOf = (suite, packed, single) => {
  if (!packed) return [single];
  const list = [];
  for (let i = 0; i < packed.length; i += 3) {
    list.push({ class: suite.labels[packed[i]] ?? '', got: suite.labels[packed[i + 1]] ?? '', verdict: verdicts[packed[i + 2]] });
  }
  return list;
};

// The trial of a case in a cell, null where it was not played.
const trial = (suite, cell, which, epoch) => {
  const at = (name) => cell.columns[name]?.[which * suite.epochs + epoch - 1] ?? -1;
  const verdict = at('ver');
  if (verdict < 0) return null;
  const expected = (suite.expects[at('exp')] ?? []).map((l) => suite.labels[l]);
  const got = suite.labels[at('got')] ?? '';
  return {
    which, epoch, verdict: verdicts[verdict], expected, got, took: at('us') < 0 ? -1 : at('us') / 1000, fallbacks: Math.max(0, at('fb')),
    turns: turnsOf(suite, cell.columns.turns?.[which * suite.epochs + epoch - 1], { class: expected[0] ?? '', got, verdict: verdicts[verdict] }),
    failure: suite.failures[at('fail')] ?? '', answered: at('fail') < suite.failures.length - (suite.errors ?? 0),
    confidence: at('conf'), source: suite.sources[at('src')] ?? '',
    fate: at('fate'), served: suite.labels[at('srv')] ?? '', was: verdicts[at('was')] ?? '', wasGot: suite.labels[at('wasgot')] ?? '',
    wasRight: at('wask'), wasJudged: at('wasn'),
  };
};

const trialsOf = (suite, cell, which) => {
  const list = [];
  for (let epoch = 1; epoch <= suite.epochs; epoch++) {
    const t = trial(suite, cell, which, epoch);
    if (t) list.push(t);
  }
  return list;
};

const cellOf = (suite, variant, fault) => suite.cells.find((c) => c.variant === variant && c.fault === fault);

// The inputs of a case and its trials with their trace: from the file, else from a server
// that has them, else null.
const traceOf = async (suite, which) => {
  const block = suite.blocks[which] ?? -1;
  const inFile = block < 0 ? null : (await part('b' + block))?.cases[which] ?? null;
  const { live } = await part('meta');
  return { inFile, live: live && live.startsWith('/') ? () => asking(live, suite, which) : null };
};

const asking = async (live, suite, which) => {
  const answer = await fetch(live + '?suite=' + escape(suite.name) + '&case=' + escape(suite.cases[which]));
  if (!answer.ok) throw new Error('the server answers ' + answer.status);
  return answer.json();
};
