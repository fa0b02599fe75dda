package companion

// The nodes, as named in traces and errors.
const (
	intentNode    = "intent"
	knowledgeNode = "knowledge"
	summaryNode   = "summary"
	chatNode      = "chat"
	storeNode     = "store"
	gatherNode    = "debounce"
)
