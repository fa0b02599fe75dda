package scholar

import (
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// Config sets a scholar up.
type Config = config

// New makes one.
func New(cfg Config) (agent.Agent, error) { return newScholar(cfg) }

// What the specs ask for.
var (
	Order       = order
	StrategyFor = strategyFor
	GuessIntent = guessIntent
	Readable    = readable
	ReadParams  = readParams
	ReadLibrary = readLibrary
)

// IDs are those of a library's papers.
func (l *library) IDs() []string { return l.ids }

// ReadVerdict reads what the deciding model says.
func ReadVerdict(answer string) (intent string, err error) {
	v, err := llm.Decode(answer, "intent", (*verdict).check)
	return v.Intent, err
}

// Heard parts a stream into what is said and what is thought.
func Heard(chunks ...string) (said, thought string) {
	var a, b strings.Builder
	s := splitter{say: func(t string) { a.WriteString(t) }, think: func(t string) { b.WriteString(t) }}
	for _, c := range chunks {
		s.take(c)
	}
	s.end()
	return a.String(), b.String()
}
