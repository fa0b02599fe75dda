package export

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
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
	partial := 0
	if r.Summary.Partial {
		partial = 1
	}
	f.add("evalctl_partial", nil, strconv.Itoa(partial))
	if len(r.Summary.Gates) > 0 {
		n := finding.CountGates(r.Summary.Gates)
		for _, state := range []finding.GateState{finding.GatePassed, finding.GateFailed, finding.GateUndecided} {
			f.add("evalctl_gates", []string{"verdict", state.String()}, strconv.FormatInt(n[state], 10))
		}
	}
	eachCondition(r.Summary, func(c condition, sum eval.ConditionSummary) {
		labels := []string{"suite", c.suite, "variant", c.variant, "fault", c.fault}
		for _, key := range slices.Sorted(maps.Keys(sum.Metrics)) {
			e := sum.Metrics[key]
			switch family := familyOf(key); {
			case !metric.IsKnown(e.Value):
			case f.owner[family] == key:
				f.add(family, labels, formatFloat(*e.Value))
			default:
				f.add(otherMetrics, append(slices.Clone(labels), "metric", key), formatFloat(*e.Value))
			}
		}
	})
	return write(w, "gitlab", f.text())
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

var openMetricsKey = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$`)

// claim assigns each metric a family (OpenMetrics name) of its own. If the names of several metrics
// become the same family name, the first in alphabetical order gets it.
func (f *families) claim(metrics map[string]eval.Estimate) {
	for metric := range metrics {
		family := familyOf(metric)
		if openMetricsKey.MatchString(metric) && (f.owner[family] == "" || metric < f.owner[family]) {
			f.owner[family] = metric
		}
	}
}

func familyOf(metric string) string { return "evalctl_" + strings.ReplaceAll(metric, ".", "_") }

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
	help := map[string]string{
		"evalctl_partial": "1 if the run did not end.",
		"evalctl_gates":   "Gates by their verdict.",
		otherMetrics:      "Metrics whose names are not valid in OpenMetrics.",
	}
	var out bytes.Buffer
	for _, family := range slices.Sorted(maps.Keys(f.samples)) {
		fmt.Fprintf(&out, "# TYPE %s gauge\n# HELP %s %s\n", family, family,
			cmp.Or(help[family], "The metric "+f.owner[family]+"."))
		for _, line := range f.samples[family] {
			out.WriteString(line)
		}
	}
	out.WriteString("# EOF\n")
	return out.Bytes()
}

// labeled formats labels. Its argument contains names and values alternately.
func labeled(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+escapeLabel(labels[i+1])+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func escapeLabel(text string) string { return labelEscapes.Replace(name(text)) }

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "#", "＃")
