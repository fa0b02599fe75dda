package studio

// Critic is the kind of critic that reviews generated images.
type Critic string

// The kinds of critics.
const (
	Heuristic Critic = "heuristic" // a formula without a model
	LLM       Critic = "llm"       // a model that sees the prompt but not the image
	Vision    Critic = "vision"    // a model that sees the image
)

func criticNames() []Critic { return []Critic{Heuristic, LLM, Vision} }
