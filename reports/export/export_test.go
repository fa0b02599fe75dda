package export

import "io"

// Bounded writes a JUnit report that has at most the given number of bytes.
func Bounded(w io.Writer, r Report, most int) error { return writeJUnit(w, r, most) }

var (
	EscapeXML = escapeXML
	Name      = name
	Message   = escapeMessage
	Property  = escapeProperty
	Label     = escapeLabel
)

// Colors returns the background colors of badges.
func Colors() []string {
	return []string{badgeGrey, badgeGreen, badgeRed, badgeAmber, badgeBlue, badgeLabel}
}

const MaxAnnotations = maxAnnotations
