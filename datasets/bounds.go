package datasets

// Bounds of a case: each of its turns is played with all that went before.
const (
	maxTurns   = 1_000
	maxHistory = 1_000
	maxTags    = 1_000
	maxID      = 500 // characters
	maxList    = 1_000
	maxPath    = 100
	maxFacts   = 50  // of a turn
	maxWays    = 20  // to word one
	maxFact    = 200 // characters
)
