// Selects the cases of a condition that the list shows, and sorts them.

const results = [
  ['', 'all'], ['correct', 'right'], ['wrong', 'wrong'], ['unscored', 'not scored'],
  ['inconsistent', 'right in some epochs'], ['error_reply', 'error reply'], ['fallback', 'fell back'], ['degraded', 'degraded by the fault'],
  ['now_wrong', 'broken by the fault'], ['now_error_reply', 'error reply by the fault'], ['now_unscored', 'failed or unscored by the fault'],
];

const hasResult = {
  correct: (t) => t.verdict === 'right',
  wrong: (t) => t.verdict === 'wrong',
  unscored: (t) => t.verdict === 'unscored',
  error_reply: (t) => t.failure !== '' && t.answered,
  fallback: (t) => t.fallbacks > 0,
  degraded: (t) => t.faultOutcome >= 3,
  now_wrong: (t) => t.faultOutcome === 3,
  now_error_reply: (t) => t.faultOutcome === 4,
  now_unscored: (t) => t.faultOutcome === 5,
};

const faultResults = ['degraded', 'now_wrong', 'now_error_reply', 'now_unscored'];

// The share of right trials among the scored trials; NaN without any.
const accuracy = (trials) => {
  const scored = trials.filter((t) => t.verdict !== 'unscored');
  return scored.length > 0 ? scored.filter((t) => t.verdict === 'right').length / scored.length : NaN;
};

const isInconsistent = (trials) => accuracy(trials) > 0 && accuracy(trials) < 1;

// The condition that a condition is compared with: the same variant without the fault, or the
// baseline variant; undefined: none.
const referenceOf = (suite, condition) => {
  if (condition.fault !== '') return conditionOf(suite, condition.variant, '');
  return condition.variant === suite.baseline_variant ? undefined : conditionOf(suite, suite.baseline_variant, '');
};

// Under a fault, each epoch is compared with the same epoch without the fault, if both are scored.
const becameInEpoch = (verdict, trials, reference) => trials.some((t) => t.verdict === verdict
  && reference.some((r) => r.epoch === t.epoch && r.verdict !== verdict && r.verdict !== 'unscored'));

const changes = {
  fixed: (row) => row.underFault ? becameInEpoch('right', row.trials, row.reference) : accuracy(row.trials) > accuracy(row.reference),
  broken: (row) => row.underFault ? becameInEpoch('wrong', row.trials, row.reference) : accuracy(row.trials) < accuracy(row.reference),
  different: (row) => row.trials.some((t) => row.reference.some((r) => r.epoch === t.epoch && r.predicted !== t.predicted)),
  new_pass: (row) => changeSinceBaseline(row.trials) > 0,
  new_failure: (row) => changeSinceBaseline(row.trials) < 0,
};

const baselineChanges = ['new_pass', 'new_failure'];

// Positive if a larger share of the scored trials is right than in the baseline run, negative if smaller.
const changeSinceBaseline = (trials) => {
  const scored = trials.filter((t) => t.verdict !== 'unscored');
  const right = scored.filter((t) => t.verdict === 'right').length;
  const { baselineRight, baselineScored } = trials[0] ?? {};
  return scored.length > 0 && baselineScored > 0 ? right * baselineScored - baselineRight * scored.length : 0;
};

const orders = {
  slowest: (row) => -Math.max(...row.trials.map((t) => t.duration)),
  least_confident: (row) => Math.min(...row.trials.map((t) => t.confidence < 0 ? Infinity : t.confidence)),
  most_expensive: (row) => -Math.max(...row.trials.map((t) => t.cost)),
};

// The rows of a condition: one for each case that ran in it, with the trials of the reference.
const rowsOf = (suite, condition) => {
  if (condition.rows) return condition.rows;
  const reference = referenceOf(suite, condition);
  const rows = suite.cases.map((id, index) => ({
    id, index, text: suite.texts[index] ?? '', underFault: condition.fault !== '',
    trials: trialsOf(suite, condition, index), reference: reference ? trialsOf(suite, reference, index) : [],
  }));
  condition.rows = rows.filter((row) => row.trials.length > 0);
  return condition.rows;
};

