package gate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/eval/metric"
)

// Parse parses one gate rule, such as "route.accuracy >= 90%". declared contains the metrics of
// custom scorers, in addition to the catalog. The error is a [*SyntaxError].
func Parse(text string, declared ...metric.Def) (Rule, error) {
	p := parser{text: text, declared: declared}
	r := p.rule()
	if p.err != nil {
		return Rule{}, p.err
	}
	return r, nil
}

// parser is a recursive descent parser for one rule. It stores the first error and reads nothing
// after it.
type parser struct {
	text     string
	at       int
	declared []metric.Def
	err      *SyntaxError
}

func (p *parser) rule() Rule {
	var r Rule
	p.encoding()
	p.space()
	if p.err == nil && p.rest() == "" {
		p.fail(p.at, "empty rule, expected METRIC OP NUMBER such as route.accuracy >= 90%%")
	}
	if p.take("[") {
		p.tag(&r)
	}
	p.figure(&r)
	p.op(&r)
	p.limit(&r)
	p.options(&r)
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

// tag parses a tag selector after its opening bracket.
func (p *parser) tag(r *Rule) {
	if p.space(); !p.take("tag") || !p.take("=") {
		p.fail(p.at, "expected tag=NAME here")
	}
	p.space()
	start := p.at
	if r.Tag = p.name("the name of a tag"); r.Tag == "" {
		p.fail(start, "the name is empty")
	}
	if !p.take("]") {
		p.fail(p.at, "expected ] here")
	}
}

// figure parses the left side of a rule: a metric, or a comparison with the baseline run.
func (p *parser) figure(r *Rule) {
	p.space()
	start := p.at
	name := p.name("a metric such as route.accuracy")
	switch {
	case name == string(NewFailures):
		r.Comparison = NewFailures
	case p.take("("):
		r.Comparison = Comparison(name)
		if r.Comparison != Drop && r.Comparison != Ratio {
			p.fail(start, "unknown comparison %q, expected drop or ratio", name)
		}
		p.space()
		start = p.at
		p.metric(r, start, p.name("a metric such as route.accuracy"))
		p.compared(r, start)
	default:
		p.metric(r, start, name)
	}
	if p.take("{") {
		p.selector(r)
	}
	if r.Metric != "" && r.Comparison != "" && !p.take(")") {
		p.fail(p.at, "expected ) here")
	}
}

// compared returns an error for a metric that cannot be compared with the baseline run.
func (p *parser) compared(r *Rule, at int) {
	switch {
	case r.Comparison == Drop && r.figureOf().Comparison != metric.ByDrop:
		p.fail(at, "drop does not apply to %s, expected one of %s", r.Metric,
			strings.Join(metric.BuiltIn().ComparedKeys(metric.ByDrop), ", "))
	case r.Comparison == Ratio && r.figureOf().Comparison != metric.ByRatio:
		p.fail(at, "ratio does not apply to %s, expected one of %s", r.Metric,
			strings.Join(metric.BuiltIn().ComparedKeys(metric.ByRatio), ", "))
	}
}

// metric checks the name of a metric: a family and at least one more part, separated by dots.
func (p *parser) metric(r *Rule, at int, name string) {
	first, _ := utf8.DecodeRuneInString(name)
	parts := strings.Split(name, ".")
	if !unicode.IsLetter(first) || len(parts) < 2 || strings.Contains("."+name+".", "..") {
		p.fail(at, "%q is not a metric, expected one such as route.accuracy", name)
	}
	if key, old := metric.CurrentKey(name); old {
		p.fail(at, "the metric %s is now called %s", name, key)
	}
	r.Metric = name
	for _, d := range p.declared {
		if d.Key == name {
			r.declared = d
		}
	}
}

// selector parses a selector after its opening brace.
func (p *parser) selector(r *Rule) {
	for p.err == nil {
		p.pair(r)
		if p.take("}") {
			return
		}
		if !p.take(",") {
			p.fail(p.at, `expected , or } here; a name with blanks or signs is quoted, as in variant="model=a"`)
		}
	}
}

func (p *parser) pair(r *Rule) {
	p.space()
	start := p.at
	key := p.name("suite, variant, fault or tag")
	field := map[string]*string{"suite": &r.Suite, "variant": &r.Variant, "fault": &r.Fault, "tag": &r.Tag}[key]
	if field == nil {
		p.fail(start, "unknown key %q, expected suite, variant, fault or tag", key)
		return
	}
	if *field != "" {
		p.fail(start, "%s is given twice", key)
	}
	if !p.take("=") {
		p.fail(p.at, "expected = after %s", key)
	}
	p.space()
	start = p.at
	if *field = p.name("the name of a " + key); *field == "" {
		p.fail(start, "the name is empty")
	}
}

func (p *parser) op(r *Rule) {
	p.space()
	start := p.at
	for _, o := range ops() {
		if p.take(string(o)) {
			if r.Op = o; r.Comparison != "" && !o.isUpper() {
				p.fail(start, "expected <= or < here: a comparison with the baseline requires an upper limit")
			}
			return
		}
	}
	p.fail(p.at, "expected >=, >, <=, <, == or != here")
}

// name parses a name, with or without quotes.
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
		p.fail(p.at, "expected %s here", want)
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

// limit parses the number that the metric is compared with.
func (p *parser) limit(r *Rule) {
	p.space()
	start := p.at
	v, err := limitOf(*r, p.word())
	if err != nil {
		p.fail(start, "%v", err)
	}
	r.Limit = v
}

// options parses the options after the limit, each at most once.
func (p *parser) options(r *Rule) {
	for p.err == nil {
		p.space()
		start := p.at
		switch {
		case !r.UseIntervalBound && p.take("at"):
			p.bound(r, start)
		case r.MaxMissing == 0 && p.take("missing"):
			p.missing(r)
		case !r.CommonCases && p.take("common_cases"):
			p.common(r, start)
		case !r.TriggeredOnly && p.take("triggered"):
			p.triggered(r, start)
		default:
			return
		}
	}
}

func (p *parser) bound(r *Rule, start int) {
	switch {
	case r.Comparison == NewFailures:
		p.fail(start, "a count has no interval")
	case r.Comparison != "":
		p.fail(start, "a %s is always tested at 95%%: leave out at 95%%", r.Comparison)
	case !r.Op.isUpper() && !r.Op.isLower():
		p.fail(start, "%s cannot be tested at 95%%: use <=, <, >= or >", r.Op)
	}
	p.space()
	start = p.at
	if p.word() != "95%" {
		p.fail(start, "expected 95%% here, the level of all intervals")
	}
	r.UseIntervalBound = true
}

func (p *parser) common(r *Rule, start int) {
	if !r.NeedsBaseline() {
		p.fail(start, "common_cases applies only to a comparison with the baseline")
	}
	r.CommonCases = true
}

func (p *parser) triggered(r *Rule, start int) {
	if !r.isUnderFault() || r.Metric == affectedShare {
		p.fail(start, "triggered applies only to metrics of faults, such as fault.correct")
	}
	r.TriggeredOnly = true
}

func (p *parser) missing(r *Rule) {
	if !p.take("<=") {
		p.fail(p.at, "expected <= after missing")
	}
	p.space()
	start := p.at
	v, err := metric.ParsePercent(p.word())
	if err != nil || !(v > 0 && v < 1) {
		p.fail(start, "expected a share after missing <=, such as 2%%")
	}
	r.MaxMissing = v
}

// word returns the text up to the next space and consumes it.
func (p *parser) word() string {
	rest := p.rest()
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
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

// take consumes the token if the text continues with it, and reports whether it did.
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
