package help

import (
	"slices"
	"strings"
)

const gap = "  "

// minColumnWidth is the width to which a table column may shrink on a narrow screen.
const minColumnWidth = 8

// cells splits a row of a Markdown table into cells without markup. The sequence \| in a cell is a
// literal bar.
func cells(line string) (list []string) {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, "\x00"), "|") {
		cell = pageLink.ReplaceAllString(cell, "$1")
		cell = link.ReplaceAllString(cell, "$1")
		cell = strings.NewReplacer("`", "", "**", "", "\x00", "|").Replace(cell)
		list = append(list, strings.TrimSpace(cell))
	}
	return list
}

// isRule reports whether a table row is the line of dashes below the header.
func isRule(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.Trim(cell, "-:") != "" || cell == "" })
}

// table writes table rows in aligned columns, with the header in bold. If the screen is too narrow,
// it wraps the cells of the widest columns.
func (p *renderer) table(rows [][]string) {
	rows = slices.DeleteFunc(rows, isRule)
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	room := p.Width - len(gap)*(len(widths)-1)
	for total(widths) > room {
		i := slices.Index(widths, slices.Max(widths))
		if widths[i] <= minColumnWidth {
			break
		}
		widths[i]--
	}
	for n, row := range rows {
		lines := make([][]string, len(row))
		height := 1
		for i, cell := range row {
			lines[i] = fold(cell, widths[i])
			height = max(height, len(lines[i]))
		}
		for at := range height {
			var line strings.Builder
			for i := range row {
				text := ""
				if at < len(lines[i]) {
					text = lines[i][at]
				}
				line.WriteString(text)
				if i < len(row)-1 {
					line.WriteString(strings.Repeat(" ", max(widths[i]-columns(text), 0)) + gap)
				}
			}
			text := strings.TrimRight(line.String(), " ")
			if n == 0 {
				text = p.bold(text)
			}
			p.put(text)
		}
	}
}

func total(widths []int) (sum int) {
	for _, w := range widths {
		sum += w
	}
	return sum
}

// fold wraps the text of a table cell and splits words that are wider than the cell's column.
func fold(cell string, width int) (lines []string) {
	for _, line := range wrap(cell, width) {
		for columns(line) > width {
			cut := []rune(line)
			for columns(string(cut)) > width {
				cut = cut[:len(cut)-1]
			}
			if len(cut) == 0 {
				break
			}
			lines = append(lines, string(cut))
			line = line[len(string(cut)):]
		}
		lines = append(lines, line)
	}
	return lines
}
