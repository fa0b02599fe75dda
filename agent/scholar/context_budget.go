package scholar

// contextBudget is the calculation of the context budget, in tokens.
type contextBudget struct {
	context, session, query, system, answer int
}

// minDocumentTokens is the minimum budget for documents.
const minDocumentTokens = 200

// available is the budget that is left for documents.
func (r contextBudget) available() int { return r.context - r.session - r.query - r.system - r.answer }
