package companion

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/companion/dates"
	"evalctl/agent/companion/diary"
	"evalctl/agent/trace"
)

// run is one turn being answered.
type run struct {
	Config
	intents *cache.Cache[judged]
	count   *atomic.Int64
	turn    agent.Turn
	text    string    // all messages of the turn
	batch   []string  // each of them
	now     time.Time // in the user's zone
	said    dates.Reading
	state   state
	reply   agent.Reply
}

func (a *Agent) begin(ctx context.Context, t agent.Turn) *run {
	r := &run{Config: a.cfg, intents: a.intents, count: &a.count, turn: t, text: t.Text, batch: t.Batch}
	if len(r.batch) == 0 {
		r.batch = []string{t.Text}
	}
	r.state = readState(ctx, t.State, a.cfg)
	r.now = r.state.now(ctx)
	return r
}

// answer takes the turn to its reply. The error is of a context that has ended, or a
// bug.
func (r *run) answer(ctx context.Context) error {
	if code := r.refused(); code != "" {
		return r.apologise(ctx, code, "", intentNode)
	}
	r.said = dates.Read(r.text, r.now)
	d, err := r.decide(ctx)
	if err != nil || r.DecisionOnly {
		return err
	}
	served := NormalChat
	var found []diary.Found
	if d.intent == KnowledgeQuery {
		var looked bool
		if found, looked, err = r.recall(ctx, d.query); err != nil {
			return err
		}
		if looked {
			served = KnowledgeQuery
		}
	}
	said, err := r.talk(ctx, found)
	if err != nil {
		return r.unanswered(ctx, err)
	}
	r.say(ctx, said)
	r.reply.Served = served
	return r.remember(ctx, said)
}

// fallback notes at a node that to has taken over from what failed.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: node, From: from, To: to, Reason: reason})
}

// unused notes what a model or the user has said that is not made use of, and what
// is taken in its place.
func unused(ctx context.Context, node, what, text, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindUnused, Node: node, From: what, To: to, Text: piece(text), Reason: reason})
}

// formed notes whether a model's answer was in the form that it was asked for.
func formed(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindForm, Node: node, Reason: reason, Text: piece(detail)})
}

// piece is the beginning of a text that somebody else has written.
func piece(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text, "�"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
