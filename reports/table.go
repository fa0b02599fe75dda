package reports

import (
	"fmt"
	"os"
	"strings"
)

// tablePrinter prints tables to a terminal and reuses one writer for all of them.
type tablePrinter struct {
	terminal
	aligned *alignedWriter
}

// table renders the terminal report: the most important results or, with Detail, all tables.
func table(r Report) ([]byte, error) {
	if !r.ShowAll {
		return screen(r), nil
	}
	return renderText(document(r), r.Width, r.Color, r.ASCII)
}

// renderText renders the blocks of a report as text with aligned tables.
func renderText(doc []block, width int, color, ascii bool) ([]byte, error) {
	s := &tablePrinter{terminal: terminal{width: lineWidth(width), color: color && os.Getenv("NO_COLOR") == ""},
		aligned: newAlignedWriter()}
	for i, b := range doc {
		if b.clean(); i > 0 && !b.empty() {
			s.line("")
		}
		if err := s.block(b); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	return toASCII(s.out.Bytes(), ascii), nil
}

func (s *tablePrinter) block(b block) error {
	if b.heading != "" {
		for _, text := range wrap(b.heading, s.width) {
			s.line(s.paint(text, max(b.tone, strong)))
		}
	}
	for _, l := range b.lines {
		s.statement(l)
		if l.code != "" {
			s.line("  " + l.code)
		}
	}
	for _, l := range b.plot {
		s.line(l)
	}
	for i, g := range b.grid.fold(s.width) {
		if i > 0 || b.spaced() {
			s.line("")
		}
		if err := s.grid(g); err != nil {
			return err
		}
	}
	return nil
}

func (s *tablePrinter) grid(g grid) error {
	if len(g.rows) == 0 {
		return nil
	}
	heads := make([]cell, len(g.columns))
	for i, c := range g.columns {
		heads[i] = cell{text: c.head, tone: strong}
	}
	var fixes widthFixes
	var rows [][]string
	for _, row := range append([][]cell{heads}, g.rows...) {
		rows = append(rows, s.wrapRow(row, g.widths, &fixes))
	}
	text, err := s.aligned.draw(g, rows)
	for line := range strings.Lines(fixes.restore(text)) {
		s.line(strings.TrimRight(line, " \n"))
	}
	return err
}

func (s *tablePrinter) wrapRow(row []cell, widths []int, fixes *widthFixes) []string {
	lines := make([][]string, len(row))
	height := 0
	for i, c := range row {
		lines[i] = []string{c.text}
		if columnsOf(c.text) > widths[i] {
			lines[i] = wrap(c.text, widths[i])
		}
		height = max(height, len(lines[i]))
	}
	texts := make([]string, len(row))
	for n := range height {
		for i, c := range row {
			if n < len(lines[i]) {
				texts[i] += strings.Repeat("\n", min(n, 1)) + s.paint(fixes.replace(lines[i][n]), c.tone)
			}
		}
	}
	return texts
}
