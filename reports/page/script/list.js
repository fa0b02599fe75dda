// The cases that match the filters, as a list or as a grid. Only a window of the rows is rendered.

// How many rows are rendered at first, and how many a button adds.
const listWindow = 100;
const gridWindow = 200;
const maxMarks = 8; // with more variants, a row has a number instead of marks

// The variants of a suite in the condition of the list, the most accurate first.
const rankedVariants = (suite, fault) => {
  suite.ranked ??= new Map();
  if (!suite.ranked.has(fault)) {
    const list = suite.variants.map((variant) => {
      const condition = nearestCondition(suite, variant, fault);
      const verdictColumn = condition?.columns.verdict ?? [];
      const right = verdictColumn.filter((v) => v === 1).length;
      return { variant, condition, accuracy: right / Math.max(1, verdictColumn.filter((v) => v > 0).length) };
    }).filter((v) => v.condition);
    suite.ranked.set(fault, list.sort((a, b) => b.accuracy - a.accuracy));
  }
  return suite.ranked.get(fault);
};

const variantMarks = ({ suite, condition }, row) => {
  const list = rankedVariants(suite, condition.fault).map((v) => ({ ...v, trials: trialsOf(suite, v.condition, row.index) }));
  if (list.length > maxMarks) {
    const right = list.filter((v) => v.trials.length > 0 && v.trials.every((t) => t.verdict === 'right')).length;
    return make('span', { class: 'marks m' }, `right in ${right} of ${list.length} variants`);
  }
  const name = (v) => `${conditionName(v.condition)}: ${v.trials.length > 0 ? verdictText(v.trials) : 'not run'}`;
  return make('span', { class: 'marks' }, list.map((v) => mark(v.trials.length > 0 ? commonVerdict(v.trials) : 'unscored', name(v))));
};

// The trial that represents a case: the first one that matches the filters.
const shownTrial = (selection, row) => row.trials.find(trialMatches(selection.filters)) ?? row.trials[0];

const rowAddress = (selection, row) => {
  const { epoch } = shownTrial(selection, row);
  return caseAddress({ ...selection.filters, epoch: epoch > 1 ? epoch : '' }, row.id);
};

const badges = (selection, row, t) => [
  changeGroups(selection).map(({ name, fixed, broken }) => [[fixed, 'fixed'], [broken, 'broken']].map(([change, text]) =>
    changes[change](row) ? make('span', { class: 'tag' }, `${text} vs ${name}`) : null)),
  t.failure ? make('span', { class: 'tag wn' }, t.failure) : null,
];

const listItem = (selection, row) => {
  const { suite, filters } = selection;
  const t = shownTrial(selection, row);
  const turnCount = suite.turnCounts[row.index];
  return make('li', {}, make('a', { href: rowAddress(selection, row) },
    make('span', { class: 'first' }, make('span', { class: 'id' }, breakable(row.id)), variantMarks(selection, row)),
    freeText('span', { class: 'text' }, row.text),
    make('span', { class: 'note' }, make('span', {}, decision(t), t.confidence < 0 ? null : ', ' + (t.rejected ? confidenceText(percentText(t.confidence), true) : percentText(t.confidence))),
      suite.epochs > 1 ? epochDots(row.trials) : null,
      turnCount > 1 ? make('span', {}, turnCount + ' turns') : null,
      filters.sort === 'slowest' && t.duration >= 0 ? make('span', {}, time(t.duration)) : null,
      filters.sort === 'most_expensive' && t.cost >= 0 ? make('span', {}, usd(t.cost)) : null,
      t.fallbacks > 0 ? make('span', { class: 'fallbacks' }, counted(t.fallbacks, 'fallback')) : null,
      badges(selection, row, t))));
};

// The decision of a variant on a case, in the epoch that represents the case.
const gridCell = (selection, row, condition) => {
  const { suite, filters } = selection;
  const trials = trialsOf(suite, condition, row.index);
  if (trials.length === 0) return make('td', { class: 'm' }, '–');
  const t = trialInEpoch(shownTrial(selection, row), { trials });
  const verdict = commonVerdict(trials);
  const text = t.predicted || t.failure || (t.expected.length > 0 ? labelText('') : t.verdict);
  const address = caseAddress({ ...filters, variant: condition.variant, epoch: t.epoch > 1 ? t.epoch : '' }, row.id);
  return make('td', { class: verdict }, make('a', { href: address }, mark(verdict, `${conditionName(condition)}: ${verdictText(trials)}`), ' ', text,
    trials.length > 1 ? make('span', { class: 'm' }, ` ${rightCount(trials)} of ${trials.length}`) : null));
};

const gridRow = (selection, row) => {
  const t = shownTrial(selection, row);
  return make('tr', {},
    make('th', { scope: 'row' }, make('a', { href: rowAddress(selection, row) }, make('span', { class: 'id' }, breakable(row.id)), freeText('span', { class: 'text' }, row.text),
      t.expected.length > 0 ? make('span', { class: 's' }, 'expected ', breakable(t.expected.join(' or '))) : null)),
    rankedVariants(selection.suite, selection.condition.fault).map(({ condition }) => gridCell(selection, row, condition)));
};

