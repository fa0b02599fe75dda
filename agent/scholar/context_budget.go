package scholar

// room is the calculation of the context budget, in tokens.
type room struct {
	context, session, query, system, answer int
}

// leastRoom is the minimum budget for documents.
const leastRoom = 200

// available is the budget that is left for documents.
func (r room) available() int { return r.context - r.session - r.query - r.system - r.answer }
