package clock

// The keys of what contexts hold.
type (
	simulationKey struct{} // the simulation that they belong to
	shiftKey      struct{} // what sets their wall clock apart from the world's
	deadlineKey   struct{} // their nearest deadline
)
