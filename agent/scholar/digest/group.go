package digest

import (
	"context"
	"fmt"

	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// groups splits the sections, in order, into as few groups as possible that each fit into one
// prompt. A section that does not fit alone is shortened.
func (cfg *ReportConfig) groups(ctx context.Context, pieces []Section) (groups [][]Section) {
	var group []Section
	left := cfg.MaxTokens
	for _, p := range pieces {
		p = cfg.fit(ctx, p, cfg.MaxTokens)
		n := size(p)
		if n > left && len(group) > 0 {
			groups, group, left = append(groups, group), nil, cfg.MaxTokens
		}
		group, left = append(group, p), left-n
	}
	if len(group) > 0 {
		groups = append(groups, group)
	}
	return groups
}

// size returns the highest number of tokens that a section can add to a prompt.
func size(p Section) int { return tokens.Count(p.String()) }

// fit shortens a section to room tokens and traces that it is shortened. A section that fits is
// returned unchanged.
func (cfg *ReportConfig) fit(ctx context.Context, p Section, room int) Section {
	if size(p) <= room {
		return p
	}
	heading := p.Heading
	if size(Section{Heading: heading}) > room/2 {
		p.Heading = tokens.Truncate(heading, room/4)
	}
	frame := size(Section{Heading: p.Heading})
	short := Section{Heading: p.Heading, covers: p.covers, Text: tokens.Truncate(p.Text, room-frame)}
	// the tokens of heading and text may not add up exactly
	for most := room - frame - 1; size(short) > room && most >= 0; most-- {
		short.Text = tokens.Truncate(p.Text, most)
	}
	cfg.truncated++
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindIgnoredInput,
		Node:   reportNode,
		From:   excerpt(heading),
		Reason: "too_long",
		Text:   fmt.Sprintf("%d of %d bytes", len(p.Text)-len(short.Text), len(p.Text)),
	})
	return short
}

// fitAll shortens the sections so that all fit into one prompt, each with the same number of
// tokens. If not even the headings fit, the last sections are dropped; lost contains their
// headings.
func (cfg *ReportConfig) fitAll(ctx context.Context, pieces []Section) (list []Section, lost []string) {
	left := cfg.MaxTokens
	for i, p := range pieces {
		p = cfg.fit(ctx, p, cfg.MaxTokens/len(pieces))
		if left -= size(p); left < 0 {
			return list, covered(pieces[i:])
		}
		list = append(list, p)
	}
	return list, nil
}
