// Which cases of a cell a list shows, and in what order.

const results = [
  ['', 'all'], ['correct', 'right'], ['wrong', 'wrong'], ['unscored', 'unscored'],
  ['inconsistent', 'right in some epochs'], ['error_reply', 'error reply'], ['fallback', 'fell back'], ['degraded', 'degraded by the fault'],
  ['now_wrong', 'broken by the fault'], ['now_error_reply', 'error reply by the fault'], ['now_unscored', 'unscored by the fault'],
];

const inTrial = {
  correct: (t) => t.verdict === 'right',
  wrong: (t) => t.verdict === 'wrong',
  unscored: (t) => t.verdict === 'unjudged',
  error_reply: (t) => t.failure !== '' && t.answered,
  fallback: (t) => t.fallbacks > 0,
  degraded: (t) => t.fate >= 3,
  now_wrong: (t) => t.fate === 3,
  now_error_reply: (t) => t.fate === 4,
  now_unscored: (t) => t.fate === 5,
};

const ofFault = ['degraded', 'now_wrong', 'now_error_reply', 'now_unscored'];

// How often a case was right, of the trials that have a verdict.
const rightly = (trials) => {
  const judged = trials.filter((t) => t.verdict !== 'unjudged');
  return judged.length > 0 ? judged.filter((t) => t.verdict === 'right').length / judged.length : NaN;
};

const unsteady = (trials) => rightly(trials) > 0 && rightly(trials) < 1;

// What a cell is held against: without its fault if it has one, else the suite's first variant.
const baseOf = (suite, cell) => {
  if (cell.fault !== '') return cellOf(suite, cell.variant, '');
  return cell.variant === suite.against ? undefined : cellOf(suite, suite.against, '');
};

// Under a fault a trial is held against the same epoch without it, where both have a verdict.
const turnedInto = (verdict, now, before) => now.some((t) => t.verdict === verdict
  && before.some((b) => b.epoch === t.epoch && b.verdict !== verdict && b.verdict !== 'unjudged'));

const changes = {
  fixed: (now, before, faulty) => faulty ? turnedInto('right', now, before) : rightly(now) > rightly(before),
  broken: (now, before, faulty) => faulty ? turnedInto('wrong', now, before) : rightly(now) < rightly(before),
  different: (now, before) => now.some((t) => before.some((b) => b.epoch === t.epoch && b.got !== t.got)),
};

// How much more often a case is right than in the earlier run, of the trials with a verdict.
const moreOften = (now) => {
  const judged = now.filter((t) => t.verdict !== 'unjudged');
  const right = judged.filter((t) => t.verdict === 'right').length;
  const { wasRight, wasJudged } = now[0] ?? {};
  return judged.length > 0 && wasJudged > 0 ? right * wasJudged - wasRight * judged.length : 0;
};

const since = {
  new_pass: (now) => moreOften(now) > 0,
  new_failure: (now) => moreOften(now) < 0,
};

const hasChange = (row, change) => change in since ? since[change](row.trials) : changes[change]?.(row.trials, row.base, row.faulty) ?? true;

const orders = {
  slowest: (row) => -Math.max(...row.trials.map((t) => t.took)),
  least_confident: (row) => Math.min(...row.trials.map((t) => t.confidence < 0 ? Infinity : t.confidence)),
};

// The rows of a cell: of each case that it has played, its trials and those it is held against.
const rowsOf = (suite, cell) => {
  const base = baseOf(suite, cell);
  const rows = suite.cases.map((id, which) => ({
    id, which, text: suite.texts[which] ?? '', trials: trialsOf(suite, cell, which), base: base ? trialsOf(suite, base, which) : [], faulty: cell.fault !== '',
  }));
  return rows.filter((row) => row.trials.length > 0);
};

// What is expected and what is got, both together, are a cell of the confusion: it counts
// turns that have a verdict, and what is right counts for the label that is expected.
const ofTurn = { correct: 'right', wrong: 'wrong', unscored: 'unjudged' };

const fittingTurn = (wanted) => (turn) => (!wanted.expected || turn.class === wanted.expected)
  && (!wanted.predicted || wanted.predicted === (wanted.expected && turn.verdict === 'right' ? turn.class : turn.got))
  && (!wanted.expected || !wanted.predicted || turn.verdict !== 'unjudged')
  && (!wanted.expected || !(wanted.result in ofTurn) || turn.verdict === ofTurn[wanted.result]);

const fitting = (wanted) => (t) => (wanted.expected && wanted.result in ofTurn || (inTrial[wanted.result]?.(t) ?? true))
  && (!wanted.expected && !wanted.predicted || t.turns.some(fittingTurn(wanted)));

const filtered = (suite, rows, wanted) => {
  const words = (wanted.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const tag = suite.tags.indexOf(wanted.tag);
  const fits = fitting(wanted);
  const list = rows.filter((row) => row.trials.some(fits)
    && (wanted.result !== 'inconsistent' || unsteady(row.trials))
    && (!wanted.tag || (suite.tagsOf[row.which] ?? []).includes(tag))
    && (!wanted.change || hasChange(row, wanted.change))
    && words.every((w) => row.id.toLowerCase().includes(w) || row.text.toLowerCase().includes(w)));
  const order = orders[wanted.sort];
  if (!order) return list;
  return list.map((row) => ({ row, key: order(row) })).sort((a, b) => a.key - b.key || a.row.which - b.row.which).map((k) => k.row);
};

// Values that a cell has not fall back: to the first suite, its first variant, no fault, no filter.
const settled = async (values) => {
  const meta = await part('meta');
  const number = Math.max(0, meta.suites.findIndex((s) => s.name === values.suite));
  const suite = await suiteData(number);
  const first = suite.cells[0]?.variant;
  const variant = suite.cells.some((c) => c.variant === values.variant) ? values.variant : first;
  const cell = cellOf(suite, variant, values.fault ?? '') ?? cellOf(suite, variant, '') ?? suite.cells[0];
  const rows = cell ? rowsOf(suite, cell) : [];
  const has = (key, of) => rows.some((row) => row.trials.some((t) => t.turns.some((turn) => of(turn) === values[key])));
  const wanted = {
    suite: suite.name,
    variant: cell?.variant === first ? '' : cell?.variant,
    fault: cell?.fault,
    result: results.some(([r]) => r === values.result) ? values.result : '',
    change: values.change in changes || values.change in since ? values.change : '',
    expected: has('expected', (turn) => turn.class) ? values.expected : '',
    predicted: has('predicted', (turn) => turn.got) || has('predicted', (turn) => turn.class) ? values.predicted : '',
    tag: suite.tags.includes(values.tag) ? values.tag : '',
    q: values.q, sort: values.sort in orders ? values.sort : '',
    with: values.with, epoch: values.epoch,
  };
  return { meta, suite, cell, rows, wanted, list: filtered(suite, rows, wanted) };
};
