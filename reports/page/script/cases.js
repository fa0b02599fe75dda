// The view with the list of cases and, next to it, the selected case.

// The list that is shown. id is the opened case, index the case that is shown, −1: none.
const nothingListed = { key: '', selection: null, list: null, id: '', index: -1 };
let listed = nothingListed;

const listKey = ({ filters, suite, condition, isGrid }) => JSON.stringify([suite.number, condition?.number, isGrid, ...keys.filter((k) => k !== 'epoch').map((k) => filters[k] ?? '')]);

const casesView = () => {
  const view = viewElement('cases');
  if (view.querySelector('#case')) return view;
  view.replaceChildren();
  listed = nothingListed;
  fill(view, {}, [make('h1', { class: 'spoken', tabindex: '-1' }, 'Cases'), make('div', { id: 'filters' }),
    make('div', { class: 'split' }, make('nav', { class: 'list', 'aria-label': 'Cases' }), make('article', { id: 'case' }))]);
  const partial = document.querySelector('p.partial');
  if (partial) view.querySelector('h1').after(partial.cloneNode(true));
  return view;
};

const replaceContent = (element, content) => {
  const focused = element.contains(document.activeElement) ? document.activeElement.id : '';
  element.replaceChildren();
  fill(element, {}, content);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
};

// Shows the list of a selection, unless it is already shown.
const showList = (view, selection) => {
  const key = listKey(selection);
  if (listed.key === key) return;
  const render = (newKey) => {
    listed = { ...listed, key: newKey, selection, list: caseList(selection) };
    replaceContent(view.querySelector('.list'), listed.list.elements);
  };
  const search = (q) => {
    const filters = { ...selection.filters, q };
    Object.assign(selection, { filters, list: sorted(matching(selection.suite, selection.rows, filters), filters.sort) });
    history.replaceState(null, '', listed.id ? caseAddress(filters, listed.id) : listAddress(filters));
    view.querySelector('.buttons').replaceWith(segments(selection));
    render(listKey(selection));
    const position = markCurrent(listed.index);
    view.querySelector('.steps')?.replaceWith(positionLinks(selection, position));
  };
  replaceContent(view.querySelector('#filters'), [filterForm(selection, () => listed.id, search)]);
  render(key);
};

// Marks the row of a case, scrolls the list to it, and returns its position in the list.
const markCurrent = (index) => {
  listed = { ...listed, index };
  const { position, current } = listed.list.show(index);
  const scroller = current?.closest('.rows');
  if (current && scroller.scrollHeight > scroller.clientHeight + 1) {
    const [row, box] = [current.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const bottom = Math.min(box.bottom, innerHeight);
    if (row.top < box.top) scroller.scrollTop += row.top - box.top;
    else if (row.bottom > bottom) scroller.scrollTop += row.bottom - bottom;
  }
  return position;
};

// Opens the case before or after the current one. Without a current case in the list, the next one is
// the first.
const openNeighbor = (by) => {
  const { selection, index } = listed;
  const position = selection ? selection.list.findIndex((row) => row.index === index) : -1;
  const row = position < 0 && by < 0 ? undefined : selection?.list[position + by];
  if (row) go(rowAddress(selection, row));
};

// On wide screens, the first case of the list is shown if the address selects none. The grid takes
// the room of the case.
const isWide = () => matchMedia('(min-width: 1121px)').matches;

const caseOfAddress = (selection, values) => {
  const opened = values.kind === 'case' ? selectCase(selection, values) : null;
  const [first] = opened || selection.isGrid || !isWide() ? [] : selection.list;
  if (!first) return { opened, at: opened };
  return { opened, at: selectCase(selection, { suite: selection.suite.name, id: first.id, epoch: String(shownTrial(selection, first).epoch) }) };
};

// Shows the list and the case of an address. isCurrent() is false if another address was opened
// meanwhile. reveal(view) is called as soon as the list is complete. Returns the id of the opened
// case, '' for none.
const showCases = async (values, isCurrent, reveal) => {
  const selection = await select(values);
  if (!isCurrent()) return '';
  const view = casesView();
  if (!selection.condition) {
    replaceContent(view.querySelector('#filters'), [make('p', {}, 'This run has no cases.')]);
    reveal(view);
    return '';
  }
  const { opened, at } = caseOfAddress(selection, values);
  const article = view.querySelector('#case');
  listed = { ...listed, id: opened?.id ?? '' };
  showList(view, selection);
  view.classList.toggle('opened', Boolean(opened));
  view.classList.toggle('grid', selection.isGrid);
  reveal(view);
  const position = markCurrent(at?.index ?? -1);
  if (!at) {
    replaceContent(article, selection.list.length > 0 ? [] : [make('p', { class: 'm' }, 'No case matches the filters.')]);
    return '';
  }
  const show = async (complete) => {
    const elements = await caseElements(at, position, complete, () => show(true));
    if (isCurrent()) replaceContent(article, elements);
  };
  await show(false);
  return listed.id;
};
