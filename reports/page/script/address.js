// Addresses of views, in the same form as address.go writes them: default values are omitted, and
// every part is percent-encoded.

const keys = ['suite', 'variant', 'fault', 'result', 'change', 'expected', 'predicted', 'tag', 'q', 'sort', 'view', 'with', 'epoch'];

const escape = (text) => encodeURIComponent(String(text).replace(/\p{Cs}/gu, '\ufffd'))
  .replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

const unescape = (text) => {
  try { return decodeURIComponent(text); } catch { return text; }
};

const query = (values, without) => {
  const parts = keys.filter((k) => values[k] && !without.includes(k)).map((k) => k + '=' + escape(values[k]));
  return parts.length > 0 ? '?' + parts.join('&') : '';
};

const listAddress = (values) => '#cases' + query(values, ['with', 'epoch']);

const caseAddress = (values, id) => '#case/' + escape(values.suite) + '/' + escape(id) + query(values, ['suite']);

// The parts of an address: {kind, path, id, …keys}. The kind "element" shows the element with the id.
const parseAddress = (hash) => {
  const [path, rest] = hash.split(/\?(.*)/s);
  const values = { kind: 'element', path };
  for (const pair of (rest ?? '').split('&')) {
    const [key, value] = pair.split(/=(.*)/s);
    if (keys.includes(key)) values[key] = unescape((value ?? '').replaceAll('+', ' '));
  }
  const parts = path.split('/');
  if (path === '#cases') return { ...values, kind: 'cases' };
  if (parts[0] === '#case') return { ...values, kind: 'case', suite: unescape(parts[1] ?? ''), id: unescape(parts[2] ?? '') };
  return values;
};

const go = (address) => { location.hash = address; };
