package dates

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// row describes one form in which dates are written.
//
// - starts: words with which the form starts, separated by spaces (_ is a space, # a number)
// - pattern: regular expression of the form
// - before: characters that must not precede it
// - after: regular expression that must not match the text after it
// - next: regular expression that must match the text after it
// - not: regular expression that must not match from its start
// - mayFollow: reports whether the date may follow a text; nil: any
// - read: converts a match to a date, or rejects it
// - example, counterexample: texts with and without such a date
type row struct {
	starts, pattern, before, after, next, not string
	mayFollow                                 func(text string) bool
	read                                      reader
	example, counterexample                   string
}

// compiledRow is a row with compiled patterns.
type compiledRow struct {
	row
	starts           []string
	pattern          *regexp.Regexp
	after, next, not *regexp.Regexp // nil: any text may follow
}

// classes replaces the {class} names in patterns by regular expressions.
var classes = strings.NewReplacer(
	"{n}", `([0-9]{1,3}|[零一二两三四五六七八九十]{1,3})`,
	"{amount}", `([0-9]{1,3}|半|[零一二两三四五六七八九十]{1,3})`,
	"{rel}", `(大?上+|这|本|下+)`,
	"{that}", `(?:[那这当][天日]|那晚|那次)`,
	"{w}", `(?:周|星期|礼拜)`,
	"{wd}", `([一二三四五六日天1-7]|末)`,
	"{号}", `(?:号|日)`,
	"{en}", `([0-9]{1,3}|half an?|(?:a )?couple(?: of)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty)`,
	"{nth}", `([0-9]{1,2})(?:st|nd|rd|th)`,
	"{d}", `([0-9]{1,2})(?:st|nd|rd|th)?`,
	"{mon}", `(january|february|march|april|may|june|july|august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)`,
	"{unit}", `(day|night|week|fortnight|month|year)s?`,
	"{wday}", `(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`,
	"{wdy}", `((?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun)`,
	"{part}", `(?:(?:the )?(?:very )?(beginning|start|middle|end|(?:first|second) half|`+
		`(?:first|last) (?:(?:few|two|three|four|five) )?(?:day|week)s?)(?: of| in)|`+
		`(early|mid|late)(?: in)?)[ -](?:the month of )?`,
	"{season}", `(spring|summer|autumn|fall|winter)`,
	"{ord}", `(`+strings.Join(ordinals, "|")+`)`,
	"{to}", `(?: ?(?:-|~|到|至) ?| to | until | till | through | thru )`,
)

const numerals = "0123456789零一二两三四五六七八九十"

func (r row) compile() *compiledRow {
	p := &compiledRow{row: r, pattern: expand(r.pattern)}
	if r.after != "" {
		p.after = expand(r.after)
	}
	if r.next != "" {
		p.next = expand(r.next)
	}
	if r.not != "" {
		p.not = expand(r.not)
	}
	for word := range strings.FieldsSeq(r.starts) {
		if word == "#" {
			p.starts = append(p.starts, strings.Split(numerals, "")...)
			continue
		}
		p.starts = append(p.starts, strings.ReplaceAll(word, "_", " "))
	}
	return p
}

// expand compiles a pattern with class names, anchored at the start.
func expand(text string) *regexp.Regexp {
	return regexp.MustCompile("^(?:" + classes.Replace(text) + ")")
}

// partOfDay matches a time of day after a date, which becomes part of the date.
var partOfDay = regexp.MustCompile(
	`^(?:的?(?:大?清早|一早|早[上晨]|凌晨|[上中下]午|傍晚|晚上|夜[里晚]|半夜|深夜)| (?:morning|afternoon|evening|night)\b)`)

// matchAt matches the pattern at position i of the text. ended is the end of the previous date.
// Directly after another date (周六周日), characters before the match are not checked.
func (p *compiledRow) matchAt(text string, i, ended int, today Day) (foundDate, bool) {
	rest := text[i:]
	if !slices.ContainsFunc(p.starts, func(word string) bool { return strings.HasPrefix(rest, word) }) {
		return foundDate{}, false
	}
	if last, size := utf8.DecodeLastRuneInString(text[:i]); size > 0 && i != ended &&
		strings.ContainsRune(p.before, last) {
		return foundDate{}, false
	}
	found := p.pattern.FindStringSubmatch(rest)
	if found == nil || !endsWord(rest, len(found[0])) ||
		p.after != nil && p.after.MatchString(rest[len(found[0]):]) || p.not != nil && p.not.MatchString(rest) ||
		p.next != nil && !p.next.MatchString(rest[len(found[0]):]) ||
		p.mayFollow != nil && i != ended && !p.mayFollow(text[:i]) {
		return foundDate{}, false
	}
	m, ok := p.read(found, today)
	m.from, m.to = i, i+len(found[0])
	m.to += len(partOfDay.FindString(text[m.to:]))
	return m, ok
}

// startsWord reports whether a word or number starts at position i, whose first character is first.
func startsWord(text string, i int, first rune) bool {
	last, size := utf8.DecodeLastRuneInString(text[:i])
	switch {
	case size == 0:
		return true
	case isDigit(first):
		return !isLatin(last) && !strings.ContainsRune(numerals+"./:$¥￥#+-第几数多年廿卅百千万", last)
	case isLatin(first):
		return !isLatin(last) && last != '\''
	case strings.ContainsRune(numerals, first):
		return !strings.ContainsRune(numerals+".第几数多年廿卅百千万", last)
	}
	return true
}

var numberGoesOn = regexp.MustCompile(`^(?:[a-z0-9_%‰℃°]|[./:][0-9])`)

// endsWord reports whether a word or number ends at position end.
func endsWord(text string, end int) bool {
	switch last := text[end-1]; {
	case isDigit(rune(last)):
		return !numberGoesOn.MatchString(text[end:])
	case isLatin(rune(last)):
		return end == len(text) || !isLatin(rune(text[end]))
	}
	return true
}
