package reports

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/power"
)

// summarySentences says what the cases show, and what they would have to be.
func summarySentences(q power.Question, s power.Suite) (list []string) {
	var able []power.Answer
	for _, a := range s.Comparisons {
		if known(a.MinDetectableDifference) {
			able = append(able, a)
		}
	}
	least := func(a, b power.Answer) int {
		return cmp.Compare(*a.MinDetectableDifference, *b.MinDetectableDifference)
	}
	switch n, same := sameCases(s.Comparisons); {
	case len(able) == 0 && n > 0 && same:
		list = append(list, counted(n, "case")+" cannot detect any difference.")
	case len(able) == 1:
		list = append(list, fmt.Sprintf("%s can detect a difference of %s with %s.", counted(able[0].Cases, "case"), shows(able[0])+" points"+ifInAllEpochs(able[0]), ofRuns(q)))
	case len(able) > 1:
		lo, hi := slices.MinFunc(able, least), slices.MaxFunc(able, least)
		list = append(list, fmt.Sprintf("Detectable with %s: from %s points (%s) to %s points (%s).", ofRuns(q), shows(lo), which(lo)+ifInAllEpochs(lo), shows(hi), which(hi)+ifInAllEpochs(hi)))
	}
	i := worthSaying(q, able)
	switch some := enough(s.Comparisons, i); {
	case len(s.Comparisons) == 1:
		list = append(list, fmt.Sprintf("For %s, %s.", pointsOf(q.Differences[i]), wants(s.Comparisons[0].RequiredCases[i])))
	case len(some) == 0:
		list = append(list, fmt.Sprintf("No number of cases detects %s.", pointsOf(q.Differences[i])))
	default:
		lo, hi := extremes(some, i)
		text := fmt.Sprintf("For %s, %s (%s) to %s (%s) cases are needed.", pointsOf(q.Differences[i]),
			grouped(lo.RequiredCases[i].Cases), which(lo), grouped(hi.RequiredCases[i].Cases), which(hi))
		if most := mostInAllEpochs(some, i); most > 0 {
			text += " If a case that changes does so in every epoch: up to " + grouped(most) + "."
		}
		if len(some) < len(s.Comparisons) {
			text += " For the other comparisons no number is enough."
		}
		list = append(list, text)
	}
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.Margin != nil {
		list = append(list, fmt.Sprintf("With no change, the gate drop(route.accuracy) <= %spp passes with %s and %s cases.",
			plainPoints(a.Margin.Difference), ofRuns(q), needed(*a.Margin)))
	}
	return list
}

// pointsOf writes a wanted difference in a sentence.
func pointsOf(v float64) string {
	if text := plainPoints(v); text != "1" {
		return text + " points"
	}
	return "1 point"
}

// ofRuns writes the power.
func ofRuns(q power.Question) string { return asked(q.Power) + " power" }

// which tells a comparison from the others.
func which(a power.Answer) string {
	if a.Assumed {
		return "if " + asked(a.Discordance.Value) + " are discordant"
	}
	return versus(a)
}

func wants(n power.RequiredCases) string {
	if n.Cases == 0 {
		return "no number of cases is enough"
	}
	text := needed(n) + " cases are needed"
	if n.CasesAllEpochs > 0 {
		text += ", " + grouped(n.CasesAllEpochs) + " if a case that changes does so in every epoch"
	}
	return text
}

// ifInAllEpochs is the least difference if few cases lose all of their epochs, with
// several epochs.
func ifInAllEpochs(a power.Answer) string {
	if !known(a.MinDetectableDifferenceAllEpochs) {
		return ""
	}
	return " (" + percent(*a.MinDetectableDifferenceAllEpochs) + " if a case that changes does so in every epoch)"
}

// mostInAllEpochs is the largest number of cases that a wanted difference needs if few
// of them lose all of their epochs; 0 with one epoch.
func mostInAllEpochs(list []power.Answer, i int) (most int64) {
	for _, a := range list {
		most = max(most, a.RequiredCases[i].CasesAllEpochs)
	}
	return most
}

