package scholar

import "evalctl/agent/search/web"

// Intents: the labels of the decision. The last one is the fallback label.
const (
	literatureSummary = "LITERATURE_SUMMARY"
	reviewGeneration  = "REVIEW_GENERATION"
	paperReview       = "PAPER_REVIEW"
	literatureQA      = "LITERATURE_QA"
	simpleInteraction = "SIMPLE_INTERACTION"
)

func intents() []string {
	return []string{literatureSummary, reviewGeneration, paperReview, literatureQA, simpleInteraction}
}

// failed is the value of Reply.AnsweredBy for a turn that ends with an error reply.
const failed = "failed"

// Strategies: how the content for the answer is collected.
const (
	fullContent     = "full_content"
	multiDocSummary = "multi_doc_summary"
	chunkRecall     = "chunk_recall"
	simpleStrategy  = "simple_interaction"
)

// Names of the nodes in traces and error replies.
const (
	initNode     = "request_init"
	checkNode    = "document_check"
	intentNode   = "intent_recognition"
	strategyNode = "strategy_selection"
	questionNode = "sub_question_generation"
	planNode     = "plan_generation"
	executeNode  = "execution"
	summaryNode  = "document_summary"
	answerNode   = "answer_generation"
	simpleNode   = "simple_interaction"
	saveNode     = "session_save"
)

// Names of the calls in a node that have their own trace events.
const (
	reportNode      = "group_report"
	compressionNode = "compression"
	recallNode      = "retrieval"
	searchNode      = "search"
	cacheNode       = "cache"
	graderNode      = "grader"
)

// Values of Reply.DecidedBy: what determined the intent.
const (
	byModel   = "llm"
	byRequest = "mode_type" // the mode that the request sets
	byGuard   = "guard"     // the default after a failure, or for a turn without documents
)

// engines returns the names of the web search engines.
func engines() []string { return web.Engines() }
