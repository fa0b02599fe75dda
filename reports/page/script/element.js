// Elements are made here and nowhere else: of names that are written in this script, of
// text, and of addresses and pictures that are looked at.

const pictures = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;

const known = new Set([
  'alt', 'aria-current', 'aria-expanded', 'aria-hidden', 'aria-label', 'aria-live', 'autocomplete', 'class', 'colspan', 'data-view', 'dir', 'for', 'height',
  'hidden', 'href', 'id', 'name', 'open', 'placeholder', 'role', 'scope', 'selected', 'spellcheck', 'src', 'tabindex', 'title', 'type', 'value', 'width', 'x', 'y',
]);

const put = (node, name, value) => {
  if (!known.has(name)) throw new Error('no attribute ' + name);
  if (name === 'href' && !/^#[a-z]/.test(value)) throw new Error('no address of a view');
  if (name === 'src' && !pictures.test(value)) throw new Error('no image');
  node.setAttribute(name, value === true ? '' : clean(value));
};

const fill = (node, given, children) => {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value !== undefined && value !== null && value !== false) put(node, name, value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return node;
};

const make = (name, given, ...children) => fill(document.createElement(name), given, children);

const draw = (name, given, ...children) => fill(document.createElementNS('http://www.w3.org/2000/svg', name), given, children);

const button = (text, press, given) => {
  const b = make('button', { type: 'button', ...given }, text);
  b.addEventListener('click', () => press(b));
  return b;
};

// A native select of [value, words] pairs. Values are numbers of the list, so that no
// text of the data has to survive in an attribute.
const choice = (id, label, list, chosen, choose) => {
  const s = make('select', { id }, list.map(([, words], i) => make('option', { value: i }, words)));
  s.selectedIndex = Math.max(0, list.findIndex(([value]) => value === chosen));
  s.addEventListener('change', () => choose(list[s.selectedIndex][0]));
  return make('p', { class: 'field' }, make('label', { for: id }, label), s);
};

// The text of an agent or a user: its direction is its own.
const free = (name, given, ...text) => make(name, { dir: 'auto', ...given }, text);
