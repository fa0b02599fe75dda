package scorer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wording is a text in normalized form, for comparing facts with answers. It is a sequence of
// words, numbers and Chinese characters, without case, width, spaces and punctuation. A number has
// the same form however it is written: with thousands separators, 万, 亿, million or 10⁶.
type wording struct {
	form   string  // text of all tokens, with a separator between adjacent numbers
	tokens []token // tokens in the order of the text
}

type token struct {
	at, end int // start and end of the token in form
	kind    tokenKind
	link    link // what is between this token and the previous one
}

type tokenKind int

const (
	sign      tokenKind = iota // one of % ‰ < > ≤ ≥ ±
	character                  // character of a script without an alphabet, such as Chinese
	word
	figure
)

// link describes what is between two tokens in the text.
type link int

const (
	apart link = iota
	blank      // only spaces
	hyphen
	none
)

// isName reports whether two tokens with this link between them are one name, such as GPT-4.
func (l link) isName() bool { return l == hyphen || l == none }

// power, hundredth and sameThings match notations that are replaced by an equivalent one.
var (
	power      = regexp.MustCompile(`([0-9])\s*[×x*·⋅]\s*10\^([+-]?[0-9])`)
	hundredth  = regexp.MustCompile(`百分之\s*([0-9][0-9.,]*)`)
	sameThings = strings.NewReplacer("−", "-", "‐", "-", "<=", "≤", ">=", "≥", "per cent", "percent")
)

func folded(text string) string {
	text = sameThings.Replace(strings.ToLower(norm.NFKC.String(protectFigures(text))))
	if strings.Contains(text, "百分之") {
		text = hundredth.ReplaceAllString(text, "$1%")
	}
	if strings.Contains(text, "10^") {
		text = power.ReplaceAllString(text, "${1}e$2")
	}
	return text
}

// protectFigures changes numbers so that NFKC normalization does not change their meaning. NFKC
// would join a superscript with the digits before it, and turn a full-width comma into a thousands
// separator. It would also turn a thin space, which separates thousands, into a normal space.
func protectFigures(text string) string {
	var b strings.Builder
	text = strings.ToValidUTF8(text, string(unicode.ReplacementChar))
	b.Grow(len(text))
	before := rune(0)
	for i, r := range text {
		if r < utf8.RuneSelf || unicode.Is(unicode.Han, r) {
			b.WriteRune(r)
			before = r
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case r == '，' && isASCIIDigit(before):
			b.WriteRune('、')
		case (r == '\u2009' || r == '\u202f') && isASCIIDigit(before) && isASCIIDigit(after):
		case (r == '⁻' || r == '⁺') && unicode.Is(unicode.No, after):
			b.WriteRune('^')
			b.WriteRune(r)
		case unicode.Is(unicode.No, r):
			if !unicode.Is(unicode.No, before) && before != '⁻' && before != '⁺' {
				b.WriteRune('^')
			}
			b.WriteRune(r)
			if !unicode.Is(unicode.No, after) {
				b.WriteRune(' ')
			}
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func isASCIIDigit(r rune) bool { return '0' <= r && r <= '9' }

func wordingOf(text string) wording {
	var w wording
	var form strings.Builder
	rest := folded(text)
	// between is the link since the last token; before is the character in front of rest
	between, before := apart, rune(0)
	add := func(kind tokenKind, text string) {
		if last := len(w.tokens) - 1; kind == figure && last >= 0 && w.tokens[last].kind == figure {
			form.WriteByte('|')
		}
		at := form.Len()
		form.WriteString(text)
		w.tokens = append(w.tokens, token{
			at:   at,
			end:  form.Len(),
			kind: kind,
			link: between,
		})
		between = none
	}
	for rest != "" {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case startsNumber(rest, before):
			var value string
			value, n = readNumber(rest)
			add(figure, value)
		case alphabetic(r):
			n = len(rest) - len(strings.TrimLeftFunc(rest, partOfWord))
			if last := len(w.tokens) - 1; rest[:n] == "percent" && last >= 0 && w.tokens[last].kind == figure {
				add(sign, "%")
			} else {
				add(word, rest[:n])
			}
		case unicode.IsLetter(r):
			add(character, rest[:n])
		case strings.ContainsRune("%‰<>≤≥±", r):
			add(sign, rest[:n])
		case r == '-' && between == none:
			between = hyphen
		case r == ' ' && (between == none || between == blank):
			between = blank
		default:
			between = apart
		}
		before, _ = utf8.DecodeLastRuneInString(rest[:n])
		rest = rest[n:]
	}
	w.form = form.String()
	return w
}

func partOfWord(r rune) bool { return alphabetic(r) || unicode.IsMark(r) }

// has reports whether the text contains a fact as whole tokens.
//
//   - ResNet does not contain net, and 120 does not contain 12.
//   - A plural s is ignored, but not after a short unit: 2.6 ms does not contain 2.6 m.
//   - A word directly after not, 不, 未 or 无 is negated and does not count.
//   - A number in a name counts only with the whole name: ResNet-50 does not contain 50.
func (w wording) has(fact wording) bool {
	first := 0 // first token at which the fact may start
	for from := 0; from < len(w.form); {
		i := strings.Index(w.form[from:], fact.form)
		if i < 0 {
			return false
		}
		begin, end := from+i, from+i+len(fact.form)
		for first < len(w.tokens) && w.tokens[first].at < begin {
			first++
		}
		if first < len(w.tokens) && w.tokens[first].at == begin && w.isWhole(first, end) {
			return true
		}
		_, n := utf8.DecodeRuneInString(w.form[begin:])
		from = begin + n
	}
	return false
}

// isWhole reports whether the text from token first to position end is complete: it is not negated
// and not part of a longer word, number or name.
func (w wording) isWhole(first, end int) bool {
	if t := w.tokens[first]; t.kind == figure && t.link.isName() && first > 0 && w.tokens[first-1].kind == word {
		return false
	}
	if w.isNegated(first) {
		return false
	}
	last := first
	for w.tokens[last].end < end {
		last++
	}
	t := w.tokens[last]
	if t.end > end {
		isUnit := last > 0 && w.tokens[last-1].kind == figure && end-t.at <= longestUnit
		return t.kind == word && w.form[end:t.end] == "s" && !isUnit
	}
	if last == 0 || last+1 == len(w.tokens) || t.kind != figure {
		return true
	}
	next := w.tokens[last+1]
	isNamed := t.link.isName() && w.tokens[last-1].kind == word
	return !(isNamed && next.kind == word && next.link == none)
}

// longestUnit is the maximum length of a unit after a number, in bytes.
const longestUnit = 2

// isNegated reports whether a word directly follows a negation. Numbers are never negated.
func (w wording) isNegated(at int) bool {
	t := w.tokens[at]
	if at == 0 || t.kind != word && t.kind != character || t.link == apart {
		return false
	}
	switch before := w.tokens[at-1]; w.form[before.at:before.end] {
	case "not", "不", "未", "无":
		return true
	}
	return false
}
