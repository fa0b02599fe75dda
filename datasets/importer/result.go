package importer

import "fmt"

// Summary contains the counts of a finished import.
type Summary struct {
	Cases            int64            // number of imported cases
	Splits           map[string]int64 // imported cases by split; "": no split
	Labels           int              // number of different labels
	Rejected         int64            // number of rows that were not imported
	ConflictingCases int64            // imported cases whose text occurred before in the same split with another label
}

// Rejection describes a row that was not imported, and why.
type Rejection struct {
	Position Position // position of the row
	Reason   string   // why the row was not imported
}

func (r Rejection) Error() string { return r.Position.String() + ": " + r.Reason }

// Position is the position of a row in an input file.
type Position struct {
	File    string // path of the input file
	Line    int    // line number from 1; 0: the file is not read by lines
	Element string // position in a JSON document, such as train[17]
}

func (p Position) String() string {
	text := oneLine(p.File)
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Element != "" {
		text += " " + oneLine(p.Element)
	}
	return text
}
