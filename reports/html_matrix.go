package reports

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// labelOrder is the order of the labels in the confusion matrices of a suite. Labels that are
// confused with each other are neighbors, and groups are marked.
type labelOrder struct {
	labels []string       // expected labels; the out-of-scope label is the last one
	place  map[string]int // index in labels
	extra  []string       // predicted labels that no case expects, the most frequent first
	groups []labelGroup   // consecutive labels; they do not contain the out-of-scope label
	hasOOS bool           // the last label is the out-of-scope label
	most   int64          // largest number of equal confusions in any variant
}

// labelGroup consists of the labels with the indexes from from to to, exclusive.
type labelGroup struct {
	from, to int
	name     string
}

func (g labelGroup) size() int { return g.to - g.from }

// sortLabels returns the order of the labels. It pools the confusions of all variants, except of
// those whose errors are random, unless there are no others.
func sortLabels(all []labelResults) labelOrder {
	o := labelOrder{place: map[string]int{}}
	expected, extra := map[string]bool{}, map[string]int64{}
	for _, r := range all {
		for label := range r.expected {
			expected[label] = true
		}
	}
	for _, r := range all {
		for p, n := range r.wrong {
			o.most = max(o.most, n)
			if !expected[p.predicted] {
				extra[p.predicted] += n
			}
		}
	}
	o.extra = slices.SortedFunc(maps.Keys(extra), func(a, b string) int {
		return cmp.Or(cmp.Compare(extra[b], extra[a]), cmp.Compare(a, b))
	})
	oos := all[0].suite.OOSLabel
	o.hasOOS = oos != "" && expected[oos]
	delete(expected, oos)
	labels := slices.Sorted(maps.Keys(expected))
	weights := confusionWeights(labels, all)
	order := weights.order()
	for _, i := range order {
		o.labels = append(o.labels, labels[i])
	}
	o.groups = weights.groups(order)
	nameGroups(o.groups, o.labels)
	if o.hasOOS {
		o.labels = append(o.labels, oos)
	}
	for i, label := range o.labels {
		o.place[label] = i
	}
	return o
}

// sameGroup reports whether a confusion is between labels of the same group.
func (o labelOrder) sameGroup(p labelPair) bool {
	a, expected := o.place[p.expected]
	b, predicted := o.place[p.predicted]
	return expected && predicted && slices.ContainsFunc(o.groups,
		func(g labelGroup) bool { return g.from <= a && a < g.to && g.from <= b && b < g.to })
}

// inside returns the number of confusions of a variant inside each group.
func (o labelOrder) inside(r labelResults) []int64 {
	counts := make([]int64, len(o.groups))
	for i, g := range o.groups {
		for _, expected := range o.labels[g.from:g.to] {
			for _, predicted := range o.labels[g.from:g.to] {
				counts[i] += r.wrong[labelPair{expected, predicted}]
			}
		}
	}
	return counts
}

// similarities contains how often two labels are confused with each other, in both directions.
type similarities [][]float64

func confusionWeights(labels []string, all []labelResults) similarities {
	w := make(similarities, len(labels))
	for i := range w {
		w[i] = make([]float64, len(labels))
	}
	place := map[string]int{}
	for i, label := range labels {
		place[label] = i
	}
	hasReal := slices.ContainsFunc(all, func(r labelResults) bool { return !r.suite.IsLabelBased(r.Variant) })
	for _, r := range all {
		if hasReal && r.suite.IsLabelBased(r.Variant) {
			continue
		}
		for p, n := range r.wrong {
			i, expected := place[p.expected]
			j, predicted := place[p.predicted]
			if expected && predicted {
				w[i][j] += float64(n)
				w[j][i] += float64(n)
			}
		}
	}
	return w
}

// order returns the indexes of the labels so that similar ones are near each other. It merges the two
// clusters with the highest mean similarity, until no clusters are similar (average linkage). It needs
// O(n²) steps for usual data and O(n³) at most.
func (w similarities) order() (order []int) {
	n := len(w)
	mean, clusters, nearest := make(similarities, n), make([][]int, n), make([]int, n)
	for i := range w {
		mean[i], clusters[i] = slices.Clone(w[i]), []int{i}
	}
	findNearest := func(i int) {
		nearest[i] = -1
		for j := range n {
			if j != i && clusters[j] != nil && mean[i][j] > 0 && (nearest[i] < 0 || mean[i][j] > mean[i][nearest[i]]) {
				nearest[i] = j
			}
		}
	}
	for i := range n {
		findNearest(i)
	}
	for {
		a := -1
		for i := range n {
			if clusters[i] != nil && nearest[i] >= 0 && (a < 0 || mean[i][nearest[i]] > mean[a][nearest[a]]) {
				a = i
			}
		}
		if a < 0 {
			break
		}
		b := nearest[a]
		sizeA, sizeB := float64(len(clusters[a])), float64(len(clusters[b]))
		for c := range n {
			mean[a][c] = (sizeA*mean[a][c] + sizeB*mean[b][c]) / (sizeA + sizeB)
			mean[c][a] = mean[a][c]
		}
		clusters[a], clusters[b] = w.join(clusters[a], clusters[b]), nil
		findNearest(a)
		for c := range n {
			switch {
			case c == a || clusters[c] == nil || nearest[c] < 0:
			case nearest[c] == a || nearest[c] == b:
				findNearest(c)
			case mean[c][a] > mean[c][nearest[c]]:
				nearest[c] = a
			}
		}
	}
	for _, labels := range clusters {
		order = append(order, labels...)
	}
	return order
}

