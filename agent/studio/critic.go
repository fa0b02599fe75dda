package studio

// Critic says who judges the pictures.
type Critic string

// The critics.
const (
	Heuristic Critic = "heuristic" // a formula
	LLM       Critic = "llm"       // a model that reads the prompt
	Vision    Critic = "vision"    // a model that sees the picture
)

// Critics lists the three.
func Critics() []Critic { return []Critic{Heuristic, LLM, Vision} }
