package intent

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"evalctl/agent/dfa"
)

// Rule names the rule group that fired, "" when none did.
type Rule string

// row is one way in which a rule fires: in a clause that holds one of the words
// on (parted by spaces, _ for a space), where ask matches and what it matched
// holds none of not. {name} in a pattern is a class of words. For the text yes
// the row fires, for no it does not. A row without a rule stops those below it.
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
	ask  *dfa.Regexp
	not  []*dfa.Regexp
}

// The tables, compiled when first asked, or by Prepare.
var (
	images   = sync.OnceValue(func() []pattern { return compile(imageRows) })
	times    = sync.OnceValue(func() []pattern { return compile(timeRows) })
	searches = sync.OnceValue(func() []pattern { return compile(searchRows) })
)

// Prepare compiles the rules, for which else the first text would wait.
func Prepare() {
	images()
	times()
	searches()
}

func compile(rows []row) []pattern {
	list := make([]pattern, len(rows))
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: words(r.on), ask: expand(r.ask)}
		for _, not := range r.not {
			list[i].not = append(list[i].not, expand(not))
		}
	}
	return list
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand compiles a pattern with the words of its classes in their places.
func expand(text string) *dfa.Regexp {
	for class.MatchString(text) {
		text = class.ReplaceAllStringFunc(text, func(name string) string {
			return "(?:" + strings.Join(strings.Fields(classes[strings.Trim(name, "{}")]), "|") + ")"
		})
	}
	return dfa.MustCompile(strings.ReplaceAll(text, "_", " "))
}

// first finds the first rule of a table that fires in any clause.
func first(table []pattern, message []clause) Rule {
	for _, p := range table {
		if slices.ContainsFunc(message, p.fires) {
			return p.rule
		}
	}
	return ""
}

func (p pattern) fires(c clause) bool { return (len(p.on) == 0 || c.holds(p.on)) && p.asks(c) }

func (p pattern) asks(c clause) bool {
	found := p.ask.FindString(c.text)
	return found != "" && !slices.ContainsFunc(p.not, func(not *dfa.Regexp) bool { return not.MatchString(found) })
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

func words(list string) (found []trigger) {
	for word := range strings.FieldsSeq(list) {
		found = append(found, trigger{strings.ReplaceAll(word, "_", " "), []rune(word)[0]})
	}
	return found
}

func (c *clause) holds(words []trigger) bool {
	return slices.ContainsFunc(words, func(w trigger) bool {
		return c.sketch[w.first>>6&3]>>(w.first&63)&1 == 1 && strings.Contains(c.text, w.word)
	})
}
