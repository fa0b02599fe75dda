// Shows the view of the address, and handles the keyboard.

const views = () => [...document.querySelectorAll('[data-view]')];

// The element of a view, created if the page does not have it.
const viewElement = (id) => {
  const existing = document.getElementById(id);
  if (existing) return existing;
  const section = make('section', { id, 'data-view': id });
  (document.querySelector('main') ?? document.body).append(section);
  return section;
};

const elementOf = (path) => document.getElementById(path.slice(1)) ?? document.getElementById(unescape(path.slice(1)));

const viewOf = (path) => elementOf(path)?.closest('[data-view]');

// Marks the link of the view in the navigation of the page.
const markNavigation = (view) => {
  for (const a of document.querySelectorAll('header a, body > nav a')) {
    const address = a.getAttribute('href');
    const isShown = view.id === 'cases' ? address.startsWith('#cases') :
      viewOf(address) === view || address === '#compare' && view.id.startsWith('compare/');
    if (!isShown) a.removeAttribute('aria-current');
    else a.setAttribute('aria-current', 'page'), a.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }
};

const pageTitle = document.title;

const reveal = (view) => {
  for (const v of views()) v.hidden = v !== view;
  markNavigation(view);
};

const setTitle = (view, id) => {
  const text = id || view.querySelector('h1')?.textContent;
  document.title = text && view !== views()[0] ? clean(text) + ' · ' + pageTitle : pageTitle;
};

// Moves the focus to the heading of the view, or of the open case.
const focusHeading = (view, id) => {
  const heading = id ? view.querySelector('#case h2') : view.querySelector('h1');
  scrollTo({ top: 0, behavior: 'instant' });
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
};

const cannotDecompress = () => [make('h1', {}, 'Cases'), make('p', {},
  'This browser cannot decompress the cases of this file (it has no DecompressionStream). To show a case, run: evalctl show RUN CASE.')];

const cannotRead = (err) => [make('h1', {}, 'Cases'), make('p', { class: 'wrong' }, 'The data of this file cannot be read: ', err.message)];

const showMessage = (elements) => {
  const view = viewElement('cases');
  view.replaceChildren();
  fill(view, {}, elements);
  reveal(view);
};

// Why another view is shown than that of the address; '': it is the same.
const explanation = (values, view, id) => {
  if (values.kind === 'case' && view.id === 'cases' && !id) return 'No such case: ' + values.id;
  if (values.path.startsWith('#suite/') && !elementOf(values.path)) return 'No such suite: ' + unescape(values.path.slice('#suite/'.length));
  return '';
};

const showNotice = (view, text) => {
  document.getElementById('notice')?.remove();
  if (text) view.querySelector('h1')?.after(make('p', { id: 'notice', class: 'wn', role: 'status' }, text));
};

let latest = 0;
let shown = { view: null, id: '' };

// Shows the view of the cases. Returns the id of the opened case, '' for none; undefined: the file
// has no cases, or another address was opened meanwhile.
const showCasesView = async (values, isCurrent) => {
  if (!canDecompress()) return showMessage(cannotDecompress()) ?? '';
  try {
    if (!await part('meta')) return undefined;
    return await showCases(values, isCurrent, reveal);
  } catch (err) {
    if (isCurrent()) showMessage(cannotRead(err));
    return '';
  }
};

const route = async (first) => {
  const number = ++latest;
  const top = history.state?.top; // only after "back" or a reload: an entry of the history that is new has no state
  const values = parseAddress(location.hash || '#' + views()[0].id);
  const element = values.kind === 'element' ? elementOf(values.path) : null;
  const within = element?.closest('[data-view]');
  if (element && !within && shown.view) return; // an element that is part of all views
  const id = values.kind === 'element' ? undefined : await showCasesView(values, () => number === latest);
  if (number !== latest) return;
  const view = id !== undefined ? viewElement('cases') : within ?? views()[0];
  const isMoved = view !== shown.view || (id ?? '') !== shown.id;
  shown = { view, id: id ?? '' };
  if (id === undefined) reveal(view);
  showNotice(view, explanation(values, view, id));
  setTitle(view, id);
  if (isMoved && !first) focusHeading(view, id);
  document.documentElement.dataset.shown = location.hash; // for tests, which wait for it
  if (within && element !== view) element.scrollIntoView();
  else if (top > 0) scrollTo({ top, behavior: 'instant' });
};

const isTyping = (e) => e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea, [contenteditable]');

const focusSearch = () => document.getElementById('by-q')?.focus();

const press = (e) => {
  if (isTyping(e)) return;
  const isCases = shown.view?.id === 'cases';
  if (e.key === '/') {
    e.preventDefault();
    if (isCases && document.getElementById('by-q')?.checkVisibility()) focusSearch();
    else {
      go(isCases && listed.selection ? listAddress(listed.selection.filters) : '#cases');
      searchRequested = true;
    }
  }
  if (isCases && e.key === 'j') openNeighbor(1);
  if (isCases && e.key === 'k') openNeighbor(-1);
};

let searchRequested = false; // the key "/" was pressed in another view

document.documentElement.classList.add('scripted');
startTheme();
viewElement('cases');
history.scrollRestoration = 'manual'; // the browser would restore the position before the view exists
addEventListener('scrollend', () => history.replaceState({ ...history.state, top: scrollY }, ''));
addEventListener('hashchange', async () => {
  await route(false);
  if (searchRequested) focusSearch();
  searchRequested = false;
});
addEventListener('keydown', press);
document.querySelector('.skip')?.addEventListener('click', (e) => { // the link is not the address of a view
  e.preventDefault();
  document.querySelector('main').focus();
});
for (const v of views()) v.hidden = true; // until the view of the address is complete
route(true);