// An expected and a predicted label together select a cell of the confusion matrix, which counts
// scored turns. A right turn counts for its expected label.
const turnResults = { correct: 'right', wrong: 'wrong', unscored: 'unscored' };

const turnMatches = (filters) => (turn) => (!filters.expected || turn.label === filters.expected)
  && (!filters.predicted || filters.predicted === (filters.expected && turn.verdict === 'right' ? turn.label : turn.predicted))
  && (!filters.expected || !filters.predicted || turn.verdict !== 'unscored')
  && (!filters.expected || !(filters.result in turnResults) || turn.verdict === turnResults[filters.result]);

const trialMatches = (filters) => (t) => (filters.expected && filters.result in turnResults || (hasResult[filters.result]?.(t) ?? true))
  && (!filters.expected && !filters.predicted || t.turns.some(turnMatches(filters)));

const matching = (suite, rows, filters) => {
  const words = (filters.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const tag = suite.tags.indexOf(filters.tag);
  const matches = trialMatches(filters);
  return rows.filter((row) => row.trials.some(matches)
    && (filters.result !== 'inconsistent' || isInconsistent(row.trials))
    && (!filters.tag || (suite.caseTags[row.index] ?? []).includes(tag))
    && (!filters.change || changes[filters.change](row))
    && words.every((w) => row.id.toLowerCase().includes(w) || row.text.toLowerCase().includes(w)));
};

const sorted = (rows, sort) => {
  const order = orders[sort];
  if (!order) return rows;
  return rows.map((row) => ({ row, key: order(row) })).sort((a, b) => a.key - b.key || a.row.index - b.row.index).map((k) => k.row);
};

const isOwn = (object, key) => Object.hasOwn(object, key ?? '');

// The variant that the list starts with: the most accurate one that is no baseline model.
const startVariant = (suite) => {
  const ranked = rankedVariants(suite, '');
  return (ranked.find((v) => !v.condition.baseline_model) ?? ranked[0])?.variant ?? suite.conditions[0]?.variant;
};

// An address that selects at most a suite and the grid is the start of the list, which shows the wrong cases.
const isStart = (values) => values.kind === 'cases' && keys.every((k) => k === 'suite' || k === 'view' || !values[k]);

// The selection of an address: suite, condition, filters, the matching rows, and whether they are shown as a grid. An unknown value
// becomes its default: the first suite, its start variant, no fault, no filter.
const select = async (values) => {
  const meta = await part('meta');
  const suite = await suiteData(Math.max(0, meta.suites.findIndex((s) => s.name === values.suite)));
  const variant = suite.variants.includes(values.variant) ? values.variant : startVariant(suite);
  const condition = conditionOf(suite, variant, values.fault ?? '') ?? conditionOf(suite, variant, '') ?? suite.conditions[0];
  const rows = condition ? rowsOf(suite, condition) : [];
  const has = (label, of) => Boolean(label) && rows.some((row) => row.trials.some((t) => t.turns.some((turn) => of(turn) === label)));
  const filters = {
    suite: suite.name,
    variant: condition?.variant,
    fault: condition?.fault,
    result: isStart(values) && rows.some((row) => row.trials.some(hasResult.wrong)) ? 'wrong'
      : results.some(([r]) => r === values.result) ? values.result : '',
    change: isOwn(changes, values.change) ? values.change : '',
    expected: has(values.expected, (turn) => turn.label) ? values.expected : '',
    predicted: has(values.predicted, (turn) => turn.predicted) || has(values.predicted, (turn) => turn.label) ? values.predicted : '',
    tag: suite.tags.includes(values.tag) ? values.tag : '',
    q: values.q,
    sort: isOwn(orders, values.sort) ? values.sort : '',
    view: values.view === 'grid' ? 'grid' : '',
    with: suite.variants.includes(values.with) ? values.with : '',
    epoch: values.epoch,
  };
  return { meta, suite, condition, rows, filters, isGrid: filters.view === 'grid' && values.kind === 'cases', list: sorted(matching(suite, rows, filters), filters.sort) };
};
