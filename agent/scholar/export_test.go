package scholar

import (
	"context"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
)

// Config exports config for the tests.
type Config = config

// New creates a scholar with a configuration.
func New(cfg Config) (agent.Agent, error) { return newScholar(cfg) }

// Internal functions and values that the tests use.
var (
	Order       = order
	StrategyFor = strategyFor
	GuessIntent = guessIntent
	Readable    = readable
	ReadParams  = readParams
	ReadLibrary = readLibrary
)

// IDs returns the IDs of the library's papers.
func (l *library) IDs() []string { return l.ids }

// Text returns the text of a paper.
func (l *library) Text(id string) string { return l.papers[id].Text }

// ReadVerdict parses the intent model's answer.
func ReadVerdict(answer string) (intent string, err error) {
	v, err := llm.DecodeAnswer[verdict](answer, intentForm)
	return v.Intent, err
}

// SplitStream separates the chunks of a model's stream into answer and reasoning.
func SplitStream(chunks ...string) (answer, thought string) {
	var a, b strings.Builder
	s := splitter{onText: func(t string) { a.WriteString(t) }, onThought: func(t string) { b.WriteString(t) }}
	for _, c := range chunks {
		s.write(c)
	}
	s.end()
	return a.String(), b.String()
}

// Attachments is the cache of the indexes of attached documents.
type Attachments = attachments

// NewAttachments returns an empty cache of indexes.
func NewAttachments() *Attachments { return newAttachments() }

// MostIndexes is the maximum number of small indexes in the cache.
const MostIndexes = maxIndexed / minIndexSize

// Of returns the index of documents. parts contains their names and texts alternately.
func (x *attachments) Of(ctx context.Context, parts ...string) (recall.Searcher, error) {
	var docs []*document
	for pair := range slices.Chunk(parts, 2) {
		docs = append(docs, newDocument(pair[0], pair[1]))
	}
	return x.of(ctx, docs)
}

// Kept returns the number of cached indexes.
func (x *attachments) Kept() int { return x.indexes.Len() }

// Close frees the cached indexes.
func (x *attachments) Close() error { return x.close() }

// KeptBy returns the number of indexes that the agent a caches.
func KeptBy(a agent.Agent) int { return a.(*scholar).attachments.Kept() }
