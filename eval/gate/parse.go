package gate

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse reads one rule. The error is a [*SyntaxError].
func Parse(text string) (Rule, error) {
	p := parser{text: text}
	r := p.rule()
	if p.err != nil {
		return Rule{}, p.err
	}
	return r, nil
}

// parser keeps the first error; after it, nothing more is read.
type parser struct {
	text string
	at   int
	err  *SyntaxError
}

func (p *parser) rule() Rule {
	var r Rule
	p.encoding()
	p.space()
	if p.err == nil && p.rest() == "" {
		p.fail(p.at, "empty rule, want METRIC OP NUMBER such as route.accuracy >= 90%%")
	}
	r.Metric = p.metric()
	if p.take("{") {
		p.selector(&r)
	}
	r.Op = p.op()
	r.Limit = p.number(r.Metric)
	if p.space(); p.rest() != "" {
		p.fail(p.at, "unexpected text after the rule")
	}
	return r
}

func (p *parser) encoding() {
	for i, c := range p.text {
		if _, size := utf8.DecodeRuneInString(p.text[i:]); c == utf8.RuneError && size == 1 {
			p.fail(i, "not UTF-8")
		}
	}
}

// metric is a name of at least two parts; all metrics have a family.
func (p *parser) metric() string {
	p.space()
	start := p.at
	name := p.name("a metric such as route.accuracy")
	first, _ := utf8.DecodeRuneInString(name)
	parts := strings.Split(name, ".")
	if !unicode.IsLetter(first) || len(parts) < 2 || strings.Contains("."+name+".", "..") {
		p.fail(start, "%q is not a metric, want one such as route.accuracy", name)
	}
	return name
}

// selector reads on behind the opening brace.
func (p *parser) selector(r *Rule) {
	for p.err == nil {
		p.pair(r)
		if p.take("}") {
			return
		}
		if !p.take(",") {
			p.fail(p.at, `want , or } here; a name with blanks or signs is quoted, as in variant="model=a"`)
		}
	}
}

func (p *parser) pair(r *Rule) {
	p.space()
	start := p.at
	key := p.name("suite, variant or fault")
	field := map[string]*string{"suite": &r.Suite, "variant": &r.Variant, "fault": &r.Fault}[key]
	if field == nil {
		p.fail(start, "unknown key %q, want suite, variant or fault", key)
		return
	}
	if *field != "" {
		p.fail(start, "%s is given twice", key)
	}
	if !p.take("=") {
		p.fail(p.at, "want = after %s", key)
	}
	p.space()
	start = p.at
	if *field = p.name("the name of a " + key); *field == "" {
		p.fail(start, "an empty name selects nothing")
	}
}

func (p *parser) op() Op {
	p.space()
	for _, o := range ops() {
		if p.take(string(o)) {
			return o
		}
	}
	p.fail(p.at, "want >=, >, <=, <, == or != here")
	return ""
}

// name reads a quoted or a plain name.
func (p *parser) name(want string) string {
	p.space()
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quotedName()
	}
	rest := p.rest()
	end := strings.IndexFunc(rest, endsName)
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		p.fail(p.at, "want %s here", want)
	}
	p.at += end
	return rest[:end]
}

func (p *parser) quotedName() string {
	literal, err := strconv.QuotedPrefix(p.rest())
	if err != nil {
		p.fail(p.at, "this quote is not closed, or has a bad escape")
		return ""
	}
	name, err := strconv.Unquote(literal)
	if err != nil {
		p.fail(p.at, "bad escape in quotes")
	}
	p.at += len(literal)
	return name
}

// number reads up to the next space.
func (p *parser) number(metric string) float64 {
	p.space()
	rest := p.rest()
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	v, err := numberOf(rest[:end], isTime(metric))
	if err != nil {
		p.fail(p.at, "%v", err)
	}
	p.at += end
	return v
}

// numberOf reads a decimal; a percentage, unless it is to be a time; or a duration, if
// it is.
func numberOf(word string, timed bool) (float64, error) {
	if isDecimal(word) {
		return parseFinite(word)
	}
	// Shifting the point in the text keeps 99.9% equal to 0.999; dividing does not.
	if digits, ok := strings.CutSuffix(word, "%"); ok && isDecimal(digits) {
		if timed {
			return 0, fmt.Errorf("a time has no percentage, want a duration such as 3s or 500ms")
		}
		return parseFinite(digits + "e-2")
	}
	if d, err := time.ParseDuration(word); err == nil && d >= 0 {
		if !timed {
			return 0, fmt.Errorf("this metric is not a time, want a number such as 0.9 or 90%%")
		}
		return inMillis(d), nil
	}
	if timed {
		return 0, fmt.Errorf("want a duration such as 3s, or a number of milliseconds, here")
	}
	return 0, fmt.Errorf("want a number such as 0.9 or 90%% here")
}

func parseFinite(decimal string) (float64, error) {
	v, err := strconv.ParseFloat(decimal, 64)
	if err != nil {
		return 0, fmt.Errorf("this number is too large")
	}
	return v + 0, nil
}

// isDecimal: digits with at most one point between or beside them, and a sign. It
// leaves out what strconv reads besides: Inf, NaN, hexadecimal, exponents, underscores.
func isDecimal(word string) bool {
	if word != "" && strings.ContainsRune("+-", rune(word[0])) {
		word = word[1:]
	}
	whole, fraction, _ := strings.Cut(word, ".")
	return isDigits(whole + fraction)
}

func (p *parser) rest() string {
	if p.err != nil {
		return ""
	}
	return p.text[p.at:]
}

func (p *parser) space() {
	rest := p.rest()
	p.at += len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
}

// take reads the token if it comes next.
func (p *parser) take(token string) bool {
	p.space()
	if !strings.HasPrefix(p.rest(), token) {
		return false
	}
	p.at += len(token)
	return true
}

func (p *parser) fail(at int, problem string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Rule: p.text, Offset: at, Problem: fmt.Sprintf(problem, args...)}
	}
}
