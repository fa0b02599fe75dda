package importer

import "fmt"

// Summary counts what came of an import.
type Summary struct {
	Cases       int64
	Splits      map[string]int64 // "" for cases without one
	Labels      int              // distinct ones
	Rejected    int64
	Conflicting int64 // cases whose text stood before in the same split with another label; they are kept
}

// Rejection is a row that was not taken over.
type Rejection struct {
	Place  Position
	Reason string
}

func (r Rejection) Error() string { return r.Place.String() + ": " + r.Reason }

// Position is where in a source a row stands.
type Position struct {
	File string
	Line int    // from 1; 0 where the file is not read by lines
	Part string // such as train[17]
}

func (p Position) String() string {
	text := plain(p.File)
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Part != "" {
		text += " " + plain(p.Part)
	}
	return text
}
