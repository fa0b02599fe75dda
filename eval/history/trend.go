package history

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/database"
	"evalctl/eval"
	"evalctl/eval/suggest"
)

// Filter selects conditions by suite, variant and fault. A nil field selects all.
type Filter struct {
	Suites   []string // nil: all
	Variants []string // nil: all
	Faults   []string // nil: all
}

func (c Filter) has(suite, variant, fault string) bool {
	return within(c.Suites, suite) && within(c.Variants, variant) && within(c.Faults, fault)
}

func within(list []string, word string) bool { return list == nil || slices.Contains(list, word) }

// Trend shows how a metric develops from run to run.
type Trend struct {
	Metric string        `json:"metric"`
	Series []TrendSeries `json:"series"`
}

// TrendSeries contains the values of the metric in one condition, the oldest run first.
type TrendSeries struct {
	Suite   string       `json:"suite"`
	Variant string       `json:"variant"`
	Fault   string       `json:"fault"`
	Points  []TrendPoint `json:"points"`
	Change  *TrendChange `json:"change"` // change from the second-last run to the last; nil: there is only one run
}

// TrendPoint is the value of the metric in one run.
type TrendPoint struct {
	Run      string        `json:"run"` // name of the run
	Started  time.Time     `json:"started"`
	Partial  bool          `json:"partial,omitempty"` // the run is incomplete
	Estimate eval.Estimate `json:"estimate"`          // value of the metric
	// the run had other cases than the previous one, or ran them in another way, so the two are not
	// comparable
	CasesChanged bool `json:"cases_changed,omitempty"`
	// settings or prompts differ from those of the previous run
	SettingsChanged bool `json:"settings_changed,omitempty"`

	cases, settings string
}

// IsComparable reports whether this run had the same cases and settings as the previous one.
func (p TrendPoint) IsComparable() bool { return !p.CasesChanged && !p.SettingsChanged }

// Trend returns the values of a metric in the last runs that have it. last is the number of runs;
// 0: all.
func (h *History) Trend(ctx context.Context, metric string, c Filter, last int) (Trend, error) {
	t := Trend{Metric: metric}
	places := map[[3]string]int{}
	err := h.conditions(ctx, c, []string{metric}, func(at measured) {
		e, has := at.metrics[metric]
		if !has {
			return
		}
		key := [3]string{at.suite, at.variant, at.fault}
		i, there := places[key]
		if !there {
			i, places[key] = len(t.Series), len(t.Series)
			t.Series = append(t.Series, TrendSeries{Suite: at.suite, Variant: at.variant, Fault: at.fault})
		}
		t.Series[i].Points = append(t.Series[i].Points, TrendPoint{
			Run:      at.run,
			Started:  at.started,
			Partial:  at.partial,
			Estimate: e,
			cases:    at.casesID,
			settings: at.settings,
		})
	})
	if err != nil {
		return t, err
	}
	if t.Series == nil {
		return t, h.missingMetricError(ctx, metric, c)
	}
	for i := range t.Series {
		s := &t.Series[i]
		for j := range s.Points[1:] {
			before, p := s.Points[j], &s.Points[j+1]
			p.CasesChanged, p.SettingsChanged = p.cases != before.cases, p.settings != before.settings
		}
		if last > 0 && len(s.Points) > last {
			s.Points = s.Points[len(s.Points)-last:]
		}
	}
	slices.SortStableFunc(t.Series, func(a, b TrendSeries) int { return cmp.Compare(a.Suite, b.Suite) })
	return t, h.changes(ctx, &t)
}

// measured is a condition of a run with the requested metrics.
type measured struct {
	run     string
	started time.Time
	partial bool
	condition
}

// conditions calls take for every selected condition, the oldest run first, with these metrics.
func (h *History) conditions(ctx context.Context, c Filter, metrics []string, take func(measured)) error {
	return h.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(
			`SELECT cell.id, run.name, run.started, coalesce(json_extract(run.head, '$.partial'), 0), suite, variant, fault, trials, cases, settings
			FROM run JOIN cell ON cell.run = run.id ORDER BY run.started, run.name, place`) {
			var m measured
			var id, started int64
			if err == nil {
				err = row.Scan(&id, &m.run, &started, &m.partial, &m.suite, &m.variant, &m.fault, &m.trials,
					&m.casesID, &m.settings)
			}
			if err != nil {
				return err
			}
			if !c.has(m.suite, m.variant, m.fault) {
				continue
			}
			m.started = time.UnixMicro(started).UTC()
			if m.metrics, err = estimates(tx, id, metrics); err != nil {
				return err
			}
			take(m)
		}
		return nil
	})
}

func estimates(tx *database.Tx, condition int64, names []string) (map[string]eval.Estimate, error) {
	found := map[string]eval.Estimate{}
	for _, name := range names {
		for row, err := range tx.Rows("SELECT estimate FROM metric WHERE cell = ? AND name = ?", condition, name) {
			var text string
			var e eval.Estimate
			if err == nil {
				err = row.Scan(&text)
			}
			if err == nil {
				err = json.Unmarshal([]byte(text), &e)
			}
			if err != nil {
				return nil, err
			}
			found[name] = e
		}
	}
	return found, nil
}

// missingMetricError explains why no run has the metric in the selected conditions.
func (h *History) missingMetricError(ctx context.Context, metric string, c Filter) error {
	if err := h.checkFilter(ctx, c); err != nil {
		return err
	}
	names, err := h.queryTexts(ctx, "SELECT DISTINCT name FROM metric ORDER BY name")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: no run in it has figures", h.Dir)
	}
	if slices.Contains(names, metric) {
		return fmt.Errorf("no selected run has %s", metric)
	}
	if near, ok := suggest.Closest(metric, names); ok {
		return fmt.Errorf("unknown metric %q, did you mean %q?", metric, near)
	}
	return fmt.Errorf("unknown metric %q: no run has it; evalctl report RUN --format csv lists those of a run", metric)
}

// checkFilter returns an error for names of suites, variants or faults that no run has.
func (h *History) checkFilter(ctx context.Context, c Filter) error {
	for _, of := range []struct {
		what, column string
		names        []string
	}{{"suite", "suite", c.Suites}, {"variant", "variant", c.Variants}, {"fault", "fault", c.Faults}} {
		if of.names == nil {
			continue
		}
		known, err := h.queryTexts(ctx, "SELECT DISTINCT "+of.column+" FROM cell ORDER BY 1")
		if err != nil {
			return err
		}
		for _, name := range of.names {
			if err := suggest.CheckKnown(of.what, name, known); err != nil {
				return fmt.Errorf("--%s: %w", of.what, err)
			}
		}
	}
	return nil
}

func (h *History) queryTexts(ctx context.Context, query string, args ...any) (list []string, err error) {
	err = h.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(query, args...) {
			var word string
			if err == nil {
				err = row.Scan(&word)
			}
			if err != nil {
				return err
			}
			list = append(list, word)
		}
		return nil
	})
	return list, err
}
