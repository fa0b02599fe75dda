package document

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HTML renders blocks as elements of a page. It uses only classes and SVG attributes, so that a
// content security policy can forbid inline styles and scripts.
func HTML(blocks []Block) template.HTML {
	var out htmlWriter
	for _, b := range blocks {
		if b.Empty() {
			continue
		}
		b.clean()
		out.block(b)
	}
	return template.HTML(out.String()) //nolint:gosec // all texts are escaped
}

// EscapeHTML escapes a text for HTML and permits line breaks after the separators of names, so that
// long names need not break inside a word.
func EscapeHTML(text string) string {
	text = strings.ReplaceAll(text, " %", "\u00a0%")
	text = nameBreak.ReplaceAllString(html.EscapeString(escapeLine(text)), "$1<wbr>$2")
	return flagName.ReplaceAllString(text, `<span class="nw">$0</span>`)
}

// flagName matches the name of a flag, which must not be broken after its hyphens.
var flagName = regexp.MustCompile(`--[a-z][a-z-]*`)

// nameBreak matches a separator within a name.
var nameBreak = regexp.MustCompile(`([\pL\pN][_/:]|\pL[.,{])([\pL\pN])`)

// htmlWriter collects HTML.
type htmlWriter struct{ bytes.Buffer }

func (w *htmlWriter) add(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *htmlWriter) block(b Block) {
	g := b.Graphics
	w.WriteString(`<div class="block"`)
	w.attribute("id", g.ID)
	w.WriteByte('>')
	if b.Heading != "" || g.Note != "" {
		w.WriteString(`<div class="head">`)
		if level := min(max(b.Level, 2), 4); b.Heading != "" {
			w.add("<h%d>", level)
			w.parts([]Part{{Text: b.Heading, Link: g.Link}})
			w.add("</h%d>", level)
		}
		if g.Note != "" {
			w.add(`<p class="m">%s</p>`, EscapeHTML(g.Note))
		}
		w.WriteString("</div>")
	}
	if len(g.Headline) > 0 {
		w.WriteString(`<p class="lead">`)
		w.parts(g.Headline)
		w.WriteString("</p>")
	}
	w.lines("find", b.Lines)
	w.figures(g.Figures)
	if g.Drawing != "" {
		w.WriteString(string(g.Drawing))
	} else if len(b.Preformatted) > 0 {
		w.add("<pre>%s</pre>", html.EscapeString(strings.Join(b.Preformatted, "\n")))
	}
	w.table(b.Table, b.Heading)
	w.legend(g.Legend)
	w.lines("notes", b.Notes)
	for _, s := range b.Next {
		for _, command := range CommandLines("", s.Words, Unlimited) {
			w.add(`<p class="m">%s <code>%s</code></p>`, html.EscapeString(strings.TrimSpace(s.Lead)),
				html.EscapeString(command))
		}
	}
	if b.More != nil {
		w.add("<details><summary>%s</summary>", EscapeHTML(b.More.Name))
		w.WriteString(string(HTML(b.More.Blocks)))
		w.WriteString("</details>")
	}
	w.WriteString("</div>\n")
}

func (w *htmlWriter) attribute(name, value string) {
	if value != "" {
		w.add(` %s="%s"`, name, html.EscapeString(value))
	}
}

// lines writes lines as a list. A warning has the class "w".
func (w *htmlWriter) lines(class string, lines []Line) {
	if len(lines) == 0 {
		return
	}
	w.add(`<ul class="%s">`, class)
	for _, l := range lines {
		classes := strings.TrimSpace(l.Tone.class())
		if l.Mark == "!" {
			classes = "w"
		}
		w.WriteString("<li")
		w.attribute("class", classes)
		w.WriteByte('>')
		if l.Mark != "" && l.Mark != "!" && l.Mark != "·" && l.Mark != "•" {
			w.add(`<span class="sign">%s</span> `, EscapeHTML(l.Mark))
		}
		if l.Parts == nil {
			w.WriteString(EscapeHTML(l.Text))
		} else {
			w.parts(l.Parts)
		}
		if l.Value != "" {
			w.add(` <span class="i">%s</span>`, EscapeHTML(l.Value))
		}
		for _, command := range CommandLines("", l.Command, Unlimited) {
			w.add(" <code>%s</code>", html.EscapeString(command))
		}
		w.WriteString("</li>")
	}
	w.WriteString("</ul>")
}

