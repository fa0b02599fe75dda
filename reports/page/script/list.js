// The list of a cell's cases, and its filters.

const page = 200;

const go = (address) => { location.hash = address; };

// How many of the rows' trials have each value, in the order of the list of values.
const tallied = (rows, values, of) => {
  const tally = new Map();
  for (const row of rows) for (const t of row.trials) tally.set(of(t), (tally.get(of(t)) ?? 0) + 1);
  return values.filter((v) => v !== '' && tally.has(v)).map((v) => [v, `${v} (${grouped(tally.get(v))})`]);
};

const field = (at, key, label, list) => choice('by-' + key, label, list, at.wanted[key] ?? '', (value) => go(listAddress({ ...at.wanted, [key]: value })));

const resultList = ({ rows, suite, cell }) => {
  const all = rows.flatMap((row) => row.trials);
  return results.map(([value, words]) => {
    if (value === '') return [value, words];
    const n = value === 'inconsistent' ? rows.filter((row) => unsteady(row.trials)).length : all.filter(inTrial[value]).length;
    return n > 0 && (value !== 'inconsistent' || suite.epochs > 1) && (!ofFault.includes(value) || cell.fault) ? [value, `${words} (${grouped(n)})`] : null;
  }).filter(Boolean);
};

const changeFields = (at) => {
  const { suite, cell, meta } = at;
  const base = baseOf(suite, cell);
  const list = [['', 'all']];
  if (base) list.push(['fixed', 'fixed'], ['broken', 'broken'], ['different', 'different']);
  if (meta.earlier) list.push(['new_pass', 'newly passing'], ['new_failure', 'newly failing']);
  if (list.length === 1) return null;
  const against = !base ? 'the earlier run' : cell.fault ? 'no fault' : base.variant;
  return field(at, 'change', 'compared with ' + against, list);
};

const searchField = (at, found) => {
  const input = make('input', { id: 'by-q', type: 'search', placeholder: 'words or id', autocomplete: 'off', spellcheck: 'false' });
  input.value = at.wanted.q ?? '';
  let waiting;
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => found(input.value.trim()), 150);
  });
  return make('p', { class: 'field search' }, make('label', { for: 'by-q' }, 'search'), input);
};

const filters = (at, found) => {
  const { meta, suite, cell, rows } = at;
  const variants = [...new Set(suite.cells.map((c) => c.variant))];
  const faults = suite.cells.filter((c) => c.variant === cell.variant && c.fault !== '').map((c) => c.fault);
  const tags = tallied(rows.map((r) => ({ trials: (suite.tagsOf[r.which] ?? []).map((t) => suite.tags[t]) })), suite.tags, (t) => t);
  const turnRows = rows.map((row) => ({ trials: row.trials.flatMap((t) => t.turns) }));
  const own = { suite: at.wanted.suite, variant: at.wanted.variant, q: at.wanted.q, sort: at.wanted.sort };
  return make('form', { class: 'filters', role: 'search', 'aria-label': 'filters' },
    searchField(at, found),
    choice('by-suite', 'suite', meta.suites.map((s) => [s.name, s.name]), suite.name, (name) => go(listAddress({ suite: name }))),
    choice('by-variant', 'variant', variants.map((v) => [v, v]), cell.variant, (v) => go(listAddress({ ...at.wanted, variant: v }))),
    faults.length > 0 ? choice('by-fault', 'fault', [['', 'none'], ...faults.map((f) => [f, f])], cell.fault, (fault) => go(listAddress({ ...own, fault }))) : null,
    field(at, 'result', 'result', resultList(at)),
    changeFields(at),
    field(at, 'expected', 'expected', [['', 'any'], ...tallied(turnRows, suite.labels, (turn) => turn.class)]),
    field(at, 'predicted', 'got', [['', 'any'], ...tallied(turnRows, suite.labels, (turn) => turn.got)]),
    tags.length > 0 ? field(at, 'tag', 'tag', [['', 'any'], ...tags]) : null,
    field(at, 'sort', 'order', [['', 'case'], ['slowest', 'slowest first'], ['least_confident', 'least confident first']]));
};

