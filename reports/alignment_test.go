package reports_test

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

// images returns a report whose names are Chinese or contain emoji that consist of several
// characters. Their display width is hard to compute.
func images() reports.Report {
	names := []string{"模型一号", "👩‍👩‍👧 家庭配置", "🇨🇳🇨🇳🇨🇳", "v❤️1️⃣👍🏽", "plain"}
	s := eval.SuiteSummary{Name: "图片", Target: "prompt", Dataset: "👩‍👩‍👧.jsonl", Cases: 412, Clock: "simulated"}
	for i, name := range names {
		s.Conditions = append(s.Conditions,
			faultFree(name, int64(347+i), []string{"闲聊", "👩‍👩‍👧", "🇨🇳 国内", "a", "❤️ 喜欢的图片,请再来一张"}),
			withFault(name, "router:超时👨‍👩‍👧‍👦", 330, 12))
	}
	return reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}, ShowAll: true}
}

func columnsBetween(line string, from, to int) (part string) {
	at := 0
	for c := (displaywidth.Options{}).StringGraphemes(line); c.Next() && at < to; {
		if at+c.Width() > from {
			part += c.Value()
		}
		at += c.Width()
	}
	return part
}

// expectAligned checks the left-aligned columns of a text table: each cell must start in the same
// terminal column as its head, after a gap.
func expectAligned(text string) {
	GinkgoHelper()
	tables := 0
	for _, block := range strings.Split(text, "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		for _, head := range []string{"accuracy", "missing", "macro-F1", "fallback", "precision",
			"recall", "p50", "p95"} {
			before, _, found := strings.Cut(lines[0], "  "+head)
			if !found {
				continue
			}
			tables++
			for _, line := range lines[1:] {
				at := columnsOf(before)
				Expect(strings.TrimSpace(columnsBetween(line, at, at+2))).To(BeEmpty(), "under %s: %s", head, line)
				if columnsOf(line) > at+2 {
					Expect(columnsBetween(line, at+2, at+3)).NotTo(HavePrefix(" "), "under %s: %s", head, line)
				}
			}
		}
	}
	Expect(tables).To(BeNumerically(">", 5))
}

var _ = Describe("The columns of a text table", func() {
	for _, width := range []int{40, 50, 60, 80, 100, 120, 160, 200} {
		It(fmt.Sprintf("are aligned at a width of %d, even with Chinese names and with emoji of several characters",
			width), func() {
			r := images()
			r.Width = width
			text := written(reports.Table, r)
			expectWithin(width, text)
			expectAligned(text)
			Expect(strings.Count(text, "👩‍👩‍👧")).To(BeNumerically(">=", 5+1), "families stay whole")
		})
	}

	It("have the same width if the environment is set to Chinese", func() {
		r := detailed(hostileReport())
		r.Width = 80
		want := written(reports.Table, r)
		twwidth.SetEastAsian(true) // LANG=zh_CN and RUNEWIDTH_EASTASIAN=1 set it at program start
		DeferCleanup(twwidth.SetEastAsian, false)
		Expect(written(reports.Table, r)).To(Equal(want))
	})

	It("are also aligned if the text is colored", func() {
		GinkgoT().Setenv("NO_COLOR", "")
		r := images()
		r.Width = 80
		plain := written(reports.Table, r)
		r.Color = true
		codes := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[1;31m",
			"", "\x1b[2m", "")
		Expect(codes.Replace(written(reports.Table, r))).To(Equal(plain))
	})
})
