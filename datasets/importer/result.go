package importer

import "fmt"

// Summary counts the results of an import.
type Summary struct {
	Cases       int64
	Splits      map[string]int64 // "" for cases without a split
	Labels      int              // distinct labels
	Rejected    int64
	Conflicting int64 // imported cases with the text of an earlier case in the same split but another label
}

// Rejection is a row that was not imported.
type Rejection struct {
	Place  Position
	Reason string
}

func (r Rejection) Error() string { return r.Place.String() + ": " + r.Reason }

// Position is the position of a row in a source.
type Position struct {
	File string
	Line int    // from 1; 0 if the file is not read by lines
	Part string // such as train[17]
}

func (p Position) String() string {
	text := oneLine(p.File)
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Part != "" {
		text += " " + oneLine(p.Part)
	}
	return text
}