// So many cases; of several epochs also so many trials, those that fit.
const countLine = ({ rows, list, suite, wanted, cell }) => {
  const trials = list.flatMap((row) => row.trials).filter(fitting(wanted));
  const all = rows.reduce((n, row) => n + row.trials.length, 0);
  const wrong = trials.filter((t) => t.verdict === 'wrong').length;
  const unjudged = trials.filter((t) => t.verdict === 'unjudged').length;
  const turns = wanted.expected ? trials.flatMap((t) => t.turns).filter(fittingTurn(wanted)).length : trials.length;
  const narrowed = ['result', 'change', 'expected', 'predicted', 'tag', 'q'].some((k) => wanted[k]);
  const of = (n, total, noun) => n === total ? counted(total, noun) : `${grouped(n)} of ${counted(total, noun)}`;
  const parts = [
    of(list.length, rows.length, 'case'), suite.epochs > 1 ? of(trials.length, all, 'trial') : '',
    turns === trials.length ? '' : counted(turns, 'turn'), `${grouped(wrong)} wrong`, unjudged > 0 ? `${grouped(unjudged)} unscored` : '',
  ];
  return [parts.filter(Boolean).join(', ') + '. ',
    narrowed ? make('a', { href: listAddress({ suite: wanted.suite, variant: wanted.variant, fault: cell.fault, sort: wanted.sort }) }, 'Show all') : null];
};

const badges = (row, t) => [
  row.base.length === 0 ? null : hasChange(row, 'fixed') ? make('span', { class: 'badge right' }, 'fixed')
    : hasChange(row, 'broken') ? make('span', { class: 'badge wrong' }, 'broken') : null,
  ...Object.keys(since).filter((k) => since[k](row.trials)).map((k) => make('span', { class: 'badge ' + (k === 'new_pass' ? 'right' : 'wrong') }, k === 'new_pass' ? 'newly passing' : 'newly failing')),
  t.failure ? make('span', { class: 'badge warn' }, t.failure) : null,
];

const rowAddress = (at, row) => {
  const shown = row.trials.find(fitting(at.wanted)) ?? row.trials[0];
  return caseAddress({ ...at.wanted, epoch: shown.epoch > 1 ? shown.epoch : '' }, row.id);
};

const tableRow = (at, row) => {
  const t = row.trials.find(fitting(at.wanted)) ?? row.trials[0];
  const address = rowAddress(at, row);
  const tr = make('tr', {},
    make('td', { class: 'verdict' }, at.suite.epochs > 1 ? spread(row.trials) : mark(t.verdict)),
    make('th', { scope: 'row' }, make('a', { href: address }, row.id)),
    make('td', { class: 'took' }, t.took >= 0 ? time(t.took) : '–'),
    make('td', { class: 'said' }, free('span', {}, row.text), at.suite.turns[row.which] > 1 ? make('span', { class: 'mute' }, ` ${at.suite.turns[row.which]} turns`) : null),
    make('td', { class: 'decision' }, decision(t), badges(row, t)),
    at.way ? make('td', { class: 'way' }, onTheWay(t)) : null);
  tr.addEventListener('click', (e) => {
    if (!e.target.closest('a') && getSelection().isCollapsed) go(address);
  });
  return tr;
};

const table = (at) => {
  at.way = at.list.some((row) => onTheWay(row.trials.find(fitting(at.wanted)) ?? row.trials[0]).length > 0);
  const body = make('tbody');
  const more = button('', () => show(at.shown + page, true), { class: 'more' });
  const show = (n, pressed) => {
    const from = body.children.length;
    at.shown = Math.min(n, at.list.length);
    body.append(...at.list.slice(from, at.shown).map((row) => tableRow(at, row)));
    more.hidden = at.shown >= at.list.length;
    more.textContent = `Show ${grouped(Math.min(page, at.list.length - at.shown))} more`;
    if (!pressed) return;
    history.replaceState({ ...history.state, shown: at.shown }, '');
    body.children[from]?.querySelector('a').focus();
  };
  show(Math.max(page, history.state?.shown ?? 0));
  const heads = [['', 'verdict'], 'case', 'time', 'said', 'expected → got', ...(at.way ? ['on the way'] : [])];
  const head = make('tr', {}, heads.map((h) => Array.isArray(h) ? make('th', { scope: 'col', 'aria-label': h[1] }) : make('th', { scope: 'col' }, h)));
  return [make('table', { class: 'list' }, make('thead', {}, head), body), more];
};

// The list's elements, by what is asked for.
const listView = async (values) => {
  const at = await settled(values);
  const title = make('h1', { tabindex: '-1' }, 'Cases');
  if (!at.cell) return [title, make('p', {}, 'This run has no cases.')];
  const count = make('p', { class: 'count', role: 'status' });
  const rest = make('div');
  const refresh = () => {
    count.replaceChildren();
    fill(count, {}, countLine(at));
    rest.replaceChildren(...table(at));
  };
  const found = (q) => {
    at.wanted.q = q;
    at.list = filtered(at.suite, at.rows, at.wanted);
    history.replaceState(null, '', listAddress(at.wanted));
    refresh();
  };
  refresh();
  return [title, filters(at, found), count, rest];
};
