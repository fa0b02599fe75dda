package ci

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// WriteGitLab writes all known metrics as OpenMetrics text, for a GitLab metrics report. Each
// metric is a gauge with the labels suite, variant and fault. A metric with an invalid OpenMetrics
// name, such as a Chinese label, becomes evalctl_metric with its name as a label. Gates are counted
// by verdict.
//
// GitLab splits a line like a shell and treats everything after # as a comment. Names therefore
// contain the full-width ＃ instead.
func WriteGitLab(w io.Writer, r Report) error {
	f := families{owner: map[string]string{}, samples: map[string][]string{}, seen: map[string]int{}}
	eachCondition(r.Summary, func(_ condition, sum eval.ConditionSummary) { f.claim(sum.Metrics) })
	f.add("evalctl_partial", nil, zeroOrOne(r.Summary.Partial))
	if len(r.Summary.Gates) > 0 {
		t := tallyOf(r.Summary.Gates)
		for _, g := range []struct {
			verdict string
			n       int
		}{{"passed", t.passed}, {"failed", t.failed}, {"undecided", t.undecided}} {
			f.add("evalctl_gates", []string{"verdict", g.verdict}, strconv.Itoa(g.n))
		}
	}
	eachCondition(r.Summary, func(c condition, sum eval.ConditionSummary) { f.condition(c, sum.Metrics) })
	return write(w, "gitlab", f.text())
}

func zeroOrOne(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// families contains the lines of the file, grouped by metric family (the OpenMetrics name of a
// metric).
type families struct {
	owner   map[string]string   // family → evalctl metric that the family is named after
	samples map[string][]string // family → its lines
	seen    map[string]int      // family with labels → how many lines have them, to keep lines unique
}

// otherMetrics is the family of metrics whose name is not a valid OpenMetrics name, or whose family
// belongs to another metric.
const otherMetrics = "evalctl_metric"

var plainMetric = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$`)

// claim assigns each metric a family (OpenMetrics name) of its own. If the names of several metrics
// become the same family name, the first in alphabetical order gets it.
func (f *families) claim(metrics map[string]eval.Estimate) {
	for metric := range metrics {
		if family := familyOf(metric); plainMetric.MatchString(metric) &&
			(f.owner[family] == "" || metric < f.owner[family]) {
			f.owner[family] = metric
		}
	}
}

func familyOf(metric string) string { return "evalctl_" + strings.ReplaceAll(metric, ".", "_") }

func (f *families) condition(c condition, metrics map[string]eval.Estimate) {
	labels := []string{"suite", c.suite, "variant", c.variant, "fault", c.fault}
	for _, metric := range slices.Sorted(maps.Keys(metrics)) {
		e := metrics[metric]
		if !number.IsKnown(e.Value) {
			continue
		}
		if family := familyOf(metric); f.owner[family] == metric {
			f.add(family, labels, plain(*e.Value))
			continue
		}
		f.add(otherMetrics, append(slices.Clone(labels), "metric", metric), plain(*e.Value))
	}
}

// add adds a line. If an earlier line has the same labels after escaping, add appends a number as a
// further label.
func (f *families) add(family string, labels []string, value string) {
	head := family + labeled(labels)
	if f.seen[head]++; f.seen[head] > 1 {
		head = family + labeled(append(slices.Clone(labels), "again", strconv.Itoa(f.seen[head])))
	}
	f.samples[family] = append(f.samples[family], head+" "+value+"\n")
}

// text returns the content of the file, with the families sorted by name.
func (f *families) text() []byte {
	var out bytes.Buffer
	for _, family := range slices.Sorted(maps.Keys(f.samples)) {
		fmt.Fprintf(&out, "# TYPE %s gauge\n# HELP %s %s\n", family, family, f.help(family))
		for _, line := range f.samples[family] {
			out.WriteString(line)
		}
	}
	out.WriteString("# EOF\n")
	return out.Bytes()
}

func (f *families) help(family string) string {
	switch family {
	case "evalctl_partial":
		return "1 where the run did not end."
	case "evalctl_gates":
		return "Gates by their verdict."
	case otherMetrics:
		return "Metrics whose names are none of OpenMetrics."
	}
	return "The metric " + f.owner[family] + "."
}

// labeled formats labels. Its argument contains names and values alternately.
func labeled(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+label(labels[i+1])+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func label(text string) string { return labelSigns.Replace(name(text)) }

var labelSigns = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "#", "＃")
