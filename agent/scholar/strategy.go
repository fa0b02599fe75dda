package scholar

import "context"

// strategyFor is how what an intent needs is gathered from so many documents; direct
// tells that there is one, which fits in as a whole. It is only asked of intents that
// are about documents, where there are some.
func strategyFor(intent string, documents int, direct bool) string {
	switch {
	case intent == simpleInteraction || documents == 0:
		return simpleStrategy
	case documents == 1 && direct:
		return fullContent
	case documents > 1 && (intent == literatureSummary || intent == reviewGeneration):
		return multiDocSummary
	default:
		return chunkRecall
	}
}

// fits tells whether the turn's only document is small enough to be shown as a whole.
func (r *run) fits() bool {
	return len(r.docs) == 1 && float64(r.docs[0].tokens()) < r.Direct*float64(r.room.available())
}

// selectStrategy is a node.
func (r *run) selectStrategy(ctx context.Context) error {
	if err := r.refuseUnreadable(ctx); err != nil {
		return err
	}
	r.strategy = strategyFor(r.intent, len(r.docs), r.fits())
	r.aspect("strategy", r.strategy)
	r.think(ctx, strategyNode, r.say("信息收集策略："+r.strategy, "Strategy: "+r.strategy))
	return nil
}

func (r *run) aspect(name, value string) {
	if r.reply.Attributes == nil {
		r.reply.Attributes = map[string]string{}
	}
	r.reply.Attributes[name] = value
}
