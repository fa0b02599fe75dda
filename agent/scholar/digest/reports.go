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

// reportNode is the node of reports in the trace.
const reportNode = "group_report"

// Section is a text with a heading: a document's summary, or a report.
type Section struct {
	Heading, Text string

	covers []string // headings of the summaries that a report covers
}

// String ends with a separator, so that the tokens of sections add up.
func (p Section) String() string {
	return strings.TrimSpace(strings.TrimSpace(p.Heading)+"\n"+strings.TrimSpace(p.Text)) + "\n\n"
}

// Join is the text of sections in a prompt, whose tokens are counted.
func Join(list []Section) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.String())
	}
	return b.String()
}

// ReportConfig is the configuration of group reports.
type ReportConfig struct {
	Slots     *clock.Semaphore // like Config.Semaphore
	MaxTokens int              // tokens that a prompt has for sections

	// Report writes a report of a group of summaries, Merge one of a group of reports.
	Report, Merge func(ctx context.Context, group []Section) (string, error)
	// Heading is the heading of the nth report, from 1; nil: its number.
	Heading func(n int) string

	truncated int // number of cut texts so far
}

// CondenseResult is the material of the answer.
type CondenseResult struct {
	Pieces    []Section // they fit into one prompt
	Groups    int       // of summaries
	Merged    bool      // the pieces are reports, not the summaries
	Failed    []string  // headings of summaries whose report failed
	Truncated int       // number of texts that were cut
}

// ErrNoReport is returned if the reports of all groups failed.
var ErrNoReport = errors.New("no report could be written")

// Condense returns the sections if they fit into one prompt. Otherwise it returns reports of
// groups, merged repeatedly until they fit. A report may use half of the room, so that each round
// halves the number. A failed report does not fail the others.
func Condense(ctx context.Context, cfg ReportConfig, pieces []Section) (c CondenseResult, err error) {
	defer func() { c.Truncated = cfg.truncated }()
	groups := cfg.groups(ctx, pieces)
	c.Groups = len(groups)
	if len(groups) <= 1 {
		c.Pieces = slices.Concat(groups...)
		return c, nil
	}
	c.Merged = true
	write := cfg.Report
	for rounds := bits.Len(uint(len(groups))); ; rounds-- {
		var lost []string
		if pieces, lost, err = cfg.write(ctx, write, groups); err != nil {
			return c, err
		}
		c.Failed = append(c.Failed, lost...)
		groups = cfg.groups(ctx, pieces)
		if len(groups) <= 1 {
			c.Pieces = slices.Concat(groups...)
			return c, nil
		}
		if rounds <= 1 { // the reports still do not fit
			c.Pieces, lost = cfg.fitAll(ctx, pieces)
			c.Failed = append(c.Failed, lost...)
			return c, nil
		}
		write = cfg.Merge
	}
}

// write writes the reports of all groups concurrently.
func (cfg *ReportConfig) write(ctx context.Context, report func(context.Context, []Section) (string, error),
	groups [][]Section) (reports []Section, lost []string, err error) {
	texts, errs := make([]string, len(groups)), make([]error, len(groups))
	running, _ := clock.NewGroup(ctx, 0)
	for i, g := range groups {
		running.Go(reportNode, func(ctx context.Context) error {
			errs[i] = inSlot(ctx, cfg.Slots, func() (err error) {
				texts[i], err = report(trace.InBranch(ctx, i), g)
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
				Reason: llm.Reason(errs[i]),
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

// covered are the headings of the summaries that a group covers.
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
