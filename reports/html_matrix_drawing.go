package reports

import (
	"bytes"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// Sizes of the drawing of a matrix, in pixels at full width.
const (
	matrixWidth    = 924
	largestCell    = 24
	maxNamedLabels = 80    // labels up to which their names fit into the matrix
	maxFewLabels   = 38    // labels up to which the names fit on a tablet as well
	textSize       = 12    // height of names
	textGap        = 6     // distance of a name from the cells next to it
	maxLinkedCells = 1_000 // confused pairs up to which each cell links to its cases
	maxExtra       = 4     // columns of predicted labels that no case expects, with the column for all others
)

// hasNames reports whether the matrix contains the names of the labels. Larger matrices contain only
// those of groups.
func (o labelOrder) hasNames() bool { return len(o.labels) <= maxNamedLabels }

// levels returns the number of confusions from which each of the four colors applies.
func (o labelOrder) levels() []int64 {
	if o.most <= 4 {
		return []int64{1, 2, 3, 4}[:max(o.most, 1)]
	}
	levels := []int64{1}
	for k := 1; k < 4; k++ {
		from := int64(math.Ceil(math.Pow(float64(o.most), float64(k)/4)))
		levels = append(levels, max(from, levels[k-1]+1))
	}
	return levels
}

func (o labelOrder) level(n int64) int {
	level := 0
	for i, from := range o.levels() {
		if n >= from {
			level = i + 1
		}
	}
	return level
}

// legend explains the colors of the matrix.
func (o labelOrder) legend() template.HTML {
	var out bytes.Buffer
	out.WriteString(`<p class="key"><span><i class="k4"></i>correct, on the diagonal</span>`)
	levels := o.levels()
	for i, from := range levels {
		text := thousands(from)
		switch {
		case i+1 == len(levels) && o.most > from:
			text += " or more"
		case i+1 < len(levels) && levels[i+1] > from+1:
			text += "–" + thousands(levels[i+1]-1)
		}
		if i == 0 {
			text += " wrong"
		}
		fmt.Fprintf(&out, `<span><i class="e%d"></i>%s</span>`, i+1, text)
	}
	out.WriteString("</p>")
	return template.HTML(out.String()) //nolint:gosec // contains only numbers
}

// drawing returns the confusion matrix of a variant as an SVG, and notes on it. Names are placed next
// to the diagonal, where the row is empty.
func (o labelOrder) drawing(r labelResults) (template.HTML, []document.Line) {
	d := matrixDrawing{labelOrder: o, results: r, cell: min(largestCell, max(matrixWidth/len(o.labels), 6))}
	d.cells()
	d.frames()
	if o.hasNames() {
		d.names()
	}
	d.groupNames()
	return template.HTML(d.svg()), d.notes() //nolint:gosec // all texts are escaped
}

// matrixDrawing is the drawing of a matrix. The unit is a pixel at full width.
type matrixDrawing struct {
	labelOrder
	results     labelResults
	cell        int
	left, right int            // space next to the matrix that names and additional columns use
	occupied    []map[int]bool // columns with a cell, by row
	body        bytes.Buffer   // elements of the drawing
	overlay     []overlayName
}

func (d *matrixDrawing) size() int { return len(d.labels) * d.cell }

// columns returns the additional columns: labels that no case expects. The last one contains all
// others if there are too many.
func (d *matrixDrawing) columns() (list []string, others bool) {
	if len(d.extra) <= maxExtra {
		return d.extra, false
	}
	return d.extra[:maxExtra-1], true
}

// cells draws the counts as squares. Small squares are enlarged, so that they remain visible in
// large matrices.
func (d *matrixDrawing) cells() {
	n := len(d.labels)
	side := max(d.cell*5/6, 5*n*d.cell/(2*matrixWidth))
	square := func(row, column int) string {
		return fmt.Sprintf("M%d %dh%d", column*d.cell+(d.cell-side)/2, row*d.cell+d.cell/2, side)
	}
	paths := map[string]*bytes.Buffer{}
	draw := func(class string, row, column int) {
		if paths[class] == nil {
			paths[class] = &bytes.Buffer{}
		}
		paths[class].WriteString(square(row, column))
	}
	var links bytes.Buffer
	drawCount := func(count int64, row, column int, predicted string) {
		class := fmt.Sprintf("e%d", d.level(count))
		if len(d.results.pairs) > maxLinkedCells {
			draw(class, row, column)
			return
		}
		pair := labelPair{d.labels[row], predicted}
		fmt.Fprintf(&links, `<a href="%s" tabindex="-1"><title>%s → %s: %s</title>`,
			template.HTMLEscapeString(d.results.casesLink(pair).String()),
			template.HTMLEscapeString(d.results.name(pair.expected)),
			template.HTMLEscapeString(d.results.name(predicted)), thousands(count))
		fmt.Fprintf(&links, `<path class="%s" stroke-width="%d" d="%s"/></a>`, class, side, square(row, column))
	}
	extra, others := d.columns()
	for row, expected := range d.labels {
		occupied := map[int]bool{row: true}
		d.occupied = append(d.occupied, occupied)
		if total := d.results.expected[expected]; total > 0 {
			draw(fmt.Sprintf("d%d", min(5, max(1, int(5*d.results.recall(expected))))), row, row)
		}
		for column, predicted := range d.labels {
			if count := d.results.wrong[labelPair{expected, predicted}]; count > 0 && column != row {
				drawCount(count, row, column, predicted)
				occupied[column] = true
			}
		}
		rest := int64(0)
		for i, predicted := range d.extra {
			count := d.results.wrong[labelPair{expected, predicted}]
			if i >= len(extra) {
				rest += count
			} else if count > 0 {
				drawCount(count, row, n+1+i, predicted)
			}
		}
		if rest > 0 {
			draw(fmt.Sprintf("e%d", d.level(rest)), row, n+1+len(extra))
		}
	}
	if len(extra) > 0 {
		columns := len(extra)
		if others {
			columns++
		}
		d.right = (columns + 1) * d.cell
		fmt.Fprintf(&d.body, `<rect class="fr" x="%d" y="0" width="%d" height="%d"/>`, (n+1)*d.cell, columns*d.cell,
			d.size())
	}
	for _, class := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&d.body, `<path class="%s" stroke-width="%d" d="%s"/>`, class, side, paths[class])
	}
	d.body.Write(links.Bytes())
}

