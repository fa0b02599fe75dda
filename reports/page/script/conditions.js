// The same case in all conditions: a row for each condition, a column for each labeled turn.

const conditionName = (condition) => condition.variant + (condition.fault ? ' + ' + condition.fault : '');

const turnCell = (turn) => !turn ? make('td', { class: 'm' }, '–')
  : make('td', { class: turn.verdict === 'wrong' ? 'wrong' : 'm' }, mark(turn.verdict), ' ', breakable(labelText(turn.predicted)));

const trialInEpoch = (at, { trials }) => trials.find((t) => t.epoch === at.epoch) ?? trials[0];

const conditionRow = (at, row, columns) => {
  const { condition, trials } = row;
  const t = trialInEpoch(at, row);
  const address = caseAddress({ ...at.filters, variant: condition.variant, fault: condition.fault }, at.id);
  const isCurrent = condition === at.condition;
  const tr = make('tr', { class: isCurrent ? 'current' : '' },
    make('th', { scope: 'row' }, make('a', { href: address, id: 'condition-' + condition.number, 'aria-current': isCurrent ? 'true' : null }, breakable(condition.variant))),
    make('td', { class: 'm' }, breakable(condition.fault || 'no fault')),
    columns.map((column) => turnCell(column.number > 0 ? t.turns.find((turn) => turn.number === column.number) : t.turns[0])),
    at.suite.epochs > 1 ? make('td', {}, epochDots(trials)) : null,
    make('td', { class: 'n' }, t.duration >= 0 ? secondsText(t.duration) : '–'),
    make('td', { class: 'm' }, t.failure ? [t.answered ? 'error reply ' : 'no answer: ', breakable(t.failure)] : t.fallbacks > 0 ? fallbackText(t) : ''));
  tr.addEventListener('click', (e) => {
    if (!e.target.closest('a') && getSelection().isCollapsed) go(address);
  });
  return tr;
};

const maxConditions = 12; // a button adds the rows beyond

// The current condition first, then those with another result.
const byDifference = (at, list) => {
  const rank = (row) => {
    if (row.condition === at.condition) return 0;
    const t = trialInEpoch(at, row);
    return ['verdict', 'predicted', 'failure'].some((k) => t[k] !== at.trial[k]) ? 1 : 2;
  };
  return list.map((row) => ({ row, rank: rank(row) })).sort((a, b) => a.rank - b.rank).map((r) => r.row);
};

const conditionTable = (at) => {
  const list = at.suite.conditions.map((condition) => ({ condition, trials: trialsOf(at.suite, condition, at.index) })).filter((c) => c.trials.length > 0);
  if (list.length < 2) return null;
  const columns = new Map();
  for (const c of list) for (const t of c.trials) for (const turn of t.turns) if (!columns.has(turn.number) || !columns.get(turn.number).label) columns.set(turn.number, turn);
  const turns = [...columns.values()].sort((a, b) => a.number - b.number).filter((turn) => turn.number > 0 || columns.size === 1);
  const columnName = (turn) => [turn.number > 0 ? `turn ${turn.number}` : '', turn.label ? (turn.number > 0 ? turn.label : 'expected ' + turn.label) : ''].filter(Boolean).join(': ') || 'predicted';
  const head = make('tr', {}, ['variant', 'fault', ...turns.map(columnName)].map((name) => make('th', { scope: 'col' }, breakable(name))),
    at.suite.epochs > 1 ? make('th', { scope: 'col' }, 'right epochs') : null,
    make('th', { scope: 'col', class: 'n' }, 's'), make('th', { scope: 'col' }, 'notes'));
  const isLong = list.length > maxConditions;
  const rows = isLong ? byDifference(at, list) : list;
  const body = make('tbody', {}, rows.slice(0, maxConditions).map((c) => conditionRow(at, c, turns)));
  const rest = !isLong ? null : button(`Show all ${counted(list.length, 'condition')}`, (b) => {
    body.append(...rows.slice(maxConditions).map((c) => conditionRow(at, c, turns)));
    b.remove();
  }, { class: 'more-conditions' });
  const note = [counted(list.length, 'condition') + (isLong ? ', those with another result first' : ''), at.suite.epochs > 1 ? 'epoch ' + at.epoch : '',
    turns.length > 1 ? 'a case is wrong if any turn is' : ''].filter(Boolean).join('; ') + '.';
  return make('section', { class: 'conditions' },
    make('div', { class: 'head' }, make('h2', {}, 'The same case in all conditions'), make('p', { class: 'm' }, note)),
    make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The same case in all conditions' },
      make('table', {}, make('thead', {}, head), body)), rest);
};
