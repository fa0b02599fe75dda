package scorer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wording is a text in normalized form, for comparing facts with answers. It is a sequence of
// words, numbers, units and Chinese characters, without case, width, spaces and punctuation. A
// number has the same form however it is written: in digits, words or Chinese numerals, with
// thousands separators, 万, 亿, million or 10⁶. So has a unit, and the currency before a number.
type wording struct {
	form   string  // text of all tokens, with a separator between adjacent numbers
	tokens []token // tokens in the order of the text
}

type token struct {
	at, end int // start and end of the token in form
	kind    tokenKind
	link    link // what is between this token and the previous one
	mark    rune // punctuation between this token and the previous one that ends a clause; 0: none
}

type tokenKind int

const (
	sign      tokenKind = iota // one of % ‰ < > ≤ ≥ ±
	character                  // character of a script without an alphabet, such as Chinese
	word
	figure
	unitOf // unit of the number before it
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

// power and sameThings match notations that are replaced by an equivalent one.
var (
	power      = regexp.MustCompile(`([0-9])\s*[×x*·⋅]\s*10\^([+-]?[0-9])`)
	sameThings = strings.NewReplacer("−", "-", "‐", "-", "<=", "≤", ">=", "≥", "per cent", "percent",
		"n't", " not", "n’t", " not", "cannot", "can not")
)

func folded(text string) string {
	text = sameThings.Replace(strings.ToLower(norm.NFKC.String(protectFigures(text))))
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
		case (r == '\u2009' || r == '\u202f' || r == '\u00a0') && isASCIIDigit(before) && isASCIIDigit(after):
		case (r == '⁻' || r == '⁺') && unicode.Is(unicode.No, after):
			b.WriteRune('^')
			b.WriteRune(r)
		case vulgarFractions[r] != "":
			if !isASCIIDigit(before) {
				b.WriteRune('0')
			}
			b.WriteString(vulgarFractions[r])
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

// vulgarFractions are the decimals of the fractions that are one character: 1½ is 1.5.
var vulgarFractions = map[rune]string{'½': ".5", '¼': ".25", '¾': ".75"}

func isASCIIDigit(r rune) bool { return '0' <= r && r <= '9' }

func wordingOf(text string) wording {
	r := wordingReader{rest: folded(text), between: apart}
	for r.rest != "" {
		r.next()
	}
	return wording{form: string(r.form), tokens: r.tokens}
}

// wordingReader splits a text into tokens.
type wordingReader struct {
	rest    string // text that is not yet read
	before  rune   // character in front of rest
	between link   // what was read since the last token
	mark    rune   // punctuation since the last token that ends a clause
	isRatio bool   // a slash was read directly after a number
	form    []byte
	tokens  []token
}

// next reads a token, or a character between tokens.
func (r *wordingReader) next() {
	first, n := utf8.DecodeRuneInString(r.rest)
	if r.readNumber() {
		return
	}
	name, size := readUnit(r.rest)
	switch {
	case size > longestSymbol:
		r.add(unitOf, name, size)
	case alphabetic(first):
		r.add(word, "", len(leadingWord(r.rest)))
	case unicode.IsLetter(first):
		r.add(character, "", n)
	case strings.ContainsRune("%‰<>≤≥±", first):
		r.add(sign, "", n)
	default:
		r.skip(first, n)
	}
}

// skip reads a character that is not part of a token.
func (r *wordingReader) skip(c rune, n int) {
	r.isRatio = c == '/' && r.between == none && r.lastKind() == figure
	switch {
	case c == '-' && r.between == none:
		r.between = hyphen
	case c == ' ' && (r.between == none || r.between == blank):
		r.between = blank
	default:
		r.between = apart
	}
	if strings.ContainsRune(clauseMarks, c) && (r.mark == 0 || c == '\n') {
		r.mark = c
	}
	r.advance(n)
}

func (r *wordingReader) advance(n int) {
	if n > 0 {
		r.before, _ = utf8.DecodeLastRuneInString(r.rest[:n])
		r.rest = r.rest[n:]
	}
}

// add adds a token for the next n bytes of the text. If form is "", the form is these bytes.
func (r *wordingReader) add(kind tokenKind, form string, n int) {
	if form == "" {
		form = r.rest[:n]
	}
	if kind == figure {
		r.joinFigures()
		switch {
		case r.lastKind() != figure:
		case r.isRatio: // 14/52 is 14 of 52
			at := len(r.form)
			r.form = append(r.form, "of"...)
			r.tokens = append(r.tokens, token{at: at, end: len(r.form), kind: word})
		default:
			r.form = append(r.form, '|')
		}
	}
	at := len(r.form)
	r.form = append(r.form, form...)
	r.tokens = append(r.tokens, token{
		at:   at,
		end:  len(r.form),
		kind: kind,
		link: r.between,
		mark: r.mark,
	})
	r.between, r.mark, r.isRatio = none, 0, false
	r.advance(n)
}

// lastKind returns the kind of the last token; -1 if there is none.
func (r *wordingReader) lastKind() tokenKind {
	if len(r.tokens) == 0 {
		return -1
	}
	return r.tokens[len(r.tokens)-1].kind
}

// readNumber reads a number with its unit. A currency before the number is added after it.
func (r *wordingReader) readNumber() bool {
	currency := ""
	if !alphabetic(r.before) {
		var n int
		currency, n = readCurrency(r.rest)
		r.advance(n)
	}
	value, n := "", 0
	if startsNumber(r.rest, r.before) {
		value, n = readNumber(r.rest)
		if strings.HasPrefix(r.rest[n:], " and a half") && integer(value) > 0 {
			value, n = withHalf(int(integer(value)), r.rest, n)
		}
	} else if value, n = readHalfUnit(r.rest, r.before); n == 0 {
		if value, n = readNumberInWords(r.rest); n > 0 {
			r.between = apart // a number in words is not part of a name
		}
	}
	switch {
	case n == 0:
		return false
	case value == "":
		r.add(character, "", n)
		return true
	}
	value, isPercent := strings.CutSuffix(value, "%")
	if percent, size := readTenths(value, r.rest[n:]); size > 0 {
		value, n, isPercent = percent, n+size, true
	}
	unit, size := unitAfter(r.rest[n:])
	if currency != "" {
		unit, size = currency, 0
	}
	half := 0
	if rest, ok := strings.CutPrefix(r.rest[n:], "个半"); ok { // 一个半小时, 一个半月
		if name, length := readUnit(rest); length > 0 {
			value, unit, size = plusHalf(value), name, len("个半")+length
		} else if strings.HasPrefix(rest, "月") {
			value, unit, size = plusHalf(value), "month", len("个半月")
		}
	} else if unit != "" {
		if half = halfLength(r.rest[n+size:]); half > 0 { // two hours and a half, 一天半
			value = plusHalf(value)
		}
	}
	r.add(figure, value, n)
	switch {
	case isPercent:
		r.add(sign, "%", 0)
	case unit == "%":
		r.add(sign, unit, size)
	case unit != "":
		r.add(unitOf, unit, size)
		r.advance(half)
	}
	return true
}

// unitAfter returns the unit after a number, or % for "percent", with its length. A blank, a hyphen and emphasis may be
// before it.
func unitAfter(text string) (unit string, n int) {
	rest := strings.TrimLeft(text, "*_")
	if rest != "" && strings.ContainsRune(" -", rune(rest[0])) {
		rest = strings.TrimLeft(rest[1:], "*_")
	}
	before := len(text) - len(rest)
	if unit, n := readUnit(rest); n > 0 {
		return unit, before + n
	}
	if leadingWord(rest) == "percent" {
		return "%", before + len("percent")
	}
	return "", 0
}

// joinFigures replaces the words between the last number and the next one: "3 to 5" is 3–5, and "3
// out of the 5" is "3 of 5".
func (r *wordingReader) joinFigures() {
	const longest = 3 // words
	first := len(r.tokens)
	for first > 0 && len(r.tokens)-first < longest {
		if kind := r.tokens[first-1].kind; kind != word && kind != character {
			break
		}
		first--
	}
	if first == 0 || first == len(r.tokens) || r.mark != 0 ||
		slices.ContainsFunc(r.tokens[first:], func(t token) bool { return t.mark != 0 }) {
		return
	}
	at := r.tokens[first].at
	switch string(r.form[at:]) {
	case "to", "至", "到":
		r.tokens, r.form = r.tokens[:first], r.form[:at]
	case "ofthe", "ofall", "ofallthe", "outof", "outofthe":
		r.tokens, r.form = r.tokens[:first+1], append(r.form[:at], "of"...)
		r.tokens[first].end = at + len("of")
	}
}

func partOfWord(r rune) bool { return alphabetic(r) || unicode.IsMark(r) }

// has reports whether the text contains a fact as whole tokens.
//
//   - ResNet does not contain net, and 120 does not contain 12.
//   - A plural s is ignored, but not after a short unit: 2.6 ms does not contain 2.6 m.
//   - A fact that the text denies does not count.
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
	last := first
	for w.tokens[last].end < end {
		last++
	}
	if w.isDenied(first, last) {
		return false
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