// The arrow keys move the focus to the links of the neighboring cells.
const moveInGrid = (e) => {
  const [down, right] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key] ?? [];
  const cell = e.target.closest('th, td');
  const link = e.currentTarget.rows[cell.parentElement.rowIndex + down]?.cells[cell.cellIndex + right]?.querySelector('a');
  if (!link) return;
  e.preventDefault();
  link.focus();
};

// The table of the grid around its rows: a column for each variant, the most accurate first.
const gridTable = (selection, body) => {
  const { suite, condition, filters } = selection;
  const table = make('table', {}, make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'case'), rankedVariants(suite, condition.fault).map((v) =>
    make('th', { scope: 'col' }, make('a', { href: listAddress({ ...filters, variant: v.variant }), 'aria-current': v.condition === condition ? 'true' : null }, conditionName(v.condition)))))), body);
  table.addEventListener('keydown', moveInGrid);
  return table;
};

// How many cases match, and with several epochs how many trials.
const countText = ({ rows, list, suite, filters }) => {
  const trials = list.flatMap((row) => row.trials).filter(trialMatches(filters));
  const all = rows.reduce((n, row) => n + row.trials.length, 0);
  const wrong = trials.filter((t) => t.verdict === 'wrong').length;
  const unscored = trials.filter((t) => t.verdict === 'unscored').length;
  const turns = filters.expected ? trials.flatMap((t) => t.turns).filter(turnMatches(filters)).length : trials.length;
  const of = (n, total, noun) => n === total ? counted(total, noun) : `${grouped(n)} of ${counted(total, noun)}`;
  return [
    of(list.length, rows.length, 'case'), suite.epochs > 1 ? of(trials.length, all, 'trial') : '',
    turns === trials.length ? '' : counted(turns, 'turn'), `${grouped(wrong)} wrong`, unscored > 0 ? `${grouped(unscored)} not scored` : '',
  ].filter(Boolean).join(', ') + '.';
};

const countLine = (selection) => {
  const { filters, suite, condition, isGrid } = selection;
  const isFiltered = ['result', 'change', 'expected', 'predicted', 'tag', 'q'].some((k) => filters[k]);
  const variants = rankedVariants(suite, condition.fault).map((v) => v.variant);
  return [
    make('p', { class: 'count', role: 'status' }, countText(selection), ' ',
      isFiltered ? make('a', { href: listAddress({ suite: filters.suite, variant: filters.variant, fault: filters.fault, sort: filters.sort, view: filters.view }) }, 'Show all') : null),
    !isGrid && variants.length > 1 && variants.length <= maxMarks
      ? make('p', { class: 'order' }, 'Signs, most accurate first: ' + variants.join(', ')) : null,
  ];
};

// The elements of the list or the grid. show(index) marks the row of a case as current and renders it if it is
// outside of the window; it returns the position of the case in the list, −1 if it is not there.
const caseList = (selection) => {
  const { list, isGrid } = selection;
  const items = make(isGrid ? 'tbody' : 'ol');
  const windowSize = isGrid ? gridWindow : listWindow;
  const earlier = button('', () => extend(-1), { class: 'more' });
  const later = button('', () => extend(1), { class: 'more', id: 'more-cases' });
  const shown = { from: 0, to: 0 };
  const render = (from, to) => {
    [from, to] = [Math.max(0, from), Math.min(list.length, to)];
    const item = (row) => (isGrid ? gridRow : listItem)(selection, row);
    if (to < shown.from || from > shown.to || shown.to === 0) {
      items.replaceChildren(...list.slice(from, to).map(item));
      Object.assign(shown, { from, to });
    } else {
      items.prepend(...list.slice(from, shown.from).map(item));
      items.append(...list.slice(shown.to, to).map(item));
      Object.assign(shown, { from: Math.min(from, shown.from), to: Math.max(to, shown.to) });
    }
    earlier.hidden = shown.from === 0;
    later.hidden = shown.to === list.length;
    earlier.textContent = `Show ${grouped(Math.min(windowSize, shown.from))} earlier`;
    later.textContent = `Show ${grouped(Math.min(windowSize, list.length - shown.to))} more`;
  };
  const extend = (by) => {
    const { from, to } = shown;
    if (by < 0) render(from - windowSize, from);
    else render(to, to + windowSize);
    history.replaceState({ ...history.state, shown: shown.to }, '');
    items.children[by < 0 ? from - shown.from - 1 : to - shown.from]?.querySelector('a').focus();
  };
  const show = (index) => {
    const position = list.findIndex((row) => row.index === index);
    if (position >= 0 && (position < shown.from || position >= shown.to)) render(position - windowSize / 4, position + windowSize);
    for (const a of items.querySelectorAll('[aria-current]')) a.removeAttribute('aria-current');
    const current = position < 0 ? null : items.children[position - shown.from];
    current?.querySelector('a').setAttribute('aria-current', 'true');
    return { position, current };
  };
  render(0, Math.max(windowSize, history.state?.shown ?? 0));
  const head = make('div', { class: 'list-head' }, countLine(selection), make('div', { class: 'tools' }, viewLinks(selection), sortChoice(selection)));
  const rows = isGrid ? make('div', { class: 'rows scroll', tabindex: '0', role: 'region', 'aria-label': 'Grid of cases and variants' }, earlier, gridTable(selection, items), later)
    : make('div', { class: 'rows' }, earlier, items, later);
  return { elements: [head, rows], show };
};
