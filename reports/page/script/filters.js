// The form with the filters of the list.

// How many trials of the rows have each value, in the order of the list of values.
const valueCounts = (rows, values, of) => {
  const counts = new Map();
  for (const row of rows) for (const t of row.trials) counts.set(of(t), (counts.get(of(t)) ?? 0) + 1);
  return values.filter((v) => v !== '' && counts.has(v)).map((v) => [v, `${v} (${grouped(counts.get(v))})`]);
};

const filterChoice = (selection, key, label, list) => choice('by-' + key, label, list, selection.filters[key] ?? '',
  (value) => go(listAddress({ ...selection.filters, [key]: value })));

// What the selected condition is compared with: the reference of the condition, and the baseline run.
// fixed and broken are the filters of the cases that changed.
const changeGroups = ({ suite, condition, meta }) => {
  const reference = referenceOf(suite, condition);
  const list = [];
  if (reference) list.push({ name: condition.fault ? 'no fault' : reference.variant, fixed: 'fixed', broken: 'broken' });
  if (meta.baseline_path) list.push({ name: 'baseline run', fixed: 'new_pass', broken: 'new_failure' });
  return list;
};

// The results without a button of their own, each as value, text and number of trials.
const resultCounts = ({ rows, condition }) => {
  if (condition.resultCounts) return condition.resultCounts;
  const trials = rows.flatMap((row) => row.trials);
  condition.resultCounts = results.filter(([value]) => value !== '' && value !== 'wrong').map(([value, text]) =>
    [value, text, value === 'inconsistent' ? rows.filter((row) => isInconsistent(row.trials)).length : trials.filter(hasResult[value]).length]);
  return condition.resultCounts;
};

// The choice of a result without a button.
const otherResults = (selection) => {
  const { suite, condition, filters } = selection;
  const list = resultCounts(selection).filter(([value, , n]) => n > 0 && (value !== 'inconsistent' || suite.epochs > 1)
    && (!faultResults.includes(value) || condition.fault)).map(([value, text, n]) => [value, `${text} (${grouped(n)})`]);
  if (referenceOf(suite, condition)) list.push(['different', 'another label than ' + changeGroups(selection)[0].name]);
  if (list.length === 0) return null;
  const chosen = filters.change === 'different' ? 'different' : filters.result ?? '';
  const own = (value) => value === 'different' ? { result: '', change: value } : { result: value, change: '' };
  return choice('by-result', 'Other results', [['', 'none'], ...list], chosen, (value) => go(listAddress({ ...filters, ...own(value) })));
};

// Links to the most frequent filters, with the number of cases that match together with the others.
const segments = (selection) => {
  const { suite, rows, filters } = selection;
  const group = (name, list) => make('div', { class: 'field' }, make('span', { class: 'name', title: name }, name),
    make('p', { class: 'segments', role: 'group', 'aria-label': name }, list.map(([text, result, change]) => {
      const own = { ...filters, result, change };
      const isCurrent = (filters.result ?? '') === result && (filters.change ?? '') === change;
      return make('a', { href: listAddress(own), id: 'segment-' + (change || result || 'all'), 'aria-current': isCurrent ? 'true' : null },
        `${text} ${grouped(matching(suite, rows, own).length)}`);
    })));
  return make('div', { class: 'buttons' }, group('Result', [['All', '', ''], ['Wrong', 'wrong', '']]),
    changeGroups(selection).map(({ name, fixed, broken }) => group('Compared with ' + name, [['Fixed', '', fixed], ['Broken', '', broken]])));
};

// The orders of the list. Orders by a value that no trial of the condition has are left out.
const sortChoice = (selection) => {
  const { columns } = selection.condition;
  return filterChoice(selection, 'sort', 'Sort', [
    ['', 'by case id'], ['slowest', 'slowest first'], columns.confidence && ['least_confident', 'least confident first'],
    columns.cost && ['most_expensive', 'most expensive first'],
  ].filter(Boolean));
};

// Links that show the cases as a list or as a grid.
const viewLinks = ({ filters, isGrid }) => make('p', { class: 'segments', role: 'group', 'aria-label': 'View' }, [['List', ''], ['Grid', 'grid']].map(([text, view]) =>
  make('a', { href: listAddress({ ...filters, view }), id: 'view-' + text.toLowerCase(), 'aria-current': isGrid === (view === 'grid') ? 'true' : null }, text)));

const searchField = (selection, search) => {
  const input = make('input', { id: 'by-q', type: 'search', placeholder: 'Text or id', autocomplete: 'off', spellcheck: 'false' });
  input.value = selection.filters.q ?? '';
  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search(input.value.trim()), 150);
  });
  return make('p', { class: 'field search' }, make('label', { for: 'by-q' }, 'Search'), input);
};

// A change of the variant or the fault keeps the open case.
const conditionAddress = (selection, id, values) => {
  const filters = { ...selection.filters, epoch: '', ...values };
  return id ? caseAddress(filters, id) : listAddress(filters);
};

// The labels and tags of a condition with their numbers, which do not depend on the filters.
const filterCounts = ({ suite, condition, rows }) => {
  if (condition.filterCounts) return condition.filterCounts;
  const turnRows = rows.map((row) => ({ trials: row.trials.flatMap((t) => t.turns) }));
  const tagRows = rows.map((row) => ({ trials: (suite.caseTags[row.index] ?? []).map((t) => suite.tags[t]) }));
  condition.filterCounts = {
    expected: valueCounts(turnRows, suite.labels, (turn) => turn.label),
    predicted: valueCounts(turnRows, suite.labels, (turn) => turn.predicted),
    tags: valueCounts(tagRows, suite.tags, (tag) => tag),
  };
  return condition.filterCounts;
};

// The form. openCase() returns the id of the open case, '' for none. search(text) is called when the
// search text changes.
const filterForm = (selection, openCase, search) => {
  const { meta, suite, condition } = selection;
  const faults = suite.conditions.filter((c) => c.variant === condition.variant && c.fault !== '').map((c) => c.fault);
  const counts = filterCounts(selection);
  const unfiltered = { result: '', change: '', expected: '', predicted: '', tag: '' };
  return make('form', { class: 'filters', role: 'search', 'aria-label': 'Filters' },
    searchField(selection, search),
    meta.suites.length > 1 ? choice('by-suite', 'Suite', meta.suites.map((s) => [s.name, s.name]), suite.name, (name) => go(listAddress({ suite: name, view: selection.filters.view }))) : null,
    suite.variants.length > 1 ? choice('by-variant', 'Variant', suite.variants.map((v) => [v, v]), condition.variant,
      (v) => go(conditionAddress(selection, openCase(), { variant: v }))) : null,
    faults.length > 0 ? choice('by-fault', 'Fault', [['', 'none'], ...faults.map((f) => [f, f])], condition.fault,
      (fault) => go(conditionAddress(selection, openCase(), { ...unfiltered, fault }))) : null,
    filterChoice(selection, 'expected', 'Expected', [['', 'any label'], ...counts.expected]),
    filterChoice(selection, 'predicted', 'Predicted', [['', 'any label'], ...counts.predicted]),
    segments(selection),
    otherResults(selection),
    counts.tags.length > 0 ? filterChoice(selection, 'tag', 'Tag', [['', 'any'], ...counts.tags]) : null);
};
