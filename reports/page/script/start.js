// Which view is shown, and the keys.

const views = () => [...document.querySelectorAll('[data-view]')];

const madeView = (id) => {
  const there = document.getElementById(id);
  if (there) return there;
  const section = make('section', { id, 'data-view': id });
  (document.querySelector('main') ?? document.body).append(section);
  return section;
};

const elementOf = (path) => document.getElementById(path.slice(1)) ?? document.getElementById(unescape(path.slice(1)));

const viewOf = (path) => elementOf(path)?.closest('[data-view]');

const isData = (view) => view.id === 'cases' || view.id === 'case';

// Marks the link of the view in the page's navigation.
const current = (view) => {
  for (const a of document.querySelectorAll('header a, body > nav a')) {
    const own = a.getAttribute('href');
    const here = isData(view) ? own.startsWith('#cases') : viewOf(own) === view;
    if (!here) a.removeAttribute('aria-current');
    else a.setAttribute('aria-current', 'page'), a.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }
};

const firstTitle = document.title;

const reveal = (view, focus) => {
  for (const v of views()) v.hidden = v !== view;
  const h1 = view.querySelector('h1');
  document.title = h1 && view !== views()[0] ? clean(h1.textContent) + ' · ' + firstTitle : firstTitle;
  current(view);
  if (!focus) return;
  scrollTo({ top: 0, behavior: 'instant' });
  h1?.setAttribute('tabindex', '-1');
  h1?.focus({ preventScroll: true });
};

const tooOld = () => [make('h1', {}, 'Cases'), make('p', {},
  'This browser cannot unpack the cases of this file (no DecompressionStream). To show a case, run: evalctl show RUN CASE.')];

const unreadable = (err) => [make('h1', {}, 'Cases'), make('p', { class: 'wrong' }, 'The data of this file cannot be read: ', err.message)];

// The view of the data that is asked for, and its elements; an unknown case falls back to
// the list. null: the file has no data.
const dataView = async (values) => {
  if (!canUnpack()) return { id: values.view, elements: tooOld() };
  if (!await part('meta')) return null;
  const elements = values.view === 'case' ? await caseView(values) : null;
  return elements ? { id: 'case', elements } : { id: 'cases', elements: await listView({ ...values, view: 'cases' }) };
};

// Why another view is shown than what was asked for; '': it is not.
const missing = (values, view) => {
  if (values.view === 'case' && view.id === 'cases') return 'No such case: ' + values.id;
  if (values.path.startsWith('#suite/') && view === views()[0]) return 'No such suite: ' + unescape(values.path.slice('#suite/'.length));
  return '';
};

const tell = (view, text) => {
  document.getElementById('notice')?.remove();
  if (text) view.querySelector('h1')?.after(make('p', { id: 'notice', class: 'warn', role: 'status' }, text));
};

let latest = 0;
let shown = null;

const fillView = ({ id, elements }) => {
  const section = madeView(id);
  const focused = section.contains(document.activeElement) ? document.activeElement.id : '';
  section.replaceChildren();
  fill(section, {}, elements);
  const partial = document.querySelector('p.partial');
  if (partial) section.querySelector('h1')?.after(partial.cloneNode(true));
  if (focused) document.getElementById(focused)?.focus();
  return section;
};

const route = async (first) => {
  const mine = ++latest;
  const values = asked(location.hash || '#overview');
  const element = values.view === 'element' ? elementOf(values.path) : null;
  const within = element?.closest('[data-view]');
  if (element && !within && shown) return; // the content, the button: they are on every view
  const data = values.view === 'element' ? null : await dataView(values).catch((err) => ({ id: values.view, elements: unreadable(err) }));
  if (mine !== latest) return; // asked for something else meanwhile
  const view = data ? fillView(data) : within ?? views()[0];
  const moved = view !== shown || view.id === 'case';
  shown = view;
  tell(view, missing(values, view));
  reveal(view, moved && !first);
  document.documentElement.dataset.shown = location.hash; // for who waits for it
  if (within && element !== view) element.scrollIntoView();
  else if (history.state?.top > 0) scrollTo({ top: history.state.top, behavior: 'instant' }); // gone back to, or loaded again
};

const typing = (e) => e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea, [contenteditable]');

const press = (e) => {
  if (typing(e)) return;
  if (e.key === '/') {
    e.preventDefault();
    if (shown?.id === 'cases') document.getElementById('by-q')?.focus();
    else go('#cases');
  }
  if (shown?.id !== 'case') return;
  if (e.key === 'j') document.getElementById('to-next')?.click();
  if (e.key === 'k') document.getElementById('to-previous')?.click();
};

document.documentElement.classList.add('scripted');
startTheme();
madeView('cases');
madeView('case');
history.scrollRestoration = 'manual'; // views come too late for the browser's own
addEventListener('scrollend', () => history.replaceState({ ...history.state, top: scrollY }, ''));
addEventListener('hashchange', () => route(false));
addEventListener('keydown', press);
document.querySelector('.skip')?.addEventListener('click', (e) => { // it is no address
  e.preventDefault();
  document.querySelector('main').focus();
});
route(true);
