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

// reportNode is under which reports stand in the trace.
const reportNode = "group_report"

// Section is a text under a heading: a document's summary, or a report.
type Section struct {
	Heading, Text string

	of []string // headings of the summaries that a report is made of
}

// String ends a piece where the next begins, so that the tokens of pieces add up.
func (p Section) String() string {
	return strings.TrimSpace(strings.TrimSpace(p.Heading)+"\n"+strings.TrimSpace(p.Text)) + "\n\n"
}

// Join is what a prompt shows of pieces, and what their tokens are counted of.
func Join(list []Section) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.String())
	}
	return b.String()
}

// ReportConfig is how summaries that are too many for one prompt are made fewer.
type ReportConfig struct {
	Slots     *clock.Semaphore // as Config.Semaphore
	MaxTokens int              // tokens that a prompt has for pieces

	// Report makes a report of a group of summaries, Merge one of a group of reports.
	Report, Merge func(ctx context.Context, group []Section) (string, error)
	// Heading is that of the nth report, from 1; nil: its number.
	Heading func(n int) string

	cut int // texts so far
}

// CondenseResult is what the answer is made of.
type CondenseResult struct {
	Pieces    []Section // they have room in one prompt
	Groups    int       // of summaries
	Merged    bool      // the pieces are reports, not the summaries
	Failed    []string  // headings of summaries that no report tells of, because it failed
	Truncated int       // texts that were too long, and of which the beginning is used
}

// ErrNoReport is the error where the report of every group failed.
var ErrNoReport = errors.New("no report could be written")

// Condense gives the pieces themselves where one prompt has room for them; else reports
// of groups of them, merged as often as it takes: a report has half of the room at most,
// so that each round leaves half as many. A report that fails does not fail the others.
func Condense(ctx context.Context, cfg ReportConfig, pieces []Section) (c CondenseResult, err error) {
	defer func() { c.Truncated = cfg.cut }()
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
		if rounds <= 1 { // there is room for next to nothing
			c.Pieces, lost = cfg.shortened(ctx, pieces)
			c.Failed = append(c.Failed, lost...)
			return c, nil
		}
		write = cfg.Merge
	}
}

// write has all groups reported on side by side.
func (cfg *ReportConfig) write(ctx context.Context, report func(context.Context, []Section) (string, error), groups [][]Section) (made []Section, lost []string, err error) {
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
			trace.Emit(ctx, trace.Event{Kind: trace.KindNodeError, Node: reportNode, Reason: llm.Reason(errs[i]), Text: beginning(errs[i].Error())})
			continue
		}
		made = append(made, cfg.fitting(ctx, Section{Heading: cfg.heading(i + 1), Text: strings.TrimSpace(text), of: covered(groups[i])}, cfg.MaxTokens/2))
	}
	if len(made) == 0 {
		return nil, lost, fmt.Errorf("%w: %w", ErrNoReport, errs[0])
	}
	return made, lost, nil
}

// covered are the headings of the summaries that a group is made of.
func covered(group []Section) (headings []string) {
	for _, p := range group {
		if p.of == nil {
			headings = append(headings, p.Heading)
		}
		headings = append(headings, p.of...)
	}
	return headings
}

func (cfg ReportConfig) heading(n int) string {
	if cfg.Heading != nil {
		return cfg.Heading(n)
	}
	return fmt.Sprintf("## %d", n)
}