// join concatenates two clusters. It reverses them if this brings similar labels nearer.
func (w similarities) join(a, b []int) []int {
	nearness := func(a, b []int) (sum float64) {
		for k, i := range a {
			for l, j := range b {
				if w[i][j] > 0 {
					sum += w[i][j] / float64(len(a)-k+l)
				}
			}
		}
		return sum
	}
	reverse := func(list []int) []int {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	left, right := a, b
	most := nearness(a, b)
	for _, o := range [][2][]int{{reverse(a), b}, {a, reverse(b)}, {reverse(a), reverse(b)}} {
		if sum := nearness(o[0], o[1]); sum > most+1e-9 {
			left, right, most = o[0], o[1], sum
		}
	}
	return slices.Concat(left, right)
}

// maxGroupSize is the maximum number of labels in a group.
const maxGroupSize = 12

// groups splits an order into groups of consecutive labels. It maximizes the similarities inside the
// groups minus a penalty that grows with the square of their sizes. Groups of one label are omitted.
func (w similarities) groups(order []int) (list []labelGroup) {
	n, total := len(order), 0.0
	for i := range w {
		for _, v := range w[i] {
			total += v / 2
		}
	}
	penalty := max(groupPenalty*total/float64(max(n, 1)), 0.05)
	best, from := make([]float64, n+1), make([]int, n+1)
	for to := 1; to <= n; to++ {
		best[to] = math.Inf(-1)
		inside := 0.0
		for a := to - 1; a >= max(0, to-maxGroupSize); a-- {
			for b := a + 1; b < to; b++ {
				inside += w[order[a]][order[b]]
			}
			size := float64(to - a)
			if value := best[a] + inside - penalty*size*size; value > best[to] {
				best[to], from[to] = value, a
			}
		}
	}
	for to := n; to > 0; to = from[to] {
		if to-from[to] > 1 {
			list = append(list, labelGroup{from: from[to], to: to})
		}
	}
	slices.Reverse(list)
	return list
}

// groupPenalty is the penalty for a group of one label, as a share of the confusions per label.
const groupPenalty = 0.06

// nameGroups names groups of labels: by the words that at least half of the labels of a group have in
// common, or by the shortest label and the number of the others. Large groups are named first.
func nameGroups(groups []labelGroup, labels []string) {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].size(), groups[a].size()) })
	used, inAll := map[string]bool{}, phraseCounts(labels)
	for _, i := range order {
		members := labels[groups[i].from:groups[i].to]
		name := sharedPhrase(members, inAll, len(labels))
		if name == "" || used[name] {
			shortest := slices.MinFunc(members, func(a, b string) int {
				return cmp.Or(cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)), cmp.Compare(a, b))
			})
			name = fmt.Sprintf("%s\u00a0+%d", named(shortest), len(members)-1)
		}
		groups[i].name, used[name] = name, true
	}
}

// sharedPhrase returns the phrase that most of the labels have in common; longer phrases have
// priority. It returns "" if there is none, or if a quarter of all labels contain the phrase, so that it
// does not identify a group.
func sharedPhrase(labels []string, inAll map[string]int, all int) (best string) {
	in, highest := phraseCounts(labels), 0.0
	for _, phrase := range slices.Sorted(maps.Keys(in)) {
		n := in[phrase]
		score := float64(n) / float64(len(labels)) * (1 + 0.3*float64(strings.Count(phrase, "_")))
		if n >= 2 && 2*n >= len(labels) && 4*inAll[phrase] <= max(all, 4*n) && score > highest {
			best, highest = phrase, score
		}
	}
	return best
}

// functionWords are words with which the name of a group must not begin or end.
var functionWords = strings.Fields("a after an and by for from get in is my not of on or the to what when where" +
	" which why with")

