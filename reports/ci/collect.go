package ci

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// sheet is what is told of one cell in JUnit XML.
type sheet struct {
	cell
	metrics map[string]eval.Estimate
	cases   map[string]*testcase
}

// ids are the cases', in order.
func (s *sheet) ids() []string {
	return slices.Sorted(maps.Keys(s.cases))
}

// sheets are a run's cells, in the summary's order, and those that it lacks behind them.
type sheets struct {
	list []*sheet
	of   map[cell]*sheet
	held int   // bytes of texts
	most int   // of them
	left shape // the richest that the texts are there for
}

// collect reads the trials. Of their texts it holds so many bytes at most, as the
// file cannot have more: those of cases that passed go first.
func collect(r Report, most int) (*sheets, error) {
	s := &sheets{of: map[cell]*sheet{}, most: most}
	eachCell(r.Summary, func(c cell, sum eval.CellSummary) { s.add(c).metrics = sum.Metrics })
	if r.Run == nil {
		return s, nil
	}
	return s, s.read(r.Run)
}

func (s *sheets) add(c cell) *sheet {
	if s.of[c] == nil {
		s.of[c] = &sheet{cell: c, cases: map[string]*testcase{}}
		s.list = append(s.list, s.of[c])
	}
	return s.of[c]
}

func (s *sheets) read(run *runs.Run) error {
	for r, err := range run.Results() {
		if err != nil {
			return err
		}
		of := s.add(cellOf(r))
		t := of.cases[r.Case]
		if t == nil {
			t = &testcase{}
			of.cases[r.Case] = t
		}
		before := len(t.text)
		t.add(r)
		s.trim(t)
		if s.held += len(t.text) - before; s.held > s.most && s.left < headlines {
			s.left = s.next()
			s.forget()
		}
	}
	return nil
}

// next is the shape that needs fewer texts.
func (s *sheets) next() shape {
	if s.left < plainPasses {
		return plainPasses
	}
	return headlines
}

// trim drops a text that the shape has no place for.
func (s *sheets) trim(t *testcase) {
	if s.left >= headlines || s.left >= plainPasses && t.outcome == passed {
		t.text = ""
	}
}

func (s *sheets) forget() {
	s.held = 0
	for _, of := range s.list {
		for _, t := range of.cases {
			s.trim(t)
			s.held += len(t.text)
		}
	}
}