// parts writes the parts of a text. Adjacent parts with the same address form one link.
func (w *htmlWriter) parts(parts []Part) {
	for i, p := range parts {
		link := safeLink(p.Link)
		if link != "" && (i == 0 || parts[i-1].Link != p.Link) {
			w.add(`<a href="%s">`, html.EscapeString(link))
		}
		w.tagged(p.Tone, EscapeHTML(p.Text))
		if link != "" && (i == len(parts)-1 || parts[i+1].Link != p.Link) {
			w.WriteString("</a>")
		}
	}
}

// safeLink returns an address within the page or its server, and "" for any other.
func safeLink(address string) string {
	if strings.HasPrefix(address, "#") || strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
		return address
	}
	return ""
}

// class returns the CSS classes of a tone.
func (t Tone) class() string {
	switch t {
	case Strong:
		return "b"
	case Good:
		return "up"
	case Bad:
		return "dn"
	case Warn:
		return "wn"
	case Faint:
		return "m"
	}
	return ""
}

// tagged writes escaped text in an element for its tone.
func (w *htmlWriter) tagged(t Tone, escaped string) {
	switch {
	case t == Plain || escaped == "":
		w.WriteString(escaped)
	case t == Faint:
		w.add(`<span class="m">%s</span>`, escaped)
	case t == Strong:
		w.add("<b>%s</b>", escaped)
	default:
		w.add(`<b class="%s">%s</b>`, t.class(), escaped)
	}
}

func (w *htmlWriter) figures(figures []KeyFigure) {
	if len(figures) == 0 {
		return
	}
	w.add(`<dl class="kpi n%d">`, len(figures))
	for _, f := range figures {
		unit := ""
		if f.Unit != "" {
			unit = "<small>" + html.EscapeString(f.Unit) + "</small>"
		}
		value := html.EscapeString(f.Value) + unit
		if f.Unit == "USD" {
			value = `<small class="pre">USD</small>` + html.EscapeString(f.Value)
		}
		w.add(`<div><dt>%s</dt><dd class="v %s">%s</dd><dd>%s</dd></div>`, EscapeHTML(f.Label), f.Tone.class(), value,
			EscapeHTML(f.Note))
	}
	w.WriteString("</dl>")
}

func (w *htmlWriter) legend(items []LegendItem) {
	if len(items) == 0 {
		return
	}
	w.WriteString(`<p class="key">`)
	for _, item := range items {
		w.WriteString("<span>")
		switch {
		case item.Marks != nil:
			w.WriteString(`<svg width="32" height="16" aria-hidden="true">`)
			for _, m := range item.Marks {
				w.mark(Axis{Lo: -0.2, Hi: 1.2}, m, 8)
			}
			w.WriteString("</svg>")
		case item.Tint != 0:
			w.add(`<i class="%s"></i>`, tintClass(item.Tint))
		}
		w.add("%s</span>", EscapeHTML(item.Text))
	}
	w.WriteString("</p>")
}

func tintClass(tint int) string {
	if tint < 0 {
		return "k" + strconv.Itoa(min(-tint, 6))
	}
	return "h" + strconv.Itoa(min(tint, 6))
}

// htmlColumns returns the columns that HTML shows.
func (g Table) htmlColumns() (columns []Column) {
	for _, c := range g.Columns {
		switch {
		case c.Axis == nil && c.title() == "" && c.Key != "", c.Axis == nil && c.Rank > 0 && c.empty():
		default:
			columns = append(columns, c)
		}
	}
	return columns
}

