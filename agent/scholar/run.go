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

// run is the state of a turn, shared by its nodes.
type run struct {
	*config
	tools       *recall.SearcherCache // for single documents
	attachments *attachments
	params
	turn  agent.Turn
	reply agent.Reply
	slots *clock.Semaphore // limits concurrent calls of models and the retrieval service

	docs     []*document
	memory   *conversation.Conversation // the conversation before this turn
	budget   contextBudget
	intent   string
	strategy string

	questions       []question
	steps           []step
	attached        *index.Index     // index of the attached documents; nil: none
	material        string           // content that the answer is based on
	summarySections []digest.Section // summaries of documents
	hasReports      bool             // material consists of group reports, not summaries
	withoutSummary  []string         // names of documents without a summary
	withoutHits     []string         // names of documents without a hit
	failedSearches  []string         // names of documents whose search failed
	stepErrors      []error          // errors of the steps, by index
	unsearched      [][]*document    // documents that a step could not search, by index
	notSearched     []string         // names of documents that the plan does not search
	contextDocs     []string         // ids of documents whose passages are in the context
	truncated       int              // number of summaries and reports that were cut

	noWebReason    string          // why there are no web results, for the model; "": there are some
	completionData json.RawMessage // data of the node's completion event
}

// question is a search question for one document or all.
type question struct {
	Text string
	Doc  string // id; "": all of the turn's documents
}

// step is a question of the plan and the documents to search.
type step struct {
	question    string
	documents   []*document
	noThreshold bool // search without a threshold
}

// call runs f in one of the turn's call slots.
func (r *run) call(ctx context.Context, f func() error) error {
	if err := r.slots.Acquire(ctx); err != nil {
		return err
	}
	defer r.slots.Release()
	return f()
}
