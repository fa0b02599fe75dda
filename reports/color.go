package reports

// tone says how a text is meant, for formats that can show it.
type tone int

const (
	plain tone = iota
	strong
	good
	bad
	warn
	faint
)
