// What was said in a turn, what became of it and how it was judged.

const picture = (text, words) => pictures.test(text)
  ? make('img', { src: text, alt: words }) : free('span', { class: 'address' }, text.length > 200 ? text.slice(0, 200) + '…' : text);

const cut = (n) => n > 0 ? make('span', { class: 'mute' }, ` … ${counted(n, 'more character')}`) : null;

const bubble = (who, kind, ...said) => make('div', { class: 'bubble ' + kind }, make('p', { class: 'who' }, who), said);

const folded = (history) => !history?.length ? null : make('details', { class: 'history' },
  make('summary', {}, counted(history.length, 'earlier message')),
  history.map((m) => bubble(m.role, m.role === 'user' ? 'user' : 'agent', free('p', { class: 'text' }, m.text))));

const terms = (list) => list.length === 0 ? null : make('dl', { class: 'facts' }, list.map(([name, ...value]) => [make('dt', {}, name), make('dd', {}, value)]));

const sessions = (given) => (given.more ?? []).filter((p) => p.name === 'session').map((p) => 'session ' + p.value);

const input = (given) => [
  folded(given.history),
  bubble(['user', ...sessions(given)].join(' · '), 'user',
    free('p', { class: 'text' }, given.text || '(nothing)', cut(given.cut)),
    (given.images ?? []).map((i, n) => make('p', {}, picture(i, `image ${n + 1} from the user`)))),
  terms([...(given.documents ?? []).map((d) => ['document', d]), ...(given.more ?? []).filter((p) => p.name !== 'session').map((p) => [p.name, free('span', {}, p.value)])]),
];

const reply = (turn, other) => {
  const said = turn.messages?.length > 0 ? turn.messages : [turn.reply];
  const against = other ? (other.messages?.length > 0 ? other.messages : [other.reply]) : [];
  return bubble('agent' + (turn.apology ? ' · error reply ' + turn.apology : ''), 'agent',
    said.map((text, i) => free('p', { class: 'text' }, !text ? '(empty)' : other ? differing(text, against[i] ?? '') : text)), cut(turn.cut),
    (turn.pictures ?? []).map((p, n) => make('p', {}, picture(p, `image ${n + 1} from the agent`))));
};

const judgement = (s) => {
  const verdict = verdicts[s.verdict];
  const words = [s.got ? 'got ' + s.got : '', s.want ? 'wanted ' + s.want : ''].filter(Boolean).join(', ') || s.value || '';
  return [s.name, mark(verdict), ' ', free('span', {}, words), s.reason ? free('span', { class: 'mute' }, ' ' + s.reason) : null];
};

// Judgements; those that pass and say nothing more share a line.
const judgements = (scores) => {
  const plain = scores.filter((s) => s.verdict === 1 && !s.got && !s.want && !s.value && !s.reason);
  const list = scores.filter((s) => !plain.includes(s)).map(judgement);
  if (plain.length > 0) list.push(['passed', mark('right'), ' ' + plain.map((s) => s.name).join(', ')]);
  return list;
};

// Equal steps in a row are one, counted.
const merged = (steps) => {
  const list = [];
  for (const s of steps) {
    const last = list.at(-1);
    if (last && ['asked', 'taken', 'by', 'reason'].every((k) => (last[k] ?? '') === (s[k] ?? ''))) last.times++;
    else list.push({ ...s, times: 1 });
  }
  return list;
};

const step = (s) => make('li', { class: s.asked ? 'corrected' : '' },
  s.asked ? [make('s', { 'aria-label': 'requested ' + s.asked }, s.asked), ' → '] : null,
  make('b', {}, s.taken || '(refused)'), s.times > 1 ? ' ×' + s.times : '',
  make('small', {}, [s.by, s.reason, s.at > 0 ? time(s.at) : ''].filter(Boolean).join(' · ')));

// The path of agents that an episode took.
const pathOf = (steps) => !steps?.length ? null : make('ol', { class: 'path', 'aria-label': 'path of agents' }, merged(steps).map(step));

const outcome = (turn, scores, other) => [
  reply(turn, other), pathOf(turn.steps),
  terms([...(turn.facts ?? []).map((p) => [p.name, free('span', {}, p.value)]), ...judgements(scores)]),
  timeline(turn, other),
];
