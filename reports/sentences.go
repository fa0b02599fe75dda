package reports

import "evalctl/reports/finding"

// sentenceLines returns findings as lines, with their variant names in bold. The mark is "!" for a
// warning and otherwise "·".
func sentenceLines(found []finding.Sentence) (list []line) {
	for _, f := range found {
		l := line{mark: "·"}
		if f.IsWarning() {
			l.mark, l.tone = "!", warn
		}
		for _, p := range f.ShownParts(true) {
			l.parts = append(l.parts, partOf(p))
		}
		list = append(list, l)
	}
	return list
}

func partOf(p finding.SentencePart) part {
	switch p.Role {
	case finding.VariantName:
		return part{text: named(p.Text), tone: strong}
	case finding.OtherName:
		return part{text: named(p.Text)}
	}
	return part{text: p.Text}
}
