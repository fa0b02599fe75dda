package reports

import (
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// sentenceLines returns findings as lines, with their variant names in bold. The mark is "!" for a
// warning and otherwise "·".
func sentenceLines(found []finding.Sentence) (list []document.Line) {
	for _, f := range found {
		l := document.Line{Mark: "·"}
		if f.IsWarning() {
			l.Mark, l.Tone = "!", document.Warn
		}
		for _, p := range f.ShownParts(true) {
			l.Parts = append(l.Parts, partOf(p))
		}
		list = append(list, l)
	}
	return list
}

func partOf(p finding.SentencePart) document.Part {
	switch p.Role {
	case finding.VariantName:
		return document.Part{Text: named(p.Text), Tone: document.Strong}
	case finding.OtherName:
		return document.Part{Text: named(p.Text)}
	}
	return document.Part{Text: p.Text}
}
