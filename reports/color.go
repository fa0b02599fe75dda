package reports

// tone is the emphasis of a text. Terminals show it as a color, Markdown shows only bad (as bold).
type tone int

const (
	plain tone = iota
	strong
	good
	bad
	warn
	faint
)
