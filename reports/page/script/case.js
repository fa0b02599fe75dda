// The selected case in one condition.

const showCommand = (meta, id, condition, epoch, epochs) => {
  const dir = meta.dir || 'RUN';
  const dash = [id, dir, condition.variant, condition.fault].some((text) => text.startsWith('-'));
  const flag = (name, value) => dash ? [`--${name}=${value}`] : ['--' + name, value];
  const flags = [...flag('variant', condition.variant), ...(condition.fault ? flag('fault', condition.fault) : []), ...(epochs > 1 ? flag('epoch', String(epoch)) : [])];
  const all = dash ? ['evalctl', 'show', ...flags, '--', dir, id] : ['evalctl', 'show', dir, id, ...flags];
  return all.map(quoted).join(' ');
};

const commandLine = (text) => {
  const code = make('code', {}, text);
  const copy = button('Copy', async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code); // the reader copies it
    }
  });
  return make('div', { class: 'command' }, code, copy);
};

// The position of the case in the list, and links to its neighbors.
const positionLinks = (at, position) => {
  const link = (row, text, id, key) => [
    row ? make('a', { href: rowAddress(at, row), id }, text) : make('span', {}, text), make('span', { class: 'shortcut' }, ` (${key})`),
  ];
  const place = position < 0 ? 'not in the list' : `${grouped(position + 1)} of ${grouped(at.list.length)}`;
  return make('p', { class: 'steps' },
    make('a', { href: listAddress(at.filters), id: 'to-list', class: at.filters.view }, `← ${at.filters.view || 'list'} (${place})`),
    make('span', { class: 'place' }, place),
    make('span', {}, link(at.list[position - 1], 'previous', 'to-previous', 'k')),
    make('span', {}, link(position < 0 ? undefined : at.list[position + 1], 'next', 'to-next', 'j')));
};

// The result of the baseline run, if it differs.
const earlierResult = (t) => !t.baselineVerdict || t.baselineVerdict === t.verdict && t.baselinePredicted === t.predicted ? null
  : make('span', { class: 'before' }, ', before: ', mark(t.baselineVerdict), ' ', make('b', {}, breakable(labelText(t.baselinePredicted))));

const errorReply = (t) => t.failure && t.answered ? make('span', { class: 'wrong' }, ', with an error reply: ', breakable(t.failure)) : null;

const headline = (t) => t.turns.length > 1 && t.verdict === 'right' ? make('p', { class: 'verdict' }, mark(t.verdict), ' ',
  make('b', {}, `${t.turns.length} of ${t.turns.length} decisions`), ' as expected', errorReply(t), earlierResult(t)) : make('p', { class: 'verdict' }, mark(t.verdict), ' ',
  t.expected.length > 0 || t.predicted ? make('b', { class: t.verdict === 'wrong' ? 'wrong' : '' }, breakable(labelText(t.predicted))) : t.verdict,
  t.expected.length === 0 ? null : t.verdict === 'right' && t.expected.includes(t.predicted) ? ', as expected' : [', expected ', make('b', {}, breakable(t.expected.join(' or ')))],
  errorReply(t), earlierResult(t));

// The facts of a trial. trace is the trial with its trace; undefined: not in the file.
const facts = (at, t, condition, trace) => make('p', { class: 'meta' }, [
  condition.variant, condition.fault || 'no fault', at.suite.epochs > 1 ? `epoch ${t.epoch} of ${at.suite.epochs}` : '',
  t.source ? 'decided by ' + t.source : '', t.confidence >= 0 ? confidenceText(percentText(t.confidence), t.rejected) : '',
  t.answeredBy && t.answeredBy !== t.predicted ? 'answered by: ' + t.answeredBy : '',
  t.fallbacks > 0 ? make('span', { class: 'wrong' }, t.firstFallback ? 'fallback ' + fallbackText(t) : fallbackText(t)) : '',
  t.failure ? make('span', { class: 'wrong' }, t.answered ? 'error reply ' : 'no answer: ', breakable(t.failure)) : '',
  t.duration >= 0 ? time(t.duration) : '',
  trace && (trace.in > 0 || trace.out > 0) ? `${counted(trace.in, 'token')} in, ${grouped(trace.out)} out` : '',
  trace ? counted(trace.calls, 'call') : '', trace?.cost ?? '',
  t.baselineVerdict && !earlierResult(t) ? 'the same as in the baseline run' : '',
].filter(Boolean).map((fact) => make('span', {}, fact)));

const epochLinks = (at, trials) => trials.length < 2 ? null : make('nav', { class: 'tabs', 'aria-label': 'Epochs' }, trials.map((t) =>
  make('a', { href: caseAddress({ ...at.filters, epoch: t.epoch > 1 ? t.epoch : '' }, at.id), id: 'epoch-' + t.epoch, 'aria-current': t.epoch === at.epoch ? 'true' : null },
    `epoch ${t.epoch} `, mark(t.verdict))));

