package scholar

// room is the arithmetic of the context window, in tokens.
type room struct {
	context, session, query, system, answer int
}

// leastRoom is what documents need: in less there is nothing that could be said of them.
const leastRoom = 200

// available is what is left for documents.
func (r room) available() int { return r.context - r.session - r.query - r.system - r.answer }
