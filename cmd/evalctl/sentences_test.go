package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/reports"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// listed splits a list such as "a, b and c".
func listed(text string) []string {
	return regexp.MustCompile(`, | and | or `).Split(text, -1)
}

// faultsIn returns the faults that a sentence names in the long or the short form. more is the
// number in "and N more".
func faultsIn(text string) (names []string, more int) {
	if component, kinds, ok := strings.Cut(text, " ("); ok {
		for _, k := range listed(strings.TrimSuffix(kinds, ")")) {
			names = append(names, component+":"+k)
		}
		return names, 0
	}
	if first, rest, ok := strings.Cut(text, " and "); ok && strings.HasSuffix(rest, " more") {
		more, _ = strconv.Atoi(strings.TrimSuffix(rest, " more"))
		return []string{first}, more
	}
	return listed(text), 0
}

// claim is a form of sentence in reports, with a function that checks its numbers by recounting the
// results.
type claim struct {
	form  string
	holds func(n counting, m []string)
}

func (c claim) match(text string) []string {
	return regexp.MustCompile(`^` + c.form + `\.$`).FindStringSubmatch(text)
}

var claims = []claim{
	{`(\S+) with (\S.*?): (\d+) of (\d+) cases not scored(?:; its accuracy covers only (\d+))?(?:; also more than 5 % in (\d+) other conditions?)?`, func(n counting, m []string) {
		for _, fault := range listed(m[2]) {
			_, judged := judgedIn(n.condition(m[1], fault))
			Expect([]string{m[3], m[4]}).
				To(Equal([]string{fmt.Sprint(len(n.condition(m[1], fault)) - judged),
					fmt.Sprint(len(n.condition(m[1], fault)))}))
			Expect(cmp.Or(m[5], fmt.Sprint(judged))).To(Equal(fmt.Sprint(judged)))
		}
		others := -len(listed(m[2]))
		for _, faults := range n {
			for _, condition := range faults {
				if _, judged := judgedIn(condition); float64(len(condition)-judged) > 0.05*float64(len(condition)) {
					others++
				}
			}
		}
		Expect(cmp.Or(m[6], "0")).To(Equal(fmt.Sprint(others)))
	}},
	{`(\S+) has the highest accuracy: (?:(\S+) % of (\d+), )?(\S+) points above (\S+?)(?: \[(\S+), (\S+)\] \((\d+) cases fixed, (\d+) broken\))?, (\S+) above (\S+) \[(\S+), (\S+)\]`, func(n counting, m []string) {
		right, judged := judgedIn(n.condition(m[1], "none"))
		if m[2] != "" {
			Expect([]string{m[2], m[3]}).
				To(Equal([]string{fmt.Sprintf("%.1f", 100*float64(right)/float64(judged)), fmt.Sprint(judged)}))
		}
		for v := range n {
			other, of := judgedIn(n.condition(v, "none"))
			Expect(other * judged).To(BeNumerically("<=", right*of))
		}
		d, lo, hi, gained, lost := n.difference(m[1], m[5])
		Expect(m[4]).To(Equal(d))
		if m[6] != "" {
			Expect(m[6:10]).To(Equal([]string{lo, hi, fmt.Sprint(gained), fmt.Sprint(lost)}))
		}
		d, lo, hi, _, _ = n.difference(m[1], m[11])
		Expect([]string{m[10], m[12], m[13]}).To(Equal([]string{d, lo, hi}))
	}},
	{`(\S.*) make identical decisions in all (\d+) cases(?:, accuracy (\S+) % of (\d+))?; (\S.*?) breaks? (\d+) of these and fix(?:es)? (\d+)(?: \((\S+) points \[(\S+), (\S+)\]\))?`, func(n counting, m []string) {
		first := listed(m[1])[0]
		Expect(m[2]).To(Equal(fmt.Sprint(len(n.condition(first, "none")))))
		right, judged := judgedIn(n.condition(first, "none"))
		if m[3] != "" {
			Expect(m[3:5]).To(Equal([]string{fmt.Sprintf("%.1f", 100*float64(right)/float64(judged)),
				fmt.Sprint(judged)}))
		}
		for _, v := range listed(m[1]) {
			for id, r := range n.condition(v, "none") {
				Expect(r.Predicted).To(Equal(n.condition(first, "none")[id].Predicted), "%s in %s", v, id)
			}
		}
		for _, v := range listed(m[5]) {
			d, lo, hi, gained, lost := n.difference(v, first)
			Expect(m[6:8]).To(Equal([]string{fmt.Sprint(lost), fmt.Sprint(gained)}), v)
			if m[8] != "" {
				Expect(strings.ReplaceAll(strings.Join(m[8:11], " "), "−", "-")).To(Equal(d + " " + lo + " " + hi))
			}
		}
	}},
	{`(\S+) is (\S+) points (above|below) the baseline model (\S+?)(?: \((\S+) % of (\d+)\))?(?: \[(\S+), (\S+)\])?, which is not significant` +
		`(?:, corrected for \d+ comparisons)?(?:\. The \d+ cases that both score can detect \S+ points with 80 % power)?`, func(n counting, m []string) {
		right, judged := judgedIn(n.condition(m[4], "none"))
		if m[5] != "" {
			Expect(m[5:7]).To(Equal([]string{fmt.Sprintf("%.1f", 100*float64(right)/float64(judged)),
				fmt.Sprint(judged)}))
		}
		d, lo, hi, _, _ := n.difference(m[1], m[4])
		sign := map[string]string{"above": "", "below": "-"}[m[3]]
		Expect(sign + m[2]).To(Equal(d))
		for i, bound := range []string{lo, hi} {
			if m[7+i] == "" { // the bound is not shown
				continue
			}
			got, err := strconv.ParseFloat(strings.ReplaceAll(m[7+i], "−", "-"), 64)
			Expect(err).NotTo(HaveOccurred())
			want, err := strconv.ParseFloat(bound, 64)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeNumerically("~", want, 1e-9))
		}
	}},
	{`(\S.*?) (?:is|are) (?:not significantly better|significantly worse) than the baseline model (\S+?)(?: \((\S+) % of (\d+)\))?(?:; the best of them, (\S+?))?: (\S+) points(?: \[(\S+), (\S+)\])?` +
		`(?:, corrected for \d+ comparisons)?(?:\. The \d+ cases that both score can detect \S+ points with 80 % power)?`, func(n counting, m []string) {
		right, judged := judgedIn(n.condition(m[2], "none"))
		Expect([]string{cmp.Or(m[3], fmt.Sprintf("%.1f", 100*float64(right)/float64(judged))),
			cmp.Or(m[4], fmt.Sprint(judged))}).
			To(Equal([]string{fmt.Sprintf("%.1f", 100*float64(right)/float64(judged)), fmt.Sprint(judged)}))
		d, lo, hi, _, _ := n.difference(cmp.Or(m[5], m[1]), m[2])
		Expect(strings.TrimPrefix(strings.ReplaceAll(m[6], "−", "-"), "+")).To(Equal(d))
		for i, bound := range []string{lo, hi} {
			if m[7+i] == "" { // the bound is not shown
				continue
			}
			got, err := strconv.ParseFloat(strings.ReplaceAll(m[7+i], "−", "-"), 64)
			Expect(err).NotTo(HaveOccurred())
			want, err := strconv.ParseFloat(bound, 64)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeNumerically("~", want, 1e-9))
		}
	}},
	{`In (\S+), the rules made (\d+) of (\d+) decisions(?: \(a conversation has several\))?: (\d+) model answers were below the threshold, (\d+) (?:was|were) overruled`, func(n counting, m []string) {
		rules, fellBack := 0, 0
		for _, r := range n.condition(m[1], "none") {
			for _, t := range r.Turns {
				if t.DecidedBy == "rules" {
					rules++
				}
			}
			for _, f := range r.Fallbacks {
				if f.Reason == "low_confidence" {
					fellBack++
				}
			}
		}
		below, err := strconv.Atoi(m[4])
		Expect(err).NotTo(HaveOccurred())
		overruled, err := strconv.Atoi(m[5])
		Expect(err).NotTo(HaveOccurred())
		Expect(m[2]).To(Equal(fmt.Sprint(rules)))
		Expect(below + overruled).To(Equal(rules))
		Expect(fellBack).To(BeNumerically("~", below, overruled), "a turn may be both")
	}},
	{`Top confusion of (\S+): (\S+) → (\S+), (\d+) of (\d+)(?: \((\S+): (\d+)\))?`, func(n counting, m []string) {
		pairs, expected := mistakes(n.condition(m[1], "none"))
		pair := [2]string{m[2], m[3]}
		Expect(m[4:6]).To(Equal([]string{fmt.Sprint(pairs[pair]), fmt.Sprint(expected[m[2]])}))
		for other, count := range pairs {
			Expect(count).To(BeNumerically("<=", pairs[pair]), "%v", other)
		}
		if m[6] != "" {
			first, _ := mistakes(n.condition(m[6], "none"))
			Expect(m[7]).To(Equal(fmt.Sprint(first[pair])))
		}
	}},
	{`Good images, first attempt to delivered: (\S+) (\S+) points \[\S+, \S+\](?: \(mean over cases\))?(?:, from (\S+) % to (\S+) %)?((?:, \S+ \S+)*)`, func(n counting, m []string) {
		first, delivered, gain := qualityShares(n.condition(m[1], "none"))
		Expect(m[2]).To(Equal(fmt.Sprintf("%+.1f", 100*gain)))
		if m[3] != "" {
			Expect(m[3:5]).To(Equal([]string{fmt.Sprintf("%.1f", 100*first), fmt.Sprintf("%.1f", 100*delivered)}))
		}
		for _, other := range strings.Split(m[5], ", ")[1:] {
			variant, points, _ := strings.Cut(other, " ")
			_, _, gain := qualityShares(n.condition(variant, "none"))
			Expect(points).To(Equal(fmt.Sprintf("%+.1f", 100*gain)), variant)
		}
	}},
	{`Bad images that pass the critic: (.+?) (\S+) %(?: \((\d+) of (\d+)\))?, (.+?) (\S+) %(?: \((\d+) of (\d+)\))?`,
		func(n counting, m []string) {
			for _, half := range [][]string{m[1:5], m[5:9]} {
				least, most := 1.0, 0.0
				for _, v := range listed(half[0]) {
					passed, bad := accepted(n.condition(v, "none"))
					least, most = min(least, float64(passed)/float64(bad)), max(most, float64(passed)/float64(bad))
					if half[2] != "" {
						Expect(half[2:]).To(Equal([]string{fmt.Sprint(passed), fmt.Sprint(bad)}))
					}
				}
				if least == most {
					Expect(half[1]).To(Equal(fmt.Sprintf("%.1f", 100*least)))
				} else {
					Expect(half[1]).To(Equal(fmt.Sprintf("%.0f–%.0f", 100*least, 100*most)))
				}
			}
		}},
	{`Worst faults?: (\S.*?) (?:makes|each make) (?:(\d+) of|all) (\d+) cases of (\S+) worse: (.*?)(?:\. (?:It|Each) fixes (\d+) wrong decisions?)?(\. Every fallback still answers)?`, func(n counting, m []string) {
		names, more := faultsIn(m[1])
		wrong, recovered, errorReplies, unanswered := n.faultEffects(m[4], names[0])
		lost := n.failedOrUnscored(m[4], names[0])
		worse, all := wrong+errorReplies+lost, len(n.condition(m[4], names[0]))
		Expect([]string{cmp.Or(m[2], m[3]), m[3]}).To(Equal([]string{fmt.Sprint(worse), fmt.Sprint(all)}))
		classes := map[string]int{"broken": 0, "error replies": 0, "failed or unscored": 0}
		for _, class := range regexp.MustCompile(`, | and `).Split(m[5], -1) {
			count, name, _ := strings.Cut(strings.Replace(class, "error reply", "error replies", 1), " ")
			if count == "all" {
				count = fmt.Sprint(worse)
			}
			classes[name], _ = strconv.Atoi(count)
		}
		Expect(classes).To(Equal(
			map[string]int{"broken": wrong, "error replies": errorReplies, "failed or unscored": lost}))
		Expect(cmp.Or(m[6], "0")).To(Equal(fmt.Sprint(recovered)))
		Expect(m[7] != "").To(Equal(unanswered == 0))
		identical := 0
		for variant, faults := range n {
			for fault := range faults {
				if fault == "none" {
					continue
				}
				w, r, e, _ := n.faultEffects(variant, fault)
				l := n.failedOrUnscored(variant, fault)
				share := float64(w+e+l) / float64(len(n.condition(variant, fault)))
				Expect(share).To(BeNumerically("<=", float64(worse)/float64(all)+1e-9), "%s %s", variant, fault)
				component, _, _ := strings.Cut(names[0], ":")
				if variant == m[4] && strings.HasPrefix(fault, component+":") &&
					w == wrong && r == recovered && e == errorReplies && l == lost {
					identical++
				}
			}
		}
		Expect(identical).To(Equal(len(names) + more))
	}},
	{`(\S+) costs USD (\S+) per 1,000 cases, (\S+) times as much as (\S+)`, func(n counting, m []string) {
		dear, cheap := usd(n.condition(m[1], "none")), usd(n.condition(m[4], "none"))
		Expect(m[2:4]).To(Equal([]string{fmt.Sprintf("%.2f", dear), fmt.Sprintf("%.0f", dear/cheap)}))
		for v := range n {
			if v == "linear" { // the baseline model
				continue
			}
			Expect(usd(n.condition(v, "none"))).To(And(BeNumerically("<=", dear+1e-9), BeNumerically(">=", cheap-1e-9)),
				v)
		}
	}},
	{`Slowest fault: (\S+) raises (?:the turn )?p95 of (\S+) from (\S+ s) to (\S+ s)`, func(n counting, m []string) {
		Expect(m[3:5]).To(Equal([]string{metric.FormatDuration(p95Latency(n.condition(m[2], "none"))),
			metric.FormatDuration(p95Latency(n.condition(m[2], m[1])))}))
	}},
}

