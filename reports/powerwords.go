package reports

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/power"
)

// gist says what the cases show, and what they would have to be.
func gist(q power.Question, s power.Suite) (list []string) {
	var able []power.Answer
	for _, a := range s.Answers {
		if known(a.Detectable) {
			able = append(able, a)
		}
	}
	least := func(a, b power.Answer) int { return cmp.Compare(*a.Detectable, *b.Detectable) }
	switch n, same := sameCases(s.Answers); {
	case len(able) == 0 && n > 0 && same:
		list = append(list, "Not even a difference in every case would be proven by "+counted(n, "case")+".")
	case len(able) == 1:
		list = append(list, fmt.Sprintf("%s show a difference of %s in %s.", counted(able[0].Cases, "case"), shows(able[0])+" points"+ifInAllEpochs(able[0]), ofRuns(q)))
	case len(able) > 1:
		lo, hi := slices.MinFunc(able, least), slices.MaxFunc(able, least)
		list = append(list, fmt.Sprintf("What shows in %s: a difference of %s points (%s) to %s points (%s).", ofRuns(q), shows(lo), which(lo)+ifInAllEpochs(lo), shows(hi), which(hi)+ifInAllEpochs(hi)))
	}
	i := worthSaying(q, able)
	switch some := enough(s.Answers, i); {
	case len(s.Answers) == 1:
		list = append(list, fmt.Sprintf("For %s %s.", pointsOf(q.Wanted[i]), wants(s.Answers[0].Needed[i])))
	case len(some) == 0:
		list = append(list, fmt.Sprintf("For %s no number of cases is enough.", pointsOf(q.Wanted[i])))
	default:
		lo, hi := extremes(some, i)
		text := fmt.Sprintf("For %s %s cases are needed (%s) to %s (%s).", pointsOf(q.Wanted[i]),
			grouped(lo.Needed[i].Cases), which(lo), grouped(hi.Needed[i].Cases), which(hi))
		if most := mostInAllEpochs(some, i); most > 0 {
			text += " If in all epochs of few cases: up to " + grouped(most) + "."
		}
		if len(some) < len(s.Answers) {
			text += " For others no number is enough."
		}
		list = append(list, text)
	}
	if a := s.Answers[0]; len(s.Answers) == 1 && a.Margin != nil {
		list = append(list, fmt.Sprintf("The gate drop(route.accuracy) <= %spp passes in %s with %s cases where nothing has changed.",
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

// ofRuns writes a power of 80 % as 80 of 100 runs.
func ofRuns(q power.Question) string { return plainPoints(q.Power) + " of 100 runs" }

// which tells a comparison from the others.
func which(a power.Answer) string {
	if a.Assumed {
		return "where " + asked(a.Share.Value) + " differ"
	}
	return versus(a)
}

func wants(n power.Need) string {
	if n.Cases == 0 {
		return "no number of cases is enough"
	}
	text := needed(n) + " cases are needed"
	if n.AllEpochs > 0 {
		text += ", " + grouped(n.AllEpochs) + " if in all epochs of few cases"
	}
	return text
}

// ifInAllEpochs is the least difference if few cases lose all of their epochs, with
// several epochs.
func ifInAllEpochs(a power.Answer) string {
	if !known(a.AllEpochs) {
		return ""
	}
	return " (" + percent(*a.AllEpochs) + " if in all epochs of few cases)"
}

// mostInAllEpochs is the largest number of cases that a wanted difference needs if few
// of them lose all of their epochs; 0 with one epoch.
func mostInAllEpochs(list []power.Answer, i int) (most int64) {
	for _, a := range list {
		most = max(most, a.Needed[i].AllEpochs)
	}
	return most
}

// worthSaying is the largest wanted difference that some comparison does not show yet.
func worthSaying(q power.Question, able []power.Answer) (at int) {
	for i, w := range q.Wanted {
		short := slices.ContainsFunc(able, func(a power.Answer) bool { return w < *a.Detectable })
		if short && w > q.Wanted[at] {
			at = i
		}
	}
	return at
}

// enough are the comparisons for which some number of cases is.
func enough(list []power.Answer, i int) []power.Answer {
	return slices.DeleteFunc(slices.Clone(list), func(a power.Answer) bool { return a.Needed[i].Cases == 0 })
}

// extremes are the comparisons that need the fewest and the most cases.
func extremes(list []power.Answer, i int) (lo, hi power.Answer) {
	by := func(a, b power.Answer) int { return cmp.Compare(a.Needed[i].Cases, b.Needed[i].Cases) }
	return slices.MinFunc(list, by), slices.MaxFunc(list, by)
}

// seenIn says how many cases differ in the run, of a single comparison.
func seenIn(s power.Suite) string {
	if a := s.Answers[0]; len(s.Answers) == 1 && a.Seen != nil {
		return " (" + grouped(*a.Seen) + " differ in the run)"
	}
	return ""
}

// remarks say what figures rest on, and what is not shown.
func (p Power) remarks(s power.Suite, shown int, few bool) (b block) {
	note := func(as tone, mark, text string, args ...any) {
		b.lines = append(b.lines, line{tone: as, mark: mark, text: fmt.Sprintf(text, args...)})
	}
	if s.Partial {
		note(warn, "!", "The run did not end: only what it played is counted.")
	}
	if s.Unknown > 0 {
		note(warn, "!", "Of %s too little was judged to tell.", counted(s.Unknown, "comparison"))
	}
	all := counted(int64(len(s.Answers)), "comparison")
	switch {
	case few && shown < len(s.Answers):
		note(plain, " ", "%d of %s are shown, the chief ones: -v has more, with ranges; --format json or csv has all.", shown, all)
	case shown < len(s.Answers):
		note(plain, " ", "%d of %s are shown: --format json or csv has all.", shown, all)
	}
	family, none := int64(1), 0
	for _, a := range s.Answers {
		family = max(family, a.Family)
		if !a.Assumed && a.Differing == 0 {
			none++
		}
	}
	switch a := s.Answers[0]; {
	case a.Assumed && s.Name != "" && len(s.Answers) > 1:
		note(plain, " ", "Nothing was compared: how many cases differ is assumed.")
	case a.Assumed:
		note(plain, " ", "differ: of cases, between variants that are equally good; the flips of a difference come on top.")
	case few:
		note(plain, " ", "The last columns: so many cases are needed to show that.")
	default:
		note(plain, " ", "besides: what differs but for the proven part of the difference; the flips of a wanted one come on top. Ranges follow from its interval.")
	}
	if len(s.Answers) == 1 {
		note(plain, " ", "The last columns: how often so many cases show it.")
	}
	if none > 0 {
		note(plain, " ", "Where no case differs, up to 3 in as many as there are may (rule of three).")
	}
	if s.Simulated {
		note(warn, "!", "Simulated models: their variants answer from the same random numbers and differ in too few cases. "+
			"The discordance is computed as if their errors were independent%s. Real models need a run of their own.", seenIn(s))
	}
	if s.Unread {
		note(warn, "!", "%s.", eval.Unread)
	}
	if family > 1 {
		note(plain, " ", "%s are shared by up to %s: Holm's first step.", asked(p.Alpha), counted(family, "comparison"))
	}
	if s.Epochs > 1 {
		note(plain, " ", "if in all epochs: a difference made by few cases that lose all of their epochs must be larger.")
	}
	return b
}
