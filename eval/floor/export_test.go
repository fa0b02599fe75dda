package floor

// MaxWork is the limit of the training cost, for tests.
const MaxWork = maxWork

// StepsOf returns the number of gradient descent steps, for tests.
var StepsOf = stepsOf

const MaxExamples = maxExamples
