package floor

// MaxWork limits the cost of a descent.
const MaxWork = maxWork

// StepsOf returns the number of steps of a descent.
var StepsOf = stepsOf

const MaxExamples = maxExamples
