package clock

// Keys of context values.
type (
	simulationKey struct{} // the simulation of the context
	shiftKey      struct{} // the offset of its wall clock
	deadlineKey   struct{} // its nearest deadline
)
