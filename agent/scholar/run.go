package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/scholar/digest"
)

// run is one turn being answered: what its nodes work on.
type run struct {
	*config
	tools       *recall.SearcherCache // for one document each
	attachments *attachments
	params
	turn  agent.Turn
	reply agent.Reply
	slots *clock.Semaphore // of calls of models and of the recall service

	docs     []*document
	memory   *conversation.Conversation // what was said before
	room     room
	intent   string
	strategy string

	questions []question
	steps     []step
	attached  *index.Index     // of the documents that came with the turn; nil: there is none
	material  string           // what the answer is made from
	pieces    []digest.Section // summaries of documents
	merged    bool             // the material are reports of groups, not the summaries
	gaps      []string         // names of documents that could not be summarised
	unfound   []string         // of those of which no passage was found
	closed    []string         // of those that could not be searched
	lost      []error          // of the steps, by place
	shut      [][]*document    // that a step could not search, by place
	unasked   []string         // of those in which the plan looks for nothing
	shown     []string         // ids of those whose passages the answer is made from
	cut       int              // summaries and reports that were too long

	offline string          // why there is nothing of the web, in words for the model; "": there is
	told    json.RawMessage // what a node tells of its work, once it is complete
}

// question is what is looked for in a document, or in all.
type question struct {
	Text string
	Doc  string // id; "": all of the turn's documents
}

// step is one of a plan: a question that is looked for in some documents.
type step struct {
	question  string
	documents []*document
	any       bool // whatever is nearest will do, however far
}

// call does what asks a model or the recall service, with one of the turn's slots.
func (r *run) call(ctx context.Context, f func() error) error {
	if err := r.slots.Acquire(ctx); err != nil {
		return err
	}
	defer r.slots.Release()
	return f()
}
