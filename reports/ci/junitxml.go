package ci

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"time"

	"evalctl/eval/number"
)

// render renders a JUnit file with the detail of the shape. It returns false if the file would be
// larger than the given maximum, in bytes.
func render(suites []suite, s shape, most int) (text []byte, fits bool) {
	var out bytes.Buffer
	out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites name=\"evalctl\">\n")
	for _, of := range suites {
		of.write(&out, s)
		if out.Len() > most {
			return nil, false
		}
	}
	out.WriteString("</testsuites>\n")
	return out.Bytes(), out.Len() <= most
}

func (s suite) write(out *bytes.Buffer, shape shape) {
	tests := s.tests
	if s.canFold {
		tests = shape.fold(tests)
	}
	var counts [outcomes]int
	var duration time.Duration
	for _, t := range tests {
		counts[t.outcome]++
		duration += t.duration
	}
	out.WriteString("<testsuite")
	attribute(out, "name", s.name)
	attribute(out, "tests", strconv.Itoa(len(tests)))
	attribute(out, "failures", strconv.Itoa(counts[failed]))
	attribute(out, "errors", strconv.Itoa(counts[errored]))
	attribute(out, "skipped", strconv.Itoa(counts[skipped]))
	attribute(out, "time", seconds(duration))
	out.WriteString(">\n")
	s.properties(out, shape)
	for _, t := range tests {
		t.write(out, s.class)
	}
	out.WriteString("</testsuite>\n")
}

// properties writes the metrics of the condition, and a note on what the shape omits.
func (s suite) properties(out *bytes.Buffer, shape shape) {
	var list [][2]string
	if left := shape.leftOut(); left != "" {
		list = append(list, [2]string{"evalctl.left_out", left})
	}
	if shape < bareSuites {
		keys := names{}
		for _, metric := range slices.Sorted(maps.Keys(s.metrics)) {
			if e := s.metrics[metric]; number.IsKnown(e.Value) {
				list = append(list, [2]string{keys.of(metric), plain(*e.Value)},
					[2]string{keys.of(metric + ".n"), strconv.FormatInt(e.N, 10)})
			}
		}
	}
	if len(list) == 0 {
		return
	}
	out.WriteString("<properties>\n")
	for _, p := range list {
		out.WriteString("<property")
		attribute(out, "name", p[0])
		attribute(out, "value", p[1])
		out.WriteString("/>\n")
	}
	out.WriteString("</properties>\n")
}

func (t test) write(out *bytes.Buffer, class string) {
	out.WriteString("<testcase")
	attribute(out, "classname", class)
	attribute(out, "name", t.name)
	attribute(out, "time", seconds(t.duration))
	if t.outcome == passed && t.text == "" {
		out.WriteString("/>\n")
		return
	}
	out.WriteString(">")
	if t.outcome == passed {
		out.WriteString("<system-out>" + escapeXML(lines(t.text)) + "</system-out>")
	} else {
		t.problem(out)
	}
	out.WriteString("</testcase>\n")
}

// problem writes why a test case did not pass. It repeats the message as element text, because
// GitLab shows only the text.
func (t test) problem(out *bytes.Buffer) {
	tag := t.outcome.element()
	out.WriteString("<" + tag)
	attribute(out, "message", t.message)
	attribute(out, "type", t.kind)
	out.WriteString(">" + escapeXML(oneLine(t.message, longText)))
	if t.text != "" {
		out.WriteString("\n" + escapeXML(lines(t.text)))
	}
	out.WriteString("</" + tag + ">")
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 6, 64)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
