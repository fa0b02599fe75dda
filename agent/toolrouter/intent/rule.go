package intent

import (
	"regexp"
	"strings"
	"sync"

	"evalctl/agent/dfa"
)

// Rule is the name of the matching rule group; "": no match.
type Rule string

// row is one way to phrase a request. It matches a clause if the clause contains a word of on, ask
// matches, and the matched part matches none of not. on is separated by spaces, _ is a space.
// {name} in a pattern is a word class. yes is an example that matches, no one that does not. A row
// without a rule blocks the rows after it.
type row struct {
	rule    Rule
	words   string // prefilter for speed: ask cannot match without one of these words
	match   string
	exclude []string
	yes, no string
}

type pattern struct {
	rule Rule
	on   lists
	ask  *dfa.Regexp
	not  *dfa.Regexp // alternatives; nil: none
}

// ruleBook holds all compiled rules.
type ruleBook struct {
	lexicon
	images, times, searches []pattern
	abbreviations           lists
	opener                  pattern
	rewrites                []rewrite
}

// rules are compiled on first use or by CompileRules.
var rules = sync.OnceValue(func() *ruleBook {
	var b ruleBook
	b.images, b.times, b.searches = b.compile(imageRows), b.compile(timeRows), b.compile(searchRows)
	b.abbreviations, b.opener, b.rewrites = b.add(abbreviations), b.compile(openerRows)[0], b.compileRewrites()
	return &b
})

// CompileRules compiles the rules in advance. Otherwise the first text waits for it.
func CompileRules() { rules() }

func (b *ruleBook) compile(rows []row) []pattern {
	list := make([]pattern, len(rows))
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: b.add(r.words), ask: expand(r.match)}
		if len(r.exclude) > 0 {
			list[i].not = expand(strings.Join(r.exclude, "|"))
		}
	}
	return list
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand compiles a pattern after replacing the names of word classes.
func expand(text string) *dfa.Regexp {
	for class.MatchString(text) {
		text = class.ReplaceAllStringFunc(text, func(name string) string {
			return "(?:" + strings.Join(strings.Fields(classes[strings.Trim(name, "{}")]), "|") + ")"
		})
	}
	return dfa.MustCompile(strings.ReplaceAll(text, "_", " "))
}

// first returns the first rule of a table that matches any clause.
func first(table []pattern, message []clause) Rule {
	for i := range table {
		for j := range message {
			if table[i].matches(&message[j]) {
				return table[i].rule
			}
		}
	}
	return ""
}

func (p *pattern) matches(c *clause) bool { return p.on&c.lists != 0 && p.matchesText(c) }

func (p *pattern) matchesText(c *clause) bool {
	if p.not == nil {
		return p.ask.MatchString(c.text)
	}
	found := p.ask.FindString(c.text)
	return found != "" && !p.not.MatchString(found)
}

// clause is one normalized clause and the word lists that it contains a word of.
type clause struct {
	text  string
	lists lists
}

func (b *ruleBook) clause(text string) clause { return clause{text, b.find(text)} }
