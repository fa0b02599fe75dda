package page

import "slices"

// faultColumns states which optional columns of the fault table have a value in at least one row.
type faultColumns struct {
	Wrong, ErrorReply, Unscored  bool
	ErrorReplies                 bool
	FellBack, Recovered, Correct bool
	P95, Times                   bool
}

func newFaultColumns(groups []faultGroup) (has faultColumns) {
	some := func(hasValue func(faultRow) bool) bool {
		return slices.ContainsFunc(groups,
			func(g faultGroup) bool { return hasValue(g.Plain) || slices.ContainsFunc(g.Rows, hasValue) })
	}
	return faultColumns{
		Wrong:        some(func(r faultRow) bool { return r.Wrong.N > 0 }),
		ErrorReply:   some(func(r faultRow) bool { return r.ErrorReply.N > 0 }),
		Unscored:     some(func(r faultRow) bool { return r.Unscored.N > 0 }),
		ErrorReplies: some(func(r faultRow) bool { return r.ErrorReplies.N > 0 }),
		FellBack:     some(func(r faultRow) bool { return r.FellBack != "" }),
		Recovered:    some(func(r faultRow) bool { return r.Recovered.Of > 0 }),
		Correct:      some(func(r faultRow) bool { return r.Correct.Of > 0 }),
		P95:          some(func(r faultRow) bool { return r.P95 != "" }),
		Times:        some(func(r faultRow) bool { return r.Times != "" }),
	}
}
