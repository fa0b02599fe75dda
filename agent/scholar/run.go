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

// run is the state of one turn, which all nodes share.
type run struct {
	*config
	tools       *recall.SearcherCache // searchers of single papers
	attachments *attachments
	params
	turn  agent.Turn
	reply agent.Reply
	slots *clock.Semaphore // limits concurrent calls to models and the retrieval service

	isSaved bool // the turn is complete and part of the stored conversation

	docs     []*document
	memory   *conversation.Conversation // the conversation before this turn
	budget   contextBudget
	intent   string
	strategy string

	questions       []question
	steps           []step
	attached        *index.Index     // index of the attached documents; nil if there are none
	material        string           // document content for the answer
	summarySections []digest.Section // summaries of the documents
	hasReports      bool             // material consists of reports on groups of documents, not of summaries
	withoutSummary  []string         // names of documents that could not be summarized
	withoutHits     []string         // names of documents in which the search found nothing
	withoutRoom     []string         // names of documents whose passages do not fit into the prompt
	failedSearches  []string         // names of documents whose search failed
	stepErrors      []error          // error of each search step, by index
	unsearched      [][]*document    // for each search step, the documents whose search failed
	notSearched     []string         // names of documents that the plan does not search
	contextPassages []string         // IDs of the passages that are part of material
	contextDocs     []string         // IDs of the documents whose passages are part of material
	omittedDocs     []string         // IDs of the documents with a passage that did not fit into material
	truncated       int              // number of summaries and reports that were shortened

	noWebReason    string          // why there are no web results, for the model; "": there are results
	completionData json.RawMessage // data for the completion event of the current node
}

// question is a search question about one document or about all.
type question struct {
	Text string
	Doc  string // ID of the document; "": all documents of the turn
}

// step is a search of the plan: a question and the documents to search.
type step struct {
	question    string
	documents   []*document
	noThreshold bool // search without a similarity threshold
}

// call waits until fewer than Calls calls of the turn are running, then runs f.
func (r *run) call(ctx context.Context, f func() error) error {
	if err := r.slots.Acquire(ctx); err != nil {
		return err
	}
	defer r.slots.Release()
	return f()
}
