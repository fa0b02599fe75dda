package companion

// Names of the nodes in traces and errors.
const (
	intentNode    = "intent"
	knowledgeNode = "knowledge"
	summaryNode   = "summary"
	chatNode      = "chat"
	storeNode     = "store"
	debounceNode  = "debounce"
)
