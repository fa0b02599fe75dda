package scholar

import "evalctl/agent/search/web"

// The intents, the fallback label last.
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

// failed is the route of a turn that ends with an error reply.
const failed = "failed"

// The strategies.
const (
	fullContent     = "full_content"
	multiDocSummary = "multi_doc_summary"
	chunkRecall     = "chunk_recall"
	simpleStrategy  = "simple_interaction"
)

// The nodes, as named in traces and errors.
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

// Nodes of calls within those.
const (
	reportNode      = "group_report"
	compressionNode = "compression"
	recallNode      = "retrieval"
	searchNode      = "search"
	cacheNode       = "cache"
	graderNode      = "grader"
)

// Sources of a decision.
const (
	byModel   = "llm"
	byRequest = "mode_type" // the request
	byGuard   = "guard"     // the default
)

// engines are the web search engines.
func engines() []string { return web.Engines() }
