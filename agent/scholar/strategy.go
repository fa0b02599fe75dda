package scholar

import "context"

// strategyFor returns the strategy for an intent and a number of documents. direct is true if the
// only document fits into the prompt as a whole.
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

// fitsDirectly reports whether the turn has a single document that is small enough to be used as a
// whole.
func (r *run) fitsDirectly() bool {
	if len(r.docs) != 1 || r.docs[0].IsRemote {
		return false
	}
	return float64(r.docs[0].tokens()) < r.FullTextShare*float64(r.budget.available())
}

// selectStrategy is the node that decides how the content for the answer is collected.
func (r *run) selectStrategy(ctx context.Context) error {
	if err := r.refuseUnreadable(ctx); err != nil {
		return err
	}
	r.strategy = strategyFor(r.intent, len(r.docs), r.fitsDirectly())
	r.setAttribute("strategy", r.strategy)
	r.emitThought(ctx, strategyNode, r.localized("信息收集策略："+r.strategy, "Strategy: "+r.strategy))
	return nil
}

func (r *run) setAttribute(name, value string) {
	if r.reply.Attributes == nil {
		r.reply.Attributes = map[string]string{}
	}
	r.reply.Attributes[name] = value
}