// phraseCounts returns in how many labels each phrase of up to three words occurs. The words of a
// phrase are joined by "_".
func phraseCounts(labels []string) map[string]int {
	counts := map[string]int{}
	for _, label := range labels {
		words := strings.FieldsFunc(strings.ToLower(label),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		seen := map[string]bool{}
		for from := range words {
			for to := from + 1; to <= min(from+3, len(words)); to++ {
				phrase := strings.Join(words[from:to], "_")
				if seen[phrase] || slices.Contains(functionWords, words[from]) ||
					slices.Contains(functionWords, words[to-1]) {
					continue
				}
				seen[phrase] = true
				counts[phrase]++
			}
		}
	}
	return counts
}

// Limits of the table of groups.
const (
	minInside     = 3  // confusions inside a group from which the table shows it
	maxOpenGroups = 14 // groups that are visible without a click
	maxListGroups = 40 // groups in the table
)

// groupsBlock returns the table of the groups with the most confusions of a variant inside.
func (o labelOrder) groupsBlock(r labelResults) document.Block {
	inside := o.inside(r)
	order := make([]int, len(o.groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(inside[b], inside[a]) })
	order = slices.DeleteFunc(order, func(i int) bool { return inside[i] < minInside })
	if len(order) == 0 {
		return document.Block{
			Graphics: document.Graphics{Drawing: o.legend()},
			Notes:    []document.Line{{Text: fmt.Sprintf("No group has %d or more confusions inside.", minInside)}},
		}
	}
	all := len(order)
	order = order[:min(all, maxListGroups)]
	open := order[:min(len(order), maxOpenGroups)]
	most := inside[order[0]]
	b := document.Block{
		Graphics: document.Graphics{Drawing: o.legend()},
		Table:    o.groupsTable(r, open, inside, most),
		Notes: []document.Line{{Text: fmt.Sprintf("Groups with at least %d confusions inside. The name of a group is"+
			" what its labels share, or its shortest label and the number of the others.", minInside)}},
	}
	if rest := order[len(open):]; len(rest) > 0 {
		name := plural(int64(len(rest)), "more group")
		if omitted := all - len(order); omitted > 0 {
			name += fmt.Sprintf(" (%d not listed)", omitted)
		}
		b.More = &document.Folded{
			Name:   name,
			Blocks: []document.Block{{Table: o.groupsTable(r, rest, inside, most)}},
		}
	}
	return b
}

// groupsTable returns a table of the groups with the given indexes: the confusions of a variant inside
// each group, and their share of all its confusions.
func (o labelOrder) groupsTable(r labelResults, indexes []int, inside []int64, most int64) document.Table {
	wrong, _ := r.errors()
	t := document.Table{Keys: 1, Class: "groups", Columns: []document.Column{
		{Head: "group"},
		{Head: "labels", Right: true},
		{Head: "confusions inside", Right: true},
		{Head: "of " + thousands(wrong), Right: true},
		{Axis: document.AmountAxis(float64(most))},
	}}
	for _, i := range indexes {
		g := o.groups[i]
		name := document.Cell{Text: g.name}
		if !o.hasNames() {
			name.Note = strings.Join(escaped(o.labels[g.from:g.to]), ", ")
		}
		t.AddRow([]document.Cell{
			name,
			{Text: fmt.Sprint(g.size()), Tone: document.Faint},
			{Text: thousands(inside[i]), Tone: document.Strong},
			{Text: metric.FormatShare(float64(inside[i]) / float64(wrong)), Tone: document.Faint},
			{Marks: []document.Mark{{Shape: document.Bar, To: float64(inside[i]), Tone: document.Bad}}},
		})
	}
	return t
}

func escaped(labels []string) []string {
	list := make([]string, len(labels))
	for i, label := range labels {
		list[i] = named(label)
	}
	return list
}

// labelResults contains the decisions of a variant by label.
type labelResults struct {
	eval.ConditionSummary
	suite    eval.SuiteSummary
	same     []string                     // names of variants with the same results
	expected map[string]int64             // scored decisions by expected label
	wrong    map[labelPair]int64          // wrong decisions
	pairs    []eval.ConfusedPair          // wrong decisions, the most frequent first
	topOf    map[string]eval.ConfusedPair // most frequent wrong decision by expected label
	examples func(labelPair) (page.Example, bool)
}

// labelPair consists of an expected and a predicted label.
type labelPair struct{ expected, predicted string }

// textWidth is the mean width of a column of small type, in pixels.
const textWidth = 6.8

// longestWord returns the width of the longest part of a name that cannot be wrapped, in pixels of
// small type.
func longestWord(name string) float64 {
	longest := 0
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -_/:.,=", r) }) {
		columns := 0
		for _, r := range word {
			if text.DisplayWidth(string(r)) > 1 { // lines can break between wide characters
				columns = 0
			}
			columns++
			longest = max(longest, columns)
		}
	}
	return textWidth * float64(longest+1)
}
