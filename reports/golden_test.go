package reports_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/text"
	"evalctl/reports/document"
)

var update = flag.Bool("update", false, "write the golden files")

// layout returns the document of a screen for a target.
type layout = func(document.Target) document.Document

// documentOf returns the layout of a screen, which is a method of package reports.
func documentOf[S any](method func(S, document.Target) document.Document, screen S) layout {
	return func(to document.Target) document.Document { return method(screen, to) }
}

// terminals returns the targets of terminals with the given widths.
func terminals(widths ...int) (targets []document.Target) {
	for _, width := range widths {
		targets = append(targets, document.Target{Width: document.LineWidth(width), Terminal: true})
	}
	return targets
}

// everywhere returns the targets of two terminals and of a page.
func everywhere() []document.Target { return append(terminals(100, 60), document.PageTarget) }

// expectScreen compares the documents of a screen with the golden file testdata/name.txt. The file
// has a section for each target, in which a block that an earlier section contains is only a
// reference. The section of a page also has the rows of the CSV format and the keys of the JSON
// format. With the flag -update, expectScreen writes the file instead.
func expectScreen(name string, layOut layout, targets ...document.Target) {
	GinkgoHelper()
	d := dump{earlier: map[string]string{}}
	for _, to := range targets {
		d.document(layOut(to), to)
	}
	path := filepath.Join("testdata", name+".txt")
	if *update {
		Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(d.String()), 0o644)).To(Succeed())
		return
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(d.String()).To(Equal(string(want)), "run the tests with -update if %s is to change", path)
}

// dump writes documents as text:
//
//	## heading
//	- <warn> [mark] a line with a <strong:part> => its value
//	note: line below the table
//	| line of a plot
//	> lead | command
//
// The second row of a table states for each column: < or > for the alignment, its rank, "plot", and
// its key in CSV and JSON, with ± if it has an interval. Cells are written as text; tail. What only
// HTML shows is left out.
type dump struct {
	strings.Builder
	earlier map[string]string // names of the blocks of earlier sections, by their text
}

func (d *dump) document(doc document.Document, to document.Target) {
	title := "page"
	switch {
	case to.Terminal && to.Width == document.Unlimited:
		title = "terminal without a limit"
	case to.Terminal:
		title = fmt.Sprintf("terminal with %d columns", to.Width)
	}
	fmt.Fprintf(d, "==== %s ====\n", title)
	if doc.Source != "" {
		fmt.Fprintf(d, "source: %s\n", doc.Source)
	}
	if doc.Partial {
		d.WriteString("partial\n")
	}
	d.WriteByte('\n')
	d.blocks(doc.Blocks, title)
	if !to.Terminal {
		d.data(doc)
	}
}

func (d *dump) blocks(blocks []document.Block, section string) {
	blocks = slices.DeleteFunc(slices.Clone(blocks), document.Block.Empty)
	for i, b := range blocks {
		one := blockText(b)
		switch earlier, found := d.earlier[one]; {
		case one == "":
		case found:
			fmt.Fprintf(d, "(%s)\n\n", earlier)
		default:
			d.earlier[one] = fmt.Sprintf("block %d of %s", i+1, section)
			d.WriteString(one + "\n")
		}
		if b.More != nil {
			fmt.Fprintf(d, "folded: %s {\n\n", b.More.Name)
			d.blocks(b.More.Blocks, section+", "+b.More.Name)
			d.WriteString("}\n\n")
		}
	}
}

func blockText(b document.Block) string {
	var out strings.Builder
	if b.Heading != "" {
		fmt.Fprintf(&out, "%s %s\n", strings.Repeat("#", b.Level), b.Heading)
	}
	if b.ValueColumn > 0 {
		fmt.Fprintf(&out, "values at column %d\n", b.ValueColumn)
	}
	for _, l := range b.Lines {
		out.WriteString(lineText("-", l))
	}
	for _, l := range b.Preformatted {
		fmt.Fprintf(&out, "| %s\n", l)
	}
	out.WriteString(tableText(b.Table))
	if b.Caption != "" {
		fmt.Fprintf(&out, "caption: %s\n", b.Caption)
	}
	for _, l := range b.Notes {
		out.WriteString(lineText("note:", l))
	}
	for _, s := range b.Next {
		fmt.Fprintf(&out, "> %s| %s\n", s.Lead, commandText(s.Words))
	}
	return out.String()
}

func lineText(begin string, l document.Line) string {
	out := begin + strings.Repeat(" ", 1+l.Indent)
	if l.Tone != document.Plain {
		out += "<" + toneName(l.Tone) + "> "
	}
	if l.Mark != "" {
		out += "[" + l.Mark + "] "
	}
	out += l.Text
	for _, p := range l.Parts {
		out += toned(p.Tone, p.Text)
	}
	if l.Value != "" {
		out += " => " + l.Value
	}
	out = visible(out)
	if l.Command != nil {
		out += "\n    > " + commandText(l.Command)
	}
	return out + "\n"
}

