package history_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

func TestHistory(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "history")
}

var start = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)

// runFixture describes a run of 20 cases, with the numbers of the wrong cases of each variant.
type runFixture struct {
	name     string
	day      int
	wrong    map[string][]int
	data     string            // hash of the dataset
	settings map[string]string // hash of the settings of each variant
	version  string
	router   string // a setting of the variant
	models   string // models of the suite, as JSON
	seed     uint64 // seed of the run; 0: 1
	sample   int64
	named    []string // IDs of the cases that the suite lists
	status   journal.Status
	suite    string
	fault    string // a fault with which variant b runs, too; "": none
}

const cases = 20

// put writes the directory of a run, as evalctl run does.
func put(dir string, p runFixture) {
	GinkgoHelper()
	path := filepath.Join(dir, p.name)
	Expect(os.MkdirAll(path, 0o755)).To(Succeed())
	if p.suite == "" {
		p.suite = "mine"
	}
	m := journal.Manifest{Version: p.version, Status: journal.StatusDone, Started: start.AddDate(0, 0, p.day),
		Clock: "simulated", Seed: max(p.seed, 1), SettingsHashes: map[string]string{}}
	if p.status != "" {
		m.Status = p.status
	}
	s := eval.SuiteSummary{Name: p.suite, Target: "mine", Dataset: "mine", Cases: cases, Epochs: 1, Sample: p.sample}
	var variants []map[string]string
	for _, v := range []string{"a", "b"} {
		if _, there := p.wrong[v]; !there {
			continue
		}
		s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: v, Fault: eval.NoFault})
		if v == "b" && p.fault != "" {
			s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: v, Fault: p.fault})
		}
		variants = append(variants, map[string]string{"name": v, "router": p.router})
		m.SettingsHashes[p.suite+"/"+v] = p.settings[v]
	}
	text, err := json.Marshal(map[string]any{"name": p.suite, "variants": variants,
		"models": json.RawMessage(cmp.Or(p.models, "{}")), "cases": p.named})
	Expect(err).NotTo(HaveOccurred())
	m.Suites, m.Datasets = []json.RawMessage{text}, []journal.DatasetInfo{{Name: "mine", Hash: p.data, Cases: cases}}
	m, err = m.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(path)).To(Succeed())
	if p.status == journal.StatusRunning {
		return
	}
	log, err := journal.Resume(path, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	table := metric.NewCollector([]eval.SuiteSummary{s})
	for _, c := range s.Conditions {
		wrong := map[int]bool{}
		for _, n := range p.wrong[c.Variant] {
			wrong[n] = true
		}
		for n := range cases {
			want := eval.OneOf{map[bool]string{true: "no", false: "yes"}[wrong[n]]}
			r := eval.Result{Key: fmt.Sprint(c.Variant, c.Fault, n), Suite: p.suite, Case: fmt.Sprintf("c%02d", n),
				Variant: c.Variant,
				Fault:   c.Fault, Epoch: 1, Predicted: "yes",
				Expected: want, Correct: new(!wrong[n]),
				Scores: []eval.Score{{Name: "route", Verdict: eval.PassIf(!wrong[n]), Actual: "yes", Expected: want}}}
			Expect(log.Add(r)).To(Succeed())
			Expect(table.Add(r)).To(Succeed())
		}
	}
	Expect(log.Close()).To(Succeed())
	Expect(journal.WriteJSON(filepath.Join(path, journal.SummaryFile), table.Summarize())).To(Succeed())
}

// many writes the runs r0, r1 … with start times one day apart.
func many(dir string, list ...runFixture) {
	GinkgoHelper()
	for i, p := range list {
		p.name, p.day = fmt.Sprintf("r%d", i), i
		put(dir, p)
	}
}

func of(wrong ...int) runFixture { return runFixture{wrong: map[string][]int{"a": wrong}, data: "d1"} }

func opened(dir string) *history.History {
	GinkgoHelper()
	h, err := history.Open(context.Background(), dir)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(h.Close)
	return h
}

func names(dir string) (list []string) {
	GinkgoHelper()
	found, err := opened(dir).Runs(context.Background())
	Expect(err).NotTo(HaveOccurred())
	for _, r := range found {
		list = append(list, r.Name)
	}
	return list
}

// all returns the whole content of the index as a text.
func all(h *history.History) string {
	GinkgoHelper()
	ctx := context.Background()
	list, err := h.Runs(ctx)
	Expect(err).NotTo(HaveOccurred())
	trend, err := h.Trend(ctx, "route.accuracy", history.Filter{}, 0)
	Expect(err).NotTo(HaveOccurred())
	since, err := h.CaseHistory(ctx, "c03", history.Filter{})
	Expect(err).NotTo(HaveOccurred())
	text, err := json.Marshal([]any{list, trend, since})
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
