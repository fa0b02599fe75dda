// Creates elements. No other file creates any. Names are literals of this script, texts become text
// nodes, and addresses and images are checked.

const imagePattern = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;

const allowedAttributes = new Set([
  'alt', 'aria-current', 'aria-expanded', 'aria-hidden', 'aria-label', 'aria-live', 'autocomplete', 'class', 'colspan', 'data-view', 'dir', 'for', 'height',
  'hidden', 'href', 'id', 'name', 'open', 'placeholder', 'role', 'rx', 'scope', 'selected', 'spellcheck', 'src', 'tabindex', 'text-anchor', 'title', 'type', 'value',
  'width', 'x', 'x1', 'x2', 'y', 'y1', 'y2',
]);

const put = (node, name, value) => {
  if (!allowedAttributes.has(name)) throw new Error('attribute not allowed: ' + name);
  if (name === 'href' && !/^#[a-z]/.test(value)) throw new Error('not the address of a view');
  if (name === 'src' && !imagePattern.test(value)) throw new Error('not an image');
  node.setAttribute(name, value === true ? '' : clean(value));
};

const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== null && value !== false) put(node, name, value);
  }
  for (const child of children.flat(4)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return node;
};

const make = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

const draw = (name, attributes, ...children) => fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

const button = (text, press, attributes) => {
  const b = make('button', { type: 'button', ...attributes }, text);
  b.addEventListener('click', () => press(b));
  return b;
};

// A native select of [value, text] pairs. Values are indexes in the list, so that no text of the data
// is stored in an attribute.
const choice = (id, label, list, chosen, choose) => {
  const s = make('select', { id }, list.map(([, text], i) => make('option', { value: i }, text)));
  s.selectedIndex = Math.max(0, list.findIndex(([value]) => value === chosen));
  s.addEventListener('change', () => choose(list[s.selectedIndex][0]));
  return make('p', { class: 'field' }, make('label', { for: id }, label), s);
};

// A text of an agent or a user, which has its own direction.
const freeText = (name, attributes, ...text) => make(name, { dir: 'auto', ...attributes }, text);

// A name that may break after "_" and "/".
const breakable = (name) => name.split(/(?<=[_/])/).flatMap((part, i) => i > 0 ? [make('wbr'), part] : [part]);
