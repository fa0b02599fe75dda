package intent

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Rule names the rule group that fired, "" when none did.
type Rule string

// row is one way in which a rule fires: in a clause that holds one of the words
// on (parted by spaces, _ for a space), where ask matches and what it matched
// holds none of not. {name} in a pattern is a class of words. For the text yes
// the row fires, for no it does not.
type row struct {
	rule    Rule
	on      string // only to be fast: ask cannot match without one of them
	ask     string
	not     []string
	yes, no string
}

type pattern struct {
	rule Rule
	on   []trigger
	ask  *regexp.Regexp
	not  []*regexp.Regexp
}

// The tables, compiled when first asked.
var (
	images   = sync.OnceValue(func() []pattern { return compile(imageRows) })
	times    = sync.OnceValue(func() []pattern { return compile(timeRows) })
	searches = sync.OnceValue(func() []pattern { return compile(searchRows) })
)

func compile(rows []row) []pattern {
	list := make([]pattern, len(rows))
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: triggers(r.on), ask: expand(r.ask)}
		for _, not := range r.not {
			list[i].not = append(list[i].not, expand(not))
		}
	}
	return list
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand compiles a pattern with the words of its classes in their places.
func expand(text string) *regexp.Regexp {
	for class.MatchString(text) {
		text = class.ReplaceAllStringFunc(text, func(name string) string {
			return "(?:" + strings.Join(strings.Fields(classes[strings.Trim(name, "{}")]), "|") + ")"
		})
	}
	return regexp.MustCompile(strings.ReplaceAll(text, "_", " "))
}

// first finds the first rule of a table that fires in any clause.
func first(table []pattern, message []clause) Rule {
	for i := range table {
		for _, c := range message {
			if table[i].fires(c) {
				return table[i].rule
			}
		}
	}
	return ""
}

func (p *pattern) fires(c clause) bool {
	if !c.holds(p.on) {
		return false
	}
	found := p.ask.FindString(c.text)
	for _, not := range p.not {
		if found == "" || not.MatchString(found) {
			return false
		}
	}
	return found != ""
}

// clause is one clause of a plain message, and a sketch of the characters in
// it, which tells of most words at one look that they are not there.
type clause struct {
	text   string
	sketch [4]uint64
}

func newClause(text string) clause {
	c := clause{text: text}
	for _, r := range text {
		c.sketch[r>>6&3] |= 1 << (r & 63)
	}
	return c
}

type trigger struct {
	word  string
	first rune
}

func triggers(list string) []trigger {
	var found []trigger
	for word := range strings.FieldsSeq(list) {
		first, _ := utf8.DecodeRuneInString(word)
		found = append(found, trigger{strings.ReplaceAll(word, "_", " "), first})
	}
	return found
}

func (c *clause) holds(words []trigger) bool {
	for _, w := range words {
		if c.sketch[w.first>>6&3]>>(w.first&63)&1 == 1 && strings.Contains(c.text, w.word) {
			return true
		}
	}
	return false
}
