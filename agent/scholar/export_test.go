package scholar

import (
	"context"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
)

// Config is the configuration of a scholar.
type Config = config

// New returns a scholar.
func New(cfg Config) (agent.Agent, error) { return newScholar(cfg) }

// Internals for the specs.
var (
	Order       = order
	StrategyFor = strategyFor
	GuessIntent = guessIntent
	Readable    = readable
	ReadParams  = readParams
	ReadLibrary = readLibrary
)

// IDs are the ids of a library's papers.
func (l *library) IDs() []string { return l.ids }

// ReadVerdict parses the deciding model's answer.
func ReadVerdict(answer string) (intent string, err error) {
	v, err := llm.Decode[verdict](answer, intentForm)
	return v.Intent, err
}

// SplitStream splits a stream into answer and reasoning.
func SplitStream(chunks ...string) (answer, thought string) {
	var a, b strings.Builder
	s := splitter{onText: func(t string) { a.WriteString(t) }, onThought: func(t string) { b.WriteString(t) }}
	for _, c := range chunks {
		s.write(c)
	}
	s.end()
	return a.String(), b.String()
}

// Attachments caches indexes.
type Attachments = attachments

// NewAttachments returns an empty cache.
func NewAttachments() *Attachments { return newAttachments() }

// MostIndexes is the maximum number of small indexes.
const MostIndexes = maxIndexed / minIndexSize

// Of is the index of documents, given as names and texts in turn.
func (x *attachments) Of(ctx context.Context, parts ...string) (recall.Searcher, error) {
	var docs []*document
	for pair := range slices.Chunk(parts, 2) {
		docs = append(docs, newDocument(pair[0], pair[1]))
	}
	return x.of(ctx, docs)
}

// Kept is the number of cached indexes.
func (x *attachments) Kept() int { return x.indexes.Len() }

// Close frees them.
func (x *attachments) Close() error { return x.close() }

// KeptBy is the number of indexes that an agent caches.
func KeptBy(a agent.Agent) int { return a.(*scholar).attachments.Kept() }
