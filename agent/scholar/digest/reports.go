package digest

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// reportNode is the name of group reports in the trace.
const reportNode = "group_report"

// Section is a text with a heading: the summary of a document, or a report on several.
type Section struct {
	Heading, Text string

	covers []string // headings of the summaries that a report is about
}

// String returns heading and text, followed by a blank line. Because of that line, the tokens of
// sections add up.
func (p Section) String() string {
	return strings.TrimSpace(strings.TrimSpace(p.Heading)+"\n"+strings.TrimSpace(p.Text)) + "\n\n"
}

// JoinSections returns the text of sections as it appears in a prompt.
func JoinSections(list []Section) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.String())
	}
	return b.String()
}

// ReportConfig configures Condense.
type ReportConfig struct {
	Semaphore *clock.Semaphore // limits the concurrent calls, like Config.Semaphore
	MaxTokens int              // number of tokens that all sections in a prompt may use

	// WriteReport returns a report on a group of summaries, Merge a report on a group of reports.
	WriteReport, MergeReports func(ctx context.Context, group []Section) (string, error)
	// Heading returns the heading of the nth report, counted from 1. If it is nil, the heading is
	// the number.
	Heading func(n int) string

	truncated int // number of texts that were shortened so far
}

// CondenseResult contains sections that fit into one prompt, and what was lost to achieve this.
type CondenseResult struct {
	Sections           []Section // sections that fit into one prompt
	GroupCount         int       // number of groups into which the summaries were split
	SectionsAreReports bool      // the sections are reports, not the original summaries
	FailedHeadings     []string  // headings of summaries whose report failed
	TruncatedCount     int       // number of texts that were shortened
}

// ErrNoReport is returned if the reports of all groups failed.
var ErrNoReport = errors.New("no report could be written")

// Condense returns sections that fit into one prompt. If pieces do not fit, it replaces them by
// reports on groups, and merges the reports until they fit. A report may use half of a prompt, so
// each merge at least halves their number. A failed report does not affect other reports.
func Condense(ctx context.Context, cfg ReportConfig, pieces []Section) (c CondenseResult, err error) {
	defer func() { c.TruncatedCount = cfg.truncated }()
	groups := cfg.groups(ctx, pieces)
	c.GroupCount = len(groups)
	if len(groups) <= 1 {
		c.Sections = slices.Concat(groups...)
		return c, nil
	}
	c.SectionsAreReports = true
	write := cfg.WriteReport
	for rounds := bits.Len(uint(len(groups))); ; rounds-- {
		var lost []string
		if pieces, lost, err = cfg.write(ctx, write, groups); err != nil {
			return c, err
		}
		c.FailedHeadings = append(c.FailedHeadings, lost...)
		groups = cfg.groups(ctx, pieces)
		if len(groups) <= 1 {
			c.Sections = slices.Concat(groups...)
			return c, nil
		}
		if rounds <= 1 { // the reports still do not fit, so they are shortened
			c.Sections, lost = cfg.fitAll(ctx, pieces)
			c.FailedHeadings = append(c.FailedHeadings, lost...)
			return c, nil
		}
		write = cfg.MergeReports
	}
}

// write writes the reports on all groups concurrently. lost contains the headings of summaries
// whose report failed.
func (cfg *ReportConfig) write(ctx context.Context, report func(context.Context, []Section) (string, error),
	groups [][]Section) (reports []Section, lost []string, err error) {
	texts, errs := make([]string, len(groups)), make([]error, len(groups))
	running, _ := clock.NewGroup(ctx, 0)
	for i, g := range groups {
		running.Go(reportNode, func(ctx context.Context) error {
			errs[i] = inSlot(ctx, cfg.Semaphore, func() (err error) {
				texts[i], err = report(trace.WithBranch(ctx, i), g)
				return err
			})
			return ctx.Err()
		})
	}
	if err := running.Wait(); err != nil {
		return nil, nil, err
	}
	for i, text := range texts {
		if errs[i] == nil && strings.TrimSpace(text) == "" {
			errs[i] = llm.KindEmptyContent
		}
		if errs[i] != nil {
			lost = append(lost, covered(groups[i])...)
			trace.Emit(ctx, trace.Event{
				Kind:   trace.KindNodeError,
				Node:   reportNode,
				Reason: llm.TraceReason(errs[i]),
				Text:   excerpt(errs[i].Error()),
			})
			continue
		}
		reports = append(reports,
			cfg.fit(ctx, Section{Heading: cfg.heading(i + 1), Text: strings.TrimSpace(text),
				covers: covered(groups[i])}, cfg.MaxTokens/2))
	}
	if len(reports) == 0 {
		return nil, lost, fmt.Errorf("%w: %w", ErrNoReport, errs[0])
	}
	return reports, lost, nil
}

// covered returns the headings of the summaries that a group of sections contains.
func covered(group []Section) (headings []string) {
	for _, p := range group {
		if p.covers == nil {
			headings = append(headings, p.Heading)
		}
		headings = append(headings, p.covers...)
	}
	return headings
}

func (cfg ReportConfig) heading(n int) string {
	if cfg.Heading != nil {
		return cfg.Heading(n)
	}
	return fmt.Sprintf("## %d", n)
}
