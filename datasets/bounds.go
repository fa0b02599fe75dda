package datasets

// These limits of a case keep reading and running it cheap. The number of turns is limited because
// each turn is run with the whole history.
const (
	maxTurns    = 1_000
	maxHistory  = 1_000
	maxTags     = 1_000
	maxID       = 500 // characters of a case ID
	maxList     = 1_000
	maxPath     = 100
	maxFacts    = 50  // facts per turn
	maxWordings = 20  // wordings of a fact
	maxFact     = 200 // characters of a fact
)