// frames draws the border, a frame around each group, and lines that separate the out-of-scope
// label.
func (d *matrixDrawing) frames() {
	var path bytes.Buffer
	for _, g := range d.groups {
		side := g.size() * d.cell
		fmt.Fprintf(&path, "M%d %dh%dv%dh-%dz", g.from*d.cell, g.from*d.cell, side, side, side)
	}
	fmt.Fprintf(&d.body, `<path class="fr" d="M0 0h%d v%[1]dh-%[1]dz%s"/>`, d.size(), path.String())
	if d.hasOOS {
		at := d.size() - d.cell
		fmt.Fprintf(&d.body, `<path class="oos" d="M0 %dh%d M%[1]d 0v%[2]d"/>`, at, d.size())
	}
}

// groupAt returns the range of the group that contains a label, or of the label alone.
func (d *matrixDrawing) groupAt(row int) (from, to int) {
	for _, g := range d.groups {
		if g.from <= row && row < g.to {
			return g.from, g.to
		}
	}
	return row, row + 1
}

// outsidePenalty is the cost of a name outside of the matrix, in cells. It is larger than that of
// any place inside.
const outsidePenalty = 10_000

// names places the name of each label in the largest empty space of its row next to the diagonal. It
// prefers the right side in the upper half and the left side in the lower half. If no space is large
// enough, the name is outside of the matrix.
func (d *matrixDrawing) names() {
	n := len(d.labels)
	for row, label := range d.labels {
		name := d.results.shortName(label)
		width := int(math.Ceil(float64(columnsOf(name))*textWidth)) + 2*textGap
		room := (width + d.cell - 1) / d.cell
		from, to := d.groupAt(row)
		x, anchor, least := 0, "", math.MaxInt
		consider := func(cost, at int, side string) {
			if (side == "") != (row < n/2) {
				cost += n / 5
			}
			if cost < least {
				x, anchor, least = at, side, cost
			}
		}
		start := 0
		for column := 0; column <= n; column++ {
			if column < n && !d.occupied[row][column] {
				continue
			}
			if first := max(start, to); column-first >= room {
				consider(first-row, first*d.cell+textGap, "")
			}
			if last := min(column, from); last-start >= room {
				consider(row-last, last*d.cell-textGap, ` text-anchor="end"`)
			}
			if column == n && len(d.extra) == 0 {
				first := max(start, to)
				consider(outsidePenalty+first-row, first*d.cell+textGap, "")
			}
			if start == 0 {
				last := min(column, from)
				consider(outsidePenalty+row-last, last*d.cell-textGap, ` text-anchor="end"`)
			}
			start = column + 1
		}
		if anchor == "" {
			d.right = max(d.right, x+width-d.size())
		} else {
			d.left = max(d.left, width-x)
		}
		fmt.Fprintf(&d.body, `<text x="%d" y="%d"%s>%s</text>`, x, row*d.cell+d.cell/2+4, anchor,
			template.HTMLEscapeString(name))
	}
}

