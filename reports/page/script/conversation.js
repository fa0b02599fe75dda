// The conversation of a case: for each turn the messages, the verdict, and what the agent did. A
// second trial is shown next to the first.

const image = (text, alt) => imagePattern.test(text)
  ? make('img', { src: text, alt }) : freeText('span', { class: 'address' }, text.length > 200 ? text.slice(0, 200) + '…' : text);

const omitted = (n) => n > 0 ? make('span', { class: 'm' }, ` … ${counted(n, 'more character')}`) : null;

const message = (who, kind, ...content) => make('div', { class: 'message ' + kind }, make('p', { class: 'who' }, who), make('div', {}, content));

const earlierMessages = (history) => !history?.length ? null : make('details', { class: 'history' },
  make('summary', {}, counted(history.length, 'earlier message')),
  history.map((m) => message(m.role, m.role === 'user' ? 'user' : 'agent', freeText('p', { class: 'text' }, m.text))));

const terms = (list) => list.length === 0 ? null : make('dl', { class: 'facts' }, list.map(([name, ...value]) => [make('dt', {}, name), make('dd', {}, value)]));

const inputMessage = (given) => {
  const details = given.details ?? [];
  return [
    earlierMessages(given.history),
    message('user', 'user',
      freeText('p', { class: 'text' }, given.text || '(nothing)', omitted(given.cut)),
      (given.images ?? []).map((i, n) => make('p', {}, image(i, `image ${n + 1} from the user`)))),
    terms([...(given.documents ?? []).map((d) => ['document', d]), ...details.map((p) => [p.name, freeText('span', {}, p.value)])]),
  ];
};

const textsOf = (turn) => turn.messages?.length > 0 ? turn.messages : [turn.reply];

// The reply of a turn. The words that differ from the reply of another trial are marked.
const replyMessage = (turn, other) => message('agent', 'agent',
  turn.error_reply ? make('p', { class: 'wrong' }, 'error reply ', breakable(turn.error_reply)) : null,
  textsOf(turn).map((text, i) => freeText('p', { class: 'text' }, !text ? '(empty)' : other ? markDifferences(text, textsOf(other)[i] ?? '') : text)), omitted(turn.cut),
  (turn.images ?? []).map((p, n) => make('p', {}, image(p, `image ${n + 1} from the agent`))));

const scoreTerm = (s) => {
  const text = [s.got ? 'got ' + s.got : '', s.expected ? 'expected ' + s.expected : ''].filter(Boolean).join(', ') || s.value || '';
  return [s.name, mark(verdicts[s.verdict]), ' ', freeText('span', {}, text), s.reason ? freeText('span', { class: 'm' }, ' ' + s.reason) : null];
};

// Scores as terms. Scores that pass without further details share one term.
const scoreTerms = (scores) => {
  const plain = scores.filter((s) => s.verdict === 1 && !s.got && !s.expected && !s.value && !s.reason);
  const list = scores.filter((s) => !plain.includes(s)).map(scoreTerm);
  if (plain.length > 0) list.push(['passed', mark('right'), ' ' + plain.map((s) => s.name).join(', ')]);
  return list;
};

// Equal steps in a row are counted as one.
const mergedSteps = (steps) => {
  const list = [];
  for (const s of steps) {
    const last = list.at(-1);
    if (last && ['proposed', 'executed', 'by', 'reason'].every((k) => (last[k] ?? '') === (s[k] ?? ''))) last.times++;
    else list.push({ ...s, times: 1 });
  }
  return list;
};

const step = (s) => make('li', { class: s.proposed ? 'corrected' : '' },
  s.proposed ? [make('s', { 'aria-label': 'proposed ' + s.proposed }, s.proposed), ' → '] : null,
  make('b', {}, s.executed || '(refused)'), s.times > 1 ? ' ×' + s.times : '',
  make('small', {}, [s.by, s.reason, s.at > 0 ? 'at ' + time(s.at) : ''].filter(Boolean).join(' · ')));

// The agents that acted in a turn with several decisions.
const agentPath = (steps) => !steps?.length ? null : make('ol', { class: 'path', 'aria-label': 'path of agents' }, mergedSteps(steps).map(step));

const decisionText = (d) => {
  const verdict = d.expected ? verdicts[d.verdict] : '';
  return [
    verdict ? [mark(verdict), ' '] : null,
    make('span', { class: verdict === 'wrong' ? 'wrong strong' : '' }, labelText(d.predicted)),
    verdict === 'wrong' || verdict === 'unscored' ? [' expected ', make('b', {}, d.expected)] : null,
    d.confidence ? ' · ' + confidenceText(d.confidence, d.rejected) : null,
  ];
};

const turnFacts = (turn) => make('span', { class: 'outcome' }, turn.decision ? [decisionText(turn.decision), ' · '] : null, time(turn.ms));

const turnOutcome = (trial, i, other) => {
  const turn = trial.turns[i];
  const scores = (trial.scores ?? []).filter((s) => s.turn === i + 1);
  return [replyMessage(turn, other?.turns[i]), agentPath(turn.steps),
    terms([...(turn.facts ?? []).map((p) => [p.name, freeText('span', {}, p.value)]), ...scoreTerms(scores)])];
};

const turnSide = (trial, i, other, name) => make('div', { class: 'side' },
  name ? make('h4', {}, name, trial.turns[i] ? make('span', { class: 'm' }, ' ', turnFacts(trial.turns[i])) : null) : null,
  trial.turns[i] ? turnOutcome(trial, i, other) : make('p', { class: 'm' }, 'Not run.'));

const turnSection = (given, i, count, sides) => {
  const [first, second] = sides;
  const decides = count > 1 && first.trial.deciding_turn === i + 1 && first.trial.turns[i]?.decision?.verdict !== 1;
  return make('div', { class: 'turn' },
    count === 1 ? null : make('div', { class: 'head' }, make('h3', {}, `Turn ${i + 1}`), decides ? make('span', { class: 'tag' }, 'decides the verdict') : null,
      first.trial.turns[i] && !second ? turnFacts(first.trial.turns[i]) : null),
    inputMessage(given),
    make('div', { class: second ? 'pair' : '' },
      turnSide(first.trial, i, second?.trial, second && first.name), second ? turnSide(second.trial, i, first.trial, second.name) : null));
};

// Scores of the whole case, and the error of a trial without an answer.
const wholeCase = (trial, count, name) => {
  const list = scoreTerms((trial.scores ?? []).filter((s) => !s.turn || s.turn > count));
  if (list.length === 0 && !trial.error) return null;
  return make('div', { class: 'side' }, name ? make('h4', {}, name) : null,
    trial.error ? make('p', { class: 'wrong' }, 'No answer: ', freeText('span', {}, trial.error)) : null, terms(list));
};

const conversation = (inputs, sides) => {
  const whole = sides.map((s) => wholeCase(s.trial, inputs.length, sides.length > 1 && s.name)).filter(Boolean);
  return make('section', { class: 'conversation' }, make('h2', {}, 'Conversation'),
    inputs.map((given, i) => turnSection(given, i, inputs.length, sides)),
    whole.length > 0 ? make('div', { class: 'turn' }, make('div', { class: whole.length > 1 ? 'pair' : '' }, whole)) : null);
};
