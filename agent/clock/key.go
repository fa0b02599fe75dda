package clock

// Keys of the values that this package stores in contexts.
type (
	simulationKey struct{} // for the *simulation
	shiftKey      struct{} // for the shift of the wall clock
	deadlineKey   struct{} // for the nearest deadline, which is pausable
)