// visible replaces control characters, which the renderers escape.
func visible(text string) string {
	return controls.ReplaceAllStringFunc(text, func(c string) string { return strings.Trim(strconv.Quote(c), `"`) })
}

var controls = regexp.MustCompile("[\x00-\x1f\x7f-\u009f\u202a-\u202e]")

func commandText(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = document.ShellQuote(w)
	}
	return strings.Join(quoted, " ")
}

func toneName(t document.Tone) string {
	return []string{"plain", "strong", "good", "bad", "warn", "faint"}[t]
}

func toned(t document.Tone, text string) string {
	if t == document.Plain || text == "" {
		return text
	}
	return "<" + toneName(t) + ":" + text + ">"
}

func tableText(g document.Table) string {
	if g.Rows() == 0 {
		return ""
	}
	fit := []string{"split columns", "shorten names", "keep names", "wrap the last column"}[g.Narrow]
	out := fmt.Sprintf("table: keys %d, %s", g.Keys, fit)
	if g.JoinedFrom > 0 {
		out += fmt.Sprintf(", joined from %d", g.JoinedFrom)
	}
	if g.ShortKeys != nil {
		out += fmt.Sprintf(", short keys %q", g.ShortKeys)
	}
	rows := make([]string, 2+g.Rows())
	for _, c := range g.Columns {
		texts := []string{strings.TrimSpace(c.Head + " " + c.TailHead), columnText(c)}
		for _, cell := range c.Cells {
			text := toned(cell.Tone, cell.Text)
			if cell.Tail != "" {
				text += "; " + cell.Tail
			}
			for _, m := range cell.Marks {
				text += markText(m)
			}
			texts = append(texts, visible(text))
		}
		width := 0
		for _, t := range texts {
			width = max(width, columnsOf(t))
		}
		for i, t := range texts {
			rows[i] += "  | " + text.PadRight(t, width)
		}
	}
	for _, row := range rows {
		out += "\n" + strings.TrimRight(row, " ")
	}
	return out + "\n"
}

func markText(m document.Mark) string {
	shape := []string{"dot", "ring", "whisker", "range", "stroke", "bar", "before", "rule"}[m.Shape]
	if m.To == 0 {
		return fmt.Sprintf(" %s %.3f", shape, m.From)
	}
	return fmt.Sprintf(" %s %.3f–%.3f", shape, m.From, m.To)
}

func columnText(c document.Column) string {
	out := "<"
	if c.Right {
		out = ">"
	}
	if c.Rank > 0 {
		out += fmt.Sprintf(" %d", c.Rank)
	}
	if c.Axis != nil {
		out += fmt.Sprintf(" axis from %.2f to %.2f", c.Axis.Lo, c.Axis.Hi)
	}
	if c.Key != "" {
		out += " " + c.Key
	}
	if c.Estimate {
		out += "±"
	}
	return out
}

// maxDumpedRows is the maximum number of CSV rows in a golden file.
const maxDumpedRows = 12

// data writes the first rows of the CSV format and the keys of the JSON format.
func (d *dump) data(doc document.Document) {
	GinkgoHelper()
	if doc.Rows != nil {
		text, err := document.CSV(doc, document.Options{})
		Expect(err).NotTo(HaveOccurred())
		lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
		fmt.Fprintf(d, "CSV, %d rows:\n%s\n\n", len(lines)-2,
			strings.Join(lines[:min(len(lines)-1, maxDumpedRows)], "\n"))
	}
	raw, err := json.Marshal(doc.Data)
	Expect(err).NotTo(HaveOccurred())
	var value any
	Expect(json.Unmarshal(raw, &value)).To(Succeed())
	keys := map[string]map[string]bool{}
	collectKeys(keys, "", value)
	d.WriteString("JSON keys:\n")
	for _, path := range slices.Sorted(maps.Keys(keys)) {
		fmt.Fprintf(d, "%s{%s}\n", path, strings.Join(slices.Sorted(maps.Keys(keys[path])), ", "))
	}
}

var fieldName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// collectKeys adds the keys of all objects within a JSON value, by the path of the object. An object
// whose keys are not names of fields is a map, whose keys are written as *.
func collectKeys(keys map[string]map[string]bool, path string, value any) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			collectKeys(keys, path+"[]", one)
		}
	case map[string]any:
		isMap := slices.ContainsFunc(slices.Collect(maps.Keys(v)),
			func(k string) bool { return !fieldName.MatchString(k) })
		if keys[path] == nil {
			keys[path] = map[string]bool{}
		}
		for key, one := range v {
			if isMap {
				key = "*"
			}
			keys[path][key] = true
			collectKeys(keys, path+"."+key, one)
		}
	}
}
