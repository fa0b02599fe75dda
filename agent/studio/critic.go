package studio

// Critic is the method that reviews images.
type Critic string

// The critics.
const (
	Heuristic Critic = "heuristic" // a formula
	LLM       Critic = "llm"       // a model that reads the prompt
	Vision    Critic = "vision"    // a model with image input
)

// criticNames lists the three.
func criticNames() []Critic { return []Critic{Heuristic, LLM, Vision} }
