package reports

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/power"
	"evalctl/reports/document"
)

// summarySentences returns sentences about a suite's power analysis: which differences its cases
// can detect, and how many cases are required.
func summarySentences(q power.Params, s power.SuiteAnalysis) (list []string) {
	var able []power.Analysis
	for _, a := range s.Comparisons {
		if isKnown(a.MinDetectableDifference) {
			able = append(able, a)
		}
	}
	least := func(a, b power.Analysis) int {
		return cmp.Compare(*a.MinDetectableDifference, *b.MinDetectableDifference)
	}
	switch n, same := sameCases(s.Comparisons); {
	case len(able) == 0 && n > 0 && same:
		list = append(list, plural(n, "case")+" cannot detect any difference.")
	case len(able) == 1:
		list = append(list, fmt.Sprintf("%s can detect a difference of %s with %s.", plural(able[0].Cases, "case"),
			detectable(able[0])+" points"+ifInAllEpochs(able[0]), powerText(q)))
	case len(able) > 1:
		lo, hi := slices.MinFunc(able, least), slices.MaxFunc(able, least)
		list = append(list, fmt.Sprintf("Detectable with %s: from %s points (%s) to %s points (%s).", powerText(q),
			detectable(lo), comparisonInText(lo)+ifInAllEpochs(lo), detectable(hi),
			comparisonInText(hi)+ifInAllEpochs(hi)))
	}
	i := largestUndetected(q, able)
	switch some := answerable(s.Comparisons, i); {
	case len(s.Comparisons) == 1:
		list = append(list, fmt.Sprintf("For %s, %s.", pointsOf(q.Differences[i]),
			requiredText(s.Comparisons[0].RequiredCases[i])))
	case len(some) == 0:
		list = append(list, fmt.Sprintf("No number of cases detects %s.", pointsOf(q.Differences[i])))
	default:
		lo, hi := extremes(some, i)
		text := fmt.Sprintf("For %s, %s (%s) to %s (%s) cases are needed.", pointsOf(q.Differences[i]),
			thousands(lo.RequiredCases[i].Cases), comparisonInText(lo), thousands(hi.RequiredCases[i].Cases),
			comparisonInText(hi))
		if most := mostInAllEpochs(some, i); most > 0 {
			text += " If a case that changes does so in every epoch: up to " + thousands(most) + "."
		}
		if len(some) < len(s.Comparisons) {
			text += " For the other comparisons no number is enough."
		}
		list = append(list, text)
	}
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.MarginCases != nil {
		list = append(list, fmt.Sprintf(
			"With no change, the gate drop(route.accuracy) <= %spp passes with %s and %s cases.",
			plainPoints(a.MarginCases.Difference), powerText(q), requiredCases(*a.MarginCases)))
	}
	return list
}

func pointsOf(v float64) string {
	if text := plainPoints(v); text != "1" {
		return text + " points"
	}
	return "1 point"
}

func powerText(q power.Params) string { return exactPercent(q.Power) + " power" }

func comparisonInText(a power.Analysis) string {
	if a.IsAssumedDiscordance {
		return "if " + exactPercent(a.Discordance.Value) + " are discordant"
	}
	return comparisonName(a)
}

func requiredText(n power.RequiredCases) string {
	if n.Cases == 0 {
		return "no number of cases is enough"
	}
	text := requiredCases(n) + " cases are needed"
	if n.CasesAllEpochs > 0 {
		text += ", " + thousands(n.CasesAllEpochs) + " if a case that changes does so in every epoch"
	}
	return text
}

// ifInAllEpochs returns the minimum detectable difference for the assumption that a case that
// changes does so in every epoch. It returns "" with one epoch.
func ifInAllEpochs(a power.Analysis) string {
	if !isKnown(a.MinDetectableDifferenceAllEpochs) {
		return ""
	}
	return " (" + percent(*a.MinDetectableDifferenceAllEpochs) + " if a case that changes does so in every epoch)"
}

// mostInAllEpochs returns the highest number of cases that any comparison requires for difference
// i. It assumes that a case that changes does so in every epoch. It returns 0 with one epoch.
func mostInAllEpochs(list []power.Analysis, i int) (largest int64) {
	for _, a := range list {
		largest = max(largest, a.RequiredCases[i].CasesAllEpochs)
	}
	return largest
}

