package intent

import (
	"regexp"
	"strings"
	"sync"
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

// The tables, compiled when first asked.
var (
	images   = sync.OnceValue(func() []pattern { return compile(imageRows) })
	times    = sync.OnceValue(func() []pattern { return compile(timeRows) })
	searches = sync.OnceValue(func() []pattern { return compile(searchRows) })
)

type pattern struct {
	rule Rule
	on   []string
	ask  *regexp.Regexp
	not  []*regexp.Regexp
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

func words(list string) []string {
	words := strings.Fields(list)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "_", " ")
	}
	return words
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand compiles a pattern with the words of its classes in their places.
func expand(ask string) *regexp.Regexp {
	for class.MatchString(ask) {
		ask = class.ReplaceAllStringFunc(ask, func(name string) string {
			return "(?:" + strings.ReplaceAll(classes[strings.Trim(name, "{}")], " ", "|") + ")"
		})
	}
	return regexp.MustCompile(strings.ReplaceAll(ask, "_", " "))
}

// first finds the first rule of a table that fires anywhere in a plain message.
func first(table []pattern, message string) Rule {
	for _, p := range table {
		if p.fires(message) {
			return p.rule
		}
	}
	return ""
}

func (p pattern) fires(message string) bool {
	if !holds(message, p.on) {
		return false
	}
	for clause := range strings.SplitSeq(message, "\n") {
		if holds(clause, p.on) && p.matches(clause) {
			return true
		}
	}
	return false
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

func (p pattern) matches(clause string) bool {
	found := p.ask.FindString(clause)
	for _, not := range p.not {
		if not.MatchString(found) {
			return false
		}
	}
	return found != ""
}