// overlayName is the name of a group. Its place is in pixels at full width, but the size of its text
// does not depend on the width of the drawing.
type overlayName struct {
	x, y  int
	end   bool // the name ends at x
	small bool // there is space for the name on a phone
	text  string
}

// Distances between the names of groups, as shares of the height of the matrix.
const (
	nameDistance      = 0.022
	phoneNameDistance = 0.045
	minNamedGroup     = 3 // labels
)

// groupNames selects the groups whose names are shown. Those with the most confusions have priority.
func (d *matrixDrawing) groupNames() {
	inside := d.inside(d.results)
	order := make([]int, len(d.groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(inside[b] - inside[a]) })
	for _, i := range order {
		g := d.groups[i]
		if g.size() < minNamedGroup {
			continue
		}
		one := overlayName{y: (g.from + g.to) * d.cell / 2, text: shorten(g.name, maxLabelText)}
		if g.to < len(d.labels)/2 {
			one.x = g.to*d.cell + textGap
		} else {
			one.x, one.end = g.from*d.cell-textGap, true
		}
		if d.isFree(one, nameDistance, false) {
			one.small = d.isFree(one, phoneNameDistance, true)
			d.overlay = append(d.overlay, one)
		}
	}
	slices.SortFunc(d.overlay, func(a, b overlayName) int { return a.y - b.y })
}

// isFree reports whether no other name is nearer than the distance. With small, only names on phones
// count.
func (d *matrixDrawing) isFree(one overlayName, distance float64, small bool) bool {
	return !slices.ContainsFunc(d.overlay, func(o overlayName) bool {
		return (o.small || !small) && math.Abs(float64(o.y-one.y)) < distance*float64(d.size())
	})
}

func (d *matrixDrawing) svg() string {
	var out bytes.Buffer
	class := "mx"
	if d.hasNames() {
		class += " named"
	}
	if len(d.labels) <= maxFewLabels {
		class += " few"
	}
	width, height := d.left+d.size()+d.right, d.size()
	shown := min(width, matrixWidth*width/height)
	fmt.Fprintf(&out, `<div class="%s"><svg class="cells" width="%d" viewBox="%d -1 %d %d" role="img" aria-label="%s">`,
		class, shown, -d.left-1, width+2, height+2, template.HTMLEscapeString(d.description()))
	out.Write(d.body.Bytes())
	out.WriteString(`</svg><svg class="over" aria-hidden="true">`)
	for _, o := range d.overlay {
		anchor, class := "", ""
		if o.end {
			anchor = ` text-anchor="end"`
		}
		if !o.small {
			class = ` class="wide"`
		}
		fmt.Fprintf(&out, `<text%s x="%s%%" y="%s%%" dy="4"%s>%s</text>`, class,
			short(100*float64(d.left+1+o.x)/float64(width+2)), short(100*float64(1+o.y)/float64(height+2)), anchor,
			template.HTMLEscapeString(o.text))
	}
	out.WriteString("</svg></div>")
	return out.String()
}

func (d *matrixDrawing) description() string {
	return fmt.Sprintf("Confusion matrix of %s with %s. The tables on this page contain its values.",
		named(d.results.Variant), plural(int64(len(d.labels)), "label"))
}

// notes explains the parts of the drawing that it has no names for.
func (d *matrixDrawing) notes() (list []document.Line) {
	if extra, others := d.columns(); len(extra) > 0 {
		var names []string
		for _, label := range extra {
			names = append(names, d.results.name(label))
		}
		if others {
			names = append(names, "other labels that no case expects")
		}
		list = append(list, document.Line{Text: "Columns on the right: " + strings.Join(names, ", ") + "."})
	}
	if d.hasOOS {
		list = append(list, document.Line{Text: "Last row and column: " + d.results.name(
			d.labels[len(d.labels)-1]) + "."})
	}
	if !d.hasNames() {
		list = append(list, document.Line{Text: "The matrix has names of groups only."})
	}
	return list
}

