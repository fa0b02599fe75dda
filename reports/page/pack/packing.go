package pack

import (
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// mostLooked is of how many cases the texts are looked for in traces; of the others
// they are what results know.
const mostLooked = 20_000

// reserve is for digits that are known in the end, in bytes.
const reserve = 256

// Pack makes the parts once all results are there. The rest of the page takes so many
// bytes of the budget. Without a source no trial has its trace. It is called once.
func (p *Packer) Pack(fixed int64, source Source) (Packed, error) {
	out := Packed{Trials: p.trials}
	press := newPress()
	meta := Meta{Version: Version, Dir: p.options.Dir, Earlier: p.options.Earlier, Live: p.options.Live, Trials: p.trials}
	looked := 0
	var parts []Part
	for i, s := range p.suites {
		if err := s.settle(); err != nil {
			return out, err
		}
		s.rank()
		columns, err := press.value(nth("t", i), s.table(p.trials > p.many))
		if err != nil {
			return out, err
		}
		texts, err := press.value(nth("s", i), s.texts(source, &looked))
		if err != nil {
			return out, err
		}
		parts = append(parts, columns, texts)
		s.head.Blocks = make([]int, len(s.of))
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
		room := p.options.Budget - fixed - out.Size() - reserve
		if err := p.trace(&out, &meta, newFiller(p.suites, source, press, room)); err != nil {
			return out, err
		}
	}
	out.BytesOverLimit = max(0, fixed+out.Size()-p.options.Budget)
	return out, nil
}

// trace adds the blocks, and writes anew what is known before any case is looked at.
func (p *Packer) trace(out *Packed, meta *Meta, f *filler) error {
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
			meta.Suites[c.suite].Blocks[c.of] = n
		}
		b.part.Name = nth("b", n)
		out.Parts, out.Traced = append(out.Parts, b.part), out.Traced+b.traced
		n++
	}
	meta.Traced = out.Traced
	out.Notes = f.notes()
	out.Parts[0], err = f.press.value("meta", meta)
	return err
}

// table are the suite's trials.
func (s *suite) table(brief bool) Trials {
	t := Trials{Conditions: make([]Columns, len(s.head.Conditions)), Tags: make([][]int, len(s.of))}
	for condition := range t.Conditions {
		t.Conditions[condition] = s.columns(condition, brief)
	}
	for of, a := range s.of {
		t.Tags[of] = a.tags
	}
	return t
}

// texts are what lists show and search.
func (s *suite) texts(source Source, looked *int) Texts {
	t := Texts{Turns: make([]int, len(s.of)), Texts: make([]string, len(s.of))}
	for of, a := range s.of {
		text := a.text
		if !a.whole && source != nil && *looked < mostLooked {
			*looked++
			if r, err := source.Trial(a.key); err == nil {
				text = said(r)
			}
		}
		t.Turns[of] = a.turns
		t.Texts[of], _ = cut(text, shortText)
	}
	return t
}

// said is all that the user says, as far as lists show it.
func said(r eval.Result) string {
	var lines []string
	for _, p := range r.Outcome.Turns {
		if lines = append(lines, p.Input.Text); utf8.RuneCountInString(strings.Join(lines, "\n")) >= shortText {
			break
		}
	}
	return strings.Join(lines, "\n")
}
