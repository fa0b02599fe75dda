package companion

// The nodes, as a trace and a failure name them.
const (
	intentNode    = "intent"
	knowledgeNode = "knowledge"
	summaryNode   = "summary"
	chatNode      = "chat"
	storeNode     = "store"
	gatherNode    = "debounce"
)
