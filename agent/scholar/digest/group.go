package digest

import (
	"context"
	"fmt"

	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// groups parts the pieces, in their order, into as few groups as have room in a prompt
// each. A piece that has no room by itself is cut.
func (cfg *ReportConfig) groups(ctx context.Context, pieces []Section) (groups [][]Section) {
	var group []Section
	left := cfg.MaxTokens
	for _, p := range pieces {
		p = cfg.fitting(ctx, p, cfg.MaxTokens)
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

// size is what a piece adds to a prompt, at most.
func size(p Section) int { return tokens.Count(p.String()) }

// fitting is a piece of at most so many tokens; where it is cut, that is told.
func (cfg *ReportConfig) fitting(ctx context.Context, p Section, room int) Section {
	if size(p) <= room {
		return p
	}
	heading := p.Heading
	if size(Section{Heading: heading}) > room/2 {
		p.Heading = tokens.Truncate(heading, room/4)
	}
	frame := size(Section{Heading: p.Heading})
	short := Section{Heading: p.Heading, of: p.of, Text: tokens.Truncate(p.Text, room-frame)}
	for most := room - frame - 1; size(short) > room && most >= 0; most-- { // counted together they may be more
		short.Text = tokens.Truncate(p.Text, most)
	}
	cfg.cut++
	trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: reportNode, From: beginning(heading), Reason: "too_long",
		Text: fmt.Sprintf("%d of %d bytes", len(p.Text)-len(short.Text), len(p.Text))})
	return short
}

// shortened cuts each piece to its share of a prompt. Where not even the headings have
// room, the last pieces are left out.
func (cfg *ReportConfig) shortened(ctx context.Context, pieces []Section) (list []Section, lost []string) {
	left := cfg.MaxTokens
	for i, p := range pieces {
		p = cfg.fitting(ctx, p, cfg.MaxTokens/len(pieces))
		if left -= size(p); left < 0 {
			return list, covered(pieces[i:])
		}
		list = append(list, p)
	}
	return list, nil
}