// worthSaying is the largest wanted difference that some comparison does not show yet.
func worthSaying(q power.Question, able []power.Answer) (at int) {
	for i, w := range q.Differences {
		short := slices.ContainsFunc(able, func(a power.Answer) bool { return w < *a.MinDetectableDifference })
		if short && w > q.Differences[at] {
			at = i
		}
	}
	return at
}

// enough are the comparisons for which some number of cases is.
func enough(list []power.Answer, i int) []power.Answer {
	return slices.DeleteFunc(slices.Clone(list), func(a power.Answer) bool { return a.RequiredCases[i].Cases == 0 })
}

// extremes are the comparisons that need the fewest and the most cases.
func extremes(list []power.Answer, i int) (lo, hi power.Answer) {
	by := func(a, b power.Answer) int { return cmp.Compare(a.RequiredCases[i].Cases, b.RequiredCases[i].Cases) }
	return slices.MinFunc(list, by), slices.MaxFunc(list, by)
}

// seenIn says how many cases differ in the run, of a single comparison.
func seenIn(s power.Suite) string {
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.DiscordantCasesSeen != nil {
		return " (" + grouped(*a.DiscordantCasesSeen) + " discordant in the run)"
	}
	return ""
}

// remarks say what figures rest on, and what is not shown.
func (p Power) remarks(s power.Suite, shown int, few bool) (b block) {
	note := func(as tone, mark, text string, args ...any) {
		b.lines = append(b.lines, line{tone: as, mark: mark, text: fmt.Sprintf(text, args...)})
	}
	if s.Partial {
		note(warn, "!", "The run did not end; only trials that ran are counted.")
	}
	if s.InsufficientData > 0 {
		note(warn, "!", "%s: too few scored cases.", counted(s.InsufficientData, "comparison"))
	}
	all := counted(int64(len(s.Comparisons)), "comparison")
	switch {
	case few && shown < len(s.Comparisons):
		note(plain, " ", "%d of %s shown. -v shows more, with intervals; --format json or csv contains all.", shown, all)
	case shown < len(s.Comparisons):
		note(plain, " ", "%d of %s shown. --format json or csv contains all.", shown, all)
	}
	family, none := int64(1), 0
	for _, a := range s.Comparisons {
		family = max(family, a.FamilySize)
		if !a.Assumed && a.DiscordantCases == 0 {
			none++
		}
	}
	switch a := s.Comparisons[0]; {
	case a.Assumed && s.Name != "" && len(s.Comparisons) > 1:
		note(plain, " ", "No variants to compare: the discordance is assumed.")
	case a.Assumed:
		note(plain, " ", "discordant: share of cases in which two equally good variants differ. A difference adds to it.")
	case few:
		note(plain, " ", "Last columns: the number of cases needed to detect that difference.")
	default:
		note(plain, " ", "without difference: discordant cases without the significant part of the difference. Ranges follow from its interval.")
	}
	if len(s.Comparisons) == 1 {
		note(plain, " ", "Last columns: the power with that many cases.")
	}
	if none > 0 {
		note(plain, " ", "With no discordant case, up to 3 in that many cases are assumed (rule of three).")
	}
	if s.Simulated {
		note(warn, "!", "Simulated variants share random numbers and differ in fewer cases than real models. "+
			"The discordance assumes independent errors%s. Measure real models with a real run.", seenIn(s))
	}
	if s.LabelBased {
		note(warn, "!", "%s.", eval.LabelBasedText)
	}
	if family > 1 {
		note(plain, " ", "The level of %s is shared by up to %s (Holm's first step).", asked(p.Alpha), counted(family, "comparison"))
	}
	if s.Epochs > 1 {
		note(plain, " ", "if all epochs: the difference needed if few cases change in all of their epochs.")
	}
	return b
}
