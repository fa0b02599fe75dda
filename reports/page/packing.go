package page

import (
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// maxTextLookups is the maximum number of cases whose full text is read from a trace. The other
// cases have the shortened text of the results.
const maxTextLookups = 20_000

// reserve is the number of bytes that are left free, because some numbers in the index become
// longer at the end.
const reserve = 256

// Pack returns the data of the page, after all results were added; fixed is the size of the rest of
// the page in bytes. If source is nil, no trial has a trace. Pack must be called only once.
func (p *Packer) Pack(fixed int64, source TrialSource) (Packed, error) {
	out := Packed{Trials: p.trials}
	press := newCompressor()
	meta := Meta{
		Version:      Version,
		Dir:          p.options.Dir,
		BaselinePath: p.options.BaselinePath,
		TraceURL:     p.options.TraceURL,
		Trials:       p.trials,
	}
	lookups := 0
	var parts []Part
	for i, s := range p.suites {
		if err := s.finish(); err != nil {
			return out, err
		}
		s.assignTiers()
		columns, err := press.value(nth("t", i), s.table(p.trials > p.briefAbove))
		if err != nil {
			return out, err
		}
		texts, err := press.value(nth("s", i), s.texts(source, &lookups))
		if err != nil {
			return out, err
		}
		parts = append(parts, columns, texts)
		s.head.Blocks = make([]int, len(s.caseInfos))
		for of := range s.head.Blocks {
			s.head.Blocks[of] = -1
		}
		meta.Suites = append(meta.Suites, s.head)
	}
	head, err := press.value("meta", meta)
	if err != nil {
		return out, err
	}
	out.Parts = append([]Part{head}, parts...)
	if source != nil {
		room := p.options.MaxBytes - fixed - out.Size() - reserve
		if err := p.trace(&out, &meta, newBlockFiller(p.suites, source, press, room)); err != nil {
			return out, err
		}
	}
	out.BytesOverLimit = max(0, fixed+out.Size()-p.options.MaxBytes)
	return out, nil
}

// trace adds the blocks with traces and updates the index.
func (p *Packer) trace(out *Packed, meta *Meta, f *blockFiller) error {
	blocks, err := f.fill()
	if err != nil {
		return err
	}
	n := 0
	for _, b := range blocks {
		if b.traced == 0 {
			continue
		}
		for _, c := range f.cases[b.from:b.to] {
			meta.Suites[c.suite].Blocks[c.caseIndex] = n
		}
		b.part.Name = nth("b", n)
		out.Parts, out.Traced = append(out.Parts, b.part), out.Traced+b.traced
		n++
	}
	meta.Traced = out.Traced
	out.Notes = f.notes()
	out.Parts[0], err = f.compressor.value("meta", meta)
	return err
}

func (s *suite) table(brief bool) Trials {
	t := Trials{Conditions: make([]Columns, len(s.head.Conditions)), Tags: make([][]int, len(s.caseInfos))}
	for condition := range t.Conditions {
		t.Conditions[condition] = s.columns(condition, brief)
	}
	for of, a := range s.caseInfos {
		t.Tags[of] = a.tags
	}
	return t
}

// texts returns the texts of the suite's cases for lists and the search.
func (s *suite) texts(source TrialSource, lookups *int) Texts {
	t := Texts{TurnCounts: make([]int, len(s.caseInfos)), CaseTexts: make([]string, len(s.caseInfos))}
	for of, a := range s.caseInfos {
		text := a.text
		if !a.whole && source != nil && *lookups < maxTextLookups {
			*lookups++
			if r, err := source.Trial(a.key); err == nil {
				text = userText(r)
			}
		}
		t.TurnCounts[of] = a.turns
		t.CaseTexts[of], _ = truncate(text, maxShortText)
	}
	return t
}

// userText returns the messages of the user in a trial, as far as lists show them.
func userText(r eval.Result) string {
	var lines []string
	for _, p := range r.Outcome.Turns {
		if lines = append(lines, p.Input.Text); utf8.RuneCountInString(strings.Join(lines, "\n")) >= maxShortText {
			break
		}
	}
	return strings.Join(lines, "\n")
}