// table writes a table in a box that scrolls if the table is wider than the page; label names the box.
func (w *htmlWriter) table(g Table, label string) {
	columns := g.htmlColumns()
	if g.Rows() == 0 || len(columns) == 0 {
		return
	}
	classes := g.Class
	for _, c := range columns {
		if c.Axis != nil && len(c.Axis.Ticks) > 0 {
			classes += " chart"
			break
		}
	}
	w.WriteString(`<div class="scroll" tabindex="0" role="region"`)
	w.attribute("aria-label", escapeLine(cmp.Or(label, columns[0].title(), "table")))
	w.WriteString("><table")
	w.attribute("class", strings.TrimSpace(classes))
	w.WriteString("><thead>")
	w.groups(columns)
	w.WriteString("<tr>")
	for i, c := range columns {
		w.head(c, i < g.Keys)
	}
	w.WriteString("</tr></thead><tbody>")
	for row := range g.Rows() {
		w.WriteString("<tr>")
		for i, c := range columns {
			w.cell(g, c, c.Cells[row], i < max(g.Keys, 1))
		}
		w.WriteString("</tr>")
	}
	w.WriteString("</tbody></table></div>")
}

// groups writes the row of heads above several columns, if there are any.
func (w *htmlWriter) groups(columns []Column) {
	any := false
	for _, c := range columns {
		any = any || c.Group != ""
	}
	if !any {
		return
	}
	w.WriteString(`<tr class="g">`)
	for i := 0; i < len(columns); {
		n := 1
		for i+n < len(columns) && columns[i].Group != "" && columns[i+n].Group == columns[i].Group {
			n++
		}
		if columns[i].Group == "" {
			w.WriteString("<td></td>")
		} else {
			w.add(`<th class="grp" scope="colgroup" colspan="%d">%s</th>`, n, EscapeHTML(columns[i].Group))
		}
		i += n
	}
	w.WriteString("</tr>")
}

// class returns the CSS classes of a column's cells.
func (c Column) class(key bool) string {
	switch {
	case c.Axis != nil:
		return "pl"
	case key:
		return "an"
	case c.Right:
		return "n"
	}
	return "t"
}

func (w *htmlWriter) head(c Column, key bool) {
	w.add(`<th scope="col" class="%s"`, c.class(key))
	if c.Axis != nil {
		w.attribute("data-head", c.Group) // a phone shows it above the axis
	}
	w.WriteByte('>')
	if c.Axis != nil && len(c.Axis.Ticks) > 0 {
		w.axis(*c.Axis)
	} else {
		w.WriteString(EscapeHTML(c.Head))
		if c.TailHead != "" {
			w.add(` <span class="i">%s</span>`, EscapeHTML(c.TailHead))
		}
	}
	w.WriteString("</th>")
}

func (w *htmlWriter) cell(g Table, c Column, one Cell, key bool) {
	element, scope := "td", ""
	if key {
		element, scope = "th", ` scope="row"`
	}
	classes := c.class(key)
	if one.Tint != 0 {
		classes += " c " + tintClass(one.Tint)
	}
	w.add(`<%s%s class="%s"`, element, scope, classes)
	if c.Right && !key && slices.Contains(strings.Fields(g.Class), "lines") {
		w.attribute("data-head", c.title()) // a phone shows it before the text
	}
	w.WriteByte('>')
	switch {
	case c.Axis != nil:
		w.plot(*c.Axis, one.Marks)
	default:
		w.content(one)
	}
	w.add("</%s>", element)
}