const comparedCondition = (at) => {
  const other = at.filters.with ? nearestCondition(at.suite, at.filters.with, at.condition.fault) : undefined;
  return other === at.condition ? undefined : other;
};

const compareChoice = (at) => {
  const others = at.suite.variants.filter((v) => {
    const condition = nearestCondition(at.suite, v, at.condition.fault);
    return v !== at.condition.variant && condition && trialOf(at.suite, condition, at.index, at.epoch);
  });
  if (others.length === 0) return null;
  return choice('with', 'Compare with', [['', 'no variant'], ...others.map((v) => [v, v])], at.filters.with ?? '', (v) => go(caseAddress({ ...at.filters, with: v }, at.id)));
};

const tracedTrial = (traces, condition, epoch) => traces?.trials.find((t) => t.condition === condition.number && t.epoch === epoch);

// The traces of the conditions. Traces that the file does not contain are requested from the server, if there is one.
const loadTraces = async (at, conditions, complete) => {
  const { inFile, request } = await tracesOf(at.suite, at.index);
  let traces = inFile;
  if (request && (complete || conditions.some((c) => !tracedTrial(traces, c, at.epoch)))) traces = await request();
  return { inputs: traces?.inputs ?? [], request, sides: conditions.map((condition) => ({ name: conditionName(condition), trial: tracedTrial(traces, condition, at.epoch) })) };
};

// What the file knows about a case without its trace: the beginning of the messages of the user.
const withoutTrace = ({ meta, suite, index }) => make('section', { class: 'conversation' }, make('h2', {}, 'Conversation'),
  make('div', { class: 'turn' }, message('user', 'user', freeText('p', { class: 'text' }, suite.texts[index] || '(nothing)')),
    make('p', { class: 'untraced' },
      `This file contains the full trace of ${grouped(meta.traced)} of ${counted(meta.trials, 'trial')}, but not of this one. To see the rest, run the command below.`)));

const timelineSection = (sides) => {
  const span = Math.max(...sides.map((s) => totalSpan(s.trial)));
  const wide = sides.length === 1;
  if (sides.every((s) => s.trial.turns.every((turn) => !turn.events?.length))) return null;
  return make('section', {}, make('div', { class: 'head' }, make('h2', {}, 'Timeline'),
    make('p', { class: 'm' }, `${time(span)}. Bar: one call; gap: first token. Ticks: polls of a task.`)),
    make('div', { class: wide ? '' : 'pair' }, sides.map((s) => timeline(s.trial, span, wide, wide ? '' : s.name))));
};

// The selection of a case: the one of the list with the case, its trial and its epoch. null: the
// suite of the address has no such case.
const selectCase = (selection, values) => {
  const index = selection.suite.cases.indexOf(values.id);
  const trials = selection.condition && index >= 0 && selection.suite.name === values.suite ? trialsOf(selection.suite, selection.condition, index) : [];
  if (trials.length === 0) return null;
  const t = trials.find((other) => String(other.epoch) === values.epoch) ?? trials[0];
  return { ...selection, index, trials, trial: t, id: values.id, epoch: t.epoch, filters: { ...selection.filters, epoch: t.epoch > 1 ? t.epoch : '' } };
};

// The elements of a case. reload shows the case again with all prompts from the server.
const caseElements = async (at, position, complete, reload) => {
  const other = comparedCondition(at);
  const conditions = other && trialOf(at.suite, other, at.index, at.epoch) ? [at.condition, other] : [at.condition];
  const command = showCommand(at.meta, at.id, at.condition, at.epoch, at.suite.epochs);
  let traces = { inputs: [], sides: [] };
  let problem = null;
  try {
    traces = await loadTraces(at, conditions, complete);
  } catch (err) {
    problem = make('p', { class: 'wrong' }, 'The trace cannot be shown: ', err.message);
  }
  const sides = traces.sides.filter((s) => s.trial);
  const own = traces.sides[0]?.trial;
  const absent = traces.sides.slice(1).filter((s) => !s.trial).map((s) => make('p', { class: 'm' }, `The trace of ${s.name} is not in this file.`));
  const verdictOf = (condition, i) => {
    const t = condition === at.condition ? at.trial : trialOf(at.suite, condition, at.index, at.epoch);
    return make('div', { class: 'result' }, headline(t), facts(at, t, condition, traces.sides[i]?.trial));
  };
  return [
    make('div', { class: 'head' }, make('h2', { tabindex: '-1', class: 'id' }, breakable(at.id)), positionLinks(at, position)),
    make('div', { class: conditions.length > 1 ? 'pair' : '' }, conditions.map(verdictOf)),
    make('div', { class: 'controls' }, epochLinks(at, at.trials), compareChoice(at)),
    problem, absent,
    !own ? problem ? null : withoutTrace(at) : [conversation(traces.inputs, sides), timelineSection(sides)],
    conditionTable(at),
    own ? await promptSection(sides, command, complete || !traces.request ? null : reload) : null,
    commandLine(command),
  ];
};
