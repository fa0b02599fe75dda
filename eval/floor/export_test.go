package floor

// MaxWork bounds what a descent does.
const MaxWork = maxWork

// StepsOf is how many steps it takes.
var StepsOf = stepsOf
