package studio

// Critic is the kind of critic that reviews generated images.
type Critic string

// The kinds of critics.
const (
	CriticHeuristic Critic = "heuristic" // a formula without a model
	CriticLLM       Critic = "llm"       // a model that sees the prompt but not the image
	CriticVision    Critic = "vision"    // a model that sees the image
)

func criticNames() []Critic { return []Critic{CriticHeuristic, CriticLLM, CriticVision} }
