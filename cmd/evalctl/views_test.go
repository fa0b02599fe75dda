package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports"
)

// viewRows returns the rows of a view in CSV, by column name.
func viewRows(dir, by string) (rows []map[string]string) {
	GinkgoHelper()
	got := evalctl("report", dir, "--by", by, "--format", "csv")
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	all, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

var _ = Describe("evalctl report --by", Ordered, func() {
	var dir string
	rows := countings{}

	BeforeAll(func() {
		dir = readmeRun().dir
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			rows.add(r)
		}
	})

	conditions := func(do func(variant string, condition map[string]eval.Result)) {
		for variant := range rows["toolrouter"] {
			do(variant, rows["toolrouter"].condition(variant, "none"))
		}
	}
	find := func(list []map[string]string, by ...string) map[string]string {
		GinkgoHelper()
		for _, row := range list {
			matches := true
			for i := 0; i < len(by); i += 2 {
				matches = matches && row[by[i]] == by[i+1]
			}
			if matches {
				return row
			}
		}
		Fail(fmt.Sprint("no row of ", by))
		return nil
	}

	It("prints a readable table of each view on any terminal, and writes every format", Label("long"), func() {
		rep, err := openReport(dir)
		Expect(err).NotTo(HaveOccurred())
		rep, err = recomputeReport(rep, nil)
		Expect(err).NotTo(HaveOccurred())
		show := func(format reports.Format, width int) string {
			var out strings.Builder
			rep.Width = width
			Expect(reports.Write(&out, format, rep)).To(Succeed())
			return out.String()
		}
		for _, by := range viewNames() {
			rep.View = reports.View(by)
			for line := range strings.Lines(show(reports.Table, 60)) {
				Expect(displaywidth.Options{}.String(strings.TrimSuffix(line, "\n"))).To(BeNumerically("<=", 60), line)
			}
			Expect(json.Valid([]byte(show(reports.JSON, 0)))).To(BeTrue(), by)
			if rep.View != reports.ByLoop { // this suite has no critic
				Expect(show(reports.Markdown, 0)).To(ContainSubstring("| ---"), by)
				Expect(show(reports.LaTeX, 0)).
					To(And(HavePrefix("% evalctl report "+dir+", run with evalctl "),
						ContainSubstring(`\begin{tabular}`)), by)
			}
		}
	})

	It("agrees with a recount of the cases by tag and language", Label("long"), func() {
		byTag, byLanguage := viewRows(dir, "tag"), viewRows(dir, "tag:lang")
		conditions(func(variant string, condition map[string]eval.Result) {
			right, of := map[string]int{}, map[string]int{}
			for _, r := range condition {
				for _, name := range append(r.Tags, "in "+r.Language) {
					right[name] += verdict(r)
					of[name]++
				}
			}
			for name, n := range of {
				list, tag := byTag, name
				if language, ok := strings.CutPrefix(name, "in "); ok {
					list, tag = byLanguage, language
				}
				row := find(list, "variant", variant, "tag", tag)
				Expect([]string{row["cases"], row["accuracy_n"]}).To(HaveEach(fmt.Sprint(n)), name)
				share, err := strconv.ParseFloat(row["accuracy"], 64)
				Expect(err).NotTo(HaveOccurred())
				Expect(share*float64(n)).To(BeNumerically("~", right[name], 1e-6), name)
			}
		})
		for _, row := range viewRows(dir, "tag:rule") {
			Expect(row["tag"]).To(HavePrefix("rule:"))
		}
	})

	It("counts how often each case is wrong, and its wrong predictions", func() {
		missed, judged, got := map[string]int{}, map[string]int{}, map[string]map[string]int{}
		conditions(func(_ string, condition map[string]eval.Result) {
			for id, r := range condition {
				judged[id]++
				if verdict(r) == 0 {
					missed[id]++
					if got[id] == nil {
						got[id] = map[string]int{}
					}
					for _, s := range r.Scores {
						if s.Name == "route" {
							got[id][strings.Join(s.Expected, " or ")+" as "+s.Actual]++
						}
					}
				}
			}
		})
		list := viewRows(dir, "case")
		Expect(list).To(HaveLen(len(missed)))
		for i, row := range list {
			id := row["case"]
			Expect([]string{row["wrong"], row["scored"]}).
				To(Equal([]string{fmt.Sprint(missed[id]), fmt.Sprint(judged[id])}), id)
			Expect(row["top_prediction_count"]).
				To(Equal(fmt.Sprint(got[id][row["expected"]+" as "+row["top_prediction"]])), id)
			if i > 0 {
				Expect(missed[id]).To(BeNumerically("<=", missed[list[i-1]["case"]]), "the hardest first")
			}
		}
	})

	It("agrees with a recount of labels, fault outcomes and agent calls", Label("long"), func() {
		byClass, byNode := viewRows(dir, "class"), viewRows(dir, "node")
		conditions(func(variant string, condition map[string]eval.Result) {
			pairs, expected := mistakes(condition)
			wrong := map[string]int{}
			for p, n := range pairs {
				wrong[p[0]] += n
			}
			for label, n := range expected {
				row := find(byClass, "variant", variant, "class", label)
				Expect(row["n"]).To(Equal(fmt.Sprint(n)))
				recall, _ := strconv.ParseFloat(row["recall"], 64)
				Expect(recall*float64(n)).To(BeNumerically("~", n-wrong[label], 1e-6), label)
			}
			visits, failed, turned, duration, all := map[string]int{}, map[string]int{}, map[string]int{},
				map[string]float64{}, 0.0
			for _, r := range condition {
				for _, n := range r.Nodes {
					visits[n.Node]++
					duration[n.Node] += float64(n.Duration)
					all += float64(n.Duration)
					switch n.CallError {
					case "":
					case "low_confidence":
						turned[n.Node]++
					default:
						failed[n.Node]++
					}
				}
			}
			for node, n := range visits {
				row := find(byNode, "variant", variant, "node", node)
				Expect([]string{row["visits"], row["errors"], row["rejected_answers"]}).
					To(Equal([]string{fmt.Sprint(n), fmt.Sprint(failed[node]), fmt.Sprint(turned[node])}), node)
				share, _ := strconv.ParseFloat(row["share_of_time"], 64)
				Expect(share).To(BeNumerically("~", duration[node]/all, 1e-6), node)
			}
		})
		for _, row := range viewRows(dir, "fault") {
			wrong, _, errorReplies, _ := rows["toolrouter"].faultEffects(row["variant"], row["fault"])
			Expect([]string{cmp.Or(row["now_wrong"], "0"), cmp.Or(row["now_error_reply"], "0")}).
				To(Equal([]string{fmt.Sprint(wrong), fmt.Sprint(errorReplies)}), row["fault"])
		}
	})
})

var _ = Describe("a report in wide CSV format", func() {
	It("has a row for each condition, with the same values as the CSV that has a row for each metric", func() {
		dir := readmeRun().dir
		read := func(format string) [][]string {
			got := evalctl("report", dir, "--format", format)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			rows, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
			Expect(err).NotTo(HaveOccurred())
			return rows
		}
		tidy, wide := map[string]string{}, read("csv-wide")
		for _, row := range read("csv")[1:] {
			tidy[strings.Join(row[:4], " ")] = row[4]
		}
		Expect(wide).To(HaveLen(1 + len(summaryOf(dir).Suites[0].Conditions)))
		for _, row := range wide[1:] {
			for i := 4; i < len(row); i += 4 {
				Expect(row[i]).To(Equal(tidy[strings.Join(append(row[:3:3], wide[0][i]), " ")]), wide[0][i])
			}
		}
	})
})