// sentenceText returns a sentence of a report as it is shown alone, or with the extra text that it
// has next to tables.
func sentenceText(s finding.Sentence, withExtra bool) string {
	var b strings.Builder
	for _, p := range s.ShownParts(withExtra) {
		b.WriteString(p.Text)
	}
	return b.String()
}

var _ = Describe("the first screen of a run of all shipped suites", Ordered, Label("long"), func() {
	var summary eval.Summary
	rows := countings{}

	BeforeAll(func() {
		studio := newRunDir()
		text := withFaults(withoutFaults(read("../../datasets/studio/suite.yaml")), "v2", "router:timeout",
			"router:server_error", "style_library:timeout", "image:server_error")
		few := fileOf("studio.yaml", withFaults(text, "v2-llm", "critic:timeout"))
		Expect(evalctl("run", few, "--out", studio, "-q").code).To(Equal(exit.Passed))
		for _, dir := range []string{readmeRun().dir, studio} {
			summary.Suites = append(summary.Suites, summaryOf(dir).Suites...)
			for r, err := range journal.ReadRunResults(dir) {
				Expect(err).NotTo(HaveOccurred())
				rows.add(r)
			}
		}
	})

	It("counts the same wrong and unscored decisions that show --failing lists", func() {
		for _, s := range summary.Suites {
			for _, c := range s.Conditions {
				var wrong, unscored, right int64
				for _, r := range rows[s.Name][c.Variant][c.Fault] {
					switch {
					case r.IsWrong():
						wrong++
					case r.IsUnscored():
						unscored++
					default:
						right++
					}
				}
				got, name := c.Metrics["route.accuracy"], s.Name+" "+c.Variant+" "+c.Fault
				Expect(unscored).To(Equal(got.Missing), name)
				Expect(right+wrong).To(Equal(got.N), name)
				if got.N > 0 {
					Expect(*got.Value*float64(got.N)).To(BeNumerically("~", right, 1e-6), name)
				}
			}
		}
	})

	It("agrees with a recount of results.jsonl in every sentence", func() {
		for _, s := range summary.Suites {
			found := finding.Findings(s)
			Expect(len(found)).To(BeNumerically(">=", 4), s.Name)
			for _, f := range found {
				for _, withExtra := range []bool{true, false} {
					text := sentenceText(f, withExtra)
					at := slices.IndexFunc(claims, func(c claim) bool { return c.match(text) != nil })
					Expect(at).To(BeNumerically(">=", 0), "nobody recounts: %s", text)
					By(text)
					claims[at].holds(rows[s.Name], claims[at].match(text))
				}
			}
		}
	})

	It("has at most 24 lines per suite, at most as wide as the terminal", func() {
		for _, width := range []int{60, 80, 100, 140, 0} {
			var out strings.Builder
			Expect(reports.Write(&out, reports.Table,
				reports.Report{Summary: summary, Dir: "runs/first", Options: document.Options{Width: width}})).
				To(Succeed())
			for line := range strings.Lines(out.String()) {
				Expect(displaywidth.Options{}.String(strings.TrimSuffix(line, "\n"))).
					To(BeNumerically("<=", cmp.Or(width, 100)), line)
			}
			for _, suite := range summary.Suites {
				out.Reset()
				Expect(reports.Write(&out, reports.Table,
					reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{suite}}, Dir: "runs/first",
						Options: document.Options{Width: width}})).To(Succeed())
				text, _, _ := strings.Cut(out.String(), "\n\n"+metric.Plural(finding.CompletedTrials(suite), "trial"))
				for line := range strings.Lines(out.String()) {
					Expect(displaywidth.Options{}.String(strings.TrimSuffix(line, "\n"))).
						To(BeNumerically("<=", cmp.Or(width, 100)), line)
				}
				Expect(strings.Count(text, "\n")+1).To(BeNumerically("<=", 24), text)
			}
		}
	})
})
