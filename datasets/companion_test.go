package datasets_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

// query is a labeled turn of the dataset companion, with the time and the agent of its case.
type query struct {
	id, agent, today string
	messages         []string // days whose messages are not summarized yet
	Intent           eval.OneOf
	Slots            struct{ Date, Keywords eval.OneOf }
	Days             []string
}

// questions returns all labeled turns of the dataset.
func questions(d *datasets.Dataset) (list []query) {
	for _, c := range all(d, datasets.Filter{}) {
		for _, s := range c.Turns {
			if s.Expected == nil {
				continue
			}
			a := query{id: c.ID, today: c.Now.Format(time.DateOnly)}
			Expect(json.Unmarshal(s.Expected, &a)).To(Succeed(), c.ID)
			Expect(json.Unmarshal(s.State["agent"], &a.agent)).To(Succeed(), c.ID)
			a.readState(c, s.State)
			list = append(list, a)
		}
	}
	return list
}

func (a *query) readState(c eval.Case, state map[string]json.RawMessage) {
	if raw, ok := state["time_zone"]; ok {
		var name string
		Expect(json.Unmarshal(raw, &name)).To(Succeed(), a.id)
		zone, err := time.LoadLocation(name)
		Expect(err).NotTo(HaveOccurred(), a.id)
		a.today = c.Now.In(zone).Format(time.DateOnly)
	}
	var messages []struct{ At time.Time }
	if raw, ok := state["messages"]; ok {
		Expect(json.Unmarshal(raw, &messages)).To(Succeed(), a.id)
	}
	for _, m := range messages {
		a.messages = append(a.messages, m.At.Format(time.DateOnly))
	}
}

// rows returns the days before today that the agent can retrieve.
func (a *query) rows(remembered map[string][]string) []string {
	days := slices.Concat(remembered[a.agent], a.messages)
	slices.Sort(days)
	return slices.DeleteFunc(slices.Compact(days), func(day string) bool { return day >= a.today })
}

// remembered returns the days for which each agent has a built-in memory.
func remembered() map[string][]string {
	f, err := os.Open("../agent/companion/daily_summaries.jsonl")
	Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	days := map[string][]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct{ Agent, Date string }
		Expect(json.Unmarshal(lines.Bytes(), &row)).To(Succeed())
		days[row.Agent] = append(days[row.Agent], row.Date)
	}
	return days
}

// inField reports whether a day is within a canonical date expression, such as a day or a range.
func inField(day, canonical string) bool {
	for run := range strings.SplitSeq(canonical, ",") {
		from, to, ok := strings.Cut(run, "..")
		if !ok {
			to = from
		}
		if from <= day && day <= to {
			return true
		}
	}
	return false
}

var _ = Describe("The built-in dataset companion", Ordered, func() {
	var d *datasets.Dataset
	var days map[string][]string
	BeforeAll(func() {
		d = shipped("companion")
		days = remembered()
	})

	It("C6: expects only days before today and within the given dates, on which the agent has a memory or messages",
		func() {
			for _, q := range questions(d) {
				rows := q.rows(days)
				for _, day := range q.Days {
					Expect(rows).To(ContainElement(day), q.id)
					if q.Slots.Date != nil && q.Slots.Date.Primary() != "" {
						Expect(inField(day, q.Slots.Date.Primary())).To(BeTrue(), "%s: %s", q.id, day)
					}
				}
				Expect(len(q.Days)).To(BeNumerically("<=", 5), q.id)
			}
		})

	It("C6: expects all days within a given date, up to five, if the question has no subject", func() {
		for _, q := range questions(d) {
			if q.Slots.Keywords != nil || q.Slots.Date == nil || q.Slots.Date.Primary() == "" {
				continue
			}
			rows := slices.DeleteFunc(q.rows(days),
				func(day string) bool { return !inField(day, q.Slots.Date.Primary()) })
			if len(rows) <= 5 {
				Expect(q.Days).To(ConsistOf(rows), q.id)
			}
		}
	})

	DescribeTable("has enough test cases with each tag for a breakdown in reports",
		func(kind string) {
			Expect(len(all(d, datasets.Filter{Split: "test", Tags: []string{kind}}))).To(BeNumerically(">=", 30))
		},
		Entry(nil, "zh"), Entry(nil, "en"), Entry(nil, "mixed"), Entry(nil, "short"), Entry(nil, "dated"),
		Entry(nil, "relative"),
		Entry(nil, "absolute"), Entry(nil, "range"), Entry(nil, "keyword"), Entry(nil, "vague"), Entry(nil, "chat"),
		Entry(nil, "hard-negative"),
		Entry(nil, "batch"), Entry(nil, "debounced"), Entry(nil, "multi-turn"), Entry(nil, "fault"),
		Entry(nil, "needs-summary"), Entry(nil, "time-zone"),
	)

	It("has labels that do not follow from language or agent: within each language and agent, the share of questions about earlier days is within 5 points of the total", func() {
		tests := all(d, datasets.Filter{Split: "test"})
		among := shareOfQueries(tests)
		for _, language := range []string{"zh", "en", "mixed"} {
			Expect(shareOfQueries(all(d, datasets.Filter{Split: "test", Tags: []string{language}}))).
				To(BeNumerically("~", among, 5), language)
		}
		for agent := range days {
			own := slices.DeleteFunc(slices.Clone(tests),
				func(c eval.Case) bool { return string(c.Turns[0].State["agent"]) != `"`+agent+`"` })
			Expect(shareOfQueries(own)).To(BeNumerically("~", among, 5), agent)
		}
	})

	It("has no likely paraphrases in different splits", func() {
		Expect(similarPairs(all(d, datasets.Filter{}), 0.45)).To(BeEmpty())
	})
})

// shareOfQueries returns the percentage of cases that ask about earlier days.
func shareOfQueries(cases []eval.Case) float64 {
	n := 0
	for _, c := range cases {
		if lastLabel("companion", c) == "KNOWLEDGE_QUERY" {
			n++
		}
	}
	return 100 * float64(n) / float64(len(cases))
}

// companionFigures writes the counts by tag for the dataset card of companion.
func companionFigures(b *strings.Builder, d *datasets.Dataset) {
	kindTable(b, d, "dated", "relative", "absolute", "range", "invalid-date", "future", "keyword", "vague", "chat",
		"hard-negative", "short", "mixed",
		"batch", "debounced", "multi-turn", "fault", "needs-summary", "time-zone", "voice")
}
