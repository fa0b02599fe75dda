package document

// Tone is the emphasis of a text. Terminals show it as a color, Markdown shows only bad (as bold).
type Tone int

const (
	Plain Tone = iota
	Strong
	Good
	Bad
	Warn
	Faint
)
