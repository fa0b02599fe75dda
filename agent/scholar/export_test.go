package scholar

import (
	"context"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
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
	v, err := llm.Decode[verdict](answer, intentForm)
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

// Attachments keeps indexes.
type Attachments = attachments

// NewAttachments keeps none yet.
func NewAttachments() *Attachments { return newAttachments() }

// MostIndexes is how many small ones are kept.
const MostIndexes = maxIndexed / indexAtLeast

// Of is the index of documents, of each the name and the text.
func (x *attachments) Of(ctx context.Context, parts ...string) (recall.Searcher, error) {
	var docs []*document
	for pair := range slices.Chunk(parts, 2) {
		docs = append(docs, newDocument(pair[0], pair[1]))
	}
	return x.of(ctx, docs)
}

// Kept is how many are kept.
func (x *attachments) Kept() int { return x.kept.Len() }

// Close frees them.
func (x *attachments) Close() error { return x.close() }

// KeptBy is how many an agent keeps.
func KeptBy(a agent.Agent) int { return a.(*scholar).attachments.Kept() }
