package reports

// tone is the emphasis of a text; formats without color ignore most of it.
type tone int

const (
	plain tone = iota
	strong
	good
	bad
	warn
	faint
)
