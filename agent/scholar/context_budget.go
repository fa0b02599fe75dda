package scholar

// contextBudget contains the size of the context window and what uses it, in tokens. What remains
// is available for documents.
type contextBudget struct {
	context, session, query, system, answer int
}

// minDocumentTokens is the lowest number of tokens for documents with which a turn is answered.
const minDocumentTokens = 200

// available returns the number of tokens that remain for documents.
func (r contextBudget) available() int { return r.context - r.session - r.query - r.system - r.answer }
