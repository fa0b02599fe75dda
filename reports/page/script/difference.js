// The differences of two texts, word by word. Chinese is compared character by character.

const maxWords = 1000;

const words = (text) => text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+|\s+|./gsu) ?? [];

// The lengths of the longest common subsequences of all ends of two lists.
const lengths = (a, b) => {
  const wide = b.length + 1;
  const table = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * wide + j] = a[i] === b[j] ? table[(i + 1) * wide + j + 1] + 1 : Math.max(table[(i + 1) * wide + j], table[i * wide + j + 1]);
    }
  }
  return (i, j) => table[i * wide + j];
};

// The text, with the words marked that the other text does not contain in the same order. Long texts
// are not compared.
const markDifferences = (text, other) => {
  const a = words(clean(text));
  const b = words(clean(other));
  if (a.length > maxWords || b.length > maxWords) return [text];
  const length = lengths(a, b);
  const parts = [];
  const add = (word, own) => {
    const last = parts.at(-1);
    if (last && last.own === own) last.text += word; else parts.push({ text: word, own });
  };
  for (let i = 0, j = 0; i < a.length;) {
    if (j < b.length && a[i] === b[j]) { add(a[i], false); i++; j++; }
    else if (j < b.length && length(i, j + 1) > length(i + 1, j)) j++;
    else { add(a[i], true); i++; }
  }
  for (const [i, p] of parts.entries()) p.own ||= i > 0 && i < parts.length - 1 && p.text.length === 1; // a single common character is no similarity
  return parts.map((p) => p.own && p.text.trim() ? make('mark', {}, p.text) : p.text);
};