// largestUndetected returns the index of the largest requested difference that at least one
// comparison cannot detect with its present cases.
func largestUndetected(q power.Params, able []power.Analysis) (at int) {
	for i, w := range q.Differences {
		short := slices.ContainsFunc(able, func(a power.Analysis) bool { return w < *a.MinDetectableDifference })
		if short && w > q.Differences[at] {
			at = i
		}
	}
	return at
}

// answerable returns the comparisons in which some number of cases can detect difference i.
func answerable(list []power.Analysis, i int) []power.Analysis {
	return slices.DeleteFunc(slices.Clone(list), func(a power.Analysis) bool { return a.RequiredCases[i].Cases == 0 })
}

// extremes returns the comparisons that require the fewest and the most cases for difference i.
func extremes(list []power.Analysis, i int) (lo, hi power.Analysis) {
	by := func(a, b power.Analysis) int { return cmp.Compare(a.RequiredCases[i].Cases, b.RequiredCases[i].Cases) }
	return slices.MinFunc(list, by), slices.MaxFunc(list, by)
}

// discordantInRun returns how many cases of the run were discordant, in parentheses. It returns ""
// if there are several comparisons.
func discordantInRun(s power.SuiteAnalysis) string {
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.ObservedDiscordantCases != nil {
		return " (" + thousands(*a.ObservedDiscordantCases) + " discordant in the run)"
	}
	return ""
}

// remarks explains the assumptions behind the numbers, and counts the comparisons that are not
// shown.
func (p PowerReport) remarks(s power.SuiteAnalysis, shown int, brief bool) (b document.Block) {
	note := func(as document.Tone, mark, text string, args ...any) {
		b.Lines = append(b.Lines, document.Line{Tone: as, Mark: mark, Text: fmt.Sprintf(text, args...)})
	}
	if s.Partial {
		note(document.Warn, "!", "The run did not end; only trials that ran are counted.")
	}
	if s.SkippedComparisons > 0 {
		note(document.Warn, "!", "%s: too few scored cases.", plural(s.SkippedComparisons, "comparison"))
	}
	all := plural(int64(len(s.Comparisons)), "comparison")
	switch {
	case brief && shown < len(s.Comparisons):
		note(document.Plain, " ", "%d of %s shown. -v shows more, with intervals; --format json or csv contains all.",
			shown, all)
	case shown < len(s.Comparisons):
		note(document.Plain, " ", "%d of %s shown. --format json or csv contains all.", shown, all)
	}
	family, none := int64(1), 0
	for _, a := range s.Comparisons {
		family = max(family, a.FamilySize)
		if !a.IsAssumedDiscordance && a.DiscordantCases == 0 {
			none++
		}
	}
	switch a := s.Comparisons[0]; {
	case a.IsAssumedDiscordance && s.Name != "" && len(s.Comparisons) > 1:
		note(document.Plain, " ", "No variants to compare: the discordance is assumed.")
	case a.IsAssumedDiscordance:
		note(document.Plain, " ", "discordant: share of cases in which two equally good variants differ. A difference adds to it.")
	case brief:
		note(document.Plain, " ", "Last columns: the number of cases needed to detect that difference.")
	default:
		note(document.Plain, " ", "without difference: discordant cases without the significant part of the difference. Ranges follow from its interval.")
	}
	if len(s.Comparisons) == 1 {
		note(document.Plain, " ", "Last columns: the power with that many cases.")
	}
	if none > 0 {
		note(document.Plain, " ", "With no discordant case, up to 3 in that many cases are assumed (rule of three).")
	}
	if s.Simulated {
		note(document.Warn, "!", "Simulated variants share random numbers and differ in fewer cases than real models. "+
			"The discordance assumes independent errors%s. Measure real models with a real run.", discordantInRun(s))
	}
	if s.LabelBased {
		note(document.Warn, "!", "%s.", eval.UnreadPromptsWarning)
	}
	if family > 1 {
		note(document.Plain, " ", "The level of %s is shared by up to %s (Holm's first step).", exactPercent(p.Alpha),
			plural(family, "comparison"))
	}
	if s.Epochs > 1 {
		note(document.Plain, " ", "if all epochs: the difference needed if few cases change in all of their epochs.")
	}
	return b
}