func (w *htmlWriter) content(one Cell) {
	switch link := safeLink(one.Link); {
	case one.Choice != nil:
		w.choice(*one.Choice)
	case one.Parts != nil:
		w.parts(one.Parts)
	case link != "" && one.Text != "":
		w.add(`<a href="%s">`, html.EscapeString(link))
		w.tagged(one.Tone, EscapeHTML(one.Text))
		w.WriteString("</a>")
	default:
		w.tagged(one.Tone, EscapeHTML(one.Text))
	}
	if one.Tag != "" {
		w.add(` <span class="tag">%s</span>`, EscapeHTML(one.Tag))
	}
	if one.Tail != "" {
		w.add(` <span class="i">%s</span>`, EscapeHTML(one.Tail))
	}
	if one.Note != "" {
		w.WriteString(`<span class="s">`)
		w.parts([]Part{{Text: one.Note, Link: one.NoteLink}})
		w.WriteString("</span>")
	}
}

func (w *htmlWriter) choice(c Choice) {
	w.WriteString(`<input type="radio"`)
	w.attribute("form", c.Form)
	w.attribute("name", c.Name)
	w.attribute("value", c.Value)
	w.WriteString(" required")
	if c.Checked {
		w.WriteString(" checked")
	}
	w.attribute("aria-label", escapeLine(c.Label))
	w.WriteByte('>')
}

// rowHeight is the height of a plot in a table, in pixels.
const rowHeight = 24

// axis writes the labels of an axis.
func (w *htmlWriter) axis(a Axis) {
	w.WriteString(`<svg class="p ax" aria-hidden="true" focusable="false">`)
	for _, t := range a.labels(narrowPlot) {
		at := a.position(t.At)
		w.add(`<text x="%s" y="12" text-anchor="%s">%s</text>`, percent(at), labelAnchor(at),
			html.EscapeString(t.Label))
	}
	w.WriteString("</svg>")
}

// plot writes the marks of a cell on its axis, above the lines of the axis.
func (w *htmlWriter) plot(a Axis, marks []Mark) {
	w.WriteString(`<svg class="p" aria-hidden="true" focusable="false">`)
	for _, t := range a.Ticks {
		if a.Zero == nil || t.At != *a.Zero {
			w.vertical("gl", a.position(t.At), -12, rowHeight+12)
		}
	}
	if a.Zero != nil {
		w.vertical("z", a.position(*a.Zero), -12, rowHeight+12)
	}
	for _, m := range marks {
		w.mark(a, m, rowHeight/2)
	}
	w.WriteString("</svg>")
}

func (w *htmlWriter) vertical(class string, at float64, y1, y2 int) {
	w.add(`<line class="%s" x1="%s" x2="%[2]s" y1="%[3]d" y2="%[4]d"/>`, class, percent(at), y1, y2)
}

// mark writes a shape; middle is the vertical center of the row in pixels.
func (w *htmlWriter) mark(a Axis, m Mark, middle int) {
	from, to := a.position(m.From), a.position(m.To)
	horizontal := func(class string, y int) {
		w.add(`<line class="%s" x1="%s" x2="%s" y1="%d" y2="%[4]d"/>`, class, percent(from), percent(to), y)
	}
	tone := strings.TrimSuffix(" "+m.Tone.class(), " ")
	switch m.Shape {
	case Dot:
		w.add(`<circle class="dot%s" cx="%s" cy="%d" r="4"/>`, tone, percent(from), middle)
	case Ring:
		w.add(`<circle class="o%s" cx="%s" cy="%d" r="4"/>`, tone, percent(from), middle)
	case Whisker:
		horizontal("ci"+tone, middle)
	case Range:
		horizontal("rg"+tone, middle)
	case Before:
		horizontal("bf"+tone, middle+7)
	case Stroke:
		w.vertical("tk"+tone, from, middle-7, middle+7)
	case Rule:
		w.vertical("z"+tone, from, -12, 2*middle+12)
	case Bar:
		y, height := float64(middle-6), 12.0
		if m.Height > 0 {
			height = m.Height * 2 * float64(middle)
			y = 2*float64(middle) - height
		}
		w.add(`<rect class="bar%s" x="%s" y="%s" width="%s" height="%s"/>`, tone, percent(from), pixels(y),
			percent(to-from), pixels(height))
	}
}

func percent(v float64) string { return pixels(v) + "%" }

// pixels formats a length with at most two decimals.
func pixels(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}