// short formats a coordinate with at most one decimal.
func short(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// Widths in a matrix with numbers. All labels have columns of the same width.
const (
	labelColumns     = 0.6  // share of all columns with labels
	sideLabelColumns = 0.5  // their share on the side of the top confusions
	maxLabelColumn   = 0.15 // share of a single column
	minSideMatrix    = 420  // pixels on the side of the top confusions
	minFullMatrix    = 860  // pixels below which the heads are numbers anyway
)

// matrixTable returns the confusion matrix as a table with numbers. Labels that no case expects are
// columns after the others.
func (r labelResults) matrixTable() template.HTML {
	o := labelOrder{}
	for i, label := range r.Confusion.Labels {
		switch {
		case r.expected[label] > 0:
			o.labels = append(o.labels, label)
		case slices.ContainsFunc(r.pairs, func(p eval.ConfusedPair) bool { return p.Predicted == label }):
			o.extra = append(o.extra, r.Confusion.Labels[i])
		}
	}
	slices.SortStableFunc(o.extra, func(a, b string) int { return int(r.predictions(b) - r.predictions(a)) })
	unscored := r.unscoredLabels()
	for _, label := range slices.Sorted(maps.Keys(unscored)) {
		if !slices.Contains(o.extra, label) {
			o.labels = append(o.labels, label)
		}
	}
	d := matrixDrawing{labelOrder: o, results: r}
	extra, others := d.columns()
	columns := slices.Concat(o.labels, extra)
	var out bytes.Buffer
	class := "matrix"
	share, pixels := sideLabelColumns, float64(minSideMatrix)
	if len(columns) > maxSideLabels {
		class += " many"
		share, pixels = labelColumns, minFullMatrix
	}
	width := min(share/float64(len(columns)), maxLabelColumn)
	if slices.ContainsFunc(columns, func(label string) bool { return longestWord(r.name(label)) > width*pixels }) {
		class += " numbers" // the heads do not fit
	}
	fmt.Fprintf(&out, `<div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix of %s">`,
		template.HTMLEscapeString(named(r.Variant)))
	fmt.Fprintf(&out, `<table class="%s"><colgroup><col><col span="%d" width="%s%%"></colgroup><thead><tr>`, class,
		len(columns), short(100*width))
	out.WriteString(`<th scope="col">expected ↓<br>predicted →</th>`)
	for i, label := range columns {
		fmt.Fprintf(&out, `<th scope="col"><span class="number">%d</span><span class="name">%s</span></th>`, i+1,
			document.EscapeHTML(r.name(label)))
	}
	if others {
		out.WriteString(`<th scope="col">other labels</th>`)
	}
	out.WriteString(`<th scope="col" class="n">recall</th></tr></thead><tbody>`)
	for i, expected := range o.labels {
		fmt.Fprintf(&out, `<tr><th scope="row"><span class="number">%d</span>%s</th>`, i+1,
			document.EscapeHTML(r.name(expected)))
		total, shown := r.expected[expected], int64(0)
		for _, predicted := range columns {
			n := r.wrong[labelPair{expected, predicted}]
			if predicted == expected {
				n = total - r.missed(expected)
			}
			shown += n
			out.WriteString(r.matrixCell(labelPair{expected, predicted}, n, total))
		}
		if others {
			fmt.Fprintf(&out, "<td>%s</td>", thousands(total-shown))
		}
		if total == 0 {
			fmt.Fprintf(&out, `<td class="n">%s<span class="i"> %s %s</span></td></tr>`, noValue,
				thousands(unscored[expected]), finding.NotScored)
			continue
		}
		fmt.Fprintf(&out, `<td class="n">%s<span class="i"> of %s</span></td></tr>`,
			metric.FormatShare(float64(total-r.missed(expected))/float64(total)), thousands(total))
	}
	out.WriteString("</tbody></table></div>")
	return template.HTML(out.String()) //nolint:gosec // all texts are escaped
}

// predictions returns how often a label was predicted wrongly.
func (r labelResults) predictions(label string) (n int64) {
	for p, count := range r.wrong {
		if p.predicted == label {
			n += count
		}
	}
	return n
}

// missed returns how many decisions that expect a label are wrong.
func (r labelResults) missed(label string) (n int64) {
	for p, count := range r.wrong {
		if p.expected == label {
			n += count
		}
	}
	return n
}

// matrixCell returns a cell of the matrix. Its color is the share of the row; wrong predictions have
// a square-root scale, so that 1 % is visible.
func (r labelResults) matrixCell(p labelPair, n, total int64) string {
	if n == 0 {
		return `<td class="m">·</td>`
	}
	share, how := float64(n)/float64(total), "predicted as"
	class := fmt.Sprintf("h%d", min(6, 1+int(10*math.Sqrt(share))))
	if p.expected == p.predicted {
		class, how = fmt.Sprintf("k%d", 1+min(4, int(5*share))), "recognized as"
	}
	shareText := ""
	if !finding.IsSmallSample(eval.Estimate{N: total}) {
		shareText = ", " + metric.FormatShare(share)
	}
	label := fmt.Sprintf("%s %s %s: %s of %s%s", r.name(p.expected), how, r.name(p.predicted), thousands(n),
		thousands(total), shareText)
	return fmt.Sprintf(`<td class="c %s"><a href="%s" aria-label="%s">%s</a></td>`, class,
		template.HTMLEscapeString(r.casesLink(p).String()), template.HTMLEscapeString(label), thousands(n))
}
